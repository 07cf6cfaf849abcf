internal import DocumentGit

/// The versions of a store, as far as they are readable: those that the references lead to, and others.
struct StoredHistory {
  /// The version that a reference leads to.
  struct End {
    let record: ObjectID
    /// The target of the reference.
    let target: ObjectID
  }

  /// Stored versions that no head leads to.
  struct Unreached {
    var records: [ObjectID: Record] = [:]
    /// The contents of these versions, and contents that are on no chain, by their records.
    var contents: [ObjectID: ObjectID] = [:]
  }

  /// The records that heads or the trash lead to.
  var records: [ObjectID: Record] = [:]
  /// The contents on the chains, by the ids of their commits.
  var contents: [ObjectID: ContentCommit] = [:]
  /// The versions that the heads' references lead to, by the names of the references.
  var heads: [String: End] = [:]
  /// References with foreign names, to versions that the heads don't lead to.
  var foreignHeads: [String: End] = [:]
  var unreached = Unreached()
  /// Unreadable versions that have successors.
  var lostRecords: Set<ObjectID> = []
  /// True if a commit of a content chain can't be read.
  var isChainBroken = false

  /// Returns the contents on the chains that end with these commits.
  func chain(from ends: some Sequence<ObjectID>) -> [ContentCommit] {
    Array(reached(from: ends, \.predecessors) { contents[$0] }.values)
  }

  /// Returns the heads' records and all their ancestors.
  func reachedRecords() -> Set<ObjectID> {
    ancestry(of: heads.values.map(\.record))
  }

  /// Returns the records of the heads from which no other head descends.
  func maximalHeads() -> Set<ObjectID> {
    let all = Set(heads.values.map(\.record))
    let parents = all.compactMap { records[$0] }.flatMap(\.parents)
    return all.subtracting(ancestry(of: parents))
  }

  func ancestry(of ids: [ObjectID]) -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    var pending = ids
    while let next = pending.popLast() {
      if found.insert(next).inserted { pending += records[next]?.parents ?? [] }
    }
    return found
  }

  /// Returns whether a record belongs to the same document as the others.
  func isOwn(_ record: Record) -> Bool {
    records.isEmpty || records.values.contains { $0.facts.document == record.facts.document }
  }

  /// Contents that are on no chain although their records are known, by these records.
  ///
  /// If a removal or restoration of other contents rewrote a content's commit, another commit keeps the
  /// content.
  var forgottenContents: [ObjectID: ObjectID] {
    let kept = Set(contents.values.map(\.record))
    return unreached.contents.filter { record, _ in
      unreached.records[record] == nil && records[record] != nil && !kept.contains(record)
    }
  }
}

extension ObjectID {
  /// "version 1a2b3c4", for messages.
  var versionName: String { "version \(digits(7))" }
}
