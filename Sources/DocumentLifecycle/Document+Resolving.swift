public import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
public import Foundation

/// Resolving conflicts, moving, duplicating and deleting an open document.
extension Document {
  /// The conflict that the document is in, as it is now; nil where it is in none.
  public func conflict() async throws -> Conflict? {
    try await Conflict.of(fileURL, store: environment.store)
  }

  /// Resolves the conflict that the document is in, and shows the result.
  ///
  /// What was edited becomes a version first, which takes part. Nothing can be undone afterwards.
  ///
  /// - Parameter strategy: how the conflict is decided.
  /// - Throws: ``DocumentError`` where the document is closed; as ``ConflictResolver/resolve(_:)``.
  @discardableResult
  public func resolve(_ strategy: ResolutionStrategy) async throws -> ResolutionOutcome {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    var outcome = ResolutionOutcome.noConflict
    try await withoutEditing { [self] in
      try await keepEdits()
      outcome = try await lane.run { [self] in
        let form = form
        return try await busy(form) {
          try await FileResolution(of: self).resolve(strategy, as: form)
        }
      }
      await observe()
    }
    return outcome
  }

  /// Moves or renames the document with its versions; the object follows.
  ///
  /// Its own place is no change.
  ///
  /// - Parameter url: the new place, where nothing may be.
  /// - Throws: ``DocumentError`` where the document is closed; ``FileError`` with code `exists`; the store's errors.
  public func move(to url: URL) async throws {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    guard try await file.isElsewhere(url) else { return }
    try await keepEdits()
    try await lane.run { [self] in
      // Before other programs are asked: at a place that is taken, none has to make way.
      guard try await file.isElsewhere(url) else { return }
      let former = fileURL
      let target = FileAccessIntent.writingIntent(with: url, options: .forReplacing)
      try await access.writing([.writingIntent(with: former, options: .forMoving), target]) {
        try await file.move(to: url)
        try $0(former, fileURL)
      }
      await observe()
    }
  }

  /// Writes the present contents to a new document beside this one; it has no versions, and this object stays where it is.
  ///
  /// - Returns: the new document.
  public func duplicate() async throws -> URL {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    knownUndoManager?.endEvent()
    let (contents, form, original) = (try contents(forType: fileType), form, fileURL)
    return try await lane.run {
      try await BlockingPool.shared.run {
        try DiskRevision.writeCopy(contents, beside: original, as: form)
      }
    }
  }

  /// Deletes the document on every device, and closes it; its versions stay, and any of them can be restored.
  ///
  /// - Throws: ``DocumentError`` where the document is closed; the store's errors.
  public func delete() async throws {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    try await keepEdits()
    try await lane.run { [self] in
      try await access.writing([.writingIntent(with: fileURL, options: .forDeleting)]) { _ in
        try await file.delete()
      }
      await didClose()
    }
  }
}
