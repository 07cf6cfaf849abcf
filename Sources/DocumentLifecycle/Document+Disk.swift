internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Noticing what other programs and devices do to the file and its versions (UL8–UL11).
///
/// The folder of the document is observed, that of its heads, and the folders of a package; where the system does not
/// report every change, the document looks once a second.
extension Document {
  func beginObserving() {
    observations = []
    let folders = observedFolders()
    let notice: @Sendable () -> Void = { [weak self] in
      Task { @MainActor in self?.checkSoon() }
    }
    for folder in folders {
      guard let observation = FolderObserver.shared.observe(folder, notice) else {
        observations = []
        return beginPolling()
      }
      observations.append(observation)
    }
    pollTask?.cancel()
    pollTask = nil
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
        self?.checkSoon()
      }
    }
  }

  private func observedFolders() -> [FilePath] {
    do {
      let path = try fileURL.filePath
      var folders = [path.parentFolder]
      if let heads = try SynchronousStore().folderOfHeads(of: fileURL) { folders.append(heads) }
      if disk?.package != nil { folders += try Self.folders(in: ItemListing(path), at: path) }
      return folders
    } catch {
      // The next check reports what is wrong.
      return []
    }
  }

  /// A package's own folder, and all folders in it.
  private static func folders(in listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else { return [] }
    return members.reduce(into: [path]) { folders, member in
      folders += Self.folders(in: member, at: path.appending(bytes: member.name))
    }
  }

  /// Checks the file once the accesses that go on are over; several reports are one check.
  func checkSoon() {
    guard isOpen, !isCheckDue else { return }
    isCheckDue = true
    Task { [weak self] in await self?.check() }
  }

  /// Compares the file with what is known of it, and its versions with the state.
  public func check() async {
    do {
      try await lane.run { [self] in
        isCheckDue = false
        guard isOpen else { return }
        try await checkFile()
        await refreshConflict()
      }
    } catch {
      isCheckDue = false
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
      if try await followMove() { return beginObserving() }
      return waitForFile()
    }
    absenceTask?.cancel()
    absenceTask = nil
    // What is typed here goes on: the next save is made from what was loaded, beside the other's.
    if hasUnversionedFile { changes.add(.done) }
    guard !hasUnsavedChanges else { return scheduleAutosave() }
    try await withoutEditing { [self] in try await read(because: .changedElsewhere) }
    beginObserving()
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
