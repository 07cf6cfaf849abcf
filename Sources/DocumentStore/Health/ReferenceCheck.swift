internal import DocumentFiles
internal import DocumentGit

/// Follows every reference, and from there every record and every content.
struct ReferenceCheck {
  private let references: StoredReferences
  private let objects: StoredObjects
  private let findings: FindingList
  private let givenUp: Set<ObjectID>
  private var history = StoredHistory()
  /// The targets of the trash's references, by the heads from before a removal.
  private var headsInTrash: [ObjectID: ObjectID] = [:]

  /// Checks the references.
  ///
  /// - Parameter givenUp: the versions that a repair has given up.
  /// - Returns: the records and contents that the references lead to.
  static func history(
    of references: StoredReferences, _ objects: StoredObjects, _ findings: FindingList,
    givenUp: Set<ObjectID>
  ) throws -> StoredHistory {
    var check = ReferenceCheck(
      references: references, objects: objects, findings: findings, givenUp: givenUp)
    try check.run()
    return check.history
  }

  private init(
    references: StoredReferences, objects: StoredObjects, findings: FindingList,
    givenUp: Set<ObjectID>
  ) {
    self.references = references
    self.objects = objects
    self.findings = findings
    self.givenUp = givenUp
  }

  private mutating func run() throws {
    for broken in references.damage {
      findings.damage(
        .reference, "The file “\(broken.file)” \(broken.words).", file: broken.file)
    }
    let own = references.below(HeadName.prefix) + references.below(TrashGroup.prefix)
    for (name, reference) in own {
      let target = reference.target
      guard let commit = try objects.commit(target) else {
        findings.damage(
          .reference, "“\(name)” is at \(target), which can’t be read\(objects.reason(target)).",
          file: reference.file)
        continue
      }
      // A reference with another name may lead anywhere.
      let isHead = name.hasPrefix(HeadName.prefix)
      guard !isHead || HeadName.isValid(name), let record = try record(at: target, commit) else {
        continue
      }
      if isHead {
        history.heads[name] = StoredHistory.End(record: record, target: target)
      } else {
        headsInTrash[record] = target
      }
    }
    try followRecords()
    addHeadsInTrash()
    try checkForeignReferences()
  }

  /// Finds versions that only a reference with a foreign name leads to.
  ///
  /// They come from a tool that syncs a store file by file, and puts the other device's reference beside this
  /// one's.
  private mutating func checkForeignReferences() throws {
    let reached = history.reachedRecords()
    for (name, reference) in references.below(HeadName.prefix) where !HeadName.isValid(name) {
      let target = reference.target
      guard let commit = try objects.commit(target),
        let record = Record.isRecord(commit)
          ? target : try objects.content(target, from: commit)?.record,
        !reached.contains(record), try isOwnRecord(record)
      else { continue }
      history.foreignHeads[name] = StoredHistory.End(record: record, target: target)
      findings.notice(
        .reference,
        """
        “\(Printable.text(reference.file))” is no reference of the store’s, but \(record.versionName), to which it \
        leads, is not among the others.
        """, file: reference.file, versions: [record])
    }
  }

  /// Returns whether a record is readable and belongs to this document.
  private func isOwnRecord(_ id: ObjectID) throws -> Bool {
    guard let commit = try objects.commit(id), Record.isRecord(commit),
      let record = try objects.record(id)
    else { return false }
    return history.isOwn(record)
  }

  /// Returns the record that a reference represents, and reads the contents before it.
  private mutating func record(at target: ObjectID, _ commit: Commit) throws -> ObjectID? {
    if Record.isRecord(commit) { return target }
    var pending = [target]
    while let next = pending.popLast() {
      guard history.contents[next] == nil else { continue }
      guard let content = try objects.content(next) else {
        findings.damage(
          .contents, "What says which contents are kept can’t be read\(objects.reason(next)).")
        history.isChainBroken = true
        continue
      }
      history.contents[next] = content
      pending += content.predecessors
    }
    return history.contents[target]?.record
  }

  /// Reads every record that a head or a content leads to.
  private mutating func followRecords() throws {
    var pending =
      history.heads.values.map(\.record) + history.contents.values.map(\.record)
    var seen: Set<ObjectID> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard let record = try objects.record(next) else {
        reportLostRecord(next)
        continue
      }
      history.records[next] = record
      pending += record.parents
    }
  }

  private mutating func reportLostRecord(_ id: ObjectID) {
    history.lostRecords.insert(id)
    if givenUp.contains(id) {
      findings.notice(
        .record, "\(id.versionName) was lost, and a repair has given it up.", versions: [id])
    } else {
      findings.damage(
        .record, "The record of \(id.versionName) can’t be read\(objects.reason(id)).",
        versions: [id])
    }
  }

  /// Adds the heads that only the trash leads to, as unreached versions.
  ///
  /// A removal keeps a version that descends from all earlier ones, so a head that only the trash leads to
  /// was lost.
  private mutating func addHeadsInTrash() {
    // A content also names its version, in case a record between them is lost.
    let kept = history.chain(from: history.heads.values.map(\.target)).map(\.record)
    let reached = history.ancestry(of: history.heads.values.map(\.record) + kept)
    for (record, target) in headsInTrash
    where !reached.contains(record) && history.records[record] != nil {
      for id in history.ancestry(of: [record]).subtracting(reached) {
        history.unreached.records[id] = history.records[id]
      }
      if target != record { history.unreached.contents[record] = target }
    }
  }
}
