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
        isFileKept = true
        didWrite(contents)
      }
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
      try await keepFileOfOthers()
      isDiverged = try await writeFile(contents)
      if isDiverged, let version = try await loadedVersion() { base = version }
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
    let isFirst = base == nil
    base = outcome.version
    hasUnversionedFile = false
    if isFirst { await beginObserving() }
    lastVersionTime = environment.clock.now()
    if case .version = purpose { lastKept = outcome.version }
    try await follow(outcome, isWanted: outcome.version == lastKept)
    await refreshConflict()
  }

  /// Marks the version before as discardable where nobody asked for it; the current one can't be marked.
  private func follow(_ outcome: SaveOutcome, isWanted: Bool) async throws {
    if let former = unwanted, former != outcome.version,
      let version = try await FileVersion.version(
        of: fileURL, identifier: former.persistentIdentifier, store: environment.store)
    {
      try await version.setDiscardable(true)
    }
    let isStillUnwanted = outcome.isNew || unwanted == outcome.version
    unwanted = !isWanted && isStillUnwanted ? outcome.version : nil
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

  /// Makes a version of what was loaded, where that is none yet, before it is replaced (ND6): the changes are made from it.
  ///
  /// It is made with the first change, and not only when the file is written: another program may write it in between.
  func keepFileOfOthers() async throws {
    guard let known = disk, !isFileKept else { return }
    let url = fileURL
    let isPresent = { [self] in try await onDisk { try known.isPresent(at: url) } }
    guard try await isPresent() else { return }
    var outcome: SaveOutcome?
    var version: FileVersion?
    if try await environment.store.state(of: url) == .unchanged {
      // It may have been made after the file was loaded.
      version = try await shownVersion()
    } else {
      outcome = try await environment.store.save(url, asPackage: known.package != nil)
      version = outcome?.version
    }
    // Otherwise that may be a version of what another program has written meanwhile.
    guard let version, try await isPresent() else { return }
    if let outcome { try await follow(outcome, isWanted: false) }
    let isFirst = base == nil
    base = version
    if lastKept == nil { lastKept = version }
    isFileKept = true
    if isFirst { await beginObserving() }
  }

  /// The version with the contents that were loaded, where another program made it meanwhile; nil where that is known to
  /// be the base, or there is none.
  private func loadedVersion() async throws -> FileVersion? {
    guard let loaded else { return nil }
    for version in try await environment.store.history(of: fileURL, newest: 20).versions
    where version.size == loaded.count && version.hasLocalContents && !version.isPackage {
      if try await version.contents() == loaded { return version }
    }
    return nil
  }

  /// Replaces the file.
  ///
  /// - Returns: true where it had been changed elsewhere: what was there is a version then.
  private func writeFile(_ contents: DocumentContents) async throws -> Bool {
    var isDiverged = false
    for attempt in 1... {
      let url = fileURL
      let former = disk
      let isMadeOfFormer = !isDiverged
      do {
        let written = try await onDisk {
          try DiskRevision.write(
            contents, to: url, replacing: former, isMadeOfFormer: isMadeOfFormer)
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
