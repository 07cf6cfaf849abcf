internal import DocumentFiles
internal import DocumentGit

/// The references, the records that they lead to, and the ledger that says which there must be.
extension StoreExamination {
  /// Follows every reference, and from there every record and every content.
  func checkReferences() throws {
    for broken in references.damage {
      damage(.reference, "The file “\(broken.file)” \(broken.words).", file: broken.file)
    }
    let own = references.below(Head.prefix) + references.below(TrashGroup.prefix)
    for (name, reference) in own {
      guard let commit = try commit(reference.target) else {
        damage(
          .reference,
          "“\(name)” is at \(reference.target), which can’t be read\(reason(reference.target)).",
          file: reference.file)
        continue
      }
      // What was not named by us may lead anywhere.
      let isForeign = name.hasPrefix(Head.prefix) && !Head.isName(name)
      guard !isForeign, let record = try record(at: reference.target, commit) else { continue }
      if name.hasPrefix(Head.prefix) {
        heads[name] = (record, reference.target)
      } else {
        headsInTrash[record] = reference.target
      }
    }
    try followRecords()
    noteHeadsInTrash()
    try checkForeignReferences()
  }

  /// Looks for versions that only a reference of another name leads to: so does a tool leave them that syncs a store
  /// file by file, and puts the other device's reference beside this one's.
  private func checkForeignReferences() throws {
    let reached = reachedRecords()
    for (name, reference) in references.below(Head.prefix) where !Head.isName(name) {
      guard let commit = try commit(reference.target),
        let record = Record.isRecord(commit)
          ? reference.target : try contentCommit(reference.target, commit)?.record,
        !reached.contains(record), try isOwnRecord(record)
      else { continue }
      foreignHeads[name] = (record, reference.target)
      notice(
        .reference,
        """
        “\(Printable.text(reference.file))” is no reference of the store’s, but \(record.versionName), to which it \
        leads, is not among the others.
        """, file: reference.file, versions: [record])
    }
  }

  /// Whether a record can be read, and is one of this document.
  private func isOwnRecord(_ id: ObjectID) throws -> Bool {
    guard let commit = try commit(id), Record.isRecord(commit),
      let record = try parse(id, { try Record(id: id, decoding: commit) })
    else { return false }
    return isOwn(record)
  }

  /// Whether a record is of the document that the others are of.
  func isOwn(_ record: Record) -> Bool {
    records.isEmpty || records.values.contains { $0.facts.document == record.facts.document }
  }

  /// The record that a reference stands for; the contents before it are looked at on the way.
  private func record(at target: ObjectID, _ commit: Commit) throws -> ObjectID? {
    if Record.isRecord(commit) { return target }
    var pending = [target]
    while let next = pending.popLast() {
      guard contents[next] == nil else { continue }
      guard let commit = try self.commit(next),
        let content = try parse(next, { try ContentCommit(id: next, decoding: commit) })
      else {
        damage(
          .contents, "What says which contents are kept can’t be read\(reason(next)).")
        isRailBroken = true
        continue
      }
      contents[next] = content
      pending += content.predecessors
    }
    return contents[target]?.record
  }

  /// The contents on the rails that end with these commits, as far as they can be read.
  func rail(from ends: some Sequence<ObjectID>) -> [ContentCommit] {
    var rail: [ObjectID: ContentCommit] = [:]
    var pending = Array(ends)
    while let next = pending.popLast() {
      guard rail[next] == nil, let content = contents[next] else { continue }
      rail[next] = content
      pending += content.predecessors
    }
    return Array(rail.values)
  }

  /// Whether a commit of the content rail can be read, with all before it and the records of all these.
  func isWholeRail(_ end: ObjectID) throws -> Bool {
    var seen: Set<ObjectID> = []
    var pending = [end]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard let commit = try commit(next), let content = try contentCommit(next, commit),
        records[content.record] != nil
      else { return false }
      pending += content.predecessors
    }
    return true
  }

  /// Reads every record that a head or a content leads to.
  private func followRecords() throws {
    var pending = heads.values.map(\.record) + contents.values.map(\.record)
    var seen: Set<ObjectID> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard let commit = try commit(next),
        let record = try parse(next, { try Record(id: next, decoding: commit) })
      else {
        noteLostRecord(next)
        continue
      }
      records[next] = record
      pending += record.parents
    }
  }

  /// What is there after a removal was made from what was there before: where the trash alone leads to a head, that one
  /// was lost.
  private func noteHeadsInTrash() {
    // What is kept tells of versions, too, where a record between is lost.
    let kept = rail(from: heads.values.map(\.target)).map(\.record)
    let reached = ancestry(of: heads.values.map(\.record) + kept)
    for (record, target) in headsInTrash where !reached.contains(record) && records[record] != nil {
      for id in ancestry(of: [record]).subtracting(reached) { strayRecords[id] = records[id] }
      if target != record { strayContents[record] = target }
    }
  }

  private func noteLostRecord(_ id: ObjectID) {
    lostRecords.insert(id)
    if givenUp.contains(id) {
      return notice(
        .record, "\(id.versionName) was lost, and a repair has noted so.", versions: [id])
    }
    damage(
      .record, "What tells of \(id.versionName) can’t be read\(reason(id)).", versions: [id])
  }

  // MARK: HEAD

  /// `HEAD` must be at the line that the first save began, at nothing by name, or at a record.
  func checkHead() throws {
    switch references.head {
    case nil:
      damage(.head, "HEAD, which tells the version that the document shows, is lost.", file: "HEAD")
    case .attached(Head.none): break
    case .attached(Head.main) where heads[Head.main] != nil || heads.isEmpty: break
    case .attached(let name):
      damage(.head, "HEAD is at “\(Printable.text(name))”, which does not exist.", file: "HEAD")
    case .detached(let id) where records[id] != nil: break
    case .detached(let id):
      damage(.head, "HEAD is at \(id.versionName), which no reference leads to.", file: "HEAD")
    }
  }

  /// A `HEAD` that is behind: the document shows a later version, which follows the one that it tells.
  ///
  /// So does a change leave it that was interrupted; the next one finishes it.
  func checkShownVersion() throws {
    guard let shown = shownRecord(), !maximalHeads().contains(shown),
      let present = try WorkingCopy.read(location),
      records[shown].map({ !present.content.isSame(as: $0.content) }) == true
    else { return }
    let followers = maximalHeads().compactMap { records[$0] }.filter {
      ancestry(of: [$0.id]).contains(shown) && present.content.isSame(as: $0.content)
    }
    guard let reached = followers.first else { return }
    notice(
      .head, "The document shows \(reached.shortName), and HEAD is still at \(shown.versionName).",
      file: "HEAD", versions: [reached.id])
  }

  private func shownRecord() -> ObjectID? {
    switch references.head {
    case .detached(let id)?: id
    case .attached(let name)?: heads[name]?.record
    case nil: nil
    }
  }

  // MARK: The ledger

  /// Compares the ledger with the references, both ways.
  func checkLedger() throws {
    let ledger = HeadLedger(in: location.store)
    let lines: [[HeadLedger.Entry]?]
    let tail: HeadLedger.Tail?
    do {
      (lines, tail) = (try ledger.lines(), try ledger.tail())
    } catch let error as FileError where error.code == .unsupportedKind {
      // That is told already.
      return
    }
    noteLedgerState(lines, tail)
    let reached = reachedRecords()
    for entry in tail?.heads ?? [] {
      if !reached.contains(entry.record) {
        damage(
          .lostReference,
          "The reference to \(entry.record.versionName) is lost: nothing leads to it any more.",
          versions: [entry.record])
      } else if let head = heads.values.first(where: { $0.record == entry.record }),
        head.target != entry.target,
        lines.dropLast().contains(where: {
          $0?.contains { $0.record == head.record && $0.target == head.target } == true
        }), try !keepsAll(of: entry.target, now: head.target)
      {
        damage(
          .lostReference,
          "The reference to \(entry.record.versionName) is what it was before contents changed.",
          versions: [entry.record])
      }
    }
  }

  /// Whether a head keeps the contents that it kept at another place: so where a removal was taken back, and the ledger
  /// has not heard of it yet.
  private func keepsAll(of former: ObjectID, now target: ObjectID) throws -> Bool {
    var kept: Set<ObjectID> = []
    var pending = [former]
    var seen: Set<ObjectID> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      do {
        guard let commit = try self.commit(next) else { return false }
        let content = try ContentCommit(id: next, decoding: commit)
        kept.insert(content.record)
        pending += content.predecessors
      } catch is GitError {
        return false
      }
    }
    return kept.isSubset(of: rail(from: [target]).map(\.record))
  }

  private func noteLedgerState(_ lines: [[HeadLedger.Entry]?], _ tail: HeadLedger.Tail?) {
    let damaged = lines.filter { $0 == nil }.count
    if damaged > 0 {
      notice(
        .ledger, "The ledger of heads has \(damaged) damaged or torn lines.", file: "ledger")
    }
    guard !heads.isEmpty else { return }
    guard let tail else {
      notice(.ledger, "There is no ledger of heads; the next change begins one.", file: "ledger")
      return
    }
    let maximal = maximalHeads()
    if Set(tail.heads.map(\.record)) != maximal, damaged == 0 {
      notice(.ledger, "The ledger of heads is behind; the next change adds to it.", file: "ledger")
    }
  }

  /// The heads' records, and all that they were made from.
  func reachedRecords() -> Set<ObjectID> {
    ancestry(of: heads.values.map(\.record))
  }

  /// The records of the heads that no other head was made from.
  func maximalHeads() -> Set<ObjectID> {
    let all = Set(heads.values.map(\.record))
    let parents = all.compactMap { records[$0] }.flatMap(\.parents)
    return all.subtracting(ancestry(of: parents))
  }

  private func ancestry(of ids: [ObjectID]) -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    var pending = ids
    while let next = pending.popLast() {
      if found.insert(next).inserted { pending += records[next]?.parents ?? [] }
    }
    return found
  }
}
