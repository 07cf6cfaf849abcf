internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Objects: what can still be read of damaged files, and what is found elsewhere.
extension StoreRepair {
  /// Writes what damaged packs still have into new ones, and takes the damaged files out of use.
  func repairObjects() throws {
    for finding in try findings(.pack) {
      guard let file = finding.file else { continue }
      let name = String(file.dropFirst("objects/pack/".count).dropLast(".pack".count))
      try step(.pack, "Keep what can be read of “\(name)”, in a new pack.", file: file) {
        let salvaged = try known().repository.salvage(pack: name)
        for file in salvaged.files { try quarantine(file) }
      }
    }
    // A pack without its index may hold versions.
    for finding in try findings(.leftover) where finding.file?.hasSuffix(".pack") == true {
      guard let file = finding.file, try !known().verification.isWhole else { continue }
      let name = String(file.dropFirst("objects/pack/".count).dropLast(".pack".count))
      try step(.pack, "Make the index of “\(name)” again.", file: file) {
        let salvaged = try known().repository.salvage(pack: name)
        for file in salvaged.files { try quarantine(file) }
      }
    }
    for finding in try findings(.looseObject) {
      guard let file = finding.file else { continue }
      try step(.looseObject, "Move the damaged object “\(file)” to the quarantine.", file: file) {
        try quarantine(file)
      }
    }
    if !store.isDryRun { try look() }
  }

  /// Fetches what is missing from wherever the same bytes are.
  func fetchMissing() throws {
    let sources = try ObjectSources(of: self)
    // A tree that is found may name others that are missing.
    var tried = fetched
    while true {
      try lookForWanted()
      let missing = Set(try known().unreadable.keys).subtracting(tried)
      tried.formUnion(missing)
      let found = try sources.objects(missing)
      guard !found.isEmpty else { return }
      fetched.formUnion(found.map(\.object.id))
      for (object, place) in found {
        try step(.contents, "Take object \(object.id) from \(place).") {}
      }
      if store.isDryRun { return }
      try known().repository.write(found.map(\.object))
      try look()
    }
  }
}

extension StoreRepair {
  /// Tries to read what nothing leads to any more: versions that the ledger tells of, and contents of which it is
  /// not known whether they were kept.
  private func lookForWanted() throws {
    let examination = try known()
    let lost = try findings(.lostReference).flatMap(\.versions)
    for id in lost { _ = try examination.commit(id.objectID) }
    let isContentLost = examination.isRailBroken || !lost.isEmpty || hasBareHead(examination)
    guard options.exchangeFolder != nil, isContentLost else { return }
    let removed = Set(examination.contents.values.flatMap(\.marks.removed))
    for record in examination.records.values where !removed.contains(record.id) {
      _ = try examination.isComplete(record)
    }
  }

  private func hasBareHead(_ examination: StoreExamination) -> Bool {
    examination.heads.values.contains { $0.target == $0.record }
  }
}

/// Where objects may be that a store has lost: every one is known by its hash.
private struct ObjectSources {
  /// From documents and copies on disk, with the words for where it was.
  private var present: [ObjectID: (object: GitObject, place: String)] = [:]
  private let exchange: FilePath?

  init(of repair: StoreRepair) throws {
    let emptyTree = GitObject(.tree, [])
    present[emptyTree.id] = (emptyTree, "memory: it is the empty folder")
    exchange = try repair.options.exchangeFolder?.filePath.resolvingLinks()
    let examination = try repair.known()
    guard !examination.unreadable.isEmpty else { return }
    let names = Set(
      examination.records.values.map { ContainerPath.name(of: $0.facts.path) }
        + [ContainerPath.name(of: repair.location.path)])
    for name in names {
      try add(repair.location.document, named: name, "the document")
    }
    for id in examination.records.keys {
      let folder = repair.location.store.appending("checkouts").appending(id.description)
      guard try FileStatus.of(folder)?.kind == .folder else { continue }
      for name in try Folder.names(in: folder) {
        let text = String(decoding: name, as: UTF8.self)
        try add(folder.appending(bytes: name), named: text, "a copy")
      }
    }
  }

  private mutating func add(_ path: FilePath, named name: String, _ place: String) throws {
    guard try FileStatus.of(path) != nil else { return }
    do {
      for object in try WorkingCopy.read(path, named: name).objects {
        present[object.id] = (object, place)
      }
    } catch is FileError {
      // What cannot be read is no source.
    }
  }

  /// Those of the objects that are somewhere.
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
