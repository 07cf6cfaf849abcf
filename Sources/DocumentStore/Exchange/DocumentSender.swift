internal import DocumentGit

/// The result of publishing a document.
struct Sending {
  /// The number of versions that were published, or their contents.
  let count: Int
  /// The versions whose contents were published.
  let contents: Set<ObjectID>
  /// The document’s objects in the folder now: all records, the contents, and the trees of these.
  fileprivate(set) var objects: [ObjectID]
}

/// Publishes what this device has of a document.
struct DocumentSender {
  let reader: StoreReader
  let folder: ExchangeFolder

  /// Publishes contents, records and heads that the folder does not have yet, or not any more.
  func send() throws -> Sending {
    let published = try folder.published(
      of: reader.documentIdentifier.description, called: reader.location.printable)
    let history = try reader.objects.ancestry(of: reader.heads.divergent().map(\.record.id))
    return try send(history, contents: reader.chain.contents().keys, besides: published)
  }

  /// Publishes what was saved since an exchange that left nothing to be exchanged.
  ///
  /// - Returns: nil where there is more to do than that.
  func send(since former: FormerExchange) throws -> Sending? {
    guard former.arrived == nil, let head = try reader.restingHead,
      let new = try reader.versions(since: former, upTo: head)
    else { return nil }
    var published = ExchangeFolder.Published()
    published.heads = [former.record]
    var sending = try send(new.records, contents: new.contents, besides: published)
    sending.objects += former.objects
    return sending
  }

  /// - Parameters:
  ///   - history: records that the folder may lack.
  ///   - contents: the records whose contents it may lack; others may be among them.
  ///   - published: the published ones among them, and the heads.
  private func send(
    _ history: [ObjectID: Record], contents: some Sequence<ObjectID>,
    besides published: ExchangeFolder.Published
  ) throws -> Sending {
    let isThere: (ObjectID) throws -> Bool = { [folder, location = reader.location] in
      try folder.contains($0, for: location.printable)
    }
    let heads = try reader.heads.divergent().map(\.record.id)
    let missing = try history.keys.filter { try !isThere($0) }
    var present = Array(history.keys)
    var objects = ContentObjects()
    // Where a part of the folder is lost, other objects may be lost too.
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
      for content in whole {
        try objects.add(content, of: reader.objects.repository, unless: isThere)
      }
    }
    var commits: [GitObject] = []
    var sent: [ObjectID: ObjectID] = [:]
    for record in unpublished {
      guard let tree = record.content else { continue }
      try reader.meter.advance(0)
      let (content, object) = try ContentCommit.make(for: record, predecessors: [])
      // Under the name stands something else; others pass over it, too.
      guard [nil, content.id].contains(published.contents[record.id]) else { continue }
      if try !isThere(content.id) { commits.append(object) }
      sent[record.id] = content.id
      present += [content.id, tree.tree]
      try objects.add(tree, of: reader.objects.repository, unless: isThere)
    }
    let tree = try Self.treeOfRecords(missing, unless: isThere)
    let lacking = objects.lacking.union(missing).subtracting(tree.map(\.id))
    try reader.objects.repository.copy(
      Array(lacking), and: commits + tree, intoPacksOf: folder.repository,
      advance: { _ in try reader.meter.advance(0) })
    let settled = try published.heads.subtracting(heads).filter { old in
      try reader.objects.repository.contains(old)
        && heads.contains { try reader.objects.isAncestor(old, of: $0) }
    }
    let unpublishedHeads = heads.filter {
      !published.heads.contains($0)
        || folder.isDamaged(head: $0, of: reader.documentIdentifier.description)
    }
    do {
      try folder.publish(
        reader.documentIdentifier.description, contents: sent, heads: unpublishedHeads,
        settled: Array(settled))
    } catch let error as GitError {
      throw folder.failure(error, of: reader.location.printable)
    }
    try PublishedHeads(heads).write(in: reader.location.store)
    return Sending(
      count: Set(missing).union(sent.keys).count, contents: Set(sent.keys), objects: present)
  }

  /// Whether some records were sent before: missing objects of those were lost.
  private func isSent(anyOf records: [ObjectID], _ history: [ObjectID: Record]) throws -> Bool {
    let heads = try PublishedHeads(in: reader.location.store)?.heads ?? []
    let sent = try reader.objects.ancestry(of: heads.filter { history[$0] != nil })
    return records.contains { sent[$0] != nil }
  }

  /// The tree that every record has, for a repository that gets records and lacks it; what else it may get has nothing to
  /// do with that of other documents.
  static func treeOfRecords(
    _ records: [ObjectID], unless isThere: (ObjectID) throws -> Bool
  ) rethrows -> [GitObject] {
    try records.isEmpty || isThere(.emptyTree) ? [] : [GitObject(.tree, [])]
  }
}
