internal import DocumentGit

/// The content rail: which contents are kept is said by commits of their own, and these can be made again.
extension StoreRepair {
  /// Lays the rail anew where a part of it is lost, or where a head lost its contents and all of them are still
  /// here.
  func repairRail() throws {
    let examination = try known()
    let heads = Dictionary(
      examination.heads.map { ($0.value.record, $0) }, uniquingKeysWith: { first, _ in first })
    guard !heads.isEmpty, try needsRail(examination) else { return }
    let reached = examination.reachedRecords()
    let records = examination.records.filter { reached.contains($0.key) }
    guard reached.allSatisfy({ records[$0] != nil || examination.lostRecords.contains($0) }) else {
      return
    }
    let rail = try LostRail(
      examination, targets: formerTargets(heads.mapValues(\.value.target)), records: records
    ).restored()
    let moves = heads.compactMap { record, head -> Transaction.Move? in
      let target = rail.ownContent[record] ?? record
      guard target != head.value.target else { return nil }
      return Transaction.Move(head.key, to: target, expecting: head.value.target)
    }
    let missing = try rail.objects.filter { try !examination.repository.contains($0.id) }
    // What is broken may be what was removed: then the rail itself is as good as it gets.
    guard !moves.isEmpty || !missing.isEmpty else { return }
    try step(.contents, "Note again which contents are kept.") {
      try openRepository().commit(Transaction(objects: missing, moves: moves))
      try look()
    }
  }

  /// What the references were at: where a head is bare because its contents could not be read, the ledger tells.
  private func formerTargets(_ targets: [ObjectID: ObjectID]) throws -> [ObjectID: ObjectID] {
    let noted = try HeadLedger(in: location.store).tail()?.heads ?? []
    return noted.reduce(into: targets) { targets, entry in
      if targets[entry.record] == entry.record { targets[entry.record] = entry.target }
    }
  }

  /// Notes the versions that nothing is left of, so that the others can be read.
  func giveUpLostVersions() throws {
    let examination = try known()
    let lost = examination.lostRecords.subtracting(examination.givenUp)
    guard !lost.isEmpty else { return }
    keepLosses(try findings(.record).filter { $0.severity == .damage })
    let names = lost.sorted().map(\.versionName).joined(separator: ", ")
    try step(.record, "Note that \(names) is lost, so that the others can be read.") {
      try replace(LostVersions.fileName, with: LostVersions.text(lost.union(examination.givenUp)))
      try look()
    }
  }

  /// Whether contents are here that the rail does not lead to any more.
  private func needsRail(_ examination: StoreExamination) throws -> Bool {
    if examination.isRailBroken { return true }
    if examination.contents.values.contains(where: { examination.lostRecords.contains($0.record) })
    {
      return true
    }
    return try examination.heads.values.contains { head in
      guard head.target == head.record, let record = examination.records[head.record] else {
        return false
      }
      return try examination.isComplete(record)
    }
  }
}
