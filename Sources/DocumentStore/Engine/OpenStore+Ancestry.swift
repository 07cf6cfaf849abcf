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
    var found: [ObjectID: Record] = [:]
    var pending = Array(ids)
    while let next = pending.popLast() {
      guard found[next] == nil else { continue }
      let record = try record(next)
      found[next] = record
      pending += record.parents
    }
    return found
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
    let oursAncestry = try ancestry(of: ours)
    let contents = try rail()
    let common = try ancestry(of: [theirs]).filter { id, record in
      oursAncestry[id] != nil && contents[id] != nil && record.content != nil
    }
    return try maximalRecords(Set(common.keys)).compactMap { common[$0] }
      .sorted(by: Record.isPreferred)
  }
}
