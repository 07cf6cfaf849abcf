internal import DocumentFiles
public import DocumentStore
internal import Foundation

/// Creating and saving.
extension Document {
  /// The reason for a save, which says what becomes of the contents besides the file.
  enum SavePurpose: Equatable {
    /// The file alone.
    case autosave
    /// A version that nobody asked for.
    case discardableVersion
    /// A version that stays.
    case version(note: String?)
  }

  /// Makes the document, which must not be there yet, with its first version, and opens it (UL4).
  ///
  /// - Throws: ``FileError`` with code `exists` where something is there already; ``DocumentError`` where it is open.
  public func create() async throws {
    guard !isOpen else {
      throw DocumentError(.open, fileURL, "“\(localizedName)” is open already.")
    }
    let contents = try contents(forType: fileType)
    try await lane.run { [self] in
      try await busy {
        let url = fileURL
        disk = try await onDisk { try DiskRevision.write(contents, to: url, replacing: nil) }
        base = try await environment.store.save(url, asPackage: contents.isPackage).version
        lastKept = base
        didWrite(contents)
      }
      changes.clear()
      state.remove(.closed)
      didOpen()
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
    return base
  }

  /// Writes unsaved changes to the file, without a version (UD19).
  ///
  /// The document does this by itself. An error goes to ``handle(_:)``.
  ///
  /// - Returns: false where that failed.
  @discardableResult
  public func autosave() async -> Bool {
    guard hasUnsavedChanges, isOpen else { return true }
    let isVersionDue =
      environment.clock.now() - lastVersionTime >= environment.autosave.versionInterval
    do {
      try await save(for: isVersionDue ? .discardableVersion : .autosave)
      return true
    } catch {
      // It was reported, and the state says so.
      return false
    }
  }

  /// Makes a version, which may be thrown away, of what was edited since the last one, as before something else takes the
  /// contents' place.
  func keepEdits() async throws {
    knownUndoManager?.endEvent()
    guard hasUnsavedChanges || hasUnversionedFile else { return }
    try await save(for: .discardableVersion)
  }

  private func save(for purpose: SavePurpose) async throws {
    knownUndoManager?.endEvent()
    guard isOpen else { throw DocumentError(.closed, fileURL, "“\(localizedName)” is closed.") }
    guard !isReadOnly else {
      throw DocumentError(.readOnly, fileURL, "“\(localizedName)” was opened read-only.")
    }
    stopAutosaving()
    do {
      let token = changes.token
      // Taken now: nothing that is typed while earlier accesses go on gets into it.
      let contents = hasUnsavedChanges ? try contents(forType: fileType) : nil
      try await lane.run { [self] in
        try await busy { try await write(contents, for: purpose) }
        if contents != nil { changes.clear(savedAt: token) }
      }
      state.remove(.savingError)
      lastError = nil
      if hasUnsavedChanges { scheduleAutosave() }
    } catch {
      report(error, as: .savingError)
      throw error
    }
  }

  /// Writes the file, and makes a version where the purpose wants one; in the lane.
  private func write(_ contents: DocumentContents?, for purpose: SavePurpose) async throws {
    var isDiverged = false
    if let contents {
      if !hasUnversionedFile { try await keepFileOfOthers() }
      isDiverged = try await writeFile(contents)
      hasUnversionedFile = true
    }
    // Made at once where the file was changed elsewhere: until then the store takes these contents for an edit of those.
    switch purpose {
    case .autosave where !isDiverged: return
    case .discardableVersion where !hasUnversionedFile: return
    default: break
    }
    var note: String?
    if case .version(let text) = purpose { note = text }
    let outcome = try await saveVersion(note: note, isDiverged: isDiverged, contents)
    base = outcome.version
    hasUnversionedFile = false
    lastVersionTime = environment.clock.now()
    if case .version = purpose {
      lastKept = outcome.version
      if outcome.version.isDiscardable { try await outcome.version.setDiscardable(false) }
    } else if outcome.isNew {
      try await outcome.version.setDiscardable(true)
    }
    await refreshConflict()
  }

  private func saveVersion(
    note: String?, isDiverged: Bool, _ contents: DocumentContents?
  ) async throws -> SaveOutcome {
    let store = environment.store
    let isPackage = contents?.isPackage ?? (disk?.package != nil)
    if isDiverged, let base {
      return try await store.save(fileURL, note: note, base: base, asPackage: isPackage)
    }
    if let members = changedMembers, !members.isEmpty {
      let outcome = try await store.save(
        fileURL, changed: members, note: note, asPackage: isPackage)
      changedMembers = []
      return outcome
    }
    return try await store.save(fileURL, note: note, asPackage: isPackage)
  }

  /// Makes a version of what is in the file, where that is none yet, before it is replaced (ND6).
  private func keepFileOfOthers() async throws {
    let url = fileURL
    let store = environment.store
    guard disk != nil, try await store.state(of: url) != .unchanged else { return }
    guard let known = disk, try await onDisk({ try known.isPresent(at: url) }) else { return }
    let outcome = try await store.save(url, asPackage: known.package != nil)
    if outcome.isNew { try await outcome.version.setDiscardable(true) }
    base = outcome.version
  }

  /// Replaces the file.
  ///
  /// - Returns: true where it had been changed elsewhere: what was there is a version then.
  private func writeFile(_ contents: DocumentContents) async throws -> Bool {
    var isDiverged = false
    for attempt in 1... {
      let url = fileURL
      let former = disk
      do {
        let written = try await onDisk {
          try DiskRevision.write(contents, to: url, replacing: former)
        }
        recordChangedMembers(from: former, to: written)
        disk = written
        didWrite(contents)
        return isDiverged
      } catch let error as FileError where attempt < 5 && error.isAboutChange {
        try await takeFileOfOthers()
        isDiverged = true
      }
    }
    return isDiverged
  }

  /// Makes a version of a file that was changed elsewhere; from then on it may be replaced.
  ///
  /// - Throws: ``FileError`` with code `not-found` where it was deleted: saving does not bring it back.
  private func takeFileOfOthers() async throws {
    _ = try await followMove()
    let url = fileURL
    let present = try await onDisk { try DiskRevision.read(url).revision }
    changedMembers = nil
    try await environment.store.save(url, asPackage: present.package != nil)
    disk = present
  }

  /// Adds to what the store has to read of a package.
  private func recordChangedMembers(from former: DiskRevision?, to written: DiskRevision) {
    guard let known = changedMembers, let before = former?.package, let after = written.package,
      let changed = after.changedMembers(since: before)
    else {
      changedMembers = nil
      return
    }
    changedMembers = known + changed
  }

  private func didWrite(_ contents: DocumentContents) {
    if case .package(let written) = contents { wrapper?.adopt(written) }
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

  /// Does blocking work elsewhere.
  func onDisk<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await BlockingPool.shared.run(work)
  }
}

extension DocumentContents {
  var isPackage: Bool { if case .package = self { true } else { false } }
}

extension FileError {
  /// Whether the file is not what was known of it.
  fileprivate var isAboutChange: Bool { [.changing, .exists, .notFound].contains(code) }
}
