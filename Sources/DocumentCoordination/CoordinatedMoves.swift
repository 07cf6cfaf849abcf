internal import DocumentFiles
public import DocumentStore
public import Foundation

extension FileVersion {
  /// Moves a document to another folder, and its versions with it; unsaved edits become a version first.
  ///
  /// The folder may be in another container, also on another disk (`setUbiquitous(_:itemAt:destinationURL:)`). In that
  /// case, all versions are copied, and the document is deleted at its old location, on every device that has that
  /// container. If the move fails, nothing changes at the old location.
  ///
  /// The access is coordinated: programs that have the document open save it first, and follow it. Inside a coordinated
  /// write of the document, the move is part of that access.
  ///
  /// - Parameters:
  ///   - document: the document; it must be on disk.
  ///   - destination: the new location, in an existing folder; no item may exist there.
  ///   - store: the store that has the document.
  /// - Returns: the version that represents the move; its `documentURL` is the new location.
  /// - Throws: ``FileError`` with code `exists` if an item exists at the destination, and with `notFound` if its folder
  ///   doesn't exist; ``CoordinationError`` if another program keeps the document, or can't save it.
  @discardableResult
  public static func move(
    _ document: URL, to destination: URL, store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    let around = AccessScope.current
    return try await store.perform { store in
      try store.moving(document, to: destination, inside: around) {
        try store.move(document, to: destination)
      }
    }
  }
}

extension VersionStore {
  /// Reverts the last operation on a document, if it resolved or marked a conflict, or restored, deleted, moved,
  /// renamed, removed or thinned.
  ///
  /// | the last operation | undoing it |
  /// | --- | --- |
  /// | removed or thinned versions | restores their contents, until the trash is collected |
  /// | restored, deleted or renamed | makes a version with the contents and the name from before |
  /// | moved to another container | moves it back, on the device that moved it |
  /// | resolved a conflict | reopens the conflict, on every device after the next exchange |
  ///
  /// Undoing removes no version: the undone versions stay in the history, and a version that another device has based
  /// on them becomes one more conflict version. Unsaved edits are kept: they become a version first, or stay in the
  /// document if a conflict reopens.
  ///
  /// A second undo doesn't redo.
  ///
  /// Undoing a move to another container is coordinated like the move itself; see
  /// ``FileVersion/move(_:to:store:)``.
  ///
  /// - Throws: ``VersionError`` with code `nothingToUndo` if the last operation is a different one, such as a save, and
  ///   `contentsNotLocal` if required contents are no longer on this device; ``CoordinationError`` if another program
  ///   keeps a document that is moved back, or can't save it.
  @discardableResult
  public func undo(_ document: URL) async throws -> UndoOutcome {
    let around = AccessScope.current
    return try await perform { store in
      guard let (present, former) = try store.lastMove(of: document) else {
        return try store.undo(document)
      }
      return try store.moving(present, to: former, inside: around) { try store.undo(document) }
    }
  }
}

extension SynchronousStore {
  /// Moves a document with coordinated access, which is part of one around it; blocks.
  ///
  /// - Parameter scopes: the accesses around the task.
  fileprivate func moving<Result>(
    _ document: URL, to destination: URL, inside scopes: [AccessScope],
    _ body: () throws -> Result
  ) throws -> Result {
    func move(_ moved: (URL, URL) throws -> Void) throws -> Result {
      let result = try body()
      try moved(document, destination)
      return result
    }
    if !scopes.isEmpty {
      let path = try FileCoordinator.normalized(document)
      if let scope = scopes.last(where: { $0.access.covers(path) }) {
        return try move(scope.access.noteMove)
      }
    }
    return try FileCoordinator(forStoreWaiting: environment.lockSeconds)
      .moving(document, to: destination, in: self, move)
  }
}
