internal import DocumentFiles
internal import DocumentPresenting
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// Notices for a presenter what programs do to its item that coordinate nothing, and what becomes of its versions.
///
/// It compares, so it misses nothing when a program crashes, and notices the presenter's own versions as well.
actor PresenterWatch {
  private weak var presenter: (any FilePresenter)?
  private let url: URL
  private var watched: WatchedFolders?
  private var polling: Task<Void, Never>?
  private var due: Set<WatchedFolders.Subject> = []
  private var isComparing = false
  private var isOver = false
  /// The item as the presenter knows it; nil where it is not there.
  private var known: ItemSight?
  private var versions: PresentedVersions?
  /// Accesses that are under way: what they do is reported when they are over, or not at all.
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
    // What happened before it was observed.
    notice(Set(WatchedFolders.Subject.allCases))
  }

  func end() {
    isOver = true
    watched = nil
    polling?.cancel()
    polling = nil
  }

  /// Notes that a coordinated access to the item begins.
  nonisolated func beginAccess() { accesses.withLock { $0 += 1 } }

  /// Notes that it is over, and that the presenter knows what it did.
  func endAccess() async {
    if let present = await sight() { known = present ?? known }
    accesses.withLock { $0 -= 1 }
    notice([.versions])
  }

  // MARK: Watching

  /// Observes the folders as they are now.
  ///
  /// - Returns: false where that fails.
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
    polling = Task { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        await self?.notice(Set(WatchedFolders.Subject.allCases))
      }
    }
  }

  /// Compares soon; once for several reports, and never twice at a time.
  private func notice(_ subjects: Set<WatchedFolders.Subject>) {
    due.formUnion(subjects)
    guard !isComparing else { return }
    isComparing = true
    Task { [weak self] in await self?.compareAll() }
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
    if subjects.contains(.file) { await compareItem() }
    // The first version makes the folder that shows the next ones.
    let isFirst = versions?.isEmpty != false
    guard subjects.contains(.versions) || isFirst, let found = await readVersions() else { return }
    let former = versions ?? PresentedVersions()
    versions = found
    await found.report(since: former, to: presenter)
    await observeNewStore()
  }

  /// Observes the versions where they are kept since there is a first one.
  private func observeNewStore() async {
    let url = url
    guard let watched else { return }
    do {
      guard try await !BlockingPool.shared.run({ try watched.hasHeads(of: url) }) else { return }
      if await observe() { notice([.versions]) }
    } catch {
      // It is asked again after the next report.
    }
  }

  private func compareItem() async {
    // What can't be seen has not changed, as far as it is known.
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
    // A new folder of a package is watched as well.
    if present.isPackage, !changes.isEmpty {
      await observe()
      notice([.file])
    }
  }

  /// Follows an item that is not where it was, where it shows what it was renamed to; the presenter is notified.
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
      return try await VersionStore().movedDocuments(among: [url])[url]
    } catch {
      // It has no versions, or is in no container: where it is now can't be known.
      return nil
    }
  }

  // MARK: Reading

  /// The item as it is now, nil where it is not there; nil where it can't be seen.
  private func sight() async -> ItemSight?? {
    let url = url
    do { return try await BlockingPool.shared.run { try ItemSight(url) } } catch { return nil }
  }

  /// Nil where they can't be read now.
  private func readVersions() async -> PresentedVersions? {
    do { return try await PresentedVersions(of: url, in: VersionStore()) } catch { return nil }
  }
}
