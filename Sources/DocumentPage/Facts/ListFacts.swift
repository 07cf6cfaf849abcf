internal import DocumentVersions
internal import Foundation

/// The list of documents for a page.
struct ListFacts: Encodable {
  struct Item: Encodable {
    let path, name, folder: String
    let size: Int
    let date: Double
    let isPackage, isInConflict, isDownloaded: Bool
    let edits: String?
  }

  let folder: String
  let isListed: Bool
  let failure: String?
  let documents: [Item]

  @MainActor
  init(_ folder: PageFolder) {
    self.folder = folder.root.lastPathComponent
    isListed = folder.isListed
    failure = folder.failure
    documents = folder.items.map { item in
      let path = folder.path(of: item.id)
      return Item(
        path: path, name: item.name,
        folder: path.split(separator: "/").dropLast().joined(separator: "/"), size: item.size,
        date: item.contentChangeDate.timeIntervalSince1970 * 1000, isPackage: item.isPackage,
        isInConflict: item.hasUnresolvedConflicts,
        isDownloaded: item.downloadingStatus != .notDownloaded,
        edits: item.editState.map(\.rawValue))
    }
  }
}

/// The state of an open document.
struct DocumentFacts: Encodable, Equatable {
  let path, phase: String
  let message: String?
  let revision: Int
  let isUnsaved, isInConflict, isEditable, isReadOnly, hasFailed: Bool
  let failure: String?
  /// The progress of its download, from 0 to 1; nil while it isn't being downloaded.
  let downloaded: Double?
  /// The names of the changes to undo and redo; nil if there are none.
  let undo, redo: String?

  @MainActor
  init(_ open: OpenDocument, in folder: PageFolder) {
    let document = open.document
    path = folder.path(of: document.fileURL.path)
    phase = open.phase.rawValue
    message = open.message
    revision = document.revision
    isUnsaved = document.hasUnsavedChanges
    isInConflict = document.state.contains(.inConflict)
    isReadOnly = document.isReadOnly || document.state.contains(.readOnly)
    isEditable = open.phase == .open && !document.state.contains(.editingDisabled) && !isReadOnly
    hasFailed = document.state.contains(.savingError)
    failure = document.lastError.map { "\($0)" }
    downloaded = open.downloaded
    let manager = document.undoManager
    undo = manager.flatMap { $0.canUndo ? $0.undoActionName : nil }
    redo = manager.flatMap { $0.canRedo ? $0.redoActionName : nil }
  }
}

/// The text of an open document.
struct TextFacts: Encodable {
  let revision: Int
  let text: String
  let isText: Bool

  @MainActor
  init(_ document: TextDocument) {
    revision = document.revision
    text = document.text
    isText = document.isText
  }
}
