/// Packs, and what keeps them in order.
extension Repository {
  /// Lists the packs again, after some were added or removed.
  package func refresh() throws(GitError) { try objects.refresh() }

  /// Puts the objects of a plan into one new pack, and removes packs and loose objects that are not needed any more.
  ///
  /// The caller holds the store's lock.
  ///
  /// - Parameters:
  ///   - plan: all objects that a reference leads to.
  ///   - age: objects that no reference leads to are kept until their files are as old, in seconds: another
  ///     process may be about to refer to them.
  ///   - advance: is given every object’s size twice: when it was written, and when it was read back.
  package func repack(
    _ plan: RepackPlan, keepingUnreachableFor age: Int, advance: (Int) throws -> Void = { _ in }
  ) throws {
    try Repacking(objects: objects).carryOut(plan, keepingUnreachableFor: age, advance: advance)
  }

  /// Whether compacting the packs is worth while, by their number when they were last listed.
  package var hasManyPacks: Bool { packs.hasMany }

  /// Whether compacting must not wait any longer: each pack is an open file.
  package var hasTooManyPacks: Bool { packs.hasTooMany }

  /// Compacts small packs where there are many.
  ///
  /// The caller holds the store's lock.
  ///
  /// - Parameter names: the packs that it may replace; nil for all.
  package func compactPacks(
    among names: Set<String>? = nil, check: () throws -> Void = {}
  ) throws {
    guard let compaction = try PackCompaction(of: self, among: names, check: check) else { return }
    try compaction.finish(in: self)
    try refresh()
  }

  /// Returns whether a pack or its index has not arrived whole: it does not end as the other one says.
  package func hasCutPacks() -> Bool {
    let folder = PackFolder(in: folder)
    do {
      for name in try folder.packNames() {
        guard let pack = try OpenPack(name, in: folder) else { continue }
        let index = try pack.index.readWhole()
        guard pack.size >= 32, index.count >= 40,
          try pack.bytes(in: pack.size - 20..<pack.size) == Array(index.suffix(40).prefix(20))
        else { return true }
      }
      return false
    } catch {
      return true
    }
  }

  /// The objects in packs of these names.
  package func objects(inPacks names: Set<String>) throws(GitError) -> Set<ObjectID> {
    try refresh()
    var found: Set<ObjectID> = []
    for pack in packs.known where names.contains(pack.name) {
      found.formUnion(try pack.index.objects())
    }
    return found
  }

  /// Writes objects into one new pack, each run of objects that resemble each other as differences, and removes the
  /// packs that it replaces.
  ///
  /// - Parameter names: the packs to remove; what they have and the plan has not is gone then.
  package func replacePacks(
    _ names: Set<String>, with plan: RepackPlan, advance: (Int) throws -> Void = { _ in }
  ) throws {
    try Repacking(objects: objects).replace(names, with: plan, advance: advance)
  }

  // MARK: Checking and repairing

  /// The packs, by their names without an extension, whole or half, each with its size in bytes.
  ///
  /// - Parameter isIndexCounted: whether the bytes of its index count, too.
  package func packFiles(
    countingIndexes isIndexCounted: Bool = false
  ) throws(GitError) -> [String: Int] {
    try PackFolder(in: folder).sizes(countingIndexes: isIndexCounted)
  }

  /// Checks every byte of a pack, and its index.
  package func check(pack name: String, advance: (Int) throws -> Void) throws -> PackCheck {
    try PackCheck.of(name, in: PackFolder(in: folder), advance: advance)
  }

  /// Writes what can still be read of a damaged pack into a new one: see ``PackSalvage``.
  ///
  /// - Returns: how many objects were saved, and the files that can go now.
  package func salvage(pack name: String) throws -> (objects: Int, files: [String]) {
    let saved = try PackSalvage.save(pack: name, in: folder)
    try refresh()
    return saved
  }

  // MARK: Temporary files

  /// Removes temporary files of processes that were killed while they wrote or compacted packs.
  ///
  /// The caller holds the store's lock.
  package func removeTemporaryFiles() throws(GitError) {
    try PackFolder(in: folder).removeTemporaryFiles()
  }

  /// Removes them where other devices write, too, whose files arrive in any order: only those of packs that were never
  /// complete, and that no process is writing.
  ///
  /// - Parameter age: how many seconds ago they must have been written.
  package func removeUnfinishedPacks(olderThan age: Int) throws(GitError) {
    try PackFolder(in: folder).removeUnfinishedPacks(olderThan: age)
  }

  /// Returns whether a file in the folder of packs is a temporary one of a process that was killed.
  package func isTemporary(pack name: String) -> Bool {
    PackFolder(in: folder).isAbandoned(name)
  }

  /// Returns whether ``removeTemporaryFiles()`` has something to remove, or to check, among the files in the folder of
  /// packs.
  package static func hasTemporaryFiles(amongPacks names: [String]) -> Bool {
    PackFolder.hasTemporaryFiles(among: names)
  }
}
