internal import DocumentConflicts
internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Adopts the copies of one document.
struct AdoptionRun {
  let store: VersionStore
  let engines: MergeEngines
  let rule: AdoptionRule
  let isWanted: @Sendable (ConflictedCopy) async throws -> Bool
  let journal: AdoptionJournal

  /// Imports the copies that the rule selects, resolves their conflict with the document, and removes their files.
  ///
  /// - Parameter copies: all copies of one document.
  func adopt(_ copies: [ConflictedCopy]) async throws -> AdoptedDocument {
    var adopted = AdoptedDocument(document: copies[0].document, copies: copies.map { .init($0) })
    var taken: [Int] = []
    for index in copies.indices where rule.takes(copies[index]) {
      if try await isWanted(copies[index]) { taken.append(index) }
    }
    // If no document is left, either all sides are imported, or the conflict stays for a person to decide.
    if copies.contains(where: { $0.missing != nil }), taken.count < copies.count { taken = [] }
    guard !taken.isEmpty, !store.isDryRun else {
      for index in taken { adopted.copies[index].isTaken = true }
      return adopted
    }
    do {
      try await adopt(taken, &adopted)
    } catch let error where error.isOfOneFile {
      adopted.failure = error
    }
    return adopted
  }

  private func adopt(_ indices: [Int], _ adopted: inout AdoptedDocument) async throws {
    let copies = adopted.copies.map(\.copy)
    let all = try indices.map { try CopyToTake(copies[$0]) }
    let document = adopted.document
    if let version = indices.lazy.compactMap({ copies[$0].missing }).first,
      try FileStatus.of(document.filePath) == nil
    {
      _ = try await store.restore(version, of: document)
    }
    let isBesideCopy = try await saveBeside(indices.map { copies[$0] })
    // The identifier is the same on every device with these copies.
    let identifier = "adopted\n\(copies.map(\.url.lastPathComponent).min() ?? "")"
    let taken = try await store.perform {
      try TakingCopies($0.environment).take(all, into: document, identifier: identifier)
    }
    for (index, version) in zip(indices, taken) {
      adopted.copies[index].version = version.version
      adopted.copies[index].isTaken = true
    }
    if isBesideCopy || taken.contains(where: \.isOpen) {
      let strategy = strategy(for: adopted, open: taken).leavingOut(
        members(indices.map { copies[$0] }))
      let outcome = try await ConflictResolver(strategy, store: store, engines: engines)
        .resolve(document)
      switch outcome {
      case .resolved(let resolution): adopted.resolution = resolution
      case .unresolved(let questions, _):
        adopted.isInConflict = true
        adopted.questions = questions
      case .noConflict: break
      }
    }
    // A copy without a decision stays.
    let decided = zip(indices, taken).filter {
      !isBesideCopy && !$1.isOpen || adopted.resolution != nil
    }
    try await remove(decided.map(\.0), &adopted)
  }

  /// Saves a document whose current version a tool has replaced, based on the version that its contents
  /// derive from.
  ///
  /// - Returns: whether there is such a document.
  private func saveBeside(_ copies: [ConflictedCopy]) async throws -> Bool {
    guard let base = copies.lazy.compactMap(\.documentBase).first else { return false }
    _ = try await store.save(copies[0].document, base: base)
    return true
  }

  private func members(_ copies: [ConflictedCopy]) -> Set<[[UInt8]]> {
    Set(
      copies.filter { $0.member != nil }.compactMap { copy in
        let root = Array(copy.document.path.utf8)
        let path = Array(copy.url.path.utf8)
        guard path.starts(with: root) else { return nil }
        return path.dropFirst(root.count).split(separator: UInt8(ascii: "/")).map(Array.init)
      })
  }

  private func strategy(
    for adopted: AdoptedDocument, open: [TakenCopy]
  ) -> ResolutionStrategy {
    switch rule.kind {
    case .merging: return .merge
    case .mergingElse(let strategy):
      let hasBases = adopted.copies.allSatisfy { !$0.isTaken || $0.copy.isMadeFromKnownBase }
      return hasBases ? .merge(else: strategy) : strategy
    case .resolving(let strategy): return strategy
    case .latest:
      var dates: [FileVersion.PersistentIdentifier: Date] = [:]
      for copy in adopted.copies {
        guard let version = copy.version, let date = copy.copy.modificationDate else { continue }
        dates[version.id] = max(date, dates[version.id] ?? date)
      }
      return .latest(by: dates)
    }
  }

  // MARK: Removing

  private func remove(_ indices: [Int], _ adopted: inout AdoptedDocument) async throws {
    let (members, files) = (
      indices.filter { adopted.copies[$0].copy.member != nil },
      indices.filter { adopted.copies[$0].copy.member == nil }
    )
    var entry = AdoptionJournal.Entry(
      document: adopted.document.path, resolution: adopted.resolution?.version.id.description,
      copies: [])
    for index in indices {
      guard let version = adopted.copies[index].version else { continue }
      let copy = adopted.copies[index].copy
      entry.copies.append(
        AdoptionJournal.Entry.Copy(
          path: copy.url.path, version: version.id.description,
          modified: copy.modificationDate?.timeIntervalSince1970 ?? 0,
          permissions: try FileStatus.of(copy.url.filePath)?.permissions ?? 0o644,
          isMember: copy.member != nil))
    }
    let left = try members.filter { try FileStatus.of(adopted.copies[$0].copy.url.filePath) != nil }
    if !left.isEmpty {
      let document = adopted.document
      let saved = try await store.perform { try $0.save(document, asPackage: true) }
      entry.before = saved.version.id.description
    }
    guard !indices.isEmpty else { return }
    try journal.append(entry)
    for index in files {
      guard let version = adopted.copies[index].version else { continue }
      let url = adopted.copies[index].copy.url
      try await store.perform { try TakingCopies($0.environment).remove(url, keptAs: version) }
      adopted.copies[index].isRemoved = true
    }
    for index in members { adopted.copies[index].isRemoved = true }
    if !left.isEmpty { try await removeMembers(left.map { adopted.copies[$0].copy }) }
  }

  /// Removes copies of members with nothing new, which the previous version contains.
  private func removeMembers(_ copies: [ConflictedCopy]) async throws {
    let document = copies[0].document
    try await store.perform { store in
      guard try store.state(of: document) == .unchanged else {
        let path = try document.filePath
        throw FileError(
          .changing, path: path,
          message: "“\(path.printable)” changed in the meantime; the copies in it stay.",
          recovery: .tryAgain)
      }
      for copy in copies { try Folder.removeTree(copy.url.filePath) }
      _ = try store.save(document, note: "Conflicted copies removed", asPackage: true)
    }
  }
}

extension ConflictedCopy {
  /// True if the base of everything to merge is known.
  fileprivate var isMadeFromKnownBase: Bool {
    switch outlook {
    case .nothingNew, .merges, .asks(.contradiction, _): true
    case .asks(.ambiguousName, _): base != nil
    case .asks, .refused: false
    }
  }
}

extension CopyToTake {
  fileprivate init(_ copy: ConflictedCopy) throws {
    let base: Base? = copy.base.flatMap { base in
      switch base.source {
      case .version(let version): .version(version.id)
      case .file(let url):
        base.bytes.map { .file($0, from: url.lastPathComponent, date: base.date) }
      case .commit(let commit):
        base.bytes.map { .file($0, from: "git \(commit.prefix(12))", date: base.date) }
      }
    }
    let modified = copy.modificationDate.map {
      Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down))
    }
    self.init(
      copy.url, of: copy.member.map { $0.pathNames().map { Array($0.utf8) } },
      identity: Identity(author: copy.author, device: copy.device),
      date: copy.name.date ?? modified ?? Date(timeIntervalSince1970: 0), base: base,
      isOvertaken: copy.isOvertaken)
  }
}

extension ResolutionStrategy {
  /// Takes the version that was modified last, by the times of files if these are known.
  fileprivate static func latest(
    by dates: [FileVersion.PersistentIdentifier: Date]
  ) -> ResolutionStrategy {
    ResolutionStrategy(name: "latest") { conflict in
      func date(_ version: FileVersion) -> Date { dates[version.id] ?? version.modificationDate }
      let live = conflict.versions.filter { !$0.isDeletion }
      // The current version comes first, so that it wins among equals.
      let latest = live.reduce(live.first ?? conflict.current) { date($1) > date($0) ? $1 : $0 }
      return .keep(latest, because: "it was modified last")
    }
  }
}
