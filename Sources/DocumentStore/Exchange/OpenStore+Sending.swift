internal import DocumentGit

/// What was published of a document.
struct Sending {
  /// How many versions were published, or their contents.
  let count: Int
  /// The versions whose contents were published.
  let contents: Set<ObjectID>
  /// What the folder has of the document’s objects now: all records, the contents, and the trees of these.
  fileprivate(set) var objects: [ObjectID]
}

/// Publishing what this device has of a document.
extension OpenStore {
  /// Publishes contents, records and heads that the folder does not have yet, or not any more.
  func send(to folder: ExchangeFolder) throws -> Sending {
    let published = try folder.published(of: documentIdentifier, called: location.printable)
    let history = try ancestry(of: divergentHeads().map(\.record.id))
    return try send(history, contents: rail().keys, besides: published, to: folder)
  }

  /// Publishes what was saved since an exchange that left nothing to be exchanged.
  ///
  /// - Returns: nil where there is more to do than that.
  func send(since former: FormerExchange, to folder: ExchangeFolder) throws -> Sending? {
    guard former.arrived == nil, let head = try restingHead,
      let new = try versions(since: former, upTo: head)
    else { return nil }
    var published = ExchangeFolder.Published()
    published.heads = [former.record]
    var sending = try send(new.records, contents: new.contents, besides: published, to: folder)
    sending.objects += former.objects
    return sending
  }

  /// - Parameters:
  ///   - history: records that the folder may lack.
  ///   - contents: the records whose contents it may lack; others may be among them.
  ///   - published: what is published of them, and the heads.
  private func send(
    _ history: [ObjectID: Record], contents: some Sequence<ObjectID>,
    besides published: ExchangeFolder.Published, to folder: ExchangeFolder
  ) throws -> Sending {
    let isThere: (ObjectID) throws -> Bool = { [location] in
      try folder.contains($0, for: location.printable)
    }
    let heads = try divergentHeads().map(\.record.id)
    let missing = try history.keys.filter { try !isThere($0) }
    var present = Array(history.keys)
    var objects = ContentObjects()
    // Where a part of the folder is lost, who knows what else was in it.
    objects.isThorough = try !missing.isEmpty && isSent(anyOf: missing, history)
    var whole: [DocumentContent] = []
    let unpublished = try contents.compactMap { history[$0] }.filter { record in
      guard let content = record.content else { return false }
      guard let sent = published.contents[record.id] else { return true }
      if try isThere(sent) && isThere(content.tree) {
        present += [sent, content.tree]
        whole.append(content)
        return false
      }
      objects.isThorough = true
      return true
    }
    if objects.isThorough {
      for content in whole { try objects.add(content, of: repository, unless: isThere) }
    }
    var commits: [GitObject] = []
    var sent: [ObjectID: ObjectID] = [:]
    for record in unpublished {
      guard let tree = record.content else { continue }
      try meter.advance(0)
      let (content, object) = try ContentCommit.make(for: record, predecessors: [])
      // Under the name stands something else; others pass over it, too.
      guard [nil, content.id].contains(published.contents[record.id]) else { continue }
      if try !isThere(content.id) { commits.append(object) }
      sent[record.id] = content.id
      present += [content.id, tree.tree]
      try objects.add(tree, of: repository, unless: isThere)
    }
    let tree = try Self.treeOfRecords(missing, unless: isThere)
    let lacking = objects.lacking.union(missing).subtracting(tree.map(\.id))
    try repository.copy(
      Array(lacking), and: commits + tree, intoPacksOf: folder.repository, advance: stopping)
    let settled = try published.heads.subtracting(heads).filter { old in
      try repository.contains(old) && heads.contains { try isAncestor(old, of: $0) }
    }
    let unpublishedHeads = heads.filter {
      !published.heads.contains($0) || folder.isDamaged(head: $0, of: documentIdentifier)
    }
    do {
      try folder.publish(
        documentIdentifier, contents: sent, heads: unpublishedHeads, settled: Array(settled))
    } catch let error as GitError {
      throw folder.failure(error, of: location.printable)
    }
    try PublishedHeads(heads).write(in: location.store)
    return Sending(
      count: Set(missing).union(sent.keys).count, contents: Set(sent.keys), objects: present)
  }

  /// Whether some records were sent before: what is missing of those was lost.
  private func isSent(anyOf records: [ObjectID], _ history: [ObjectID: Record]) throws -> Bool {
    let heads = try PublishedHeads(in: location.store)?.heads ?? []
    let sent = try ancestry(of: heads.filter { history[$0] != nil })
    return records.contains { sent[$0] != nil }
  }

  /// The tree that every record has, for a repository that gets records and lacks it; what else it may get has nothing to
  /// do with that of other documents.
  static func treeOfRecords(
    _ records: [ObjectID], unless isThere: (ObjectID) throws -> Bool
  ) rethrows -> [GitObject] {
    try records.isEmpty || isThere(.emptyTree) ? [] : [GitObject(.tree, [])]
  }

  /// Ends the copying of objects when the operation shall stop.
  func stopping(_: Int) throws { try meter.advance(0) }
}
