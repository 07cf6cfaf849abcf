internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The documents whose files have disappeared from a watched folder and whose deletions aren't recorded yet.
///
/// If a person deleted the file, other devices delete it, too; its versions stay, and undoing the deletion
/// restores it. But the file may come back by itself, as part of a save; it may have been moved; and if a
/// whole folder seems to be gone, its disk may be missing.
struct WatchDeletions {
  private let watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  /// The time for which a file must be gone before it counts as deleted.
  private let pause: Duration
  /// The longest wait for other files to settle, because the file may have been moved to the path of one of
  /// them.
  private var longest: Duration { pause * 10 }
  private var gone: Set<FilePath> = []
  /// The documents that haven't been searched for at other paths yet, and the time when that is due.
  private var unsought: (paths: Set<FilePath>, due: ContinuousClock.Instant)?
  /// The documents last written to disk, for the next watcher.
  private var kept: Set<FilePath> = []
  private var keeping = BackOff()
  private var recording = BackOff()
  /// The times when the first and the last of them disappeared.
  private var times: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

  init(
    _ watcher: FolderWatcher, of folder: URL, _ report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    self.watcher = watcher
    self.folder = folder
    self.report = report
    pause = max(watcher.policy.pause * 2, .seconds(10))
  }

  /// Records documents and folders that have disappeared.
  mutating func touch(_ paths: Set<FilePath>, at now: ContinuousClock.Instant) {
    guard !paths.isEmpty else { return }
    gone.formUnion(paths)
    times = (times?.first ?? now, now)
    unsought = ((unsought?.paths ?? []).union(paths), now + .seconds(1))
  }

  /// Records that files were moved, which nothing else would show: a program had replaced them since they were
  /// saved.
  ///
  /// - Parameter moved: the new paths by the former ones.
  func follow(_ moved: [FilePath: FilePath]) async throws {
    guard !moved.isEmpty else { return }
    try await watcher.store.perform { _ in
      for (former, place) in moved { try MissingDocuments.recordMove(of: former, to: place) }
    }
  }

  /// The time when missing documents are searched for at other paths.
  var nextSearch: ContinuousClock.Instant? { unsought?.due }

  /// Returns the new locations of documents that were just moved.
  ///
  /// They are saved at once rather than when editing pauses, because the file itself identifies its document
  /// until a program replaces it. Files with another name in another folder wait, because a sync tool may
  /// have taken any of several equal files.
  mutating func takeMoved(at now: ContinuousClock.Instant) async throws -> [FilePath] {
    guard let (paths, due) = unsought, due <= now else { return [] }
    unsought = nil
    return try await watcher.store.perform { store in
      let missing = try paths.filter { try FileStatus.of($0) == nil }
        .map { URL(filePath: $0.string) }.filter(store.hasStore)
      guard !missing.isEmpty else { return [] }
      let renamed = try store.renamedDocuments(among: missing)
      let moved = try store.movedDocuments(among: missing.filter { renamed[$0] == nil })
        .filter { try $0.filePath.lastName == $1.filePath.lastName }
      return try [renamed, moved].flatMap(\.values).map { try $0.filePath }
        .sorted { $0.string < $1.string }
    }
  }

  /// Adds the files that had disappeared when the previous watcher ended.
  mutating func resume(in container: FilePath) async throws {
    let paths = try await watcher.store.perform { _ in
      let top = try container.resolvingLinks()
      let bytes =
        try SmallFile.read(ContainerFile.watchDeletions.path(in: container), limit: .max) ?? []
      let paths = bytes.split(separator: 0).map {
        top.pushing(FilePath(bytes: $0)).lexicallyNormalized()
      }
      // A path that can't be read isn't that of a document.
      return Set(
        paths.filter { path in
          do { return try path.starts(with: top) && FileStatus.of(path) == nil } catch {
            return false
          }
        })
    }
    kept = paths
    touch(paths, at: .now)
  }

  /// Writes the missing documents to a file, so that a killed watcher's knowledge isn't lost.
  ///
  /// If that fails, as on a full disk, it is reported once and tried again; this watcher still knows them.
  mutating func keep(in container: FilePath, at now: ContinuousClock.Instant) async throws {
    guard gone != kept, keeping.isDue(at: now) else { return }
    do {
      try await write(in: container)
      keeping.succeed()
    } catch let error as CancellationError {
      throw error
    } catch {
      if keeping.fail(at: now) { report(.failed(nil, error)) }
    }
  }

  private mutating func write(in container: FilePath) async throws {
    try await watcher.store.perform { [gone] _ in
      let top = try container.resolvingLinks()
      let paths = gone.compactMap { path in
        var path = path
        return path.removePrefix(top) ? path.bytes : nil
      }
      try SmallFile.replace(
        ContainerFile.watchDeletions.path(in: container), Array(paths.joined(separator: [0])),
        isPrivate: true)
    }
    kept = gone
  }

  /// The time of the next attempt to write the file, if the last one failed.
  var nextKeeping: ContinuousClock.Instant? { gone == kept ? nil : keeping.next }

  /// Returns the time when the deletions are due; nil if there are none.
  ///
  /// Files that disappear together are judged together, even if that takes a while.
  ///
  /// - Parameter isIdle: whether no other file is settling.
  func nextDue(isIdle: Bool) -> ContinuousClock.Instant? {
    let due = times.map { isIdle ? min($0.last + pause, $0.first + longest) : $0.first + longest }
    return due ?? recording.next
  }

  /// Returns whether documents are disappearing at the moment; new files may be some of them, which is judged
  /// for all together.
  func isGoing(at now: ContinuousClock.Instant) -> Bool {
    times.map { now < min($0.last + watcher.policy.pause, $0.first + longest) } ?? false
  }

  /// Records the deletions that are due; those that can't be recorded now are judged again later.
  ///
  /// - Parameter hasCopies: returns whether a document has conflicted copies; some tools leave only these.
  /// - Returns: whether there are new versions.
  mutating func recordDue(
    at now: ContinuousClock.Instant, isIdle: Bool, except hasCopies: (FilePath) -> Bool
  ) async throws -> Bool {
    guard let due = nextDue(isIdle: isIdle), due <= now else { return false }
    times = nil
    do {
      let (hasDeleted, isWhole) = try await record(except: hasCopies, at: now)
      if isWhole { recording.succeed() }
      return hasDeleted
    } catch let error as CancellationError {
      throw error
    } catch {
      if recording.fail(at: now) { report(.failed(nil, error)) }
      return false
    }
  }

  private mutating func record(
    except hasCopies: (FilePath) -> Bool, at now: ContinuousClock.Instant
  ) async throws -> (hasDeleted: Bool, isWhole: Bool) {
    let (all, open) = try await watcher.store.perform { [folder, gone] store in
      try Self.missing(gone, below: folder, in: store)
    }
    let missing = try all.filter { try !hasCopies($0.filePath) }
    if missing.count > Self.mostUnasked {
      let all = try await watcher.store.documents(below: folder) ?? []
      guard missing.count * 2 <= all.count else {
        gone = open
        report(.vanished(count: missing.count))
        return (false, true)
      }
    }
    let (hasDeleted, failed) = try await record(missing)
    let again = failed.filter(\.error.isWorthAnotherTry)
    gone = open.union(try again.compactMap { try $0.url?.filePath })
    let isFirst = again.isEmpty || recording.fail(at: now)
    if !failed.isEmpty, isFirst { report(.failed(failed)) }
    return (hasDeleted, again.isEmpty)
  }

  /// If more than these, and more than half of all documents, disappear, a disk is probably missing.
  private static let mostUnasked = 20

  /// Returns the documents at and below some paths whose files are missing and have no other name, and those
  /// that may have one.
  private static func missing(
    _ paths: Set<FilePath>, below folder: URL, in store: SynchronousStore
  ) throws -> (missing: [URL], open: Set<FilePath>) {
    let paths = try paths.filter { try FileStatus.of($0) == nil }
    var documents: Set<FilePath> = []
    var folders: Set<FilePath> = []
    for path in paths {
      if try store.hasStore(URL(filePath: path.string)) {
        documents.insert(path)
      } else {
        folders.insert(path)
      }
    }
    if !folders.isEmpty {
      for document in try store.documents(below: folder) ?? [] {
        let path = try document.filePath
        var outer = path.parentFolder
        while !outer.components.isEmpty, !folders.contains(outer) { outer = outer.parentFolder }
        if !outer.components.isEmpty { documents.insert(path) }
      }
    }
    let missing = try documents.map { URL(filePath: $0.string) }
      .filter { try store.state(of: $0) == .missing }
    guard !missing.isEmpty else { return ([], []) }
    let renamed = try store.renamedDocuments(among: missing)
    let moves = try store.moves(of: missing)
    let gone = missing.filter {
      renamed[$0] == nil && moves.places[$0] == nil && !moves.open.contains($0)
    }
    return (gone.sorted { $0.path < $1.path }, Set(try moves.open.map { try $0.filePath }))
  }

  private func record(
    _ documents: [URL]
  ) async throws -> (hasDeleted: Bool, failed: [WatchEvent.FailedDocument]) {
    var deleted: [FileVersion] = []
    var failed: [WatchEvent.FailedDocument] = []
    for document in documents {
      do {
        deleted.append(
          try await watcher.store.perform { try $0.recordDeletion(of: document) })
      } catch let error as CancellationError {
        throw error
      } catch let error as FileError where error.code == .changing {
        // The file is back.
      } catch {
        failed.append(.init(url: document, error: error))
      }
    }
    if !deleted.isEmpty { report(.deleted(deleted)) }
    return (!deleted.isEmpty, failed)
  }
}
