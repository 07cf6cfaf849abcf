internal import DocumentCoordination
internal import DocumentStore
internal import Foundation

/// Removes the file of an open document from its location: moves it, deletes it, or lets another program delete it.
@MainActor
struct FileRemoval {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  /// Moves the document with its versions; edits become a version first.
  func move(to url: URL) async throws {
    guard document.isOpen else { throw DocumentError.isClosed(document.fileURL) }
    guard try await file.isElsewhere(url) else { return }
    try await document.keepEdits()
    try await document.lane.run(isCancelledWithCaller: true) { [self] in
      // Checked before other programs are asked, so that none has to relinquish the file for a location that
      // is taken.
      guard try await file.isElsewhere(url) else { return }
      let former = document.fileURL
      let target = FileAccessIntent.writingIntent(with: url, options: .forReplacing)
      try await document.access.writing([
        .writingIntent(with: former, options: .forMoving), target,
      ]) {
        try await file.move(to: url)
        try $0(former, document.fileURL)
      }
      // Once the file is there, the document follows it, even if the task is canceled meanwhile.
      await Task { [document] in await document.observe() }.value
    }
  }

  /// Deletes the document and closes it; edits become a version first.
  func delete() async throws {
    guard document.isOpen else { throw DocumentError.isClosed(document.fileURL) }
    try await FileSave(of: document).afterKeepingEdits { [self] hasEdits in
      let intent = FileAccessIntent.writingIntent(with: document.fileURL, options: .forDeleting)
      let isDone = try await document.access.writing([intent]) { _ in
        guard !hasEdits() else { return false }
        try await file.delete()
        return true
      }
      if isDone { await document.didClose() }
      return isDone
    }
  }

  /// Closes the document before another program deletes it; edits become a version first.
  func makeWay() async throws {
    guard document.isOpen else { return }
    let former = file.base
    try await FileSave(of: document).afterKeepingEdits { [self] _ in
      // Without a version of them, the deletion would lose the edits.
      if file.isUnversioned, let damage = file.damage { throw damage }
      await document.didClose()
      return true
    }
    if file.base != former { document.report(DocumentError.wasRemoved(document.fileURL)) }
  }
}
