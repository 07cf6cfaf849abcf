internal import DocumentGit

/// The history of a document as merging reads it: which contents were made from which.
///
/// That differs from the parents of records where a merge was undone.
struct MergeHistory {
  let objects: VersionObjects
  private let heads: Heads

  init(_ objects: VersionObjects, _ heads: Heads) {
    self.objects = objects
    self.heads = heads
  }

  /// A reading of the history for merging, if a merge in it was undone, or a change taken back.
  ///
  /// Versions that followed that merge all the same, as edits that were on the disk or on another device, hold the
  /// parts that the merge took of each side. So they were made from the sides; and where the merge decided between
  /// them, they were not, for nothing is decided any more.
  struct Reading {
    /// The resolutions that were undone.
    fileprivate let undone: Set<ObjectID>
    /// Whether what followed a merge that was undone counts as made from its sides, or from what these were made from.
    fileprivate var hasSides = false
    /// The versions that count as made from the changes that they take back.
    fileprivate var reverts: [ObjectID: ObjectID] = [:]
  }

  /// The records that the contents of a record were made from.
  ///
  /// That is its parents, except where it stands for one side of a conflict whose resolution was undone:
  /// it follows the resolution, so that the conflict is there again on every device, but its contents
  /// are that side's, and hold nothing of the other ones. And a resolution that was undone holds what it chose.
  private func sources(of record: Record, _ reading: Reading) throws -> [ObjectID] {
    if let missed = reading.reverts[record.id] { return [missed] }
    if let side = try undoneSide(of: record) { return [side] }
    guard reading.undone.contains(record.id) else { return record.parents }
    let chosen = record.facts.from.flatMap { ObjectID(hexadecimal: $0) }
    if let chosen, record.parents.contains(chosen) { return [chosen] }
    return reading.hasSides ? record.parents : try bases(of: record.parents)
  }

  /// The records that the sides of a merge were made from.
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

  /// The resolutions in the history that were undone, here or on another device.
  private func undoneResolutions() throws -> Set<ObjectID> {
    let history = try objects.ancestry(of: heads.divergent().map(\.record.id))
    return try Set(
      history.values.filter { try undoneSide(of: $0) != nil }.compactMap(\.parents.first))
  }

  /// The merges in the history whose questions were answered, the latest first.
  func resolutions() throws -> [Record] {
    try objects.ancestry(of: heads.divergent().map(\.record.id)).values
      .filter { $0.facts.answers != nil }
      .sorted(by: Record.isPreferred)
  }

  /// The side of a conflict that a record stands for since its resolution was undone; `nil` for all others.
  func undoneSide(of record: Record) throws -> ObjectID? {
    guard record.facts.kind == .undo, record.parents.count == 1, let parent = record.parents.first,
      let side = record.facts.from.flatMap({ ObjectID(hexadecimal: $0) })
    else { return nil }
    let sides = try objects.record(parent).parents
    return sides.count > 1 && sides.contains(side) ? side : nil
  }

  /// A record and those that its contents were made from, one from the other, the newest first.
  ///
  /// Of several, the first counts; resolutions that were undone are none of them.
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

  /// The records and everything that their contents were made from.
  func mergeAncestry(of ids: some Sequence<ObjectID>) throws -> [ObjectID: Record] {
    try mergeAncestry(of: ids, Reading(undone: undoneResolutions()))
  }

  /// Returns whether the contents of a record were made from those of another one, however many steps before.
  func isMade(_ id: ObjectID, from other: ObjectID) throws -> Bool {
    try mergeAncestry(of: [id])[other] != nil
  }

  private func mergeAncestry(
    of ids: some Sequence<ObjectID>, _ reading: Reading
  ) throws -> [ObjectID: Record] {
    try objects.ancestry(of: ids) { try sources(of: $0, reading) }
  }

  /// The latest records that both sides were made from, for each reading of the history: one record normally, several
  /// after a criss-cross.
  ///
  /// Histories that began apart have one where some contents are in both.
  ///
  /// An older one would not do where the contents of one are not on this device any more: changes that one side has
  /// taken back since would seem untouched, and come back. Only deletions are passed over: later versions were made
  /// from the deleted contents.
  ///
  /// - Parameters:
  ///   - ours: the records already merged.
  ///   - theirs: the record to merge with them.
  /// - Returns: one set of bases; more if a merge was undone that a side continues, or if a side may take a change
  ///   back, and then only a result that all of them share is right.
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

  /// Those among versions that hold what was there before a change, with the change.
  ///
  /// They were saved when the change had been written over the document. A program may have written back what it had, and
  /// then the change stays; or a person took it back, and then it goes. Only that person knows.
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

  /// Those of some records that none of the others was made from, the preferred one first.
  private func latest(_ records: [Record], _ reading: Reading) throws -> [Record] {
    let older = try mergeAncestry(of: records.flatMap { try sources(of: $0, reading) }, reading)
    return records.filter { older[$0.id] == nil }.sorted(by: Record.isPreferred)
  }

  /// The version that histories which began apart have in common by its contents: the latest such one in each of them.
  ///
  /// - Returns: none if these differ: then each side has gone back to what the other one left.
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

  /// The latest version that all divergent heads were made from.
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

  /// Every version that merging the heads, in whatever order, can need as a base.
  func conflictBases(_ heads: [Head]) throws -> Set<ObjectID> {
    var found = Set(try conflictBase(heads).map { [$0.id] } ?? [])
    var pending = [heads.map(\.record.id)]
    while let sides = pending.popLast() {
      for (index, ours) in sides.enumerated() {
        for theirs in sides.dropFirst(index + 1) {
          let bases = try mergeBases(of: [ours], and: theirs).joined().map(\.id)
          let new = bases.filter { found.insert($0).inserted }
          // Several, after a criss-cross, are merged first.
          if bases.count > 1 && !new.isEmpty { pending.append(bases) }
        }
      }
    }
    return found
  }
}
