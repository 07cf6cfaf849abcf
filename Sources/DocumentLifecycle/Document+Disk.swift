internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Noticing what other programs and devices do to the file and its versions (UL8–UL11).
///
/// The folder of the document is observed, that of its heads, and the folders of a package; where the system does not
/// report every change, the document looks once a second.
extension Document {
  /// Observes the folders as they are now, in place of those before.
  func beginObserving() async {
    do {
      let url = fileURL
      let isPackage = disk?.package != nil
      let folders = try await onDisk { try Self.observedFolders(of: url, isPackage: isPackage) }
      guard isOpen else { return }
      observations = []
      for (check, folder) in folders {
        let notice: @Sendable () -> Void = { [weak self] in
          Task { @MainActor in self?.checkSoon(check) }
        }
        guard let observation = FolderObserver.shared.observe(folder, notice) else {
          observations = []
          return beginPolling()
        }
        observations.append(observation)
      }
      pollTask?.cancel()
      pollTask = nil
    } catch {
      // The next check reports what is wrong.
      beginPolling()
    }
  }

  func endObserving() {
    observations = []
    pollTask?.cancel()
    absenceTask?.cancel()
    (pollTask, absenceTask) = (nil, nil)
  }

  private func beginPolling() {
    guard pollTask == nil else { return }
    pollTask = Task { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        self?.checkSoon(.file)
        self?.checkSoon(.versions)
      }
    }
  }

  /// What a report can be about.
  enum Check: Sendable { case file, versions }

  private nonisolated static func observedFolders(
    of url: URL, isPackage: Bool
  ) throws -> [(Check, FilePath)] {
    let path = try url.filePath
    var folders = [(Check.file, path.parentFolder)]
    if let heads = try SynchronousStore().folderOfHeads(of: url) {
      folders.append((.versions, heads))
    }
    guard isPackage else { return folders }
    return try folders + Self.folders(in: ItemListing(path), at: path).map { (.file, $0) }
  }

  /// A package's own folder, and all folders in it.
  private nonisolated static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath]
  {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }

  /// Checks once the accesses that go on are over; several reports are one check.
  func checkSoon(_ check: Check) {
    guard isOpen else { return }
    let isDue = !dueChecks.isEmpty
    dueChecks.insert(check)
    guard !isDue else { return }
    Task { [weak self] in await self?.makeDueChecks() }
  }

  /// Compares the file with what is known of it, and its versions with the state.
  ///
  /// The document does this by itself when something happens.
  public func check() async {
    dueChecks = [.file, .versions]
    await makeDueChecks()
  }

  private func makeDueChecks() async {
    do {
      try await lane.run { [self] in
        let checks = dueChecks
        dueChecks = []
        guard isOpen else { return }
        if checks.contains(.file) { try await checkFile() }
        if checks.contains(.versions) { await refreshConflict() }
      }
    } catch {
      report(error)
    }
  }

  private func checkFile() async throws {
    guard let known = disk else { return }
    let url = fileURL
    if try await onDisk({ try known.isPresent(at: url) }) {
      absenceTask?.cancel()
      absenceTask = nil
      return
    }
    if try await onDisk({ try FileStatus.of(url.filePath) == nil }) {
      if try await followMove() { return await beginObserving() }
      return waitForFile()
    }
    absenceTask?.cancel()
    absenceTask = nil
    // What is typed here goes on: the next save is made from what was loaded, beside the other's.
    knownUndoManager?.endEvent()
    if hasUnversionedFile { changes.add(.done) }
    guard !hasUnsavedChanges else { return scheduleAutosave() }
    try await withoutEditing { [self] in try await read(because: .changedElsewhere) }
    await beginObserving()
  }

  /// Follows the file where another program has moved or renamed it.
  ///
  /// - Returns: whether it was found.
  func followMove() async throws -> Bool {
    let url = fileURL
    guard let known = disk else { return false }
    let store = environment.store
    let found = try await onDisk { () -> URL? in
      guard try FileStatus.of(url.filePath) == nil else { return nil }
      let folder = try url.filePath.parentFolder
      guard try FileStatus.of(folder) != nil else { return nil }
      return try Folder.members(of: folder)
        .first {
          try FileStatus.of(folder.appending(bytes: $0.name))?.isSameItem(as: known.status) == true
        }
        .map { URL(filePath: folder.appending(bytes: $0.name).string) }
    }
    var place = found
    if place == nil { place = try await movedPlace(of: url, in: store) }
    guard let place else { return false }
    fileURL = place
    // At once: the store knows a moved document by its file, which the next save replaces.
    if base != nil {
      base = try await store.save(place, asPackage: known.package != nil).version
      hasUnversionedFile = false
    }
    if let status = try await onDisk({ try FileStatus.of(place.filePath) }) {
      disk = DiskRevision(status: status, package: known.package)
    }
    return true
  }

  private func movedPlace(of url: URL, in store: VersionStore) async throws -> URL? {
    do {
      return try await store.movedDocuments(among: [url]).first?.value
    } catch is VersionError {
      // It has no versions, or is in no container: then nobody knows it.
      return nil
    }
  }

  /// Closes the document where it does not come back: editors remove a file for a moment when they write it anew.
  private func waitForFile() {
    guard absenceTask == nil else { return }
    let sleep = environment.clock.sleep
    absenceTask = Task { [weak self] in
      do { try await sleep(.seconds(1)) } catch { return }
      await self?.closeIfDeleted()
    }
  }

  private func closeIfDeleted() async {
    absenceTask = nil
    let url = fileURL
    do {
      try await lane.run { [self] in
        guard isOpen, fileURL == url else { return }
        guard try await onDisk({ try FileStatus.of(url.filePath) == nil }) else { return }
        // Never written again: who deleted it meant that.
        didClose()
      }
    } catch {
      report(error)
    }
  }

  // MARK: Conflicts

  /// Sets the state by the versions in conflict (UL11, AS20).
  func refreshConflict() async {
    do {
      let open = try await FileVersion.unresolvedConflicts(of: fileURL, store: environment.store)
      if open?.isEmpty == false {
        state.insert(.inConflict)
      } else {
        state.remove(.inConflict)
      }
    } catch {
      report(error)
    }
  }
}
