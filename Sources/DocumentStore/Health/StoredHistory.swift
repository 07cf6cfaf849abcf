internal import DocumentGit

/// The versions of a store, as far as they can be read: those that the references lead to, and others.
struct StoredHistory {
  /// The version that a reference leads to.
  struct End {
    let record: ObjectID
    /// The object that the reference is at.
    let target: ObjectID
  }

  /// Versions that are stored and that no head leads to.
  struct Unreached {
    var records: [ObjectID: Record] = [:]
    /// Their contents, and contents that no chain has, by their records.
    var contents: [ObjectID: ObjectID] = [:]
  }

  /// The records that heads or the trash lead to.
  var records: [ObjectID: Record] = [:]
  /// The contents on the chains, by the ids of their commits.
  var contents: [ObjectID: ContentCommit] = [:]
  /// By the names of their references.
  var heads: [String: End] = [:]
  /// References with names that are not a store's, to versions that the heads do not lead to.
  var foreignHeads: [String: End] = [:]
  var unreached = Unreached()
  /// Versions that others were made from, and that cannot be read.
  var lostRecords: Set<ObjectID> = []
  /// Whether a commit of a content chain cannot be read.
  var isChainBroken = false

  /// The contents on the chains that end with these commits.
  func chain(from ends: some Sequence<ObjectID>) -> [ContentCommit] {
    var chain: [ObjectID: ContentCommit] = [:]
    var pending = Array(ends)
    while let next = pending.popLast() {
      guard chain[next] == nil, let content = contents[next] else { continue }
      chain[next] = content
      pending += content.predecessors
    }
    return Array(chain.values)
  }

  /// The heads' records, and all that they were made from.
  func reachedRecords() -> Set<ObjectID> {
    ancestry(of: heads.values.map(\.record))
  }

  /// The records of the heads that no other head was made from.
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

  /// Returns whether a record is of the document that the others are of.
  func isOwn(_ record: Record) -> Bool {
    records.isEmpty || records.values.contains { $0.facts.document == record.facts.document }
  }

  /// Contents that no chain has, of records that are known, by these.
  ///
  /// Contents whose commit was rewritten when others were removed or brought back are kept by another commit.
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
