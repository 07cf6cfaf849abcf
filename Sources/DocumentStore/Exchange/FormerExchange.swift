internal import DocumentGit

/// An exchange of a document after which this device and the exchange folder had the same versions of it.
struct FormerExchange {
  /// The document’s id.
  let document: String
  /// The only head.
  let record: ObjectID
  /// What its reference was at on this device: its contents, which lead to all others.
  let target: ObjectID
  /// What the folder had of the document’s objects, and still has.
  let objects: [ObjectID]
}

extension OpenStore {
  /// The document’s head, if it has no other one, and the document shows that version under its own name.
  var restingHead: Head? {
    get throws {
      let heads = try allHeads()
      guard heads.count == 1, let head = heads.first, try hasOwnName,
        try base()?.id == head.record.id
      else { return nil }
      return head
    }
  }

  /// What was saved since an exchange; nil where the present history is not simply what followed.
  ///
  /// Both the records and the contents have to lead back there: it may be another store by now, or one with fewer contents.
  func versions(
    since former: FormerExchange, upTo head: Head
  ) throws -> (records: [ObjectID: Record], contents: Set<ObjectID>)? {
    guard former.document == documentIdentifier, let end = head.content,
      try repository.contains(former.record)
    else { return nil }
    let date = try record(former.record).facts.date
    // Records are later than their parents: what is not, was there before, but was not what that exchange ended with.
    var records: [ObjectID: Record] = [:]
    var pending = [head.record.id]
    while let next = pending.popLast() {
      guard next != former.record, records[next] == nil else { continue }
      let record = try record(next)
      guard record.facts.date > date else { return nil }
      records[next] = record
      pending += record.parents
    }
    var contents: Set<ObjectID> = []
    var rail = [end]
    while let next = rail.popLast() {
      guard next.id != former.target, contents.insert(next.record).inserted else { continue }
      guard records[next.record] != nil, !next.predecessors.isEmpty else { return nil }
      rail += try next.predecessors.map(content)
    }
    return (records, contents)
  }
}
