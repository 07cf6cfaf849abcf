/// The objects that a repack keeps.
package struct RepackPlan: Sendable {
  /// Runs of objects that each resemble the previous one, such as successive contents of a file, and are stored as
  /// deltas.
  package var runs: [[ObjectID]] = []
  /// Objects without a similar object, which are stored whole.
  package var singles: [ObjectID] = []

  package init() {}

  /// The number of objects.
  package var count: Int { runs.reduce(singles.count) { $0 + $1.count } }

  /// All objects.
  package var all: [ObjectID] { runs.flatMap { $0 } + singles }
}

/// Writes the objects of a plan, each once, into one new pack, and removes packs and loose objects that are no longer
/// needed.
///
/// libgit2's pack builder would search for deltas among all objects, and doesn't reuse existing ones; here, the plan
/// determines which objects are similar. The old packs are removed once the new one has been read back completely and
/// is on disk.
struct Repacking {
  let objects: ObjectStore

  /// Carries out the repack.
  ///
  /// The caller holds the store's lock.
  ///
  /// - Parameters:
  ///   - plan: all objects that a reference leads to.
  ///   - age: the minimum age, in seconds, for removing unreachable objects, because another process may be about to
  ///     refer to them.
  ///   - advance: receives every object’s size twice: after it is written, and after it is read back.
  func carryOut(
    _ plan: RepackPlan, keepingUnreachableFor age: Int, advance: (Int) throws -> Void
  ) throws {
    let folder = PackFolder(in: objects.folder)
    let old = try folder.packs()
    guard plan.count > 0 else { return }
    let new = try write(plan, advance: advance)
    let kept = Set(plan.all)
    for pack in old where pack.name != new {
      if try pack.status.age >= age || isCovered(pack, by: kept, in: folder) {
        try folder.removePack(pack.name)
      }
    }
    try objects.loose.remove(coveredBy: kept, orAsOldAs: age)
    try objects.refresh()
  }

  /// Writes a pack, and removes the replaced packs with all their objects.
  func replace(
    _ names: Set<String>, with plan: RepackPlan, advance: (Int) throws -> Void
  ) throws {
    let new = plan.count > 0 ? try write(plan, advance: advance) : nil
    let folder = PackFolder(in: objects.folder)
    for name in names.sorted() where name != new { try folder.removePack(name) }
    try objects.refresh()
  }

  /// Writes the new pack, and reads it back.
  ///
  /// - Returns: its name.
  private func write(_ plan: RepackPlan, advance: (Int) throws -> Void) throws -> String {
    let writer = try PackWriter(in: objects.folder, count: plan.count)
    for run in plan.runs { try write(run, to: writer, advance: advance) }
    for id in plan.singles {
      try advance(writeWhole(id, to: writer))
    }
    let new = try writer.finish()
    try objects.folder.wait(for: new.files)
    try new.readBack(plan.all, checking: objects.packs.check, advance: advance)
    // The pack gets its name only now, so that no reader encounters an incomplete pack.
    try new.place(isNew: false)
    return new.name
  }

  private func isCovered(
    _ pack: PackFolder.Pack, by kept: Set<ObjectID>, in folder: PackFolder
  ) throws(GitError) -> Bool {
    guard let open = try OpenPack(pack.name, in: folder) else { return true }
    return try open.index.objects().allSatisfy(kept.contains)
  }

  /// Writes a run, each object as a delta of the previous one or, if a chain would become too long, of the chain's
  /// first object.
  private func write(
    _ run: [ObjectID], to writer: PackWriter, advance: (Int) throws -> Void
  ) throws {
    var first: (id: ObjectID, bytes: [UInt8])?
    var former: (id: ObjectID, bytes: [UInt8])?
    var chain = 0
    for id in run {
      let object = try objects.read(id)
      if chain == DeltaChain.longest {
        former = first
        chain = 0
      }
      let delta = former.flatMap {
        Delta.make(from: $0.bytes, to: object.bytes, limit: object.bytes.count / 2)
      }
      if let delta, let former {
        try writer.append(id, delta: delta, to: former.id)
        chain += 1
      } else {
        try writer.append(id, object.kind, object.bytes, thoroughly: true)
        first = (id, object.bytes)
        chain = 0
      }
      former = (id, object.bytes)
      try advance(object.bytes.count)
    }
  }

  /// - Returns: the object's size.
  private func writeWhole(_ id: ObjectID, to writer: PackWriter) throws -> Int {
    let object = try objects.object(id)
    try writer.append(object)
    return object.size
  }
}
