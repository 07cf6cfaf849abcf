public import DocumentStore

/// Creating and saving.
extension Document {
  /// Makes the document, which must not be there yet, with its first version, and opens it (UL4).
  ///
  /// - Throws: ``FileError`` with code `exists` where something is there already; ``DocumentError`` where it is open.
  public func create() async throws {
    let contents = try contents(forType: fileType)
    try await lane.run { [self] in
      guard !isOpen else { throw DocumentError.isOpen(fileURL) }
      try await busy { try await file.create(contents) }
      changes.clear()
      state.remove(.closed)
      await didOpen()
    }
  }

  /// Saves the document as a version that stays (UL3).
  ///
  /// The contents are those of the moment of the call. Changes that are made meanwhile stay unsaved.
  ///
  /// - Parameter note: what to say about the version.
  /// - Returns: the version with these contents; the former one where nothing was changed.
  /// - Throws: the error of ``contents(forType:)``, of writing the file or of the store, after ``handle(_:)`` got it;
  ///   ``DocumentError`` where the document is closed or read-only. The changes are still in memory then, and
  ///   ``State/savingError`` is set.
  @discardableResult
  public func save(note: String? = nil) async throws -> FileVersion? {
    try await save(for: .version(note: note))
    return file.base
  }

  /// Writes unsaved changes to the file, without a version (UD19).
  ///
  /// The document does this by itself. An error goes to ``handle(_:)``.
  ///
  /// - Returns: false where that failed.
  @discardableResult
  public func autosave() async -> Bool {
    guard hasUnsavedChanges, isOpen else { return true }
    let time = environment.clock.now() - lastVersionTime
    do {
      try await save(
        for: time >= environment.autosave.versionInterval ? .unwantedVersion : .autosave)
      return true
    } catch {
      // It was reported, and the state says so.
      return false
    }
  }

  /// Saves when that is due; where it fails, it is tried again.
  func saveByItself() async {
    await autosave()
    if hasUnsavedChanges, isOpen { autosaver.schedule() }
  }

  /// Makes a version, which may be thrown away, of what was edited since the last one, as before something else takes the
  /// contents' place.
  func keepEdits() async throws {
    knownUndoManager?.endEvent()
    guard hasUnsavedChanges || file.isUnversioned else { return }
    try await save(for: .unwantedVersion)
  }

  private func save(for purpose: TrackedFile.Purpose) async throws {
    knownUndoManager?.endEvent()
    guard isOpen else { throw DocumentError.isClosed(fileURL) }
    guard !isReadOnly else {
      throw DocumentError(.readOnly, fileURL, "“\(localizedName)” was opened read-only.")
    }
    autosaver.stop()
    do {
      let token = changes.token
      // Taken now: nothing that is typed while earlier accesses go on gets into it.
      let contents = hasUnsavedChanges ? try contents(forType: fileType) : nil
      try await lane.run { [self] in
        let hadVersions = file.base != nil
        if try await busy({ try await file.save(contents, for: purpose) }) {
          lastVersionTime = environment.clock.now()
          await refreshConflict()
        }
        if contents != nil { changes.clear(savedAt: token) }
        if !hadVersions { await observe() }
      }
      state.remove(.savingError)
      lastError = nil
      if hasUnsavedChanges { autosaver.schedule() }
    } catch {
      report(error, as: .savingError)
      throw error
    }
  }

  // MARK: Errors and progress

  /// Reports an error that leaves the document in a state.
  func report(_ error: any Error, as problem: State = []) {
    lastError = error
    state.insert(problem)
    handle(error)
  }

  /// Sets the state while the file is accessed.
  func busy<Result: Sendable>(
    _ access: @MainActor () async throws -> Result
  ) async throws -> Result {
    state.insert(.progressAvailable)
    defer { state.remove(.progressAvailable) }
    return try await access()
  }
}
