internal import DocumentGit
internal import Foundation

/// Moving heads: the commit point of every operation.
extension OpenStore {
  /// What a reference that is at `target` stands for.
  func head(_ name: String, at target: ObjectID) throws -> Head {
    let commit = try repository.commit(target)
    // Where the content is not on this device, the reference is at the bare record.
    let content =
      Record.isRecord(commit) ? nil : try ContentCommit(id: target, decoding: commit)
    let record = try record(content?.record ?? target)
    // Under a wrong name its versions would go to all devices as those of another document.
    guard record.facts.document == documentIdentifier else {
      throw GitError.malformed("its config names another document than its versions")
    }
    return Head(name: name, target: target, record: record, content: content)
  }

  /// Whether a version is one of the heads, or one that they were made from.
  func isReached(_ id: ObjectID, from heads: [Head]) throws -> Bool {
    if heads.contains(where: { $0.record.id == id }) { return true }
    guard try repository.contains(id) else { return false }
    return try heads.contains { try isAncestor(id, of: $0.record.id) }
  }

  /// Makes the records the heads, and nothing else.
  ///
  /// Each reference moves by compare-and-swap; the first one moved, the first record's, is what makes the
  /// operation happen. References of versions that the new heads descend from go last, and if they
  /// stay after a crash they change nothing: they are ancestors.
  ///
  /// - Parameters:
  ///   - records: the new heads, the one that matters first.
  ///   - targets: what each record's reference points at: its content, or the record itself.
  ///   - objects: what is written first.
  ///   - shown: the version that the document on disk shows once the heads have moved; by default the same
  ///     as before.
  func moveHeads(
    to records: [ObjectID], targets: [ObjectID: ObjectID], objects: [GitObject] = [],
    showing shown: ObjectID? = nil
  ) throws {
    try Head.check(count: records.count)
    let (moves, settled) = try movesOfHeads(to: records, targets: targets)
    try detachHead(before: moves, deleting: settled, showing: shown)
    try repository.commit(
      Transaction(
        objects: objects,
        moves: moves.filter { $0.target != $0.old }.map {
          Transaction.Move($0.name, to: $0.target, expecting: $0.old)
        }),
      // Counted when they were read; here it may only stop.
      advance: { _ in try meter.advance(0) })
    tidyUp {
      for head in settled {
        try repository.deleteReference(head.name, expecting: head.target)
      }
    }
    forgetHeads()
    tidyUp { try noteHeads() }
    if repository.hasTooManyPacks {
      tidyUp { try repository.compactPacks(check: { try meter.advance(0) }) }
    } else if repository.hasManyPacks {
      Maintenance.shared.compactPacks(of: location.store)
    }
  }

  /// Does what only keeps a store in order, once a change is made: should it fail, the change stands all the
  /// same, and the next one does it.
  func tidyUp(_ body: () throws -> Void) {
    do { try body() } catch {}
  }

  /// A reference that moves, and the version that it stands for then.
  private struct HeadMove {
    let name: String
    let record: ObjectID
    let target: ObjectID
    let old: ObjectID?
  }

  /// Which references move so that the records are the heads, and which ones are not needed any more.
  private func movesOfHeads(
    to records: [ObjectID], targets: [ObjectID: ObjectID]
  ) throws -> (moves: [HeadMove], settled: [Head]) {
    var references = try allHeads().sorted { $0.name == Head.main && $1.name != Head.main }
    let isFirst = references.isEmpty
    var moves: [HeadMove] = []
    for record in records {
      guard let target = targets[record] else { continue }
      if let index = try reusableReference(for: record, in: references, among: records) {
        let reference = references.remove(at: index)
        moves.append(
          HeadMove(name: reference.name, record: record, target: target, old: reference.target))
      } else {
        let name = isFirst && moves.isEmpty ? Head.main : "\(Head.prefix)\(record)"
        moves.append(HeadMove(name: name, record: record, target: target, old: nil))
      }
    }
    return (moves, references)
  }

  /// Keeps `HEAD` at the version that the document shows, where the reference that it is attached to moves on
  /// without the document.
  private func detachHead(
    before moves: [HeadMove], deleting settled: [Head], showing shown: ObjectID?
  ) throws {
    guard try repositoryHead() == .attached(Head.main) else { return }
    let base = try base()
    let isGoing = settled.contains { $0.name == Head.main }
    let next = moves.first { $0.name == Head.main }?.record ?? (isGoing ? nil : base?.id)
    guard next != shown ?? base?.id else { return }
    try setHead(base.map { .detached($0.id) } ?? .attached(Head.none))
  }

  /// Writes the heads down in the ledger.
  func noteHeads() throws {
    let heads = try ledgerEntries()
    if !heads.isEmpty { try noteInLedger(heads) }
  }

  /// Begins the ledger again: what it told before is known to be well.
  func restartLedger() throws {
    try restartLedger(with: ledgerEntries())
  }

  /// The heads as the ledger tells them.
  func ledgerEntries() throws -> [HeadLedger.Entry] {
    try divergentHeads().map { HeadLedger.Entry(record: $0.record.id, target: $0.target) }
  }

  /// The reference that a new head takes over: its own, or one of a version that it descends from.
  private func reusableReference(
    for record: ObjectID, in references: [Head], among records: [ObjectID]
  ) throws -> Int? {
    if let own = references.firstIndex(where: { $0.record.id == record }) { return own }
    return try references.firstIndex { reference in
      try !records.contains(reference.record.id) && isAncestor(reference.record.id, of: record)
    }
  }

  /// Writes a version that follows one record, as the new head of its line, or as one more head if
  /// that line has gone on meanwhile.
  ///
  /// - Parameters:
  ///   - facts: what the record says; its date is moved behind its parent's if need be.
  ///   - base: the record that the version was made from; nil for a first version.
  ///   - copy: the document that the version is of, not written yet; nil where its content is stored.
  ///   - others: further objects of the content.
  ///   - isShown: whether it is what the document on disk shows.
  func append(
    _ facts: Record.Facts, to base: Record?, of copy: (any SavedCopy)? = nil,
    and others: [GitObject] = [], isShown: Bool = false
  ) throws -> Record {
    let parents = [base].compactMap { $0 }
    let (record, recordObject) = try Record.make(
      facts.later(than: parents), parents: parents.map(\.id))
    let predecessors = try contents(upTo: parents).map(\.id)
    var (newContent, contentObject) = try ContentCommit.make(
      for: record, predecessors: predecessors)
    // Records stay whole: what a version is must not depend on bytes of another one.
    contentObject.likeness = predecessors.first
    remember(record)
    let otherHeads = try divergentHeads().filter { $0.record.id != base?.id }
    var targets = Dictionary(
      otherHeads.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = newContent.id
    let isFirst = try allHeads().isEmpty
    let former = isFirst ? nil : try indexState()
    // Of a large document there are 100,000; none is copied more often than need be.
    let ofContent = others.isEmpty ? copy?.objects ?? [] : (copy?.objects ?? []) + others
    let new = try newObjects(
      ofContent, of: record.content?.tree, following: base, besides: copy?.storedFolders ?? [])
    try moveHeads(
      to: [record.id] + otherHeads.map(\.record.id), targets: targets,
      objects: new + (isFirst ? [GitObject(.tree, [])] : []) + [recordObject, contentObject],
      showing: isShown ? record.id : nil)
    tidyUp { try noteVersion(record, newContent, after: former) }
    return record
  }

  /// Those of a content's objects that the version before does not have, each with what it resembles there.
  ///
  /// What is stored but not reachable is written again: git may be about to drop it.
  ///
  /// - Parameters:
  ///   - tree: the content; nil where it is not known which.
  ///   - stored: trees of that version of which nothing is among the objects.
  func newObjects(
    _ objects: [GitObject], of tree: ObjectID? = nil, following base: Record?,
    besides stored: Set<ObjectID> = []
  ) throws -> [GitObject] {
    guard let base, let former = base.content?.tree, try content(of: base.id) != nil else {
      return objects
    }
    var trees: [ObjectID: Tree] = [:]
    let known = try objectsReachable(from: former, besides: stored, keeping: &trees)
    let new = try objects.filter { object in
      guard known.contains(object.id) else { return true }
      try object.refuseForgery()
      return false
    }
    guard let tree else { return new }
    var likeness = Likeness(of: new)
    try likeness.compare(tree, with: former) { try trees[$0] ?? repository.tree($0) }
    return likeness.noted(in: new)
  }

  private func objectsReachable(
    from tree: ObjectID, besides stored: Set<ObjectID>, keeping trees: inout [ObjectID: Tree]
  ) throws -> Set<ObjectID> {
    let read = try repository.tree(tree)
    trees[tree] = read
    var found: Set<ObjectID> = [tree]
    for entry in read.entries {
      if entry.mode == .folder, !found.contains(entry.id), !stored.contains(entry.id) {
        found.formUnion(try objectsReachable(from: entry.id, besides: stored, keeping: &trees))
      }
      found.insert(entry.id)
    }
    return found
  }

  /// The facts of a new version of this document.
  ///
  /// - Parameters:
  ///   - kind: what makes the version.
  ///   - base: the version that it is made from.
  ///   - content: the contents; nil for a deletion.
  ///   - modified: when they were modified, in milliseconds since 1970; now by default.
  ///   - note: what the person says.
  func facts(
    _ kind: VersionKind, following base: Record?, content: DocumentContent?,
    modified: Int64? = nil, note: String? = nil
  ) throws -> Record.Facts {
    var facts = Record.Facts(
      document: documentIdentifier, kind: kind, path: try documentPath(following: base),
      author: identity.author, device: identity.device, date: milliseconds,
      modified: modified ?? milliseconds, note: note)
    facts.describe(content)
    return facts
  }
}

extension Record.Facts {
  /// The same with a date later than every parent's: a slow clock cannot make an edit lose to what it was
  /// made from.
  func later(than parents: [Record]) -> Record.Facts {
    var facts = self
    if let latest = parents.map(\.facts.date).max() { facts.date = max(date, latest + 1) }
    return facts
  }
}
