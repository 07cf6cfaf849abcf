internal import DocumentGit

/// The history of a document for merging: which contents are based on which.
///
/// This differs from the parents of records if a merge was undone.
struct MergeHistory {
  let objects: VersionObjects
  private let heads: Heads

  init(_ objects: VersionObjects, _ heads: Heads) {
    self.objects = objects
    self.heads = heads
  }

  /// A reading of the history for merging, if the history contains an undone merge or a reverted change.
  ///
  /// Versions may follow an undone merge, such as edits that were on disk or on another device. They contain
  /// the parts that the merge took from each side, so they are based on the sides. But the merge's decisions
  /// between the sides no longer hold, so for these parts they are not.
  struct Reading {
    /// The resolutions that were undone.
    fileprivate let undone: Set<ObjectID>
    /// True if successors of an undone merge count as based on its sides; otherwise, on the bases of these.
    fileprivate var hasSides = false
    /// The versions that count as based on the changes that they revert.
    fileprivate var reverts: [ObjectID: ObjectID] = [:]
  }

  /// Returns the records that the contents of a record are based on.
  ///
  /// These are its parents, with two exceptions. A record may represent one side of a conflict whose
  /// resolution was undone: it follows the resolution, so that the conflict reappears on every device, but it
  /// has the contents of that side and nothing of the others. An undone resolution has the contents that it
  /// chose.
  private func sources(of record: Record, _ reading: Reading) throws -> [ObjectID] {
    if let missed = reading.reverts[record.id] { return [missed] }
    if let side = try undoneSide(of: record) { return [side] }
    guard reading.undone.contains(record.id) else { return record.parents }
    let chosen = record.facts.from.flatMap { ObjectID(hexadecimal: $0) }
    if let chosen, record.parents.contains(chosen) { return [chosen] }
    return reading.hasSides ? record.parents : try bases(of: record.parents)
  }

  /// Returns the records that the sides of a merge are based on.
  private func bases(of sides: [ObjectID]) throws -> [ObjectID] {
    guard let first = sides.first else { return [] }
    var common = try objects.ancestry(of: [first])
    for side in sides.dropFirst() {
      let other = try objects.ancestry(of: [side])
      common = common.filter { other[$0.key] != nil }
    }
    let older = try objects.ancestry(of: common.values.flatMap(\.parents))
    return common.keys.filter { older[$0] == nil }.sorted()
  }

  /// Returns the resolutions in the history that were undone, here or on another device.
  private func undoneResolutions() throws -> Set<ObjectID> {
    let history = try objects.ancestry(of: heads.divergent().map(\.record.id))
    return try Set(
      history.values.filter { try undoneSide(of: $0) != nil }.compactMap(\.parents.first))
  }

  /// Returns the merges in the history whose questions were answered, latest first.
  func resolutions() throws -> [Record] {
    try objects.ancestry(of: heads.divergent().map(\.record.id)).values
      .filter { $0.facts.answers != nil }
      .sorted(by: Record.isPreferred)
  }

  /// Returns the side of a conflict that a record represents since its resolution was undone; `nil` for all
  /// others.
  func undoneSide(of record: Record) throws -> ObjectID? {
    guard record.facts.kind == .undo, record.parents.count == 1, let parent = record.parents.first,
      let side = record.facts.from.flatMap({ ObjectID(hexadecimal: $0) })
    else { return nil }
    let sides = try objects.record(parent).parents
    return sides.count > 1 && sides.contains(side) ? side : nil
  }

  /// Returns a record and those that its contents are based on in turn, newest first.
  ///
  /// If there are several, the first counts; undone resolutions are omitted.
  func line(to id: ObjectID) throws -> [Record] {
    let reading = Reading(undone: try undoneResolutions())
    var line: [Record] = []
    var next: ObjectID? = id
    while let id = next {
      let record = try objects.record(id)
      if !reading.undone.contains(id) { line.append(record) }
      next = try sources(of: record, reading).first
    }
    return line
  }

  /// Returns the records and everything that their contents are based on.
  func mergeAncestry(of ids: some Sequence<ObjectID>) throws -> [ObjectID: Record] {
    try mergeAncestry(of: ids, Reading(undone: undoneResolutions()))
  }

  /// Returns whether the contents of a record are based on those of another one, directly or indirectly.
  func isMade(_ id: ObjectID, from other: ObjectID) throws -> Bool {
    try mergeAncestry(of: [id])[other] != nil
  }

  private func mergeAncestry(
    of ids: some Sequence<ObjectID>, _ reading: Reading
  ) throws -> [ObjectID: Record] {
    try objects.ancestry(of: ids) { try sources(of: $0, reading) }
  }

  /// Returns the latest records that both sides are based on, for each reading of the history: normally one
  /// record, several after a criss-cross.
  ///
  /// Histories that began separately have one if they share some contents.
  ///
  /// An older record can't replace one whose contents are no longer on this device: changes that one side has
  /// reverted since would seem untouched, and reappear. Only deletions are skipped, because later versions
  /// are based on the deleted contents.
  ///
  /// - Parameters:
  ///   - ours: the records already merged.
  ///   - theirs: the record to merge with them.
  /// - Returns: one set of bases; several if a side continues an undone merge, or may revert a change, in
  ///   which case only a result that all of them share is right.
  func mergeBases(of ours: [ObjectID], and theirs: ObjectID) throws -> [[Record]] {
    var readings = [Reading(undone: try undoneResolutions())]
    if !readings[0].undone.isEmpty {
      readings.append(Reading(undone: readings[0].undone, hasSides: true))
    }
    let reverts = try reverts(among: ours + [theirs])
    if !reverts.isEmpty {
      readings += readings.map {
        Reading(undone: $0.undone, hasSides: $0.hasSides, reverts: reverts)
      }
    }
    return try readings.reduce(into: []) { found, reading in
      let bases = try mergeBases(of: ours, and: theirs, reading)
      if !found.contains(where: { $0.map(\.id) == bases.map(\.id) }) { found.append(bases) }
    }
  }

  /// Returns the versions that have the contents from before a change, with that change.
  ///
  /// They were saved after the change had been written over the document. Either a program wrote back the
  /// contents that it had, and the change stays, or a person reverted the change. Only that person knows.
  private func reverts(among sides: [ObjectID]) throws -> [ObjectID: ObjectID] {
    try sides.reduce(into: [:]) { reverts, id in
      let record = try objects.record(id)
      guard let missed = record.facts.missed.flatMap({ ObjectID(hexadecimal: $0) }),
        let parent = record.parents.first, record.parents.count == 1,
        try record.content?.isSame(as: objects.record(parent).content) == true,
        try objects.ancestry(of: sides.filter { $0 != id })[missed] != nil,
        try !objects.isAncestor(missed, of: id)
      else { return }
      reverts[id] = missed
    }
  }

  /// Returns the versions of one side that were saved over a version of the other side and ignore a part of it, with
  /// that version, oldest first.
  ///
  /// A program had written back some members of a package. The members that both versions have in common are based on
  /// the version that was on the disk, so a change of them by one side since then isn't a change by both.
  func partlyMissed(
    among ours: [ObjectID], and theirs: ObjectID
  ) throws -> [(saved: Record, missed: Record)] {
    guard try objects.record(theirs).content?.isPackage == true else { return [] }
    let (ours, theirs) = try (mergeAncestry(of: ours), mergeAncestry(of: [theirs]))
    return [(ours, theirs), (theirs, ours)].flatMap { side, other in
      side.values.compactMap { saved in
        guard saved.content?.isPackage == true, other[saved.id] == nil,
          let id = saved.facts.missed.flatMap({ ObjectID(hexadecimal: $0) }),
          let missed = other[id]
        else { return nil }
        return (saved, missed)
      }
    }.sorted { ($0.missed.facts.date, $0.missed.id) < ($1.missed.facts.date, $1.missed.id) }
  }

  private func mergeBases(
    of ours: [ObjectID], and theirs: ObjectID, _ reading: Reading
  ) throws -> [Record] {
    let oursAncestry = try mergeAncestry(of: ours, reading)
    let theirsAncestry = try mergeAncestry(of: [theirs], reading)
    let common = theirsAncestry.filter { id, record in
      oursAncestry[id] != nil && record.content != nil
    }
    if common.isEmpty { return try versionInCommon(oursAncestry, theirsAncestry, reading) }
    return try latest(Array(common.values), reading)
  }

  /// Returns those records that no other of the records is based on, the preferred one first.
  private func latest(_ records: [Record], _ reading: Reading) throws -> [Record] {
    let older = try mergeAncestry(of: records.flatMap { try sources(of: $0, reading) }, reading)
    return records.filter { older[$0.id] == nil }.sorted(by: Record.isPreferred)
  }

  /// Returns the version whose contents two separately begun histories share: the latest such one in each of
  /// them.
  ///
  /// - Returns: none if these differ, because then each side has returned to contents that the other one
  ///   left.
  private func versionInCommon(
    _ ours: [ObjectID: Record], _ theirs: [ObjectID: Record], _ reading: Reading
  ) throws -> [Record] {
    func shared(_ records: [ObjectID: Record], with others: [ObjectID: Record]) throws -> [Record] {
      let contents = Dictionary(grouping: others.values) { $0.content?.digest }
      return try latest(
        records.values.filter { record in
          guard let content = record.content else { return false }
          return contents[content.digest]?.contains { content.isSame(as: $0.content) } == true
        }, reading)
    }
    let both = try shared(ours, with: theirs) + shared(theirs, with: ours)
    guard let base = both.min(by: Record.isPreferred),
      both.allSatisfy({ $0.content?.isSame(as: base.content) == true })
    else { return [] }
    return [base]
  }

  // MARK: Conflicts

  /// Returns the latest version that all divergent heads are based on.
  func conflictBase(_ heads: [Head]) throws -> Record? {
    guard heads.count > 1 else { return nil }
    var common = try mergeAncestry(of: [heads[0].record.id])
    for head in heads.dropFirst() {
      let other = try mergeAncestry(of: [head.record.id])
      common = common.filter { other[$0.key] != nil }
    }
    if common.isEmpty, heads.count == 2 {
      return try mergeBases(of: [heads[0].record.id], and: heads[1].record.id).joined().first
    }
    return common.values.max { Record.isPreferred($1, to: $0) }
  }

  /// Returns every version that may be needed as a base for merging the heads in any order.
  func conflictBases(_ heads: [Head]) throws -> Set<ObjectID> {
    var found = Set(try conflictBase(heads).map { [$0.id] } ?? [])
    var pending = [heads.map(\.record.id)]
    while let sides = pending.popLast() {
      for (index, ours) in sides.enumerated() {
        for theirs in sides.dropFirst(index + 1) {
          let bases = try mergeBases(of: [ours], and: theirs).joined().map(\.id)
          let new = bases.filter { found.insert($0).inserted }
          // If there are several, after a criss-cross, they are merged first.
          if bases.count > 1 && !new.isEmpty { pending.append(bases) }
          let pairs = try partlyMissed(among: [ours], and: theirs)
          found.formUnion(pairs.flatMap { [$0.saved.id, $0.missed.id] })
        }
      }
    }
    return found
  }
}
