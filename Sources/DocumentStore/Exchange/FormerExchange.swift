internal import DocumentFiles
internal import DocumentGit

/// An exchange of a document after which this device and the exchange folder had the same versions of it.
struct FormerExchange {
  /// The document’s id.
  let document: String
  /// The only head.
  let record: ObjectID
  /// The target of its reference on this device: its contents, which lead to all others.
  let target: ObjectID
  /// The document’s objects that the folder had, and still has: all records among them.
  let objects: [ObjectID]
  /// The versions that have come to the folder since; nil where none have.
  var arrived: Arrival?

  /// Versions that another device has published.
  struct Arrival {
    /// The only head now.
    let head: ObjectID
    /// The versions whose contents are new.
    let contents: [ObjectID]
  }
}

extension StoreReader {
  /// The document’s head, if it has no other one, and the document shows that version under its own name.
  var restingHead: Head? {
    get throws {
      let all = try heads.all()
      guard all.count == 1, let head = all.first, try document.hasOwnName,
        try heads.base()?.id == head.record.id
      else { return nil }
      return head
    }
  }

  /// The versions saved since an exchange; nil where the present history does not simply follow it.
  ///
  /// Both the records and the contents have to lead back there: it may be another store by now, or one with fewer contents.
  func versions(
    since former: FormerExchange, upTo head: Head
  ) throws -> (records: [ObjectID: Record], contents: Set<ObjectID>)? {
    guard former.document == documentIdentifier.description, let end = head.content,
      try objects.repository.contains(former.record)
    else { return nil }
    let date = try record(former.record).facts.date
    // Records are later than their parents: an older record was there before, but that exchange did not end with it.
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
    var chain = [end]
    while let next = chain.popLast() {
      guard next.id != former.target, contents.insert(next.record).inserted else { continue }
      guard records[next.record] != nil, !next.predecessors.isEmpty else { return nil }
      chain += try next.predecessors.map(objects.content)
    }
    return (records, contents)
  }
}

extension DocumentReceiver {
  /// Takes in versions that follow an exchange, where nothing else has happened since, neither here nor there.
  ///
  /// - Returns: the arrived versions, and the new state of the exchange; nil where there is more to do than that.
  func receive(
    since former: FormerExchange, with writer: borrowing StoreWriter
  ) throws -> (reception: Reception, exchange: FormerExchange)? {
    guard let arrival = former.arrived, former.document == reader.documentIdentifier.description,
      let head = try reader.restingHead, let end = head.content, head.record.content != nil,
      head.record.id == former.record, head.target == former.target,
      let versions = try versions(that: arrival, bringsAfter: head.record, former),
      let published = try folder.published(
        of: reader.documentIdentifier.description, head: arrival.head, contents: arrival.contents)
    else { return nil }
    try prepareToReceive()
    var reception = Reception(count: versions.count)
    // An exchange of all reports a version that is not whole; and edits that were not saved are a side of a conflict.
    guard
      try copyContents(of: versions, published, &reception).count == versions.count,
      try writer.keepEdits(reader.document.copy()) == nil
    else { return nil }
    try copyRecords(versions.map(\.id))
    var chain = ContentChainBuilder(after: end, adding: versions.map(\.id))
    // As records of this store: one that is no good among them is refused.
    for version in versions { try chain.add(reader.record(version.id)) }
    guard let target = chain.ownContent[arrival.head] else { return nil }
    let state = try reader.heads.state()
    try writer.moveHeads(
      to: [arrival.head], targets: [arrival.head: target], objects: chain.objects)
    if let version = versions.first, versions.count == 1 {
      tidyUp { try writer.indexVersion(version, reader.objects.content(target), after: state) }
    }
    let contents = versions.flatMap { [published.contents[$0.id], $0.content?.tree] }
    return (
      reception,
      FormerExchange(
        document: reader.documentIdentifier.description, record: arrival.head, target: target,
        objects: former.objects + versions.map(\.id) + contents.compactMap { $0 })
    )
  }

  /// The versions that follow a head under its name, the oldest first; nil where other ones have arrived, or not all.
  private func versions(
    that arrival: FormerExchange.Arrival, bringsAfter head: Record, _ former: FormerExchange
  ) throws -> [Record]? {
    let known = Set(former.objects)
    let new: [ObjectID: Record]
    do {
      new = try newRecords(of: arrival.head) { id in
        try known.contains(id) ? reader.record(id) : nil
      }
    } catch let error as GitError where !error.isFromSystem {
      return nil
    }
    let versions = new.values.sorted { ($0.facts.date, $0.id) < ($1.facts.date, $1.id) }
    guard let last = new[arrival.head], last.content != nil,
      last.facts.path.hasBytes(of: head.facts.path),
      versions.allSatisfy({ !$0.parents.isEmpty }),
      versions.flatMap(\.parents).allSatisfy({ $0 == head.id || new[$0] != nil }),
      Set(versions.lazy.filter { $0.content != nil }.map(\.id)) == Set(arrival.contents)
    else { return nil }
    return versions
  }
}
