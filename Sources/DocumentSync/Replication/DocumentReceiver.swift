internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// The result of receiving for one document.
struct Reception {
  /// The number of versions that arrived.
  var count = 0
  /// Bytes of the packs that were written for them.
  var bytes = 0
  /// Why something that is published was left out for this time, where it was.
  private(set) var failure: (any Error)?

  /// Tries to take something in; if it has not arrived whole, records that, and the rest goes on.
  mutating func attempt(
    _ location: DocumentLocation, from peer: PeerObjects, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as GitError where !error.isFromSystem {
      record(peer.failure(error, of: location.printable))
    } catch let error as VersionError where error.code == .bringsRepository {
      record(error)
    }
  }

  /// Records why something was left out; the first reason is reported.
  mutating func record(_ failure: any Error) {
    self.failure = self.failure ?? failure
  }
}

/// Takes in what other devices published of a document, and joins heads between which there is nothing to decide.
struct DocumentReceiver {
  let reader: StoreReader
  let peer: PeerObjects

  /// Takes in records and contents that are not here yet, and moves the heads.
  ///
  /// The document on disk is left as it is; edits that were not saved become a version first, so that they
  /// meet what arrives as one side of a conflict.
  ///
  /// Whatever carries the folder may bring its files in any order. A head is taken in when its contents and all
  /// that it was made from are there; until then it is left out, and what is here stays as it is.
  ///
  /// - Parameter isShown: whether the document will show the version that arrived before anything else finds the store.
  func receive(
    _ arrival: ArrivedVersions, with writer: borrowing StoreWriter, willShowIt isShown: Bool = false
  ) throws -> Reception {
    var reception = Reception()
    try receive(arrival, with: writer, willShowIt: isShown, &reception)
    return reception
  }

  private func receive(
    _ arrival: ArrivedVersions, with writer: borrowing StoreWriter, willShowIt isShown: Bool,
    _ reception: inout Reception
  ) throws {
    let lacksContent = try reader.heads.divergent().contains(where: \.lacksContent)
    if arrival.isEmpty, !lacksContent { return }
    try HeadName.check(count: arrival.heads.count)
    try prepareToReceive()
    let own = try reader.objects.ancestry(of: reader.heads.all().map(\.record.id))
    var checked = own
    var candidates: [Record] = []
    for head in arrival.heads.sorted() where own[head] == nil {
      try reception.attempt(reader.location, from: peer) {
        checked.merge(try newRecords(of: head) { checked[$0] }) { $1 }
        if let record = checked[head] { candidates.append(record) }
      }
    }
    let all = Self.history(of: candidates.map(\.id), in: checked, besides: own)
    let arrived = try copyContents(of: candidates, and: missingRecords(all.keys), &reception)
    let new = Self.history(of: arrived, in: checked, besides: own)
    reception.bytes += try copy([], andRecords: missingRecords(new.keys))
    reception.count += new.count

    var plan = try reader.chain.plan()
    let known = own.merging(new) { $1 }
    let withdrawn = plan.withdraw(known.values)
    var taken = try lostContents(among: known, besides: plan)
    let wanted = arrival.contents.sorted().filter { id in
      !plan.kept.contains(id) && !plan.removed.contains(id) && !taken.contains(id)
    }
    taken.formUnion(arrived.intersection(wanted))
    // Those that resemble each other together: they are stored as changes, and so they are copied.
    let others = wanted.filter { !arrived.contains($0) }.compactMap { known[$0] }
      .sorted { ($0.facts.date, $0.id) < ($1.facts.date, $1.id) }
    taken.formUnion(try copyContents(of: others, &reception))
    let before = Set(try reader.heads.divergent().map(\.record.id))
    let after = try reader.objects.maximalRecords(before.union(arrived))
    if before != after || !taken.isEmpty || !withdrawn.isEmpty {
      if before != after, try reader.heads.base() != nil,
        try writer.keepEdits(reader.document.copy()) != nil
      {
        // The edits are a head now; see again what follows what.
        return try receive(arrival, with: writer, willShowIt: isShown, &reception)
      }
      plan.kept.formUnion(taken)
      let heads = try after.map(reader.record).sorted(by: Record.isPreferred).map(\.id)
      let built = try reader.chain.build(plan, heads: heads)
      try writer.moveHeads(to: built, showing: isShown ? heads.first : nil)
    }
    // Also those that were there already: an exchange may have been cut between the two.
    if try reader.heads.all().count > 1 { try UndisputedJoin.joinAll(by: writer) }
    if let head = try reader.heads.divergent().first(where: \.lacksContent) {
      let missing = GitError.missing("the content of \(head.record.shortName)")
      reception.record(peer.failure(missing, of: reader.location.printable))
    }
  }

  // MARK: Arrived versions

  /// Returns whether an object is here: nothing else adds any while the store's lock is held.
  func isHere(_ id: ObjectID) throws -> Bool {
    try reader.objects.repository.containedWhenLastListed(id)
  }

  /// Compacts the store where an unfinished exchange has left many packs: each read searches all of them.
  private func prepareToReceive() throws {
    try reader.objects.repository.refresh()
    if reader.objects.repository.hasTooManyPacks {
      tidyUp { try reader.objects.repository.compactPacks(check: { try reader.meter.advance(0) }) }
    }
  }

  /// Copies trees and files of contents, and records.
  ///
  /// - Returns: how many bytes that took.
  func copy(_ objects: [ObjectID], andRecords records: [ObjectID]) throws -> Int {
    let hasTree =
      try records.isEmpty || objects.contains(.emptyTree) || isHere(.emptyTree)
    let pack = try peer.repository.copy(
      objects + records, and: hasTree ? [] : [GitObject(.tree, [])],
      intoPacksOf: reader.objects.repository, advance: { _ in try reader.meter.advance(0) })
    return pack?.size ?? 0
  }

  /// Those among records that are not here yet; one may be, since an exchange that did not finish.
  private func missingRecords(_ ids: some Sequence<ObjectID>) throws -> [ObjectID] {
    try ids.filter { try !isHere($0) }
  }

  /// Those among checked records that some were made from, with these, as far as they are new.
  private static func history(
    of ids: some Sequence<ObjectID>, in checked: [ObjectID: Record], besides own: [ObjectID: Record]
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
  private func newRecords(
    of head: ObjectID, besides known: (ObjectID) throws -> Record?
  ) throws -> [ObjectID: Record] {
    var new: [ObjectID: Record] = [:]
    var pending = [head]
    while let next = pending.popLast() {
      guard try new[next] == nil && known(next) == nil else { continue }
      // One that nothing leads to may be here since an exchange that did not finish.
      let commit =
        try isHere(next)
        ? reader.objects.repository.commit(next) : peer.repository.commit(next)
      let record = try Record(id: next, decoding: commit)
      guard reader.objects.identity.contains(record.facts.document) else {
        throw GitError.malformed("record \(next) belongs to another document")
      }
      new[next] = record
      pending += record.parents
    }
    // What was made from what is found by the dates, too.
    for record in new.values {
      let parents = try record.parents.compactMap { try new[$0] ?? known($0) }
      guard parents.allSatisfy({ $0.facts.date < record.facts.date }) else {
        throw GitError.malformed("record \(record.id) isn’t later than its parents")
      }
      try record.checkDate { parents }
    }
    return new
  }
}

extension ContentChain.Plan {
  /// Takes the contents off the chain that some of all known records withdraw.
  ///
  /// - Returns: those that were on it.
  fileprivate mutating func withdraw(_ records: some Sequence<Record>) -> Set<ObjectID> {
    let withdrawn = Set(records.flatMap(\.withdrawn))
    let present = kept.intersection(withdrawn)
    remove(withdrawn)
    return present
  }
}
