internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// What a watcher does with documents and copies that have settled.
struct WatchSaving {
  private let watcher: FolderWatcher
  private let report: @Sendable (WatchEvent) -> Void
  /// The newest version of each document, where this watcher made it: it becomes discardable once another one follows.
  private var own: [FilePath: FileVersion] = [:]
  private var thinned: [FilePath: ContinuousClock.Instant] = [:]
  /// What was reported last of documents that could not be saved.
  private var failures: [FilePath: String] = [:]

  init(_ watcher: FolderWatcher, _ report: @escaping @Sendable (WatchEvent) -> Void) {
    self.watcher = watcher
    self.report = report
  }

  private var store: VersionStore { watcher.store }

  // MARK: Saving

  /// Saves files that have settled, as far as they are edited documents, or become documents.
  ///
  /// - Returns: whether there are new versions, and the files to try again later.
  mutating func save(_ files: [FilePath]) async throws -> (hasSaved: Bool, later: [FilePath]) {
    guard !files.isEmpty else { return (false, []) }
    let policy = watcher.policy
    let longest = SettlingFiles(pause: policy.pause).longest
    let (known, new, open) = try await store.perform { store in
      var (known, rest, open): ([FilePath], [FilePath], [FilePath]) = ([], [], [])
      for file in files {
        let url = URL(filePath: file.string)
        if try Self.isBeingWritten(file, for: longest, at: store.clock()) {
          open.append(file)
        } else if try store.hasStore(url) {
          known.append(file)
        } else {
          rest.append(file)
        }
      }
      return (known, try WatchedKinds(of: Set(rest), policy, in: store).new, open)
    }
    var (hasSaved, later) = (false, open)
    let all = known + new
    if store.isDryRun {
      for file in all {
        report(.saved(URL(filePath: file.string), nil, isFirst: new.contains(file)))
      }
      return (false, [])
    }
    let outcomes = await store.saveEach(all.map { URL(filePath: $0.string) })
    let isFirst = Set(new)
    for (file, outcome) in zip(all, outcomes) {
      do {
        let outcome = try outcome.get()
        failures[file] = nil
        guard outcome.isNew else { continue }
        hasSaved = true
        report(
          .saved(URL(filePath: file.string), outcome.version, isFirst: isFirst.contains(file)))
        try await settle(outcome.version, of: file)
      } catch let error as CancellationError {
        throw error
      } catch let error as FileError where error.code == .notFound {
        // It has gone meanwhile.
      } catch {
        if error.isWorthAnotherTry { later.append(file) }
        if failures.updateValue("\(error)", forKey: file) != "\(error)" {
          report(.failed(URL(filePath: file.string), error))
        }
      }
    }
    return (hasSaved, later)
  }

  /// Marks the version before as discardable, where this watcher made it, and thins those that are.
  private mutating func settle(_ version: FileVersion, of file: FilePath) async throws {
    let url = URL(filePath: file.string)
    do {
      if let former = own.updateValue(version, forKey: file), former != version,
        let present = try await FileVersion.version(
          of: url, identifier: former.persistentIdentifier, store: store)
      {
        try await present.setDiscardable(true)
      }
      try await thin(url, file)
    } catch let error as CancellationError {
      throw error
    } catch {
      // The version itself is saved.
      report(.failed(url, error))
    }
  }

  private mutating func thin(_ url: URL, _ file: FilePath) async throws {
    guard let retention = watcher.policy.retention else { return }
    let now = ContinuousClock.now
    if let last = thinned[file], now - last < .seconds(3600) { return }
    thinned[file] = now
    try await store.perform { store in
      var trial = store
      trial.isDryRun = true
      let old = try trial.thin(url, keeping: retention).removed.filter(\.isDiscardable)
      if !old.isEmpty { try store.remove(old, of: url) }
    }
  }

  /// Returns whether a program has a file open for writing.
  ///
  /// Some keep it open for as long as they show it: then it counts as whole when it was left alone for a long time.
  private static func isBeingWritten(
    _ file: FilePath, for longest: Duration, at date: Date
  ) throws -> Bool {
    guard try FileWriters.have(open: file), let status = try FileStatus.of(file) else {
      return false
    }
    let age = date.timeIntervalSince1970 - Double(status.modified) / 1e9
    return age < Double(longest.components.seconds)
  }

  // MARK: Adopting

  /// Takes conflicted copies in, as far as that leaves no question.
  ///
  /// - Returns: whether there are new versions.
  mutating func adopt(_ copies: [FilePath]) async throws -> Bool {
    guard !copies.isEmpty else { return false }
    let wanted = Set(copies.map(\.string))
    let folders = Set(copies.map { $0.removingLastComponent() }).map { URL(filePath: $0.string) }
    var hasTaken = false
    let adoption = Adoption(store: store, engines: watcher.engines)
    do {
      let documents = adoption.adopt(in: folders, by: .merge) { copy in
        wanted.contains(copy.url.path) && Self.isCertain(copy)
      }
      for try await document in documents {
        let isMeant = document.copies.contains { wanted.contains($0.copy.url.path) }
        guard isMeant else { continue }
        hasTaken = hasTaken || document.copies.contains(where: \.isTaken)
        report(.adopted(document))
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      report(.failed(nil, error))
    }
    return hasTaken
  }

  /// Returns whether taking a copy in certainly takes nothing back.
  ///
  /// A tool that puts another device’s contents in a document’s place names what was there a copy. Where that is a version
  /// of the document, the copy brings no new bytes; but the document was not made from it, and would lose what it says.
  private static func isCertain(_ copy: ConflictedCopy) -> Bool {
    guard case .nothingNew = copy.outlook else { return true }
    let original = copy.member.map { copy.document.appending(path: $0) } ?? copy.document
    return FileManager.default.contentsEqual(atPath: copy.url.path, andPath: original.path)
  }

  /// Returns whether an office program has a document open, by the lock that it puts beside it.
  static func isLocked(_ document: FilePath) throws -> Bool {
    let (folder, name) = (document.removingLastComponent(), document.lastComponent?.string ?? "")
    return try [".~lock.\(name)#", "~$\(name)", "~$\(name.dropFirst(2))"].contains {
      try FileStatus.of(folder.appending($0)) != nil
    }
  }
}

extension Error {
  /// True where the same may succeed a little later, though the file does not change.
  fileprivate var isWorthAnotherTry: Bool {
    guard let error = self as? FileError else {
      return (self as? VersionError)?.code == .changedMeanwhile
    }
    return [.changing, .busy, .noSpace, .notPermitted, .system].contains(error.code)
  }
}
