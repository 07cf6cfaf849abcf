internal import DocumentFiles
internal import DocumentGit

/// Compares the ledger with the references in both directions.
struct LedgerCheck {
  let ledger: HeadLedger
  let history: StoredHistory
  let objects: StoredObjects
  let findings: FindingList

  private typealias Lines = [[HeadLedger.Entry]?]

  func run() throws {
    let lines: Lines
    let tail: HeadLedger.Tail?
    do {
      (lines, tail) = (try ledger.lines(), try ledger.tail())
    } catch let error as FileError where error.code == .unsupportedKind {
      // This is reported as a misplaced item.
      return
    }
    checkState(lines, tail)
    let reached = history.reachedRecords()
    for entry in tail?.heads ?? [] {
      if !reached.contains(entry.record) {
        findings.damage(
          .lostReference,
          "The reference to \(entry.record.versionName) is lost: nothing leads to it any more.",
          versions: [entry.record])
      } else if let target = formerTarget(of: entry, lines) {
        try reportGoneBack(entry, to: target)
      }
    }
  }

  private func checkState(_ lines: Lines, _ tail: HeadLedger.Tail?) {
    let damaged = lines.filter { $0 == nil }.count
    if damaged > 0 { notice("The ledger of heads has \(damaged) damaged or torn lines.") }
    guard !history.heads.isEmpty else { return }
    guard let tail else {
      return notice("There is no ledger of heads; the next change creates one.")
    }
    if Set(tail.heads.map(\.record)) != history.maximalHeads(), damaged == 0 {
      notice("The ledger of heads is behind; the next change adds to it.")
    }
  }

  private func notice(_ message: String) {
    findings.notice(.ledger, message, file: StoreFile.ledger.name)
  }

  /// Returns a reference's target if it isn't that of the last line, but of an earlier one.
  private func formerTarget(of entry: HeadLedger.Entry, _ lines: Lines) -> ObjectID? {
    guard let head = history.heads.values.first(where: { $0.record == entry.record }),
      head.target != entry.target
    else { return nil }
    let present = HeadLedger.Entry(record: head.record, target: head.target)
    return lines.dropLast().contains { $0?.contains(present) == true } ? head.target : nil
  }

  /// Reports a reference that leads to a former target: as damage if that lacks contents of the last one.
  private func reportGoneBack(_ entry: HeadLedger.Entry, to target: ObjectID) throws {
    if try keepsAll(of: entry.target, now: target) {
      findings.notice(
        .unreachable,
        """
        Contents of earlier versions are there again that were removed before \(entry.record.versionName): \
        an interrupted undo, or the reference is older than the removal.
        """, versions: [entry.record])
    } else {
      findings.damage(
        .lostReference,
        "The reference to \(entry.record.versionName) is older than its contents.",
        versions: [entry.record])
    }
  }

  /// Returns whether a head keeps the contents of another target; it does if a removal was undone and the
  /// ledger doesn't record that yet.
  private func keepsAll(of former: ObjectID, now target: ObjectID) throws -> Bool {
    guard let kept = try objects.chain(endingWith: former) else { return false }
    return Set(kept.map(\.record)).isSubset(of: history.chain(from: [target]).map(\.record))
  }
}
