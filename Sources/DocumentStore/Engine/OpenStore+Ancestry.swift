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

  /// What the contents of a record were made from.
  ///
  /// That is its parents, except where it stands for one side of a conflict whose resolution was undone:
  /// it follows the resolution, so that the conflict is there again on every device, but its contents
  /// are that side's, and hold nothing of the other ones.
  func sources(of record: Record) throws -> [ObjectID] {
    try undoneSide(of: record).map { [$0] } ?? record.parents
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
    try ancestry(of: ids, following: sources)
  }

  /// The latest records that both sides were made from and whose contents are on this device: one
  /// normally, several after a criss-cross, none where the histories began apart.
  ///
  /// An older common record is as good a base as a later one: what both sides share since is the
  /// same change on both.
  ///
  /// - Parameters:
  ///   - ours: the records already merged.
  ///   - theirs: the record to merge with them.
  func mergeBases(of ours: [ObjectID], and theirs: ObjectID) throws -> [Record] {
    let oursAncestry = try mergeAncestry(of: ours)
    let contents = try rail()
    let common = try mergeAncestry(of: [theirs]).filter { id, record in
      oursAncestry[id] != nil && contents[id] != nil && record.content != nil
    }
    let older = try mergeAncestry(of: common.values.flatMap(sources))
    return common.values.filter { older[$0.id] == nil }.sorted(by: Record.isPreferred)
  }
}
