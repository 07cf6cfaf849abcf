/// Packs and their maintenance.
extension Repository {
  /// Lists the packs again, after some were added or removed.
  package func refresh() throws(GitError) { try objects.refresh() }

  /// Writes the objects of a plan into one new pack, and removes packs and loose objects that are no longer needed.
  ///
  /// The caller holds the store's lock.
  ///
  /// - Parameters:
  ///   - plan: all objects that a reference leads to.
  ///   - age: the minimum age, in seconds, for removing unreachable objects, because another process may be about to
  ///     refer to them.
  ///   - advance: receives every object’s size twice: after it is written, and after it is read back.
  package func repack(
    _ plan: RepackPlan, keepingUnreachableFor age: Int, advance: (Int) throws -> Void = { _ in }
  ) throws {
    try Repacking(objects: objects).carryOut(plan, keepingUnreachableFor: age, advance: advance)
  }

  /// True if there are enough packs for compacting, according to the last listing.
  package var hasManyPacks: Bool { packs.hasMany }

  /// True if there are so many packs that compacting must not wait, because each is an open file.
  package var hasTooManyPacks: Bool { packs.hasTooMany }

  /// Compacts small packs if there are many.
  ///
  /// The caller holds the store's lock.
  ///
  /// - Parameter names: the packs that may be replaced; `nil` for all.
  package func compactPacks(
    among names: Set<String>? = nil, check: () throws -> Void = {}
  ) throws {
    guard let compaction = try PackCompaction(of: self, among: names, check: check) else { return }
    try compaction.finish(in: self)
    try refresh()
  }

  /// Returns whether a pack or its index is incomplete, because their ends don't match.
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

  /// Returns the objects in the packs with these names.
  package func objects(inPacks names: Set<String>) throws(GitError) -> Set<ObjectID> {
    try refresh()
    var found: Set<ObjectID> = []
    for pack in packs.known where names.contains(pack.name) {
      found.formUnion(try pack.index.objects())
    }
    return found
  }

  /// Writes objects into one new pack, with runs of similar objects as deltas, and removes the replaced packs.
  ///
  /// - Parameter names: the packs to remove, including objects that aren't in the plan.
  package func replacePacks(
    _ names: Set<String>, with plan: RepackPlan, advance: (Int) throws -> Void = { _ in }
  ) throws {
    try Repacking(objects: objects).replace(names, with: plan, advance: advance)
  }

  // MARK: Checking and repairing

  /// Returns the sizes of packs in bytes by their names without an extension, including packs without an index.
  ///
  /// - Parameter isIndexCounted: whether the size includes the index.
  package func packFiles(
    countingIndexes isIndexCounted: Bool = false
  ) throws(GitError) -> [String: Int] {
    try PackFolder(in: folder).sizes(countingIndexes: isIndexCounted)
  }

  /// Checks every byte of a pack, and its index.
  package func check(pack name: String, advance: (Int) throws -> Void) throws -> PackCheck {
    try PackCheck.of(name, in: PackFolder(in: folder), advance: advance)
  }

  /// Writes the readable objects of a damaged pack into a new one; see ``PackSalvage``.
  ///
  /// - Returns: the number of saved objects, and the files that can be removed.
  package func salvage(pack name: String) throws -> (objects: Int, files: [String]) {
    let saved = try PackSalvage.save(pack: name, in: folder)
    try refresh()
    return saved
  }

  // MARK: Temporary files

  /// Removes temporary files of processes that were killed while writing or compacting packs.
  ///
  /// The caller holds the store's lock.
  package func removeTemporaryFiles() throws(GitError) {
    try PackFolder(in: folder).removeTemporaryFiles()
  }

  /// Removes temporary files of packs that were never completed and that no process is writing, in a folder that other
  /// devices write in any order.
  ///
  /// - Parameter age: the minimum age of the files in seconds.
  package func removeUnfinishedPacks(olderThan age: Int) throws(GitError) {
    try PackFolder(in: folder).removeUnfinishedPacks(olderThan: age)
  }

  /// Returns whether a file in the folder of packs is a temporary file of a killed process.
  package func isTemporary(pack name: String) -> Bool {
    PackFolder(in: folder).isAbandoned(name)
  }

  /// Returns whether ``removeTemporaryFiles()`` has files in the folder of packs to remove or to check.
  package static func hasTemporaryFiles(amongPacks names: [String]) -> Bool {
    PackFolder.hasTemporaryFiles(among: names)
  }
}
