internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// The result of receiving for one document.
struct Reception {
  /// The number of versions that arrived.
  var count = 0
  /// The size in bytes of the packs written for them.
  var bytes = 0
  /// The reason why something published was left out this time; nil if nothing was.
  private(set) var failure: (any Error)?

  /// Tries to receive something; if it has not arrived completely, records that, and the rest continues.
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

/// Receives the versions of a document that other devices published, and joins heads that leave nothing to
/// decide.
struct DocumentReceiver {
  let reader: StoreReader
  let peer: PeerObjects

  /// Receives records and contents that are not here yet, and moves the heads.
  ///
  /// The document on disk is left as it is; unsaved edits become a version first, so that they are one side
  /// of a conflict with the arrived versions.
  ///
  /// A tool that syncs the folder may deliver its files in any order. A head is received once its contents
  /// and all its ancestors have arrived; until then it is left out, and the document stays as it is.
  ///
  /// - Parameter isShown: whether the document will show the arrived version before anything else can find
  ///   the store.
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
    // Similar contents are kept together, because they are stored as deltas and copied as such.
    let others = wanted.filter { !arrived.contains($0) }.compactMap { known[$0] }
      .sorted { ($0.facts.date, $0.id) < ($1.facts.date, $1.id) }
    taken.formUnion(try copyContents(of: others, &reception))
    let before = Set(try reader.heads.divergent().map(\.record.id))
    let after = try reader.objects.maximalRecords(before.union(arrived))
    if before != after || !taken.isEmpty || !withdrawn.isEmpty {
      if before != after, try reader.heads.base() != nil,
        try writer.keepEdits(reader.document.copy()) != nil
      {
        // The edits are a head now, so the order of the versions is determined again.
        return try receive(arrival, with: writer, willShowIt: isShown, &reception)
      }
      plan.kept.formUnion(taken)
      let heads = try after.map(reader.record).sorted(by: Record.isPreferred).map(\.id)
      let built = try reader.chain.build(plan, heads: heads)
      try writer.moveHeads(to: built, showing: isShown ? heads.first : nil)
    }
    // This includes heads that existed before, because an exchange may have been interrupted between the two
    // steps.
    if try reader.heads.all().count > 1 { try UndisputedJoin.joinAll(by: writer) }
    if let head = try reader.heads.divergent().first(where: \.lacksContent) {
      let missing = GitError.missing("the content of \(head.record.shortName)")
      reception.record(peer.failure(missing, of: reader.location.printable))
    }
  }

  // MARK: Arrived versions

  /// Returns whether an object is here; no other process adds any while the store's lock is held.
  func isHere(_ id: ObjectID) throws -> Bool {
    try reader.objects.repository.containedWhenLastListed(id)
  }

  /// Compacts the store if an unfinished exchange left many packs, because each read searches all of them.
  private func prepareToReceive() throws {
    try reader.objects.repository.refresh()
    if reader.objects.repository.hasTooManyPacks {
      tidyUp { try reader.objects.repository.compactPacks(check: { try reader.meter.advance(0) }) }
    }
  }

  /// Copies trees and files of contents, and records.
  ///
  /// - Returns: the number of bytes written.
  func copy(_ objects: [ObjectID], andRecords records: [ObjectID]) throws -> Int {
    let hasTree =
      try records.isEmpty || objects.contains(.emptyTree) || isHere(.emptyTree)
    let pack = try peer.repository.copy(
      objects + records, and: hasTree ? [] : [GitObject(.tree, [])],
      intoPacksOf: reader.objects.repository, advance: { _ in try reader.meter.advance(0) })
    return pack?.size ?? 0
  }

  /// Returns the records that are not here yet; an unfinished exchange may have brought some.
  private func missingRecords(_ ids: some Sequence<ObjectID>) throws -> [ObjectID] {
    try ids.filter { try !isHere($0) }
  }

  /// Returns some records and their new ancestors among checked records.
  private static func history(
    of ids: some Sequence<ObjectID>, in checked: [ObjectID: Record], besides own: [ObjectID: Record]
  ) -> [ObjectID: Record] {
    reached(from: ids, \.parents) { own[$0] == nil ? checked[$0] : nil }
  }

  /// Returns the new records among a published head and its ancestors.
  ///
  /// - Parameter known: returns a record that is known together with all its ancestors; nil for others.
  private func newRecords(
    of head: ObjectID, besides known: (ObjectID) throws -> Record?
  ) throws -> [ObjectID: Record] {
    let new = try reached(from: [head], \.parents) { id -> Record? in
      guard try known(id) == nil else { return nil }
      // A record that nothing leads to may be here from an unfinished exchange.
      let commit =
        try isHere(id) ? reader.objects.repository.commit(id) : peer.repository.commit(id)
      let record = try Record(id: id, decoding: commit)
      guard reader.objects.identity.contains(record.facts.document) else {
        throw GitError.malformed("record \(id) belongs to another document")
      }
      return record
    }
    // Dates also help to find which version is based on which.
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
  /// Removes from the chain the contents that some of all known records withdraw.
  ///
  /// - Returns: the contents that were on it.
  fileprivate mutating func withdraw(_ records: some Sequence<Record>) -> Set<ObjectID> {
    let withdrawn = Set(records.flatMap(\.withdrawn))
    let present = kept.intersection(withdrawn)
    remove(withdrawn)
    return present
  }
}
