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
      func move(_ moved: (URL, URL) throws -> Void) throws -> FileVersion {
        let version = try store.move(document, to: destination)
        try moved(document, destination)
        return version
      }
      if !around.isEmpty {
        let path = try FileCoordinator.normalized(document)
        if let scope = around.last(where: { $0.access.covers(path) }) {
          return try move(scope.access.noteMove)
        }
      }
      let coordinator = FileCoordinator(forStoreWaiting: store.lockTimeout / .seconds(1))
      return try coordinator.moving(document, to: destination, in: store, move)
    }
  }
}
