internal import DocumentFiles
internal import DocumentGit

/// Taking in what other devices published of a document, and publishing what this one has.
extension OpenStore {
  /// Takes in records and contents that are not here yet, and moves the heads.
  ///
  /// The document on disk is left as it is; edits that were not saved become a version first, so that they
  /// meet what arrives as one side of a conflict.
  ///
  /// - Returns: how many versions arrived.
  func receive(from folder: ExchangeFolder) throws -> Int {
    guard let published = folder.documents[documentIdentifier] else { return 0 }
    try Head.check(count: published.heads.count)
    let newRecords = try copyRecords(of: published, from: folder)
    let known = try ancestry(of: published.heads)
    var plan = try railPlan()
    let wanted = published.contents.filter { record, _ in
      known[record] != nil && !plan.kept.contains(record) && !plan.removed.contains(record)
    }
    for (id, content) in wanted {
      guard let record = known[id] else { continue }
      try copyContent(content, of: record, from: folder)
    }
    let before = Set(try divergentHeads().map(\.record.id))
    let after = try maximalRecords(before.union(published.heads))
    guard before != after || !wanted.isEmpty else { return 0 }
    if before != after, try base() != nil, try keepEdits(workingCopy()) != nil {
      // The edits are a head now; see again what follows what.
      return newRecords + (try receive(from: folder))
    }
    plan.kept.formUnion(wanted.keys)
    let heads = try after.map(record).sorted(by: Record.isPreferred).map(\.id)
    let built = try buildRail(plan, heads: heads)
    try moveHeads(to: heads, targets: built.targets, objects: built.objects)
    try joinEqualHeads()
    return newRecords
  }

  /// Joins heads that came to the same content under the same name, without asking: the joining record is
  /// made of them alone, so every device makes the same one.
  func joinEqualHeads() throws {
    let heads = try divergentHeads()
    guard
      let first = heads.first(where: { candidate in
        heads.contains {
          $0.record.id != candidate.record.id && $0.record.isEqual(to: candidate.record)
        }
      })
    else { return }
    let equal = heads.map(\.record).filter { $0.isEqual(to: first.record) }
    var facts = first.record.facts
    facts.kind = .join
    facts.note = nil
    facts.from = nil
    try settle(with: facts.later(than: equal), parents: equal)
    try joinEqualHeads()
  }

  /// Publishes contents, records and heads that the folder does not have yet.
  ///
  /// - Returns: how many versions were published, or their contents.
  func send(to folder: ExchangeFolder) throws -> Int {
    let published = folder.documents[documentIdentifier] ?? ExchangeFolder.Published()
    let heads = try divergentHeads().map(\.record.id)
    let history = try ancestry(of: heads)
    let missing = try history.keys.filter { try !folder.repository.contains($0) }
    try copyRecords(missing, of: repository, to: folder.repository)

    let unpublished = try rail().keys.compactMap { id -> Record? in
      guard published.contents[id] == nil, let record = history[id], record.content != nil else {
        return nil
      }
      return record
    }
    var objects: Set<ObjectID> = []
    var commits: [GitObject] = []
    var contents: [ObjectID: ObjectID] = [:]
    for record in unpublished {
      let (content, object) = try ContentCommit.make(for: record, predecessors: [])
      commits.append(object)
      contents[record.id] = content.id
      try collectObjects(
        below: content.tree, of: repository, missingIn: folder.repository,
        upTo: record.facts.bytes, into: &objects)
    }
    try repository.copy(Array(objects), intoPacksOf: folder.repository)
    try folder.repository.write(commits)
    let settled = try published.heads.subtracting(heads).filter { old in
      try repository.contains(old) && heads.contains { try isAncestor(old, of: $0) }
    }
    try folder.publish(
      documentIdentifier, contents: contents, heads: heads.filter { !published.heads.contains($0) },
      settled: Array(settled))
    try PublishedHeads(heads).write(in: location.store)
    return Set(missing).union(contents.keys).count
  }

  // MARK: Objects

  /// Copies the records that the published heads were made from.
  private func copyRecords(of published: ExchangeFolder.Published, from folder: ExchangeFolder)
    throws -> Int
  {
    var missing: [ObjectID: Record] = [:]
    var pending = Array(published.heads)
    while let next = pending.popLast() {
      guard try missing[next] == nil && !repository.contains(next) else { continue }
      let record = try Record(id: next, decoding: folder.repository.commit(next))
      guard record.facts.document == documentIdentifier else {
        throw GitError.malformed("record \(next) belongs to another document")
      }
      missing[next] = record
      pending += record.parents
    }
    // What was made from what is found by the dates, too.
    for record in missing.values {
      let parents = try record.parents.map { try missing[$0] ?? self.record($0) }
      guard parents.allSatisfy({ $0.facts.date < record.facts.date }) else {
        throw GitError.malformed("record \(record.id) is not later than what it was made from")
      }
    }
    try copyRecords(Array(missing.keys), of: folder.repository, to: repository)
    return missing.count
  }

  /// Copies records, and the tree of every record where it is not there yet.
  private func copyRecords(
    _ ids: [ObjectID], of source: borrowing Repository, to destination: borrowing Repository
  ) throws {
    let isComplete = try ids.isEmpty || destination.contains(.emptyTree)
    try source.copy(ids + (isComplete ? [] : [.emptyTree]), intoPacksOf: destination)
  }

  private func copyContent(
    _ id: ObjectID, of record: Record, from folder: ExchangeFolder
  ) throws {
    let content = try ContentCommit(id: id, decoding: folder.repository.commit(id))
    guard content.record == record.id, content.tree == record.content?.tree else {
      throw GitError.malformed("content \(id) is not what its record says")
    }
    var objects: Set<ObjectID> = []
    try collectObjects(
      below: content.tree, of: folder.repository, missingIn: repository,
      upTo: record.facts.bytes, into: &objects)
    try folder.repository.copy(Array(objects), intoPacksOf: repository)
    // A version that can't be written here is not taken in: it would stand in the document's way.
    _ = try item(of: record)
  }

  /// The trees and files below a tree that the destination lacks.
  ///
  /// Where it has a tree, it has what is below.
  ///
  /// - Parameter bytes: what all files together have, by the record: a larger one is not its content.
  private func collectObjects(
    below tree: ObjectID, of source: borrowing Repository,
    missingIn destination: borrowing Repository, upTo bytes: Int,
    into objects: inout Set<ObjectID>, depth: Int = 0
  ) throws {
    guard try !objects.contains(tree) && !destination.contains(tree) else { return }
    guard depth < DocumentLimits().depth, objects.count < 2 * DocumentLimits().members else {
      throw GitError.malformed("content \(tree) is larger or deeper than a document may be")
    }
    for entry in try source.tree(tree).entries {
      if entry.mode == .folder {
        try collectObjects(
          below: entry.id, of: source, missingIn: destination, upTo: bytes, into: &objects,
          depth: depth + 1)
      } else if try !objects.contains(entry.id) && !destination.contains(entry.id) {
        // Links, and lists of pieces, are not counted by the record.
        guard try source.size(of: entry.id) <= bytes + 1 << 16 else {
          throw GitError.malformed("object \(entry.id) is larger than its version")
        }
        objects.insert(entry.id)
      }
    }
    objects.insert(tree)
  }
}

extension Record {
  /// Whether both came to the same document: content and name.
  ///
  /// What is deleted has no name to agree on.
  fileprivate func isEqual(to other: Record) -> Bool {
    guard let content else { return other.content == nil }
    return facts.path == other.facts.path && content.isSame(as: other.content)
  }
}
