public import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
public import Foundation

/// Resolving conflicts, moving, duplicating and deleting an open document.
extension Document {
  /// Returns the document's present conflict; `nil` if it isn't in conflict.
  public func conflict() async throws -> Conflict? {
    try await Conflict.of(fileURL, store: environment.store)
  }

  /// Resolves the document's conflict, and shows the result.
  ///
  /// Unsaved edits become a version first, which takes part in the conflict. Afterward, the undo stack is empty.
  ///
  /// While the strategy decides, for example by asking a person, the document can be edited, and other programs can
  /// access it. If its versions change meanwhile, the strategy decides again.
  ///
  /// - Parameter strategy: the strategy that decides the conflict.
  /// - Throws: ``DocumentError`` if the document is closed; the errors of ``ConflictResolver/resolve(_:)``.
  @discardableResult
  public func resolve(_ strategy: ResolutionStrategy) async throws -> ResolutionOutcome {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    return try await FileResolution(of: self).resolve(strategy)
  }

  /// Moves or renames the document with its versions, also to another container, and updates ``fileURL``.
  ///
  /// Moving the document to its present location does nothing.
  ///
  /// - Parameter url: the new location, where no item may exist.
  /// - Throws: ``DocumentError`` if the document is closed; ``FileError`` with code `exists`; the store's errors.
  public func move(to url: URL) async throws { try await FileRemoval(of: self).move(to: url) }

  /// Writes the present contents to a new document beside this one.
  ///
  /// The new document has no versions, and this object keeps its own document.
  ///
  /// - Returns: the location of the new document.
  public func duplicate() async throws -> URL {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    knownUndoManager?.endAllGroups()
    let (contents, form, original) = (try contents(forType: fileType), form, fileURL)
    return try await lane.run(isCancelledWithCaller: true) { [self] in
      try await busy(form) {
        try await BlockingPool.shared.run {
          try DiskRevision.writeCopy(contents, beside: original, as: form)
        }
      }
    }
  }

  /// Deletes the document on every device, and closes it; you can still restore any of its versions.
  ///
  /// - Throws: ``DocumentError`` if the document is closed; the store's errors.
  public func delete() async throws { try await FileRemoval(of: self).delete() }
}
