internal import DocumentFiles
internal import DocumentPresenting
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// Detects, for a presenter, uncoordinated changes of its item and changes of its versions.
///
/// It compares states, so it misses nothing when a program crashes, and also detects the presenter's own versions.
actor PresenterWatch {
  private weak var presenter: (any FilePresenter)?
  private let url: URL
  private var watched: WatchedFolders?
  private var polling: Task<Void, Never>?
  private var due: Set<WatchedFolders.Subject> = []
  private var isComparing = false
  private var isOver = false
  /// The item's last known state; `nil` if it doesn't exist.
  private var known: ItemSight?
  private var versions: PresentedVersions?
  /// The number of running accesses; their changes are reported when they are over, or not at all.
  private let accesses = Mutex(0)

  init(_ presenter: any FilePresenter, at url: URL) {
    self.presenter = presenter
    self.url = url
  }

  deinit { polling?.cancel() }

  func begin() async {
    known = await sight() ?? nil
    versions = await readVersions()
    await observe()
    // Covers changes from before the observation.
    notice(Set(WatchedFolders.Subject.allCases))
  }

  func end() {
    isOver = true
    watched = nil
    polling?.cancel()
    polling = nil
  }

  /// Records that a coordinated access to the item begins.
  nonisolated func beginAccess() { accesses.withLock { $0 += 1 } }

  /// Records that the access is over, and that the presenter knows its changes.
  func endAccess() async {
    if let present = await sight() { known = present ?? known }
    accesses.withLock { $0 -= 1 }
    notice([.versions])
  }

  // MARK: Watching

  /// Observes the present folders.
  ///
  /// - Returns: whether that succeeded.
  @discardableResult
  private func observe() async -> Bool {
    let url = url
    let notice: @Sendable (WatchedFolders.Subject) -> Void = { [weak self] subject in
      Task { await self?.notice([subject]) }
    }
    do {
      let found = try await BlockingPool.shared.run {
        try WatchedFolders(url, isPackage: ItemSight.isPackage(url), notice)
      }
      guard !isOver else { return false }
      watched = found
      if !found.isComplete { poll() }
      return true
    } catch {
      poll()
      return false
    }
  }

  private func poll() {
    guard polling == nil else { return }
    polling = Task.detached { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        await self?.notice(Set(WatchedFolders.Subject.allCases))
      }
    }
  }

  /// Compares soon, once for several reports, and never concurrently.
  private func notice(_ subjects: Set<WatchedFolders.Subject>) {
    due.formUnion(subjects)
    guard !isComparing else { return }
    isComparing = true
    Task.detached { [weak self] in await self?.compareAll() }
  }

  private func compareAll() async {
    while !due.isEmpty, !isOver {
      let subjects = due
      due = []
      await compare(subjects)
    }
    isComparing = false
  }

  private func compare(_ subjects: Set<WatchedFolders.Subject>) async {
    guard accesses.withLock({ $0 == 0 }) else { return }
    if subjects.contains(.file) {
      await compareItem()
      await observeNewFolders()
    }
    // The first version creates the folder that shows later ones.
    let isFirst = versions?.isEmpty != false
    guard subjects.contains(.versions) || isFirst, let found = await readVersions() else { return }
    let former = versions ?? PresentedVersions()
    versions = found
    await found.report(since: former, to: presenter)
    await observeNewFolders()
  }

  /// Observes the store once the first version exists, and folders that take the places of others.
  private func observeNewFolders() async {
    let url = url
    guard let watched else { return }
    do {
      guard try await !BlockingPool.shared.run({ try watched.areCurrent(for: url) }) else { return }
      if await observe() { notice(Set(WatchedFolders.Subject.allCases)) }
    } catch {
      // Tried again after the next report.
    }
  }

  private func compareItem() async {
    // An unreadable item counts as unchanged.
    guard let sight = await sight() else { return }
    guard let present = sight else { return await followMove() }
    let changes = known.map(present.changes(since:)) ?? [.item]
    known = present
    for change in changes {
      switch change {
      case .item: await presenter?.presentedItemDidChange()
      case .newMember(let member): await presenter?.presentedSubitemDidAppear(at: member)
      case .member(let member): await presenter?.presentedSubitemDidChange(at: member)
      }
    }
    // New folders of a package must also be watched.
    if present.isPackage, !changes.isEmpty {
      await observe()
      notice([.file])
    }
  }

  /// Follows a renamed item if its new location can be found, and notifies the presenter.
  private func followMove() async {
    guard let presenter, let known, let place = await newPlace(of: known) else { return }
    await PresenterRegistry.shared.item(of: presenter)?.follow(to: place)
  }

  private func newPlace(of known: ItemSight) async -> URL? {
    do {
      let url = url
      if let place = try await BlockingPool.shared.run({ try known.newPlace(of: url) }) {
        return place
      }
      return try await VersionStore().perform { try $0.movedDocuments(among: [url]) }[url]
    } catch {
      // Without versions or a container, the new location can't be found.
      return nil
    }
  }

  // MARK: Reading

  /// Returns the present state of the item, which is `nil` if it doesn't exist; `nil` if it can't be read.
  private func sight() async -> ItemSight?? {
    let url = url
    do { return try await BlockingPool.shared.run { try ItemSight(url) } } catch { return nil }
  }

  /// Returns the versions; `nil` if they can't be read at the moment.
  private func readVersions() async -> PresentedVersions? {
    do { return try await PresentedVersions(of: url, in: VersionStore()) } catch { return nil }
  }
}
