internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import Foundation

/// Saves an open document to its file, or creates the file, in the lane.
@MainActor
struct FileSave {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  /// Creates a new document, which the object represents from then on.
  func create(at url: URL) async throws {
    do { try await make(url) } catch {
      document.report(error)
      throw error
    }
  }

  private func make(_ url: URL) async throws {
    document.knownUndoManager?.endAllGroups()
    let snapshot = try DocumentSnapshot(of: document, for: .creating)
    try await document.lane.run { [self] in
      // Another call may have opened it in the meantime, at this location or another.
      if document.isOpen, url == document.fileURL { throw DocumentError.isOpen(url) }
      try await document.busy(snapshot.form) {
        if document.isOpen {
          try await document.access.writing {
            _ = try await file.save(nil, for: .discardableVersion, as: snapshot.form)
          }
        }
        try await refuseListed(url)
        try await document.access.writing([.writingIntent(with: url)]) { _ in
          try await file.create(snapshot.contents, at: url, as: snapshot.form)
        }
      }
      document.changes.clear(savedAt: snapshot.moment)
      // What was wrong with the former file doesn't concern the new one.
      document.state.subtract([.closed, .readOnly, .savingError])
      document.lastError = nil
      if !document.isReadOnly, document.editingPauses == 0 {
        document.state.remove(.editingDisabled)
      }
      await document.didOpen()
    }
  }

  /// Throws an error if other devices have a document at a place and this one only lists it, because it must
  /// be opened, not created.
  private func refuseListed(_ url: URL) async throws {
    guard try await document.environment.store.perform({ try $0.isOnlyListed(url) }) else { return }
    throw FileError(
      .exists, path: try url.filePath,
      message:
        "“\(Printable.text(url.lastPathComponent))” already exists on other devices: open it.")
  }

  /// Saves the document before another program uses its file.
  func saveForOthers() async throws {
    do {
      try await document.save(to: document.fileURL, for: .autosaving)
    } catch let error as DocumentError where error.code == .closed {
      // Closing has saved the changes meanwhile.
    }
  }

  /// Saves the document at its present location.
  func save(for operation: SaveOperation) async throws {
    document.knownUndoManager?.endAllGroups()
    guard document.isOpen else { throw DocumentError.isClosed(document.fileURL) }
    guard !document.isUnchangeable else {
      throw DocumentError.isReadOnly(document.fileURL, named: document.localizedName)
    }
    document.autosaver.stop()
    do {
      // The snapshot is taken now, so it doesn't include text typed while earlier accesses run.
      let snapshot =
        document.hasUnsavedChanges ? try DocumentSnapshot(of: document, for: operation) : nil
      let isWaiting = snapshot != nil && operation.isAskedFor
      if isWaiting { document.waitingSaves += 1 }
      try await document.lane.run(isCancelledWithCaller: operation.isAskedFor) { [self] in
        defer { if isWaiting { document.waitingSaves -= 1 } }
        try await write(snapshot, for: operation)
      }
      if file.damage == nil {
        document.state.remove(.savingError)
        document.lastError = nil
      }
      document.reportDamage()
      document.autosaver.noteSuccess()
      if document.hasUnsavedChanges { document.autosaver.schedule() }
    } catch let error as CancellationError {
      if document.hasUnsavedChanges, document.isOpen { document.autosaver.schedule() }
      throw error
    } catch {
      // If it was closed in the meantime, nothing is left to save.
      guard document.isOpen else { throw error }
      document.autosaver.noteFailure()
      document.report(error, as: .savingError)
      throw error
    }
  }

  /// Performs an access in the lane after which the document no longer has its contents, once all edits are versions.
  ///
  /// An app that can't stop its views at once may make edits in the meantime, which become versions, too.
  ///
  /// - Parameter access: receives a function that returns whether there are such edits, which the access calls before it
  ///   replaces the contents; if it returns false, it is performed again. The last attempt ignores edits.
  func afterKeepingEdits(
    isCancelledWithCaller: Bool = false,
    _ access:
      @escaping @MainActor (_ hasEdits: @escaping @MainActor () -> Bool) async throws ->
      Bool
  ) async throws {
    for attempt in 1...5 {
      try await document.keepEdits()
      let hasEdits = { @MainActor [document, file, isLast = attempt == 5] in
        document.knownUndoManager?.endAllGroups()
        let isEdited = document.hasUnsavedChanges || file.isUnversioned && file.damage == nil
        return isEdited && !isLast
      }
      let isDone = try await document.lane.run(isCancelledWithCaller: isCancelledWithCaller) {
        if hasEdits() { false } else { try await access(hasEdits) }
      }
      if isDone { return }
    }
  }

  private func write(_ snapshot: DocumentSnapshot?, for operation: SaveOperation) async throws {
    // It may have been deleted or closed in the meantime.
    guard document.isOpen else { throw DocumentError.isClosed(document.fileURL) }
    // Contents that were replaced in the meantime would take back what the file has now. They were saved before, or the
    // person undid them or reverted the document.
    let snapshot = snapshot.flatMap { document.changes.isReplaced(since: $0.moment) ? nil : $0 }
    let (former, hadVersions) = (document.fileURL, file.base != nil)
    let formerItem = file.disk?.status
    let form = snapshot?.form ?? document.form
    let outcome = try await document.busy(form) {
      try await document.access.writing([.writingIntent(with: former, options: .forMoving)]) {
        moved in
        if let suffix = snapshot?.newExtension { try await file.changeExtension(to: suffix) }
        try moved(former, document.fileURL)
        return try await file.save(snapshot?.contents, for: operation, as: form) {
          if let snapshot { document.changes.clear(savedAt: snapshot.moment) }
        }
      }
    }
    if let outcome {
      document.lastVersionTime = document.environment.clock.now()
      document.setConflict(outcome.isInConflict)
    }
    if !hadVersions || snapshot?.newExtension != nil || file.isFolder(replacing: formerItem) {
      await document.observe()
    }
  }
}

extension SaveOperation {
  /// True if the app requested the save, and can cancel it with the task.
  fileprivate var isAskedFor: Bool { if case .version = self { true } else { false } }
}
