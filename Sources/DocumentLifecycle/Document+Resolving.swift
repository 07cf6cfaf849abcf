public import DocumentConflicts
internal import DocumentFiles
internal import DocumentStore
public import Foundation

/// Resolving conflicts, moving, duplicating and deleting an open document.
extension Document {
  /// The conflict that the document is in, as it is now; nil where it is in none.
  public func conflict() async throws -> Conflict? {
    try await Conflict.of(fileURL, store: environment.store)
  }

  /// Resolves the conflict that the document is in, and shows the result (AS18).
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
        try await busy { try await resolveNow(strategy) }
      }
      await observe()
    }
    return outcome
  }

  private func resolveNow(_ strategy: ResolutionStrategy) async throws -> ResolutionOutcome {
    let outcome = try await ConflictResolver(strategy, store: environment.store).resolve(fileURL)
    if case .resolved(let resolution) = outcome {
      file.url = resolution.version.documentURL
      try await read(because: .resolved)
      file.lastKept = file.base
    }
    await refreshConflict()
    return outcome
  }

  /// Moves or renames the document with its versions; the object follows (ND14).
  ///
  /// - Parameter url: the new place, where nothing may be.
  /// - Throws: ``DocumentError`` where the document is closed; ``FileError`` with code `exists`; the store's errors.
  public func move(to url: URL) async throws {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    try await keepEdits()
    try await lane.run { [self] in
      try await file.move(to: url)
      await observe()
    }
  }

  /// Writes the present contents to a new document beside this one; it has no versions, and this object stays where it is
  /// (ND13).
  ///
  /// - Returns: the new document.
  public func duplicate() async throws -> URL {
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    knownUndoManager?.endEvent()
    let contents = try contents(forType: fileType)
    let original = fileURL
    return try await lane.run {
      try await BlockingPool.shared.run {
        var number = 1
        while true {
          let place = original.copy(number: number)
          do {
            _ = try DiskRevision.write(contents, to: place, replacing: nil)
            return place
          } catch let error as FileError where error.code == .exists && number < 10_000 {
            number += 1
          }
        }
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
      try await file.delete()
      didClose()
    }
  }
}

extension URL {
  /// The name of a copy beside this: "Note copy.md", "Note copy 2.md".
  fileprivate func copy(number: Int) -> URL {
    let name = deletingPathExtension().lastPathComponent
    let copy = number == 1 ? "\(name) copy" : "\(name) copy \(number)"
    let folder = deletingLastPathComponent()
    return pathExtension.isEmpty
      ? folder.appending(path: copy) : folder.appending(path: "\(copy).\(pathExtension)")
  }
}
