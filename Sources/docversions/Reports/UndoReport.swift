internal import DocumentVersions
internal import Foundation

/// An undone operation: `{"broughtBack", "conflicts", "document", "keptEdits", "undone", "version"}`.
///
/// | key | value |
/// | --- | --- |
/// | `broughtBack` | the identifiers of the versions whose contents are back |
/// | `conflicts` | the unresolved conflict versions |
/// | `document` | the path |
/// | `keptEdits` | the version that unsaved edits became, or null |
/// | `undone` | the version that the undone operation had made, or null |
/// | `version` | the current version |
struct UndoReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, broughtBack, conflicts, undone, keptEdits, version
  }

  let outcome: UndoOutcome

  init(_ outcome: UndoOutcome) {
    self.outcome = outcome
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(outcome.document.path, forKey: .document)
    try container.encode(outcome.broughtBack.map(\.id.description), forKey: .broughtBack)
    try container.encode(outcome.conflicts.map(VersionReport.init), forKey: .conflicts)
    try container.encode(outcome.undone.map(VersionReport.init), forKey: .undone)
    try container.encode(outcome.keptEdits.map(VersionReport.init), forKey: .keptEdits)
    try container.encode(VersionReport(outcome.version), forKey: .version)
  }
}
