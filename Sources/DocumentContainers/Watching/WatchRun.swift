internal import DocumentFiles
internal import DocumentStore
internal import DocumentSync
internal import Foundation
internal import SystemPackage

/// A running watcher.
struct WatchRun {
  private let watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  private let signal = ChangeSignal()
  private let record: WatchRecord
  private var documents: SettlingFiles
  private var copies = WatchCopies()
  private var saving: WatchSaving
  private var deletions: WatchDeletions
  private var syncing: WatchSyncing
  private var merging: WatchMerging
  /// The time of the next search of the folder, if not every change is reported.
  private var nextLook: ContinuousClock.Instant?
  private var isPolling = false
  /// True if there are more new files than are held at a time; the others are found again once these are
  /// saved.
  private var hasMore = false
  /// True if a document was saved since the last search of the folder.
  private var hasProgress = false
  private static let mostNewFiles = 20_000
  /// The kind of the failure that ended the last turn; nil after a complete turn.
  private var lastFailure: String?
  private var turns = BackOff(to: .seconds(60))
  /// The time since when some document has been changing continuously.
  private var busySince: ContinuousClock.Instant?
  private var refused: Set<FilePath> = []

  private var store: VersionStore { watcher.store }
  private var pause: Duration { max(watcher.policy.pause, .seconds(1)) }

  init(
    _ watcher: FolderWatcher, of folder: URL, _ report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    self.watcher = watcher
    self.folder = folder
    let record = WatchRecord(watcher, of: folder)
    let report = { @Sendable (event: WatchEvent) in
      record.take(event)
      report(event)
    }
    (self.record, self.report) = (record, report)
    documents = SettlingFiles(pause: max(watcher.policy.pause, .seconds(1)))
    saving = WatchSaving(watcher, of: folder, report)
    deletions = WatchDeletions(watcher, of: folder, report)
    syncing = WatchSyncing(watcher, of: folder, record, signaling: signal, report)
    merging = WatchMerging(watcher, report)
  }

  mutating func run(once isOnce: Bool) async throws {
    let isDryRun = store.isDryRun
    saving.isLast = isOnce
    let (top, container) = try await store.perform { [folder] store in
      let path = try folder.filePath
      guard try FileStatus.of(path.resolvingLinks())?.kind == .folder else {
        throw FileError(
          .notFound, path: path, message: "There is no folder “\(path.printable)”.")
      }
      let top = try path.resolvingLinks()
      if !isDryRun { try store.makeContainer(folder) }
      let container = try isDryRun ? nil : store.container(around: folder)?.filePath
      return (top, container)
    }
    let lock = try Self.lock(container.map { ContainerFile.watchLock.path(in: $0) }, top)
    let server = isOnce ? nil : serve(container, top)
    let tree = try await store.perform { [signal] in ObservedTree(top, in: $0, signaling: signal) }
    try await look(through: tree, isStart: true)
    if isOnce {
      while try await finishOnce(), hasMore { try await look(through: tree, isStart: false) }
      if !store.isDryRun { try await sync() }
      if try await !merging.mergeDue(unless: isBeingWritten).isEmpty { try await sync() }
    } else {
      if let container { try await resumeDeletions(in: container) }
      do { try await watch(tree, container ?? top) } catch {
        await syncing.waitForEnd()
        throw error
      }
    }
    server?.keep()
    lock?.keep()
  }

  /// Adds the files that had disappeared when the previous watcher ended; if that fails, watching continues.
  private mutating func resumeDeletions(in container: FilePath) async throws {
    do {
      try await deletions.resume(in: container)
    } catch let error as CancellationError {
      throw error
    } catch {
      report(.failed(nil, error))
    }
  }

  /// Starts to answer status requests; if that fails, watching continues.
  private func serve(_ container: FilePath?, _ top: FilePath) -> WatchServer? {
    guard let container else { return nil }
    do {
      return try WatchServer(ContainerFile.watchSocket.path(in: container), of: top, record)
    } catch {
      report(.failed(nil, error))
      return nil
    }
  }

  /// Locks the container, because only one watcher watches it.
  private static func lock(_ file: FilePath?, _ top: FilePath) throws -> WatchLock? {
    guard let file else { return nil }
    do {
      return try WatchLock(file)
    } catch let error as FileError where error.code == .busy {
      throw FileError(
        .busy, path: top, message: "Another watcher already keeps “\(top.printable)”.")
    }
  }

  // MARK: Going on

  private mutating func watch(_ tree: ObservedTree, _ container: FilePath) async throws {
    while true {
      do {
        try await takeTurn(tree, container)
        turns.succeed()
        lastFailure = nil
      } catch let error as CancellationError {
        throw error
      } catch {
        // Changes that were taken when it failed are found again by the next search of the folder.
        if lastFailure != error.kind { report(.failed(nil, error)) }
        lastFailure = error.kind
        turns.fail(at: .now)
        nextLook = turns.next
        try await Task.sleep(until: turns.next ?? .now, clock: .continuous)
      }
    }
  }

  private mutating func takeTurn(_ tree: ObservedTree, _ container: FilePath) async throws {
    try Task.checkCancellation()
    let isThere = try await waitForFolder(tree, container)
    if isThere { try await take(tree) }
    try merging.touch(syncing.takeOutcome())
    let merged = try await isThere ? merging.mergeDue(unless: isBeingWritten) : []
    // New files are saved by the rules of all devices.
    if merged.contains(where: { $0.localizedName == IgnoreRules.fileName }) {
      try await look(through: tree, isStart: false)
    }
    let now = ContinuousClock.now
    let moved = try await syncing.isRunning ? [] : deletions.takeMoved(at: now)
    let hasMoved = try await saving.save(moved).hasSaved
    // Copies come first, because they show whether a document's contents follow its version.
    let adopted = try await adopt(copies.takeDue(at: now, status: Self.status))
    let settled = documents.takeDue(at: now, status: Self.status) { copies.holds($0, at: now) }
    let hasSaved = try await save(settled)
    // Deletions follow the saves, because a moved document is at its new path by now.
    let hasDeleted = try await deletions.recordDue(at: now, isIdle: documents.count == 0) {
      copies.areLeft(of: $0)
    }
    let isNew = hasMoved || hasSaved || hasDeleted || adopted
    // A sync may save contents that it replaces, so it doesn't run while they are being written, unless that
    // doesn't end.
    let isBusy = documents.hasChanged(within: .seconds(2), before: .now)
    busySince = isBusy ? busySince ?? now : nil
    if let busySince, now - busySince < .seconds(10) {
      if isNew { syncing.syncSoon() }
    } else {
      syncing.beginIfDue(hasNews: isNew)
    }
    if !merged.isEmpty { syncing.syncSoon() }
    try await deletions.keep(in: container, at: .now)
    try await wait()
  }

  /// Takes the changes of the folder.
  private mutating func take(_ tree: ObservedTree) async throws {
    let isDue = nextLook.map { $0 <= .now } ?? false || isReadyForMore
    let found = try await store.perform { _ in try tree.takeChanges() }
    if found.isEverything || isDue { return try await look(through: tree, isStart: false) }
    touch(found)
    try await deletions.follow(documents.takeMoved(from: found.left))
  }

  private var isReadyForMore: Bool { hasMore && hasProgress && documents.count == 0 }

  private mutating func touch(_ found: ObservedTree.Found) {
    let now = ContinuousClock.now
    for file in found.documents {
      documents.touch(file, Self.status(file), at: now)
      copies.retry(besides: file, at: now, status: Self.status)
    }
    copies.touch(found.copies, at: now, status: Self.status)
    deletions.touch(found.gone, at: now)
    reportUnmounted(found)
    refuse(found)
    guard !found.documents.isEmpty || !found.gone.isEmpty else { return }
    for file in saving.takeOpen() { documents.touch(file, Self.status(file), at: now) }
  }

  private func reportUnmounted(_ found: ObservedTree.Found) {
    for folder in found.unmounted.sorted(by: { $0.string < $1.string }) {
      report(.unmounted(URL(filePath: folder.string)))
    }
  }

  /// Reports files that don't become documents, and unreadable folders, each once.
  private mutating func refuse(_ found: ObservedTree.Found) {
    func failures(
      _ paths: Set<FilePath>, _ code: FileError.Code, _ message: (FilePath) -> String
    ) -> [WatchEvent.FailedDocument] {
      paths.subtracting(refused).sorted { $0.string < $1.string }.map {
        .init(url: nil, error: FileError(code, path: $0, message: message($0)))
      }
    }
    let new =
      failures(found.unnameable, .invalidName) {
        let flaw = ContainerPath.flaw(ofName: $0.lastName) ?? ""
        return "The name of “\($0.printable)” \(flaw); rename it first."
      }
      + failures(found.unreadable, .notPermitted) {
        "The folder “\($0.printable)” can’t be read; nothing in it is saved."
      }
    refused.formUnion(found.unnameable)
    refused.formUnion(found.unreadable)
    if !new.isEmpty { report(.failed(new)) }
  }

  private func wait() async throws {
    record.keep(toSave: documents.count)
    let now = ContinuousClock.now
    let next = documents.nextDue { copies.holds($0, at: now) }
    let deletion = deletions.nextDue(isIdle: documents.count == 0)
    let more = isReadyForMore ? now : nil
    let times = [
      next, copies.nextDue, deletion, syncing.isRunning ? nil : deletions.nextSearch,
      deletions.nextKeeping, nextLook, syncing.next, merging.nextDue, more,
    ].compactMap { $0 }
    // The wait is limited, because the clock may have stood still in the meantime, as in a suspended machine.
    let time = min(times.map { $0 - now }.min() ?? .seconds(60), .seconds(60))
    await signal.next(within: max(time, .milliseconds(20)))
    try Task.checkCancellation()
    // Changes that happen together are handled together.
    try await Task.sleep(for: .milliseconds(50))
  }

  /// Waits while the folder or its container is missing, without creating anything in its place.
  private mutating func waitForFolder(
    _ tree: ObservedTree, _ container: FilePath
  ) async throws -> Bool {
    var wasMissing = false
    while try await !store.perform({ store in
      try tree.isThere
        && store.container(around: URL(filePath: container.string))?.filePath == container
    }) {
      if !wasMissing { report(.missing) }
      wasMissing = true
      await signal.next(within: .seconds(5))
      try Task.checkCancellation()
    }
    if wasMissing { try await look(through: tree, isStart: false) }
    return !wasMissing
  }

  // MARK: Looking through

  /// Searches the whole folder for edited and new documents.
  private mutating func look(through tree: ObservedTree, isStart: Bool) async throws {
    let policy = watcher.policy
    let limit = store.isDryRun ? .max : Self.mostNewFiles
    let (found, edited, kinds, known, missing, conflicts) = try await store.perform { store in
      let top = URL(filePath: tree.top.string)
      let known = try store.listedDocuments(below: top)
      // The folder is observed first, so that edits in the meantime are reported.
      let found = try tree.readAll(besides: known)
      let all = try known.map(store.unchangedDocuments(of:))
      let edited = try store.documentsToSave(among: all).map { try $0.filePath }
      let kinds = try WatchedKinds(of: found.documents, policy, in: store, keeping: limit)
      // Documents with a recorded deletion don't count.
      let missing =
        try all?.unclear.count { document in
          do {
            return try FileStatus.of(document.filePath) == nil
              && store.state(of: document) == .missing
          } catch let error as CancellationError {
            throw error
          } catch {
            // Unreadable documents are saved, which reports the fault.
            return false
          }
        } ?? 0
      let conflicts = isStart ? try store.documentsInConflict(below: top) ?? [] : []
      return (found, edited, kinds, known, missing, conflicts)
    }
    let now = ContinuousClock.now
    // New rules may leave out files that were found before.
    documents.forget { !found.documents.contains($0) && known?.contains($0) != true }
    for file in edited + kinds.new {
      let status = Self.status(file)
      documents.touch(file, status, at: now, age: SettlingFiles.age(of: status, at: store.clock()))
    }
    copies.touch(found.copies, at: now, age: .seconds(1), status: Self.status)
    if isStart {
      var files = WatchedFiles()
      files.documents = known?.count ?? 0
      files.toSave = edited.count + kinds.newCount
      files.missing = missing
      files.ignored = found.ignored
      files.tooLarge = kinds.tooLarge
      files.unknown = kinds.unknown
      report(.looked(files))
      try merging.touch(conflicts)
    }
    reportUnmounted(found)
    refuse(found)
    let obstacle = tree.obstacle
    (hasMore, hasProgress) = (kinds.newCount > kinds.new.count, false)
    let polls = obstacle != nil
    nextLook = polls ? now + min(max(pause, .seconds(5)), .seconds(60)) : nil
    if let obstacle, !isPolling { report(.polling(obstacle)) }
    isPolling = polls
    if !polls { record.isObserving() }
    FreedMemory.giveBack()
  }

  private static func status(_ file: FilePath) -> FileStatus? {
    do { return try FileStatus.of(file) } catch { return nil }
  }

  // MARK: Deeds

  private mutating func save(_ files: [FilePath]) async throws -> Bool {
    // The files were there before this is asked, so those without versions after it haven't arrived.
    let (hasSaved, later) = try await saving.save(
      files, leavingNew: deletions.isGoing(at: .now) || syncing.isReceiving)
    if hasSaved { hasProgress = true }
    for file in later {
      documents.touch(file, Self.status(file), at: .now)
    }
    return hasSaved
  }

  /// Adopts copies that have settled, unless their documents are being written.
  private mutating func adopt(_ due: [FilePath]) async throws -> Bool {
    guard !due.isEmpty else { return false }
    let now = ContinuousClock.now
    var ready: [FilePath] = []
    for copy in due {
      guard let document = copies.document(of: copy) else { continue }
      if try isBeingWritten(document) || WatchSaving.isInUse(copy) {
        copies.touch(again: [copy], at: now, status: Self.status)
      } else {
        ready.append(copy)
      }
    }
    guard !ready.isEmpty else { return false }
    // If a tool leaves no document, all sides are adopted together.
    ready += copies.leftSides(besides: ready) { Self.status($0) == nil }
    let (hasTaken, left, again) = try await saving.adopt(
      ready, among: copies.together(with: ready))
    let present = again.filter { Self.status($0) != nil }
    copies.settle(ready.filter { !present.contains($0) }, left: left)
    record.keep(waiting: copies.waiting.map(\.string))
    copies.touch(again: present, at: now, status: Self.status)
    return hasTaken
  }

  /// Returns whether a document is open for writing, or has just been written.
  private func isBeingWritten(_ document: FilePath) throws -> Bool {
    try documents.contains(document, changedWithin: .seconds(1), before: .now)
      || WatchSaving.isInUse(document)
  }

  private mutating func sync() async throws {
    try merging.touch(try await syncing.sync())
  }

  /// Does all pending work; files that have just changed get time to settle, and are left for the next time
  /// if they keep changing.
  ///
  /// - Returns: whether there are new versions.
  private mutating func finishOnce() async throws -> Bool {
    let rest = Duration.seconds(2)
    let isDryRun = store.isDryRun
    if !isDryRun, documents.hasChanged(within: rest, before: .now) {
      try await Task.sleep(for: rest)
    }
    _ = try await adopt(copies.takeAll(at: .now, status: Self.status))
    let now = ContinuousClock.now
    let settled = documents.takeAll(at: now, status: Self.status)
      .filter { ($0.age >= rest || isDryRun) && !copies.holds($0.file, at: now) }.map(\.file)
    return try await saving.save(settled).hasSaved
  }
}
