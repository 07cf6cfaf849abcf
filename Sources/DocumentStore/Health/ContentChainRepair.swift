internal import DocumentGit

/// Repairs the content chain: the commits that record which contents are kept can be recreated.
struct ContentChainRepair {
  let session: RepairSession

  /// Records the versions of which nothing is left, so that the others can be read.
  func giveUpLostVersions() throws {
    let check = try session.check()
    let lost = check.history.lostRecords.subtracting(check.givenUp)
    guard !lost.isEmpty else { return }
    session.keepLosses(try session.findings(.record).filter { $0.severity == .damage })
    let names = lost.sorted().map(\.versionName).joined(separator: ", ")
    try session.step(.record, "Record that \(names) is lost, so that the others can be read.") {
      try session.replace(
        StoreFile.lostVersions.name, with: LostVersions.text(lost.union(check.givenUp)))
      try session.checkAgain()
    }
  }

  /// Recreates the chain if a part of it is lost, or if a head lost its contents although all of them are
  /// still here.
  func repair() throws {
    let check = try session.check()
    let history = check.history
    let heads = Dictionary(
      history.heads.map { ($0.value.record, $0) }, uniquingKeysWith: { first, _ in first })
    guard !heads.isEmpty, try needsRepair(check) else { return }
    let reached = history.reachedRecords()
    let records = history.records.filter { reached.contains($0.key) }
    guard reached.allSatisfy({ records[$0] != nil || history.lostRecords.contains($0) }) else {
      return
    }
    let chain = try LostContents(
      history, targets: formerTargets(heads.mapValues(\.value.target)), records: records,
      isComplete: check.contents.isComplete
    ).restored()
    let moves = heads.compactMap { record, head -> Transaction.Move? in
      let target = chain.ownContent[record] ?? record
      guard target != head.value.target else { return nil }
      return Transaction.Move(head.key, to: target, expecting: head.value.target)
    }
    let missing = try chain.objects.filter {
      try !check.objects.repository.contains($0.id)
    }
    // The broken part may be what was removed; then the chain can't be improved.
    guard !moves.isEmpty || !missing.isEmpty else { return }
    try session.step(.contents, "Record again which contents are kept.") {
      try session.openRepository().commit(Transaction(objects: missing, moves: moves))
      try session.checkAgain()
    }
  }

  /// Returns the former targets of the references; for a head whose content couldn't be read, the target in
  /// the ledger.
  private func formerTargets(_ targets: [ObjectID: ObjectID]) throws -> [ObjectID: ObjectID] {
    let recorded = try HeadLedger(in: session.location.store).tail()?.heads ?? []
    return recorded.reduce(into: targets) { targets, entry in
      if targets[entry.record] == entry.record { targets[entry.record] = entry.target }
    }
  }

  /// Returns whether there are contents that the chain no longer leads to.
  private func needsRepair(_ check: StoreCheck) throws -> Bool {
    let history = check.history
    if history.isChainBroken
      || history.contents.values.contains(where: { history.lostRecords.contains($0.record) })
    {
      return true
    }
    return try history.heads.values.contains { head in
      guard head.target == head.record, let record = history.records[head.record] else {
        return false
      }
      return try check.contents.isComplete(record)
    }
  }
}
