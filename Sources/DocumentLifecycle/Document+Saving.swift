internal import DocumentFiles
public import DocumentStore
public import Foundation

/// Creating and saving.
extension Document {
  /// Makes the document, which must not be there yet, with its first version, and opens it.
  ///
  /// - Throws: ``FileError`` with code `exists` where something is there already; ``DocumentError`` where it is open.
  public func create() async throws {
    guard !isOpen else { throw DocumentError.isOpen(fileURL) }
    try await save(to: fileURL, for: .creating)
  }

  /// Saves the document as a version that stays.
  ///
  /// The contents are those of the moment of the call. Changes that are made meanwhile stay unsaved.
  ///
  /// - Parameter note: what to say about the version.
  /// - Returns: the version with these contents; the former one where nothing was changed.
  /// - Throws: the error of ``contents(forType:)``, of writing the file or of the store, after ``handle(_:)`` got it;
  ///   ``DocumentError`` where the document is closed or read-only. The changes are still in memory then, and
  ///   ``DocumentState/savingError`` is set.
  @discardableResult
  public func save(note: String? = nil) async throws -> FileVersion? {
    try await save(to: fileURL, for: .version(note: note))
    return file.base
  }

  /// Saves when that is due; where it fails, it is tried again.
  ///
  /// A file that is missing is waited for: saving does not bring it back.
  func saveByItself() async {
    if !absence.isPending { await autosave() }
    if hasUnsavedChanges, isOpen { autosaver.schedule() }
  }

  /// Whether the document has been edited for so long that an autosave makes a version.
  var isVersionDue: Bool {
    environment.clock.now() - lastVersionTime >= environment.autosave.versionInterval
  }

  /// Makes a version, which may be thrown away, of what was edited since the last one, as before something else takes the
  /// contents' place.
  func keepEdits() async throws {
    knownUndoManager?.endEvent()
    guard hasUnsavedChanges || file.isUnversioned else { return }
    try await save(to: fileURL, for: .discardableVersion)
  }

  // MARK: Errors and progress

  /// Reports an error that leaves the document in a state.
  func report(_ error: any Error, as problem: DocumentState = []) {
    lastError = error
    if isOpen { state.insert(problem) }
    handle(error)
  }

  /// Sets the state and the progress while the file is accessed.
  func busy<Result: Sendable>(
    _ form: DiskForm, _ access: @MainActor () async throws -> Result
  ) async throws -> Result {
    progress = form.progress
    state.insert(.progressAvailable)
    defer {
      state.remove(.progressAvailable)
      progress = nil
    }
    return try await withTaskCancellationHandler {
      try await access()
    } onCancel: {
      form.progress.cancel()
    }
  }

  /// Does something with the file in the order of all accesses to it, on a thread of its own.
  ///
  /// The document is neither read nor written meanwhile. Its own calls must not be waited for inside: they come after.
  ///
  /// - Parameter access: gets the place of the document; it may block.
  /// - Returns: what it returns.
  /// - Throws: what it throws.
  public func withFileAccess<Result: Sendable>(
    _ access: @escaping @Sendable (URL) throws -> Result
  ) async throws -> Result {
    try await lane.run { [self] in
      let url = fileURL
      return try await BlockingPool.shared.run { try access(url) }
    }
  }
}
