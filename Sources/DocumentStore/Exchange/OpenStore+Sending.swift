internal import DocumentGit

/// What was published of a document.
struct Sending {
  /// How many versions were published, or their contents.
  let count: Int
  /// What the folder had of its objects before: all that it should have, where nothing was published.
  let present: [ObjectID]
}

/// Publishing what this device has of a document.
extension OpenStore {
  /// Publishes contents, records and heads that the folder does not have yet, or not any more.
  func send(to folder: ExchangeFolder) throws -> Sending {
    let published = try folder.published(of: documentIdentifier, called: location.printable)
    let isThere: (ObjectID) throws -> Bool = { [location] in
      try folder.contains($0, for: location.printable)
    }
    let heads = try divergentHeads().map(\.record.id)
    let history = try ancestry(of: heads)
    let missing = try history.keys.filter { try !isThere($0) }
    var present = missing.isEmpty ? Array(history.keys) : []
    var objects = ContentObjects()
    let unpublished = try rail().keys.compactMap { history[$0] }.filter { record in
      guard let content = record.content else { return false }
      guard let sent = published.contents[record.id] else { return true }
      if try isThere(sent) && isThere(content.tree) {
        present += [sent, content.tree]
        return false
      }
      // A part of the folder is lost: who knows what else was in it.
      objects.isThorough = true
      return true
    }
    var commits: [GitObject] = []
    var contents: [ObjectID: ObjectID] = [:]
    for record in unpublished {
      guard let tree = record.content else { continue }
      try meter.advance(0)
      let (content, object) = try ContentCommit.make(for: record, predecessors: [])
      // Under the name stands something else; others pass over it, too.
      guard [nil, content.id].contains(published.contents[record.id]) else { continue }
      if try !isThere(content.id) { commits.append(object) }
      contents[record.id] = content.id
      try objects.add(tree, of: repository, unless: isThere)
    }
    let lacking = try objects.lacking.union(Self.withTree(missing, unless: isThere))
    try repository.copy(
      Array(lacking), and: commits, intoPacksOf: folder.repository, advance: stopping)
    let settled = try published.heads.subtracting(heads).filter { old in
      try repository.contains(old) && heads.contains { try isAncestor(old, of: $0) }
    }
    try folder.publish(
      documentIdentifier, contents: contents, heads: heads.filter { !published.heads.contains($0) },
      settled: Array(settled))
    try PublishedHeads(heads).write(in: location.store)
    return Sending(count: Set(missing).union(contents.keys).count, present: present)
  }

  /// Records that a repository lacks, and the tree that every record has, where it lacks that, too.
  static func withTree(
    _ records: [ObjectID], unless isThere: (ObjectID) throws -> Bool
  ) rethrows -> [ObjectID] {
    try records.isEmpty || isThere(.emptyTree) ? records : records + [.emptyTree]
  }

  /// Ends the copying of objects when the operation shall stop.
  func stopping(_: Int) throws { try meter.advance(0) }
}
