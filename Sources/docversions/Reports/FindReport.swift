internal import DocumentVersions

/// The found documents: `{"documents": […]}`.
struct FindReport: Encodable {
  let documents: [FoundDocument]
}

/// A batch of differences: `{"added", "changed", "initial", "removed"}`.
struct FindUpdateReport: Encodable {
  let initial: Bool
  let added, changed, removed: [FoundDocument]

  init(_ update: DocumentQuery.Update) {
    initial = update.isInitial
    added = update.added.map(FoundDocument.init)
    changed = update.changed.map(FoundDocument.init)
    removed = update.removed.map(FoundDocument.init)
  }
}

/// A found document:
/// `{"conflict", "date", "document", "downloaded", "name", "package", "size", "state", "type"}`.
struct FoundDocument: Encodable {
  let document: String
  let name: String
  let size: Int
  let date: String
  let package: Bool
  let conflict: Bool
  let downloaded: Bool
  @Nullable var type: String?
  @Nullable var state: EditState?

  init(_ found: DocumentMetadata) {
    document = found.id
    name = found.name
    size = found.size
    date = Timestamp.text(found.contentChangeDate)
    package = found.isPackage
    conflict = found.hasUnresolvedConflicts
    downloaded = found.downloadingStatus != .notDownloaded
    type = found.contentType
    state = found.editState
  }
}
