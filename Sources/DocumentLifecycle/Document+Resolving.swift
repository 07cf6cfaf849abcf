public import DocumentConflicts
internal import DocumentFiles
internal import DocumentStore
public import Foundation

/// Resolving conflicts, moving, duplicating and deleting an open document.
extension Document {
  /// Resolves the conflict that the document is in, and shows the result (AS18).
  ///
  /// What was edited becomes a version first, which takes part. Nothing can be undone afterwards.
  ///
  /// - Parameter strategy: how the conflict is decided.
  /// - Throws: ``DocumentError`` where the document is closed; as ``ConflictResolver/resolve(_:)``.
  @discardableResult
  public func resolve(_ strategy: ResolutionStrategy) async throws -> ResolutionOutcome {
    guard isOpen else { throw DocumentError(.closed, fileURL, "“\(localizedName)” is closed.") }
    var outcome = ResolutionOutcome.noConflict
    try await withoutEditing { [self] in
      try await keepEdits()
      outcome = try await lane.run { [self] in
        try await busy {
          let outcome = try await ConflictResolver(strategy, store: environment.store)
            .resolve(fileURL)
          if case .resolved(let resolution) = outcome {
            fileURL = resolution.version.documentURL
            try await read(because: .resolved)
            lastKept = base
          }
          await refreshConflict()
          return outcome
        }
      }
      await beginObserving()
    }
    return outcome
  }

  /// Moves or renames the document with its versions; the object follows (ND14).
  ///
  /// - Parameter url: the new place, where nothing may be.
  /// - Throws: ``DocumentError`` where the document is closed; ``FileError`` with code `exists`; the store's errors.
  public func move(to url: URL) async throws {
    guard isOpen else { throw DocumentError(.closed, fileURL, "“\(localizedName)” is closed.") }
    try await keepEdits()
    try await lane.run { [self] in
      let former = fileURL
      let isRename =
        url.deletingLastPathComponent().standardizedFileURL.path
        == former.deletingLastPathComponent().standardizedFileURL.path
      if base == nil {
        try await onDisk { try DocumentWriter.move(former.filePath, to: url.filePath) }
        fileURL = url
      } else if isRename {
        let renamed = try await environment.store.rename(former, to: url.lastPathComponent)
        fileURL = renamed.documentURL
      } else {
        try await onDisk { try DocumentWriter.move(former.filePath, to: url.filePath) }
        fileURL = url
        try await environment.store.save(url, asPackage: disk?.package != nil)
      }
      if let known = disk {
        let place = fileURL
        if known.package != nil {
          disk = try await onDisk { try DiskRevision.read(place).revision }
        } else if let status = try await onDisk({ try FileStatus.of(place.filePath) }) {
          disk = DiskRevision(status: status, package: nil)
        }
      }
      changedMembers = nil
      try await refreshBase()
      await beginObserving()
    }
  }

  /// Writes the present contents to a new document beside this one; it has no versions, and this object stays where it is
  /// (ND13).
  ///
  /// - Returns: the new document.
  public func duplicate() async throws -> URL {
    knownUndoManager?.endEvent()
    guard isOpen else { throw DocumentError(.closed, fileURL, "“\(localizedName)” is closed.") }
    let contents = try contents(forType: fileType)
    let original = fileURL
    return try await lane.run { [self] in
      try await onDisk {
        for number in 1... {
          let place = original.copy(number: number)
          do {
            _ = try DiskRevision.write(contents, to: place, replacing: nil)
            return place
          } catch let error as FileError where error.code == .exists && number < 10_000 {
            continue
          }
        }
        return original
      }
    }
  }

  /// Deletes the document on every device, and closes it; its versions stay, and any of them can be restored.
  ///
  /// - Throws: ``DocumentError`` where the document is closed; the store's errors.
  public func delete() async throws {
    guard isOpen else { throw DocumentError(.closed, fileURL, "“\(localizedName)” is closed.") }
    try await keepEdits()
    try await lane.run { [self] in
      if base == nil {
        // So that it can be brought back.
        base = try await environment.store.save(fileURL, asPackage: disk?.package != nil).version
      }
      try await environment.store.delete(fileURL)
      didClose()
    }
  }

  private func refreshBase() async throws {
    guard base != nil else { return }
    base = try await environment.store.history(of: fileURL, newest: 1).shown
    lastKept = base
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
