internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// References, `HEAD` and the ledger.
extension StoreRepair {
  /// Puts some `HEAD` in place where there is none: without one, the store cannot be opened.
  func repairHeadFile() throws {
    let path = location.store.appending("HEAD")
    guard try known().references.head == nil else { return }
    try step(.head, "Write HEAD anew.", file: "HEAD") {
      if try FileStatus.of(path)?.kind != .file { try quarantine("HEAD") }
      try replace("HEAD", with: "ref: \(Head.none)\n")
      try look()
    }
  }

  /// Takes references out of use that are damaged, or lead to nothing that can be read.
  func repairReferences() throws {
    let examination = try known()
    let damaged = try findings(.reference).filter { $0.severity == .damage }.compactMap(\.file)
    let files = Set(damaged + unusableHeads(examination).map(\.file))
    for file in files.sorted() where file != "packed-refs" && file != "HEAD" {
      if let target = TrashGroup.target(of: file), try examination.commit(target) != nil {
        try step(.reference, "Write “\(file)” again: its name tells what it was at.", file: file) {
          try replace(file, with: "\(target)\n")
        }
      } else {
        try step(.reference, "Move the damaged “\(file)” to the quarantine.", file: file) {
          try quarantine(file)
        }
      }
    }
    if files.contains("packed-refs") {
      try step(.reference, "Keep the sound lines of “packed-refs”.", file: "packed-refs") {
        try rewritePacked()
      }
    }
    if !files.isEmpty, !store.isDryRun { try look() }
  }

  /// The references of heads whose versions cannot be read.
  private func unusableHeads(_ examination: StoreExamination) -> [StoredReferences.Reference] {
    examination.references.below(Head.prefix).filter { name, _ in
      Head.isName(name) && examination.heads[name].flatMap { examination.records[$0.record] } == nil
    }.map(\.reference)
  }

  /// Writes the sound references of `packed-refs` again; the old file is in the backup.
  private func rewritePacked() throws {
    let examination = try known()
    let unusable = unusableHeads(examination)
    let sound = examination.references.below("refs/").filter {
      $0.reference.file == "packed-refs" && examination.unreadable[$0.reference.target] == nil
        && !unusable.contains($0.reference)
    }
    if try FileStatus.of(location.store.appending("packed-refs"))?.kind != .file {
      try quarantine("packed-refs")
    }
    let lines = sound.map { "\($0.reference.target) \($0.name)\n" }.joined()
    try replace("packed-refs", with: "# pack-refs with: sorted \n" + lines)
  }

  /// Makes references again that the ledger tells of; and if that is wanted, to all versions that nothing
  /// leads to.
  func restoreLostReferences() throws {
    for entry in try lostEntries() {
      guard let target = try readableTarget(entry) else { continue }
      try step(.lostReference, "Make the reference to \(entry.record.versionName) again.") {
        try restore(entry.record, at: target)
      }
    }
    for (file, head) in try known().foreignHeads.sorted(by: { $0.key < $1.key })
    where try !known().reachedRecords().contains(head.record) {
      let message = """
        Put \(head.record.versionName), to which “\(Printable.text(file))” leads, beside the others.
        """
      try step(.reference, message, file: file) { try restore(head.record, at: head.target) }
    }
    // Where a head itself is gone, what it was made from has nothing that leads to it either.
    guard try options.findsLost || isHeadGone() || known().hasLostAllHeads else { return }
    let examination = try known()
    let stray = examination.strayRecords.filter { examination.isOwn($0.value) }
    let parents = Set(stray.values.flatMap(\.parents))
    for id in stray.keys.sorted() where !parents.contains(id) {
      try step(.unreachable, "Put \(id.versionName), which nothing leads to, beside the others.") {
        try restore(id, at: known().strayContents[id] ?? id)
      }
    }
    if options.findsLost { try restoreForgottenContents() }
  }

  /// Puts contents that nothing leads to into the trash: who removed them does not want them beside the others, and who
  /// lost them can bring them back.
  private func restoreForgottenContents() throws {
    let examination = try known()
    let found = try examination.forgottenContents.filter { record, content in
      try examination.records[record].map(examination.isComplete) == true
        && examination.isWholeRail(content)
    }
    let date = TrashGroup.date(
      at: store.clock().milliseconds,
      afterVersionsUntil: examination.records.values.map(\.facts.date).max() ?? 0)
    for (record, content) in found.sorted(by: { $0.key < $1.key }) {
      let message = """
        Put the contents of \(record.versionName), which nothing leads to, where “undelete” finds them.
        """
      try step(.unreachable, message) {
        try openRepository().setReference(
          "\(TrashGroup.prefix)\(date)-\(content)", to: content, expecting: nil)
      }
    }
    if !found.isEmpty, !store.isDryRun { try look() }
  }

  /// Whether a head that the ledger tells of last cannot be read any more.
  private func isHeadGone() throws -> Bool {
    let lost = Set(try findings(.lostReference).flatMap(\.versions).map(\.description))
    guard let line = try HeadLedger(in: location.store).lines().last else { return false }
    return try (line ?? []).contains {
      try lost.contains($0.record.description) && readableTarget($0) == nil
    }
  }

  /// What the ledger tells of and the references do not: of the last line, or else of the last one of which
  /// something can still be read.
  private func lostEntries() throws -> [HeadLedger.Entry] {
    let lost = Set(try findings(.lostReference).flatMap(\.versions).map(\.description))
    guard !lost.isEmpty else { return [] }
    let reached = try known().reachedRecords()
    var isLast = true
    for line in try HeadLedger(in: location.store).lines().reversed() {
      guard let line else { continue }
      let missing = line.filter {
        isLast ? lost.contains($0.record.description) : !reached.contains($0.record)
      }
      isLast = false
      if try missing.contains(where: { try readableTarget($0) != nil }) { return missing }
    }
    return []
  }

  /// What the reference shall be at: the contents, or else the record alone; nil where the version cannot
  /// be read.
  private func readableTarget(_ entry: HeadLedger.Entry) throws -> ObjectID? {
    let examination = try known()
    guard try examination.commit(entry.record) != nil else { return nil }
    return try examination.commit(entry.target) != nil ? entry.target : entry.record
  }

  private func restore(_ record: ObjectID, at target: ObjectID) throws {
    let repository = try openRepository()
    let own = Head.prefix + record.description
    let examination = try known()
    // A reference that went back is moved on; any other is made beside those that are there.
    let back = examination.heads.first { $0.value.record == record }
    let isFirst = try examination.heads.isEmpty && repository.reference(Head.main) == nil
    let name = back?.key ?? (isFirst ? Head.main : own)
    try repository.setReference(name, to: target, expecting: repository.reference(name))
    try look()
  }

  /// The repository, as libgit2 opens it: its config and `HEAD` are sound by now.
  func openRepository() throws -> Repository {
    try Repository(store: location.store)
  }

  // MARK: HEAD

  /// Puts `HEAD` at the head that the document shows; where it shows none, at the current version.
  func repairHead() throws {
    guard try !findings(.head).isEmpty || known().references.head == .attached(Head.none) else {
      return
    }
    let examination = try known()
    let maximal = examination.maximalHeads()
    let heads = examination.heads.filter { maximal.contains($0.value.record) }
      .compactMap { name, head in examination.records[head.record].map { (name: name, record: $0) }
      }
      .sorted { Record.isPreferred($0.record, to: $1.record) }
    let present = try WorkingCopy.read(location)
    let shown = heads.first { head in
      present.map { $0.content.isSame(as: head.record.content) } ?? (head.record.content == nil)
    }
    // Nothing is shown, and nothing is damaged.
    if shown == nil, try findings(.head).isEmpty { return }
    guard let head = shown ?? heads.first else { return }
    try step(.head, "Put HEAD at \(head.record.shortName).", file: "HEAD") {
      try openRepository().setHead(
        head.name == Head.main ? .attached(Head.main) : .detached(head.record.id))
    }
  }

  // MARK: The ledger

  /// Writes a ledger of the heads that there are, where the old one is damaged or tells of others.
  func repairLedger() throws {
    if !store.isDryRun { try look() }
    let examination = try known()
    guard try !findings(.ledger, .lostReference).isEmpty, !examination.heads.isEmpty else { return }
    // Of a version that is lost for good, the ledger is all there is: it stays in the backup, and is told.
    try keepLosses(findings(.lostReference))
    let maximal = examination.maximalHeads()
    let heads = examination.heads.values.filter { maximal.contains($0.record) }
      .sorted { $0.record < $1.record }
    try step(.ledger, "Write the ledger of heads anew.", file: "ledger") {
      let entries = heads.map { HeadLedger.Entry(record: $0.record, target: $0.target) }
      try replace("ledger", with: HeadLedger.firstLine(entries))
    }
  }
}
