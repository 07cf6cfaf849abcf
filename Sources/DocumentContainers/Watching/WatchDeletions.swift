internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The documents whose files were seen to go from a watched folder, until their deletions are recorded.
///
/// A file that goes was deleted by a person, and other devices are to know: its versions stay, and undoing the deletion
/// brings it back. But it may come back by itself, as part of a save; it may have been moved; and what seems to be all of a
/// folder may be a disk that is not there.
struct WatchDeletions {
  private let watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  /// How long a file stays gone before that counts.
  private let pause: Duration
  /// The longest wait for other files to settle: it may have been moved to the place of one.
  private var longest: Duration { pause * 10 }
  private var gone: Set<FilePath> = []
  /// Those of them that were not looked for in other places yet, and when that is due.
  private var unsought: (paths: Set<FilePath>, due: ContinuousClock.Instant)?
  /// What was kept last of these, for the watcher that starts next.
  private var kept: Set<FilePath> = []
  private var keeping = BackOff()
  private var recording = BackOff()
  /// When the first of these went, and the last one.
  private var times: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

  init(
    _ watcher: FolderWatcher, of folder: URL, _ report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    self.watcher = watcher
    self.folder = folder
    self.report = report
    pause = max(watcher.policy.pause * 2, .seconds(10))
  }

  /// Takes note of documents and folders that have gone.
  mutating func touch(_ paths: Set<FilePath>, at now: ContinuousClock.Instant) {
    guard !paths.isEmpty else { return }
    gone.formUnion(paths)
    times = (times?.first ?? now, now)
    unsought = ((unsought?.paths ?? []).union(paths), now + .seconds(1))
  }

  /// When documents that have gone are looked for in other places.
  var nextSearch: ContinuousClock.Instant? { unsought?.due }

  /// Returns the new places of documents that were moved a moment ago.
  ///
  /// These are saved at once, and not when editing pauses: the file itself shows which document it is, until a program
  /// replaces it. Files that have another name in another folder wait: of equal files, a sync tool may have taken any.
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

  /// Waits for what the watcher before had seen to go, when it ended.
  mutating func resume(in container: FilePath) async throws {
    let paths = try await watcher.store.perform { _ in
      let top = try container.resolvingLinks()
      let bytes = try SmallFile.read(WatchFile.deletions(of: container), limit: .max) ?? []
      let paths = bytes.split(separator: 0).map {
        top.pushing(FilePath(bytes: $0)).lexicallyNormalized()
      }
      // A path that cannot be looked at is none of a document.
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

  /// Keeps what is waited for in a file: a watcher that is killed does not forget what it saw.
  ///
  /// Where that is not possible, as on a full disk, it is reported once and tried again; this watcher forgets nothing.
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
        WatchFile.deletions(of: container), Array(paths.joined(separator: [0])), isPrivate: true)
    }
    kept = gone
  }

  /// When what is waited for is kept, where that failed before.
  var nextKeeping: ContinuousClock.Instant? { gone == kept ? nil : keeping.next }

  /// When they are due; nil if none are waited for.
  ///
  /// What goes in one go is judged together, also if that takes a while.
  ///
  /// - Parameter isIdle: whether no other file is about to settle.
  func nextDue(isIdle: Bool) -> ContinuousClock.Instant? {
    let due = times.map { isIdle ? min($0.last + pause, $0.first + longest) : $0.first + longest }
    return due ?? recording.next
  }

  /// Whether documents go at the moment: what is new may be some of these, which is judged of all together.
  func isGoing(at now: ContinuousClock.Instant) -> Bool {
    times.map { now < min($0.last + watcher.policy.pause, $0.first + longest) } ?? false
  }

  /// Records the deletions that are due; those that can’t be recorded at the moment are judged again later.
  ///
  /// - Parameter hasCopies: whether a document has conflicted copies: some tools leave only these.
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

  /// More than these, and more than half of all, are a disk that is not there rather than deletions.
  private static let mostUnasked = 20

  /// The documents at some paths, and below them, whose files are missing and have no other name; and those that may
  /// have one.
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
        // It is there again.
      } catch {
        failed.append(.init(url: document, error: error))
      }
    }
    if !deleted.isEmpty { report(.deleted(deleted)) }
    return (!deleted.isEmpty, failed)
  }
}
