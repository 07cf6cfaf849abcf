internal import DocumentGit

/// Causality: which version was made from which. Records are later than their parents, so a search back
/// can stop as soon as everything left is too old.
extension OpenStore {
  /// Whether the first record is the second one or one that it was made from.
  func isAncestor(_ ancestor: ObjectID, of descendant: ObjectID) throws -> Bool {
    if ancestor == descendant { return true }
    let oldest = try record(ancestor).facts.date
    var pending = [descendant]
    var seen: Set<ObjectID> = []
    while let next = pending.popLast() {
      for parent in try record(next).parents where seen.insert(parent).inserted {
        if parent == ancestor { return true }
        if try record(parent).facts.date > oldest { pending.append(parent) }
      }
    }
    return false
  }

  /// Those of the records that none of the others was made from.
  func maximalRecords(_ ids: Set<ObjectID>) throws -> Set<ObjectID> {
    var maximal: [Record] = []
    // Newest first: a record's descendants among them come before it.
    for record in try ids.map(record).sorted(by: { $0.facts.date > $1.facts.date }) {
      if try !maximal.contains(where: { try isAncestor(record.id, of: $0.id) }) {
        maximal.append(record)
      }
    }
    return Set(maximal.map(\.id))
  }

  /// The records and everything they were made from.
  func ancestry(of ids: some Sequence<ObjectID>) throws -> [ObjectID: Record] {
    try ancestry(of: ids) { $0.parents }
  }

  private func ancestry(
    of ids: some Sequence<ObjectID>, following parents: (Record) throws -> [ObjectID]
  ) throws -> [ObjectID: Record] {
    var found: [ObjectID: Record] = [:]
    var pending = Array(ids)
    while let next = pending.popLast() {
      guard found[next] == nil else { continue }
      let record = try record(next)
      found[next] = record
      pending += try parents(record)
    }
    return found
  }

  // MARK: Merging

  /// How the history is read for merging, where a merge in it was undone.
  ///
  /// Versions that followed that merge all the same, as edits that were on the disk or on another device, hold of each
  /// side what the merge took of it. So they were made from the sides; and where the merge decided between them, they
  /// were not, for nothing is decided any more.
  struct Reading {
    /// The resolutions that were undone.
    fileprivate let undone: Set<ObjectID>
    /// Whether what followed a merge that was undone counts as made from its sides, or from what these were made from.
    fileprivate var hasSides = false
  }

  /// What the contents of a record were made from.
  ///
  /// That is its parents, except where it stands for one side of a conflict whose resolution was undone:
  /// it follows the resolution, so that the conflict is there again on every device, but its contents
  /// are that side's, and hold nothing of the other ones. And a resolution that was undone holds what it chose.
  private func sources(of record: Record, _ reading: Reading) throws -> [ObjectID] {
    if let side = try undoneSide(of: record) { return [side] }
    guard reading.undone.contains(record.id) else { return record.parents }
    let chosen = record.facts.from.flatMap { ObjectID(hexadecimal: $0) }
    if let chosen, record.parents.contains(chosen) { return [chosen] }
    return reading.hasSides ? record.parents : try bases(of: record.parents)
  }

  /// What the sides of a merge were made from.
  private func bases(of sides: [ObjectID]) throws -> [ObjectID] {
    guard let first = sides.first else { return [] }
    var common = try ancestry(of: [first])
    for side in sides.dropFirst() {
      let other = try ancestry(of: [side])
      common = common.filter { other[$0.key] != nil }
    }
    let older = try ancestry(of: common.values.flatMap(\.parents))
    return common.keys.filter { older[$0] == nil }.sorted()
  }

  /// The resolutions in the history that were undone, here or on another device.
  private func undoneResolutions() throws -> Set<ObjectID> {
    let history = try ancestry(of: divergentHeads().map(\.record.id))
    return try Set(
      history.values.filter { try undoneSide(of: $0) != nil }.compactMap(\.parents.first))
  }

  /// The side of a conflict that a record stands for since its resolution was undone; nil for all others.
  func undoneSide(of record: Record) throws -> ObjectID? {
    guard record.facts.kind == .undo, record.parents.count == 1, let parent = record.parents.first,
      let side = record.facts.from.flatMap({ ObjectID(hexadecimal: $0) })
    else { return nil }
    let sides = try self.record(parent).parents
    return sides.count > 1 && sides.contains(side) ? side : nil
  }

  /// The records and everything that their contents were made from.
  func mergeAncestry(of ids: some Sequence<ObjectID>) throws -> [ObjectID: Record] {
    try mergeAncestry(of: ids, Reading(undone: undoneResolutions()))
  }

  private func mergeAncestry(
    of ids: some Sequence<ObjectID>, _ reading: Reading
  ) throws -> [ObjectID: Record] {
    try ancestry(of: ids) { try sources(of: $0, reading) }
  }

  /// The latest records that both sides were made from, for each way to read the history: one record normally, several
  /// after a criss-cross, none where the histories began apart.
  ///
  /// An older one would not do where the contents of one are not on this device any more: what one side has taken back
  /// since would look as if it had been left alone, and come back. Only deletions are passed over: what came after one
  /// was made from what had been deleted.
  ///
  /// - Parameters:
  ///   - ours: the records already merged.
  ///   - theirs: the record to merge with them.
  /// - Returns: one set of bases; more where a merge was undone that a side goes on from, and then only what all of them
  ///   come to is right.
  func mergeBases(of ours: [ObjectID], and theirs: ObjectID) throws -> [[Record]] {
    var reading = Reading(undone: try undoneResolutions())
    let bases = try mergeBases(of: ours, and: theirs, reading)
    guard !reading.undone.isEmpty else { return [bases] }
    reading.hasSides = true
    let others = try mergeBases(of: ours, and: theirs, reading)
    return others.map(\.id) == bases.map(\.id) ? [bases] : [bases, others]
  }

  private func mergeBases(
    of ours: [ObjectID], and theirs: ObjectID, _ reading: Reading
  ) throws -> [Record] {
    let oursAncestry = try mergeAncestry(of: ours, reading)
    let common = try mergeAncestry(of: [theirs], reading).filter { id, record in
      oursAncestry[id] != nil && record.content != nil
    }
    let older = try mergeAncestry(
      of: common.values.flatMap { try sources(of: $0, reading) }, reading)
    return common.values.filter { older[$0.id] == nil }.sorted(by: Record.isPreferred)
  }
}
