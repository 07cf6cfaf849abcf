internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Repairs objects: keeps the readable parts of damaged files, and copies missing objects from elsewhere.
final class ObjectRepair {
  private let session: RepairSession
  /// Objects that were found elsewhere.
  private var fetched: Set<ObjectID> = []

  init(session: RepairSession) {
    self.session = session
  }

  /// Throws an error for a store that has its objects elsewhere, because they aren't lost.
  func refuseBorrowed() throws {
    let (location, file) = (session.location, StoreFile.alternates)
    guard try FileStatus.of(file.path(in: location.store)) != nil,
      try !session.check().objects.unreadable.isEmpty
    else { return }
    throw VersionError(
      .damaged, document: location.printable,
      message: """
        The store of “\(location.printable)” lacks objects, and its “\(file.name)” names a place where they may be.
        """,
      recovery: .copyBorrowedObjects)
  }

  /// Writes the readable objects of damaged packs into new packs, and takes the damaged files out of use.
  func repairFiles() throws {
    for finding in try session.findings(.pack) {
      guard let file = finding.file else { continue }
      try salvage(file) { "Keep what can be read of “\($0)”, in a new pack." }
    }
    // A pack without an index may contain versions.
    for finding in try session.findings(.leftover) where finding.file?.hasSuffix(".pack") == true {
      guard let file = finding.file, try !session.check().verification.isWhole else { continue }
      try salvage(file) { "Make the index of “\($0)” again." }
    }
    for finding in try session.findings(.looseObject) {
      guard let file = finding.file else { continue }
      let message = "Move the damaged object “\(file)” to the quarantine."
      try session.step(.looseObject, message, file: file) { try session.quarantine(file) }
    }
    try session.checkAgain()
  }

  private func salvage(_ file: String, message: (String) -> String) throws {
    let name = String(file.dropFirst(StoreFile.packs.prefix.count).dropLast(".pack".count))
    try session.step(.pack, message(name), file: file) {
      let salvaged = try session.check().objects.repository.salvage(pack: name)
      for file in salvaged.files { try session.quarantine(file) }
    }
  }

  // MARK: Missing objects

  /// Copies missing objects from any place that has the same bytes.
  func fetchMissing() throws {
    let sources = try ObjectSources(of: session)
    // A tree that is found may name other missing objects.
    var tried = fetched
    while true {
      try readWanted()
      let missing = Set(try session.check().objects.unreadable.keys).subtracting(tried)
      tried.formUnion(missing)
      let found = try sources.objects(missing)
      guard !found.isEmpty else { return }
      fetched.formUnion(found.map(\.object.id))
      for (object, place) in found {
        try session.step(.contents, "Take object \(object.id) from \(place).") {}
      }
      if session.environment.isDryRun { return }
      try session.check().objects.repository.write(found.map(\.object))
      try session.checkAgain()
    }
  }

  /// Tries to read objects that nothing leads to any more: versions that the ledger names, and contents that
  /// may have been kept.
  private func readWanted() throws {
    let check = try session.check()
    let history = check.history
    let lost = try session.findings(.lostReference).flatMap(\.versions)
    for id in lost { _ = try check.objects.commit(id.objectID) }
    let hasHeadWithoutContent = history.heads.values.contains { $0.target == $0.record }
    let isContentLost = history.isChainBroken || !lost.isEmpty || hasHeadWithoutContent
    guard session.exchangeFolder != nil, isContentLost else { return }
    let removed = Set(history.contents.values.flatMap(\.marks.removed))
    for record in history.records.values where !removed.contains(record.id) {
      _ = try check.contents.isComplete(record)
    }
  }
}

/// Places that may have the objects that a store has lost; a hash identifies each object.
private struct ObjectSources {
  /// Objects from documents and copies on disk, with the description of their place.
  private var present: [ObjectID: (object: GitObject, place: String)] = [:]
  private let exchange: FilePath?

  init(of session: RepairSession) throws {
    let emptyTree = GitObject(.tree, [])
    present[emptyTree.id] = (emptyTree, "memory: it is the empty folder")
    exchange = session.exchangeFolder
    let check = try session.check()
    guard !check.objects.unreadable.isEmpty else { return }
    let (location, clock) = (session.location, session.environment.fileClock)
    let names = Set(
      check.history.records.values.map { ContainerPath.name(of: $0.facts.path) }
        + [ContainerPath.name(of: location.path)])
    for name in names { try add(location.document, named: name, "the document", clock) }
    for id in check.history.records.keys {
      let folder = StoreFile.checkouts.path(in: location.store).appending(id.description)
      guard try FileStatus.of(folder)?.kind == .folder else { continue }
      for name in try Folder.names(in: folder) {
        let text = String(decoding: name, as: UTF8.self)
        try add(folder.appending(bytes: name), named: text, "a copy", clock)
      }
    }
  }

  private mutating func add(
    _ path: FilePath, named name: String, _ place: String, _ clock: FileClock
  ) throws {
    guard try FileStatus.of(path) != nil else { return }
    do {
      for object in try WorkingCopy.read(path, named: name, clock: clock).objects {
        present[object.id] = (object, place)
      }
    } catch is FileError {
      // Unreadable items can't serve as a source.
    }
  }

  /// Returns those of the objects that a place has.
  func objects(_ ids: Set<ObjectID>) throws -> [(object: GitObject, place: String)] {
    var found = ids.compactMap { present[$0] }
    guard let exchange else { return found }
    let repository = try Repository(store: exchange)
    for id in ids where present[id] == nil {
      guard try repository.contains(id) else { continue }
      let object = try repository.read(id)
      found.append((GitObject(object.kind, object.bytes), "the folder for exchange"))
    }
    return found
  }
}
