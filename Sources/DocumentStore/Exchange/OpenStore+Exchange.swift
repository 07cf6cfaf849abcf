internal import DocumentFiles
internal import DocumentGit

/// What a document got from an exchange.
struct Reception {
  /// How many versions arrived.
  var count = 0
  /// Why something that is published was left out for this time, where it was.
  private(set) var failure: (any Error)?

  /// Tries to take something in; if it has not arrived whole, that is noted, and the rest goes on.
  mutating func attempt(
    _ location: DocumentLocation, from folder: ExchangeFolder, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as GitError where !error.isFromSystem {
      note(folder.failure(error, of: location.printable))
    }
  }

  /// Notes why something was left out; the first reason is told.
  mutating func note(_ failure: any Error) {
    self.failure = self.failure ?? failure
  }
}

/// Taking in what other devices published of a document, and joining what came to the same.
extension OpenStore {
  /// Takes in records and contents that are not here yet, and moves the heads.
  ///
  /// The document on disk is left as it is; edits that were not saved become a version first, so that they
  /// meet what arrives as one side of a conflict.
  ///
  /// Whatever carries the folder may bring its files in any order. A head is taken in when its contents and all
  /// that it was made from are there; until then it is left out, and what is here stays as it is.
  func receive(from folder: ExchangeFolder) throws -> Reception {
    let published = try folder.published(of: documentIdentifier, called: location.printable)
    if published.isEmpty { return Reception() }
    try Head.check(count: published.heads.count)
    try prepareToReceive()
    var reception = Reception()
    let own = try ancestry(of: allHeads().map(\.record.id))
    var checked = own
    var candidates: [Record] = []
    for head in published.heads.sorted() where own[head] == nil {
      try reception.attempt(location, from: folder) {
        checked.merge(try newRecords(of: head, from: folder) { checked[$0] }) { $1 }
        if let record = checked[head] { candidates.append(record) }
      }
    }
    let arrived = try copyContents(of: candidates, published, from: folder, &reception)
    let new = Self.history(of: arrived, in: checked, besides: own)
    try copyRecords(Array(new.keys), from: folder)
    reception.count = new.count

    var plan = try railPlan()
    let known = own.merging(new) { $1 }
    var taken = try lostContents(among: known, besides: plan)
    let wanted = published.contents.keys.sorted().filter { id in
      !plan.kept.contains(id) && !plan.removed.contains(id) && !taken.contains(id)
    }
    taken.formUnion(arrived.intersection(wanted))
    // Those that resemble each other together: they are stored as changes, and so they are copied.
    let others = wanted.filter { !arrived.contains($0) }.compactMap { known[$0] }
      .sorted { ($0.facts.date, $0.id) < ($1.facts.date, $1.id) }
    taken.formUnion(try copyContents(of: others, published, from: folder, &reception))
    let before = Set(try divergentHeads().map(\.record.id))
    let after = try maximalRecords(before.union(arrived))
    if before != after || !taken.isEmpty {
      if before != after, try base() != nil, try keepEdits(workingCopy()) != nil {
        // The edits are a head now; see again what follows what.
        return try receive(from: folder)
      }
      plan.kept.formUnion(taken)
      let heads = try after.map(record).sorted(by: Record.isPreferred).map(\.id)
      let built = try buildRail(plan, heads: heads)
      try moveHeads(to: built.heads, targets: built.targets, objects: built.objects)
      try joinEqualHeads()
    }
    if let bare = try divergentHeads().first(where: \.isBare) {
      let missing = GitError.missing("the content of \(bare.record.shortName)")
      reception.note(folder.failure(missing, of: location.printable))
    }
    return reception
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

  // MARK: What has arrived

  /// Puts the store in order, where an exchange that did not come to its end has left it with many packs: each is looked
  /// through for every object.
  func prepareToReceive() throws {
    try repository.refresh()
    if repository.hasTooManyPacks {
      tidyUp { try repository.compactPacks(check: { try meter.advance(0) }) }
    }
  }

  /// Copies records that are not here yet.
  func copyRecords(_ ids: [ObjectID], from folder: ExchangeFolder) throws {
    let records = try ids.filter { try !repository.contains($0) }
    let tree = try Self.treeOfRecords(records) { try repository.contains($0) }
    try folder.repository.copy(records, and: tree, intoPacksOf: repository, advance: stopping)
  }

  /// Those among checked records that some were made from, with these, as far as they are new.
  private static func history(
    of ids: Set<ObjectID>, in checked: [ObjectID: Record], besides own: [ObjectID: Record]
  ) -> [ObjectID: Record] {
    var new: [ObjectID: Record] = [:]
    var pending = Array(ids)
    while let next = pending.popLast() {
      guard new[next] == nil, own[next] == nil, let record = checked[next] else { continue }
      new[next] = record
      pending += record.parents
    }
    return new
  }

  /// The record of a published head and those that it was made from, as far as they are new.
  ///
  /// - Parameter known: a record that is known, with all that it was made from; nil for others.
  func newRecords(
    of head: ObjectID, from folder: ExchangeFolder, besides known: (ObjectID) throws -> Record?
  ) throws -> [ObjectID: Record] {
    var new: [ObjectID: Record] = [:]
    var pending = [head]
    while let next = pending.popLast() {
      guard try new[next] == nil && known(next) == nil else { continue }
      // One that nothing leads to may be here since an exchange that did not come to its end.
      let commit =
        try repository.contains(next)
        ? repository.commit(next) : folder.repository.commit(next)
      let record = try Record(id: next, decoding: commit)
      guard record.facts.document == documentIdentifier else {
        throw GitError.malformed("record \(next) belongs to another document")
      }
      new[next] = record
      pending += record.parents
    }
    // What was made from what is found by the dates, too.
    for record in new.values {
      let parents = try record.parents.compactMap { try new[$0] ?? known($0) }
      guard parents.allSatisfy({ $0.facts.date < record.facts.date }) else {
        throw GitError.malformed("record \(record.id) is not later than what it was made from")
      }
      try record.checkDate { parents }
    }
    return new
  }
}

extension Record {
  /// Whether both came to the same document: content and name.
  ///
  /// What is deleted has no name to agree on.
  fileprivate func isEqual(to other: Record) -> Bool {
    guard let content else { return other.content == nil }
    return facts.path.hasBytes(of: other.facts.path) && content.isSame(as: other.content)
  }
}
