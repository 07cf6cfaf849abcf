internal import DocumentFiles
public import DocumentStore
public import Foundation

/// Creating and saving.
extension Document {
  /// Creates the document, which must not exist yet, with its first version, and opens it.
  ///
  /// - Throws: ``FileError`` with code `exists` if an item already exists there; ``DocumentError`` if the document is
  ///   open.
  public func create() async throws {
    guard !isOpen else { throw DocumentError.isOpen(fileURL) }
    try await save(to: fileURL, for: .creating)
  }

  /// Saves the document as a version that isn't discardable.
  ///
  /// This saves the contents at the moment of the call. Later changes stay unsaved.
  ///
  /// - Parameter note: a note about the version.
  /// - Returns: the version with these contents; the previous one if nothing has changed.
  /// - Throws: the error of ``contents(forType:)``, of writing the file or of the store, after passing it to
  ///   ``handle(_:)``; ``DocumentError`` if the document is closed or read-only. Changes that couldn't be written then
  ///   stay in memory, and ``DocumentState/savingError`` is set.
  @discardableResult
  public func save(note: String? = nil) async throws -> FileVersion? {
    try await save(to: fileURL, for: .version(note: note))
    return file.base
  }

  /// Autosaves when that is due, and retries after a failure.
  ///
  /// If the file is missing, this waits for it, because saving doesn't restore it.
  func saveByItself() async {
    if !absence.isPending { await autosave() }
    if hasUnsavedChanges, isOpen { autosaver.schedule() }
  }

  /// True if the document has been edited for so long that an autosave makes a version.
  var isVersionDue: Bool {
    environment.clock.now() - lastVersionTime >= environment.autosave.versionInterval
  }

  /// Makes a discardable version of the edits since the last version, before other contents replace them.
  func keepEdits() async throws {
    knownUndoManager?.endAllGroups()
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

  /// Shows that the store is damaged and keeps no versions, and reports it once.
  func reportDamage() {
    guard isOpen, let damage = file.damage, !state.contains(.savingError) else { return }
    report(damage, as: .savingError)
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

  /// Performs an access to the file, in order with all other accesses, on a separate thread.
  ///
  /// The document neither reads nor writes the file during the access. Don't wait for the document's own calls inside
  /// the closure: they run after it.
  ///
  /// - Parameter access: a closure that receives the location of the document, and may block.
  /// - Returns: the closure's result.
  /// - Throws: the closure's error.
  public func withFileAccess<Result: Sendable>(
    _ access: @escaping @Sendable (URL) throws -> Result
  ) async throws -> Result {
    try await lane.run { [self] in
      let url = fileURL
      return try await BlockingPool.shared.run { try access(url) }
    }
  }
}
