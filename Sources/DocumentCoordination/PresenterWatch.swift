internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Notices for a presenter what programs do to its item that coordinate nothing, and what becomes of its versions
/// (FP10, FP12–FP14).
///
/// It compares, so it misses nothing when a program crashes, and notices the presenter's own versions as well (FV25).
actor PresenterWatch {
  private weak var presenter: (any FilePresenter)?
  private let url: URL
  private var observations: [FolderObserver.Observation] = []
  private var polling: Task<Void, Never>?
  private var due: Set<WatchedFolders.Subject> = []
  /// The item as the presenter knows it.
  private var known: FileStatus?
  private var versions: Versions?
  /// Accesses that are under way: what they do is reported when they are over, or not at all.
  private var accesses = 0

  /// What there is of versions, as far as messages are about it.
  private struct Versions {
    var all: [String: FileVersion] = [:]
    var conflicts: Set<String> = []
  }

  init(_ presenter: any FilePresenter, at url: URL) {
    self.presenter = presenter
    self.url = url
  }

  deinit { polling?.cancel() }

  func begin() async {
    known = await status()
    versions = await readVersions()
    await observe()
  }

  func end() {
    observations = []
    polling?.cancel()
    polling = nil
  }

  /// Notes that a coordinated access to the item begins.
  func beginAccess() { accesses += 1 }

  /// Notes that it is over, and that the presenter knows what it did.
  func endAccess() async {
    known = await status()
    accesses -= 1
    notice([.versions])
  }

  // MARK: Watching

  private func observe() async {
    let url = url
    let folders: [(WatchedFolders.Subject, FilePath)]
    do {
      folders = try await BlockingPool.shared.run {
        try WatchedFolders.of(url, isPackage: url.hasDirectoryPath)
      }
    } catch {
      return poll()
    }
    observations = []
    for (subject, folder) in folders {
      let observation = FolderObserver.shared.observe(folder) { [weak self] in
        Task { await self?.notice([subject]) }
      }
      guard let observation else {
        observations = []
        return poll()
      }
      observations.append(observation)
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

  /// Compares soon; once for several reports.
  private func notice(_ subjects: Set<WatchedFolders.Subject>) {
    let isFirst = due.isEmpty
    due.formUnion(subjects)
    guard isFirst else { return }
    Task { [weak self] in await self?.compare() }
  }

  private func compare() async {
    let subjects = due
    due = []
    guard accesses == 0 else { return }
    if subjects.contains(.file) { await compareItem() }
    // The first version makes the folder that shows the next ones.
    let isFirst = versions?.all.isEmpty != false
    guard subjects.contains(.versions) || isFirst, let found = await readVersions() else { return }
    await tell(of: found, since: versions ?? Versions())
    versions = found
    if isFirst, !found.all.isEmpty { await observe() }
  }

  private func compareItem() async {
    guard let present = await status() else { return }
    let isKnown = known.map { present.isSameItem(as: $0) && present.isSameContent(as: $0) }
    known = present
    if isKnown != true { await presenter?.presentedItemDidChange() }
  }

  private func tell(of found: Versions, since former: Versions) async {
    for (identifier, version) in found.all where former.all[identifier] == nil {
      await presenter?.presentedItemDidGain(version)
    }
    for (identifier, version) in former.all where found.all[identifier] == nil {
      await presenter?.presentedItemDidLose(version)
    }
    for identifier in former.conflicts.subtracting(found.conflicts) {
      guard let version = found.all[identifier] else { continue }
      await presenter?.presentedItemDidResolveConflict(version)
    }
  }

  // MARK: Reading

  private func status() async -> FileStatus? {
    let url = url
    do {
      return try await BlockingPool.shared.run { try FileStatus.of(url.filePath) }
    } catch {
      // What can't be seen has not changed, as far as it is known.
      return known
    }
  }

  /// Nil where they can't be read now.
  private func readVersions() async -> Versions? {
    do {
      let history = try await VersionStore().history(of: url)
      var versions = Versions()
      for version in history.versions {
        versions.all[version.persistentIdentifier.description] = version
      }
      versions.conflicts = Set(history.unresolvedConflicts.map(\.persistentIdentifier.description))
      return versions
    } catch let error as VersionError where error.code == .noVersions {
      return Versions()
    } catch {
      return nil
    }
  }
}
