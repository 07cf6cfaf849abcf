internal import DocumentGit
internal import Foundation

/// Moving heads: the commit point of every operation.
extension OpenStore {
  /// Makes the records the heads, and nothing else.
  ///
  /// Objects must be written before. Each reference moves by compare-and-swap; the first one moved, the
  /// first record's, is what makes the operation happen. References of versions that the new heads
  /// descend from go last, and if they stay after a crash they change nothing: they are ancestors.
  ///
  /// - Parameters:
  ///   - records: the new heads, the one that matters first.
  ///   - targets: what each record's reference points at: its content, or the record itself.
  func moveHeads(to records: [ObjectID], targets: [ObjectID: ObjectID]) throws {
    var references = try allHeads().sorted { $0.name == Head.main && $1.name != Head.main }
    let isFirst = references.isEmpty
    var moves: [(name: String, target: ObjectID, old: ObjectID?)] = []
    for record in records {
      guard let target = targets[record] else { continue }
      if let index = try reusableReference(for: record, in: references, among: records) {
        let reference = references.remove(at: index)
        moves.append((reference.name, target, reference.target))
      } else {
        let name = isFirst && moves.isEmpty ? Head.main : "\(Head.prefix)\(record)"
        moves.append((name, target, nil))
      }
    }
    for move in moves where move.target != move.old {
      try repository.setReference(move.name, to: move.target, expecting: move.old)
    }
    for settled in references {
      try repository.deleteReference(settled.name, expecting: settled.target)
    }
    forgetHeads()
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
  ///   - objects: the content's objects, not written yet.
  func append(
    _ facts: Record.Facts, to base: Record?, objects: [GitObject] = []
  ) throws -> Record {
    let parents = [base].compactMap { $0 }
    let (record, recordObject) = try Record.make(
      facts.later(than: parents), parents: parents.map(\.id))
    let predecessors = try parents.compactMap { try content(of: $0.id)?.id }
    let (newContent, contentObject) = try ContentCommit.make(
      for: record, predecessors: predecessors)
    try repository.write(objects + [recordObject, contentObject])
    let others = try divergentHeads().filter { $0.record.id != base?.id }
    var targets = Dictionary(others.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = newContent.id
    try moveHeads(to: [record.id] + others.map(\.record.id), targets: targets)
    return record
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
    let milliseconds = Int64((now.timeIntervalSince1970 * 1_000).rounded())
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
