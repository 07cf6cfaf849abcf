internal import DocumentVersions
internal import Foundation

/// A document that is not on this device: `{"bytes", "device", "document", "modified", "package", "unresolvedConflicts"}`.
struct ListedReport: Encodable {
  let document, device, modified: String
  let bytes, unresolvedConflicts: Int
  let package: Bool

  init(_ listed: ListedDocument) {
    document = listed.document.path
    device = listed.device
    modified = Timestamp.textInSeconds(listed.modificationDate)
    bytes = listed.size
    unresolvedConflicts = listed.unresolvedConflicts
    package = listed.isPackage
  }
}

/// The state of one document: `{"current", "document", "exchanged", "state", "unresolvedConflicts", "versions"}`.
///
/// The current version or null, the path, whether other devices can get all saved versions, the state's name,
/// and the numbers of unresolved conflict versions and of versions. For a document that was probably moved,
/// `movedTo` is its new path.
struct StatusReport: Encodable {
  private enum CodingKeys: CodingKey {
    case document, movedTo, state, versions, unresolvedConflicts, current, exchanged
  }

  let document: String
  /// The path of a file elsewhere that is probably the missing document; omitted if it is nil.
  var movedTo: String?
  var state: EditState
  let versions: Int
  let unresolvedConflicts: Int
  @Nullable var current: VersionReport?
  /// True if other devices can get all saved versions; `nil` if the document was never exchanged.
  @Nullable var exchanged: Bool?
  /// The version to restore, for a document that is not on disk.
  let last: FileVersion?
  /// The document that a missing one was joined with, if that was interrupted at its end.
  var joined: URL?

  /// - Parameters:
  ///   - path: the document's path, for a document without versions.
  ///   - last: the version to restore, for a document that is not on disk.
  init(_ path: String, _ state: EditState, _ history: DocumentHistory?, last: FileVersion?) {
    self.state = state
    document = history?.document.path ?? path
    versions = history?.count ?? 0
    unresolvedConflicts = history?.unresolvedConflicts.count ?? 0
    current = history?.current.map(VersionReport.init)
    self.last = last
  }

  /// The report on a document that shows its current version and is in no conflict.
  ///
  /// - Parameters:
  ///   - path: the document's path.
  ///   - count: the number of its versions.
  init(_ path: String, unchanged count: Int) {
    state = .unchanged
    document = path
    versions = count
    unresolvedConflicts = 0
    current = nil
    last = nil
  }

  /// True if the document shows its current version and is in no conflict.
  var isUnchanged: Bool { state == .unchanged && unresolvedConflicts == 0 }
}
