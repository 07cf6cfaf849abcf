internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The saving of documents and the adoption of copies that have settled.
struct WatchSaving {
  private var watcher: FolderWatcher
  private let folder: URL
  private let report: @Sendable (WatchEvent) -> Void
  /// The newest versions of documents that this watcher made; each becomes discardable once another one
  /// follows.
  private var own: [FilePath: Own] = [:]
  /// True if no further version will follow.
  var isLast = false
  /// The kinds of failures last reported for documents that couldn't be saved.
  private var failures: [FilePath: String] = [:]
  /// The files that were reported as not becoming documents.
  private var leftOut: Set<FilePath> = []
  /// The files that may be any of several missing documents.
  private var open: Set<FilePath> = []
  /// The copies that were reported as staying.
  private var known: Set<FilePath> = []
  private var clock: SteadyClock

  /// A watcher's knowledge of a document that it has saved; there may be very many.
  private struct Own {
    let version: FileVersion.PersistentIdentifier
    /// The time when the document's versions were last thinned.
    let thinned: ContinuousClock.Instant?
  }

  init(
    _ watcher: FolderWatcher, of folder: URL, _ report: @escaping @Sendable (WatchEvent) -> Void
  ) {
    var watcher = watcher
    // No step of saving and adopting reads a file that a program is writing.
    watcher.store.environment.leavesOpenMoves = true
    watcher.store.environment.fileClock.longestWriting =
      SettlingFiles(pause: watcher.policy.pause).longest
    self.watcher = watcher
    self.folder = folder
    self.report = report
    clock = SteadyClock(watcher.store.clock)
  }

  private var store: VersionStore { watcher.store }

  // MARK: Saving

  /// Saves settled files that are edited documents, or that become documents.
  ///
  /// - Parameter leavesNew: whether files without versions are left for later.
  /// - Returns: whether there are new versions, and the files to try again later.
  mutating func save(
    _ files: [FilePath], leavingNew leavesNew: Bool = false
  ) async throws -> (hasSaved: Bool, later: [FilePath]) {
    var (hasSaved, later) = (false, [FilePath]())
    // All of them have settled, so a document that one of them was before is missing by now.
    watcher.store.environment.listings = ContainerListings()
    defer { watcher.store.environment.listings = nil }
    // Large numbers are saved and reported in parts.
    var rest = files[...]
    while !rest.isEmpty {
      let outcome = try await saveSome(
        Array(rest.prefix(Self.mostAtOnce)), leavingNew: leavesNew)
      rest = rest.dropFirst(Self.mostAtOnce)
      hasSaved = outcome.hasSaved || hasSaved
      later += outcome.later
    }
    if files.count > Self.mostAtOnce { FreedMemory.giveBack() }
    return (hasSaved, later)
  }

  private static let mostAtOnce = 2_048

  /// Removes and returns the files that may be any of several missing documents; they are saved once that is
  /// known.
  mutating func takeOpen() -> Set<FilePath> {
    defer { open = [] }
    return open
  }

  private mutating func saveSome(
    _ files: [FilePath], leavingNew leavesNew: Bool
  ) async throws -> (hasSaved: Bool, later: [FilePath]) {
    let policy = watcher.policy
    let (known, kinds, waiting) = try await store.perform { [leftOut] store in
      var (known, rest, open): ([FilePath], [FilePath], [FilePath]) = ([], [], [])
      for file in files {
        let url = URL(filePath: file.string)
        if try Self.unlessUnreadable({
          try Self.isBeingWritten(file, by: store.environment.fileClock)
        }) {
          open.append(file)
        } else if try store.hasStore(url) {
          known.append(file)
        } else if leavesNew {
          open.append(file)
        } else {
          rest.append(file)
        }
      }
      return (known, try WatchedKinds(of: Set(rest), policy, in: store, reported: leftOut), open)
    }
    let new = kinds.new
    if !kinds.leftOut.isEmpty {
      leftOut.formUnion(kinds.leftOut)
      report(.leftOut(tooLarge: kinds.tooLarge, unknown: kinds.unknown))
    }
    var (hasSaved, later) = (false, waiting)
    let all = known + new
    if store.isDryRun {
      let isFirst = Set(new)
      let plan = all.map {
        WatchEvent.SavedDocument(
          url: URL(filePath: $0.string), version: nil, isFirst: isFirst.contains($0), missed: nil)
      }
      if !plan.isEmpty { report(.saved(plan)) }
      return (false, [])
    }
    let outcomes = try await saveCoordinated(all.map { URL(filePath: $0.string) })
    var saved: [WatchEvent.SavedDocument] = []
    var failed: [WatchEvent.FailedDocument] = []
    var isCancelled = false
    for (file, outcome) in zip(all, outcomes) {
      do {
        let outcome = try outcome.get()
        failures[file] = nil
        guard outcome.isNew else { continue }
        hasSaved = true
        // A renamed document already has versions.
        let isFirst = outcome.version.parents.isEmpty
        saved.append(
          .init(
            url: URL(filePath: file.string), version: outcome.version, isFirst: isFirst,
            missed: outcome.missedVersion, formerPlace: outcome.formerPlace))
      } catch is CancellationError {
        // Earlier saves are reported nevertheless.
        isCancelled = true
      } catch let error as FileError where error.code == .notFound {
        // The document has disappeared in the meantime.
      } catch is OpenMove {
        open.insert(file)
      } catch let error as FileError where error.code == .changing {
        later.append(file)
      } catch {
        if error.isWorthAnotherTry { later.append(file) }
        if failures.updateValue(error.kind, forKey: file) != error.kind {
          failed.append(.init(url: URL(filePath: file.string), error: error))
        }
      }
    }
    if !saved.isEmpty { report(.saved(saved)) }
    if !failed.isEmpty { report(.failed(failed)) }
    if isCancelled { throw CancellationError() }
    try await settle(saved)
    return (hasSaved, later)
  }

  /// Saves documents; programs that have one open through coordination are asked to write it first, and write
  /// nothing during the save.
  private func saveCoordinated(_ documents: [URL]) async throws -> [Result<SaveOutcome, any Error>]
  {
    let presented = try await store.perform { [folder] _ in
      try PresenterListing.programs(at: folder).flatMap(\.items).map { try $0.filePath }
    }
    guard !presented.isEmpty else { return await store.saveEach(documents) }
    var outcomes: [Result<SaveOutcome, any Error>] = []
    for document in documents {
      let path = try document.filePath
      guard presented.contains(where: { path.starts(with: $0) || $0.starts(with: path) }) else {
        outcomes += await store.saveEach([document])
        continue
      }
      do {
        outcomes += try await FileCoordinator(forStoreWaiting: store.environment.lockSeconds)
          .coordinate(readingItemAt: document) { _ in await store.saveEach([document]) }
      } catch let error as CancellationError {
        throw error
      } catch {
        outcomes.append(.failure(error))
      }
    }
    return outcomes
  }

  /// Marks earlier versions that this watcher made as discardable, and thins discardable versions.
  private mutating func settle(_ saved: [WatchEvent.SavedDocument]) async throws {
    let now = ContinuousClock.now
    // If the clock was set ahead, all versions would seem old.
    let retention = clock.isSteady(at: now) ? watcher.policy.retention : nil
    var steps: [(document: URL, former: FileVersion.PersistentIdentifier?, isThinned: Bool)] = []
    for document in saved {
      guard let version = document.version?.persistentIdentifier else { continue }
      let file = try document.url.filePath
      let former = own[file]
      // A document with only a first version has nothing to thin.
      let isDue = former?.thinned.map { now - $0 >= .seconds(3600) } ?? !document.isFirst
      let isThinned = isDue && retention != nil
      if !isLast {
        own[file] = Own(version: version, thinned: isThinned ? now : former?.thinned)
      }
      if former != nil || isThinned { steps.append((document.url, former?.version, isThinned)) }
    }
    guard !steps.isEmpty else { return }
    let results = try await store.perform { [steps] store in
      store.performEach(steps.map(\.document)) { store, index in
        let (document, former, isThinned) = steps[index]
        if let former { try store.makeDiscardable(former, of: document) }
        if isThinned, let retention { try Self.thin(document, keeping: retention, in: store) }
      }
    }
    // The versions themselves have been saved.
    var failed: [WatchEvent.FailedDocument] = []
    for (step, result) in zip(steps, results) {
      do { try result.get() } catch let error as CancellationError {
        throw error
      } catch {
        failed.append(.init(url: step.document, error: error))
      }
    }
    if !failed.isEmpty { report(.failed(failed)) }
  }

  private static func thin(
    _ document: URL, keeping retention: RetentionPolicy, in store: SynchronousStore
  ) throws {
    var trial = store
    trial.isDryRun = true
    let old = try trial.thin(document, keeping: retention, sparingDiscardable: true).removed
      .filter(\.isDiscardable)
    if !old.isEmpty { try store.remove(old, of: document) }
  }

  /// Returns whether a program uses a document.
  static func isInUse(_ document: FilePath) throws -> Bool {
    try unlessUnreadable {
      try LiveDatabase.inUse(at: document) != nil || FileUse.isInUse(document)
    }
  }

  /// Returns the answer about a file; false for an unreadable file, which must not stop the others, and whose
  /// save reports the reason.
  private static func unlessUnreadable(_ answer: () throws -> Bool) throws -> Bool {
    do { return try answer() } catch let error as FileError where error.code == .notPermitted {
      return false
    }
  }

  /// Returns whether a program has a file open for writing.
  ///
  /// Some programs keep a file open as long as they show it; then it counts as complete after a long time
  /// without changes.
  private static func isBeingWritten(_ file: FilePath, by clock: FileClock) throws -> Bool {
    // For a database in use, the last committed state is saved.
    guard let longest = clock.longestWriting, try !LiveDatabase.isDatabase(file),
      try FileWriters.have(open: file),
      let status = try FileStatus.of(file)
    else { return false }
    return abs(clock.age(of: status)) < longest / .seconds(1)
  }

  // MARK: Adopting

  /// Adopts the conflicted copies that leave no question.
  ///
  /// - Parameter all: these, and the other copies of their documents.
  /// - Returns: whether there are new versions, the copies that stay, and those to consider again.
  mutating func adopt(
    _ copies: [FilePath], among all: [FilePath]
  ) async throws -> (hasNews: Bool, left: Set<FilePath>, again: [FilePath]) {
    let wanted = Set(copies.map(\.string))
    var (hasNews, left) = (false, Set<FilePath>())
    var again: [FilePath] = []
    let adoption = Adoption(store: store, engines: watcher.engines)
    do {
      let documents = adoption.adopt(in: all.map { URL(filePath: $0.string) }, by: .merge) {
        wanted.contains($0.url.path)
      }
      for try await var document in documents {
        // Another device has adopted the copy at the same time, and the sync tool repeats that here.
        if let failure = document.failure as? FileError, failure.code == .notFound {
          document.failure = nil
        }
        hasNews =
          try await keepApart(document) || document.copies.contains(where: \.isTaken)
          || hasNews
        let stay = document.copies.filter { !$0.isTaken }
          .map { FilePath($0.copy.url.path) }.filter { wanted.contains($0.string) }
        // Another device has adopted a copy, and the sync tool has removed it here.
        let present = try stay.filter { try FileStatus.of($0) != nil }
        left.formUnion(present)
        // Each remaining copy is reported once.
        if present.count == stay.count, stay.isEmpty || !known.isSuperset(of: stay) {
          report(.adopted(document))
        }
        known = known.subtracting(copies).union(present)
      }
    } catch let error as CancellationError {
      throw error
    } catch let error as FileError where error.code == .notFound {
      // A copy has disappeared in the meantime, and the others are considered again.
      again = copies
    } catch {
      report(.failed(nil, error))
      left.formUnion(copies)
    }
    return (hasNews, left, again)
  }

  /// Saves a document whose current version a tool has replaced, based on the version that its contents
  /// derive from, if its copy needs a decision.
  ///
  /// The two versions are then in conflict.
  ///
  /// - Returns: whether there is such a document.
  private func keepApart(_ document: AdoptedDocument) async throws -> Bool {
    guard !store.isDryRun,
      let base = document.copies.first(where: { !$0.isTaken })?.copy.documentBase
    else { return false }
    do {
      return try await store.save(document.document, base: base).isNew
    } catch let error as CancellationError {
      throw error
    } catch {
      report(.failed(document.document, error))
      return false
    }
  }
}

/// A check that the clock of a store has advanced evenly.
private struct SteadyClock {
  private let read: @Sendable () -> Date
  private let start = ContinuousClock.now
  /// The clock's time at the start, computed from its present time.
  private var origin: Date
  private var unsteadyUntil: ContinuousClock.Instant?

  init(_ read: @escaping @Sendable () -> Date) {
    self.read = read
    origin = read()
  }

  /// Returns false for a day after the clock was set by more than an hour.
  mutating func isSteady(at now: ContinuousClock.Instant) -> Bool {
    let origin = read().addingTimeInterval(-((now - start) / .seconds(1)))
    if abs(origin.timeIntervalSince(self.origin)) > 3600 {
      self.origin = origin
      unsteadyUntil = now + .seconds(86_400)
    }
    return unsteadyUntil.map { $0 <= now } ?? true
  }
}

extension Error {
  /// A text that is the same for repeated failures, whatever the names of temporary files are.
  var kind: String {
    switch self {
    case let error as FileError: "\(error.code)"
    case let error as VersionError: "\(error.code)"
    default: "\(self)"
    }
  }

  /// True if the same operation may succeed a little later although the file doesn't change.
  var isWorthAnotherTry: Bool {
    if self is CoordinationError { return true }
    guard let error = self as? FileError else {
      return (self as? VersionError)?.code == .changedMeanwhile
    }
    return [.changing, .busy, .noSpace, .notPermitted, .system].contains(error.code)
  }
}
