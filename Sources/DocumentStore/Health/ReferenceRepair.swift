internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Repairs references: takes damaged ones out of use, and recreates lost ones.
struct ReferenceRepair {
  let session: RepairSession

  // MARK: Damaged references

  /// Takes references out of use that are damaged, or lead to nothing readable.
  func repairDamaged() throws {
    let check = try session.check()
    let damaged = try session.findings(.reference).filter { $0.severity == .damage }
      .compactMap(\.file)
    let files = Set(damaged + unusableHeads(check).map(\.file))
    let packed = StoreFile.packedReferences.name
    for file in files.sorted() where file != packed && file != StoreFile.head.name {
      if let target = TrashGroup.target(of: file), try check.objects.commit(target) != nil {
        let message = "Write “\(file)” again: its name contains its value."
        try session.step(.reference, message, file: file) {
          try session.replace(file, with: "\(target)\n")
        }
      } else {
        let message = "Move the damaged “\(file)” to the quarantine."
        try session.step(.reference, message, file: file) { try session.quarantine(file) }
      }
    }
    if files.contains(packed) {
      let message = "Keep the sound lines of “\(packed)”."
      try session.step(.reference, message, file: packed) { try rewritePacked() }
    }
    if !files.isEmpty { try session.checkAgain() }
  }

  /// Returns the references of heads whose versions can't be read.
  private func unusableHeads(_ check: StoreCheck) -> [StoredReferences.Reference] {
    let history = check.history
    return check.references.below(HeadName.prefix).filter { name, _ in
      HeadName.isValid(name)
        && history.heads[name].flatMap { history.records[$0.record] } == nil
    }.map(\.reference)
  }

  /// Rewrites `packed-refs` with its intact references; the old file is in the backup.
  private func rewritePacked() throws {
    let check = try session.check()
    let unusable = unusableHeads(check)
    let file = StoreFile.packedReferences
    let sound = check.references.below(StoreFile.references.prefix).filter {
      $0.reference.file == file.name && check.objects.unreadable[$0.reference.target] == nil
        && !unusable.contains($0.reference)
    }
    let lines = sound.map { "\($0.reference.target) \($0.name)\n" }.joined()
    try session.replace(file.name, with: "# pack-refs with: sorted \n" + lines)
  }

  // MARK: Lost references

  /// Recreates the references in the ledger and, if requested, adds references to all versions that nothing
  /// leads to.
  func restoreLost() throws {
    for entry in try lostEntries() {
      guard let target = try readableTarget(entry) else { continue }
      let message = "Make the reference to \(entry.record.versionName) again."
      try session.step(.lostReference, message) { try restore(entry.record, at: target) }
    }
    for (file, head) in try session.check().history.foreignHeads.sorted(by: { $0.key < $1.key })
    where try !session.check().history.reachedRecords().contains(head.record) {
      let message = """
        Put \(head.record.versionName), to which “\(Printable.text(file))” leads, beside the others.
        """
      try session.step(.reference, message, file: file) {
        try restore(head.record, at: head.target)
      }
    }
    // If a head itself is gone, nothing leads to its ancestors either.
    let findsLost = session.findsLost
    guard try findsLost || isHeadGone() || session.check().hasLostAllHeads else { return }
    let history = try session.check().history
    let records = history.unreached.records.filter { history.isOwn($0.value) }
    let parents = Set(records.values.flatMap(\.parents))
    for id in records.keys.sorted() where !parents.contains(id) {
      let message = "Put \(id.versionName), which nothing leads to, beside the others."
      try session.step(.unreachable, message) {
        try restore(id, at: session.check().history.unreached.contents[id] ?? id)
      }
    }
    if findsLost { try restoreForgottenContents() }
  }

  /// Puts contents that nothing leads to into the trash.
  ///
  /// Removed contents don't belong beside the others, and lost ones can be restored from the trash.
  private func restoreForgottenContents() throws {
    let check = try session.check()
    let history = check.history
    let found = try history.forgottenContents.filter { record, content in
      try history.records[record].map(check.contents.isComplete) == true
        && check.objects.chain(endingWith: content)?
          .allSatisfy { history.records[$0.record] != nil } == true
    }
    let date = TrashGroup.date(
      at: session.date.milliseconds,
      afterVersionsUntil: history.records.values.map(\.facts.date).max() ?? 0)
    for (record, content) in found.sorted(by: { $0.key < $1.key }) {
      let message = """
        Put the contents of \(record.versionName), which nothing leads to, where “undelete” finds them.
        """
      try session.step(.unreachable, message) {
        try session.openRepository().setReference(
          "\(TrashGroup.prefix)\(date)-\(content)", to: content, expecting: nil)
      }
    }
    if !found.isEmpty { try session.checkAgain() }
  }

  /// Returns whether a head in the ledger's last line can no longer be read.
  private func isHeadGone() throws -> Bool {
    let lost = try lostVersions()
    guard let line = try HeadLedger(in: session.location.store).lines().last else { return false }
    return try (line ?? []).contains { try lost.contains($0.record) && readableTarget($0) == nil }
  }

  /// Returns the entries of the ledger that the references lack: those of the last line, or else of the last
  /// line with anything still readable.
  private func lostEntries() throws -> [HeadLedger.Entry] {
    let lost = try lostVersions()
    guard !lost.isEmpty else { return [] }
    let reached = try session.check().history.reachedRecords()
    var isLast = true
    for line in try HeadLedger(in: session.location.store).lines().reversed() {
      guard let line else { continue }
      let missing = line.filter {
        isLast ? lost.contains($0.record) : !reached.contains($0.record)
      }
      isLast = false
      if try missing.contains(where: { try readableTarget($0) != nil }) { return missing }
    }
    return []
  }

  private func lostVersions() throws -> Set<ObjectID> {
    Set(try session.findings(.lostReference).flatMap(\.versions).map(\.objectID))
  }

  /// Returns the new target of a reference: the contents, or else only the record; `nil` if the version can't
  /// be read.
  private func readableTarget(_ entry: HeadLedger.Entry) throws -> ObjectID? {
    let objects = try session.check().objects
    guard try objects.commit(entry.record) != nil else { return nil }
    return try objects.commit(entry.target) != nil ? entry.target : entry.record
  }

  private func restore(_ record: ObjectID, at target: ObjectID) throws {
    let repository = try session.openRepository()
    let heads = try session.check().history.heads
    // A reference that went back is moved forward; any other is added to the existing ones.
    let back = heads.first { $0.value.record == record }
    let isFirst = try heads.isEmpty && repository.references.value(of: HeadName.main) == nil
    let name = back?.key ?? (isFirst ? HeadName.main : HeadName.prefix + record.description)
    try repository.setReference(name, to: target, expecting: repository.references.value(of: name))
    try session.checkAgain()
  }
}
