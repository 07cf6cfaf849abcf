internal import DocumentVersions
internal import Foundation

/// A restored version: `{"document", "keptEdits", "member", "restored", "to", "version"}`.
///
/// | key | value |
/// | --- | --- |
/// | `document` | the path |
/// | `keptEdits` | the version that unsaved edits became, or null |
/// | `member` | the only member that was restored, or null |
/// | `restored` | the version whose contents were taken |
/// | `to` | the other path to which they were written, or null |
/// | `version` | the new current version, or null if they were written elsewhere |
struct RestoreReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, restored, keptEdits, version, to, member
  }

  let document: String
  let restored: VersionReport
  @Nullable var keptEdits: VersionReport?
  @Nullable var version: VersionReport?
  @Nullable var to: String?
  @Nullable var member: String?
  /// True if a new version was created.
  let isNew: Bool

  /// Reports a version that was restored in place.
  init(_ restored: FileVersion, member: String?, _ outcome: RestoreOutcome) {
    document = restored.documentURL.path
    self.restored = VersionReport(restored)
    self.member = member
    keptEdits = outcome.keptEdits.map(VersionReport.init)
    version = VersionReport(outcome.version)
    to = nil
    isNew = outcome.isNew
  }

  /// Reports a version that was written elsewhere.
  init(_ restored: FileVersion, member: String?, to place: String) {
    document = restored.documentURL.path
    self.restored = VersionReport(restored)
    self.member = member
    to = place
    keptEdits = nil
    version = nil
    isNew = false
  }
}
