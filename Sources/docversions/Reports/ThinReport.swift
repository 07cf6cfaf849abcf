internal import DocumentVersions
internal import Foundation

/// A thinned history: `{"document", "kept", "removed"}`.
///
/// The path; the kept versions, each with the reasons; and the removed versions.
struct ThinReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, kept, removed
  }

  private struct Kept: Encodable {
    let version: VersionReport
    let reasons: [RetentionReason]
  }

  let outcome: ThinOutcome

  init(_ outcome: ThinOutcome) {
    self.outcome = outcome
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(outcome.document.path, forKey: .document)
    let kept = outcome.decisions.filter(\.isKept).map {
      Kept(version: VersionReport($0.version), reasons: $0.reasons)
    }
    try container.encode(kept, forKey: .kept)
    try container.encode(outcome.removed.map(VersionReport.init), forKey: .removed)
  }
}
