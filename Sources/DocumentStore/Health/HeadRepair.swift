internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Repairs `HEAD` and the ledger.
struct HeadRepair {
  let session: RepairSession

  /// Creates a `HEAD` if there is none; without one, the store can't be opened.
  func repairHeadFile() throws {
    guard try session.check().references.head == nil else { return }
    let file = StoreFile.head.name
    try session.step(.head, "Write HEAD anew.", file: file) {
      try session.replace(file, with: "ref: \(HeadName.unshown)\n")
      try session.checkAgain()
    }
  }

  /// Puts `HEAD` at the head that the document shows; if it shows none, at the current version.
  func repairHead() throws {
    let check = try session.check()
    let isDamaged = try !session.findings(.head).isEmpty
    guard isDamaged || check.references.head == .attached(HeadName.unshown) else { return }
    let history = check.history
    let maximal = history.maximalHeads()
    let heads = history.heads.filter { maximal.contains($0.value.record) }
      .compactMap { name, head in history.records[head.record].map { (name: name, record: $0) } }
      .sorted { Record.isPreferred($0.record, to: $1.record) }
    let copies = try WorkingCopy.possible(
      at: session.location, clock: session.environment.fileClock)
    let shown = heads.first { head in
      copies.isEmpty
        ? head.record.content == nil
        : copies.contains { $0.content.isSame(as: head.record.content) }
    }
    // A HEAD that shows nothing is not damaged.
    guard let head = shown ?? (isDamaged ? heads.first : nil) else { return }
    let message = "Put HEAD at \(head.record.shortName)."
    try session.step(.head, message, file: StoreFile.head.name) {
      try session.openRepository().references.setHead(
        head.name == HeadName.main ? .attached(HeadName.main) : .detached(head.record.id))
    }
  }

  /// Writes a ledger of the present heads, if the old one is damaged or lists others.
  func repairLedger() throws {
    try session.checkAgain()
    let history = try session.check().history
    guard try !session.findings(.ledger, .lostReference).isEmpty, !history.heads.isEmpty else {
      return
    }
    // Only the ledger names a version that is lost for good: it stays in the backup, and the loss is
    // reported.
    try session.keepLosses(session.findings(.lostReference))
    let maximal = history.maximalHeads()
    let heads = history.heads.values.filter { maximal.contains($0.record) }
      .sorted { $0.record < $1.record }
    let file = StoreFile.ledger.name
    try session.step(.ledger, "Rewrite the ledger of heads.", file: file) {
      let entries = heads.map { HeadLedger.Entry(record: $0.record, target: $0.target) }
      try session.replace(file, with: HeadLedger.firstLine(entries))
    }
  }
}
