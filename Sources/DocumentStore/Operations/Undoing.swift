internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// Undoes the last operation on a document.
struct Undoing {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// An operation that was undone.
  private struct Undone {
    let operation: LastOperation.Operation
    let document: URL
    /// True if the document keeps a name that it got outside docversions.
    let isRenamed: Bool
    /// The records whose contents were restored.
    let broughtBack: Set<ObjectID>
    /// The version that was made of unsaved edits first.
    var keptEdits: ObjectID?
  }

  /// Undoes the last operation; see ``VersionStore/undo(_:)``.
  func undo(_ document: URL) throws -> UndoOutcome {
    if let move = try environment.lastMove(of: document) { return try undo(move) }
    let undone = try environment.changing(document) { reader in
      let last = LastOperation(reader)
      let operation = try last.find()
      let undone = Undone(
        operation: operation, document: reader.location.url,
        // A document that was renamed since then keeps its name, unless the rename is undone.
        isRenamed: try operation.record?.facts.kind != .rename && reader.document.isRenamed,
        broughtBack: try last.contentsBack(from: operation))
      return StorePlan(preview: undone) { writer in
        var undone = undone
        undone.keptEdits = try undo(operation, by: writer)?.id
        return undone
      }
    }
    // The previous version may have another name.
    let keepsName = environment.isDryRun || undone.isRenamed
    let place =
      try keepsName
      ? undone.document
      : Renaming(environment).followCurrentName(of: DocumentLocation(of: undone.document)).url
    return try environment.reading(place) { reader in
      let heads = try reader.heads.divergent().map(\.record.id)
      return UndoOutcome(
        document: place, undone: try undone.operation.record.map { try reader.version($0.id) },
        broughtBack: try reader.versions(undone.broughtBack),
        version: try reader.currentVersion(), conflicts: try reader.versions(heads.dropFirst()),
        keptEdits: try undone.keptEdits.map { try reader.version($0) })
    }
  }

  /// Moves a document back to the container that it came from.
  private func undo(_ move: LastMove) throws -> UndoOutcome {
    let undone = try environment.reading(move.present.url) { reader in
      try reader.version(move.record)
    }
    let version = try Moving(environment).move(
      move.present.url, to: move.former.url, undoing: true)
    let place = environment.isDryRun ? move.present.url : move.former.url
    return try environment.reading(place) { reader in
      let heads = try reader.heads.divergent().map(\.record.id)
      // Edits became a version before the document was moved back.
      let kept = try reader.record(heads.first ?? move.record).parents.first
        .flatMap { $0 == move.record || environment.isDryRun ? nil : $0 }
      return UndoOutcome(
        document: place, undone: undone, broughtBack: [], version: version,
        conflicts: try reader.versions(heads.dropFirst()),
        keptEdits: try kept.map { try reader.version($0) })
    }
  }

  /// Undoes an operation, and shows the version that it had replaced.
  ///
  /// - Returns: the version that was made of unsaved edits first; `nil` if there were none.
  private func undo(
    _ operation: LastOperation.Operation, by writer: borrowing StoreWriter
  ) throws -> Record? {
    let reader = writer.reader
    switch operation {
    case .removal(let group):
      try writer.rewriteChain(reader.trash.plan(before: group), keepingTrash: false)
      return nil
    case .change(let record):
      return try undo(change: record, by: writer)
    case .resolution(let record):
      let present = try reader.document.copy()
      let shown = try reader.document.shownVersion(present)
      let former = try writer.referenceState()
      let again = try reopen(record, by: writer)
      if let shown, shown.id == record.id {
        try writer.show(again, replacing: present, orElse: former)
      }
      return nil
    }
  }

  /// Makes a version with the contents and the name that a change replaced, and shows it.
  private func undo(change: Record, by writer: borrowing StoreWriter) throws -> Record? {
    let reader = writer.reader
    guard let parent = change.parents.first else { return nil }
    let former = try reader.record(parent)
    // It was already made before a crash, and only the name is missing.
    let isMade = try reader.heads.divergent().contains {
      $0.record.facts.kind == .undo && $0.record.parents == [change.id]
    }
    if isMade { return nil }
    let present = try reader.document.copy()
    let kept =
      try writer.keepEdits(present, toUndo: change, isWrittenOver: true)
      ?? LastOperation(reader).editsKept(toUndo: change)
    let staged = try writer.stage(former, replacing: present)
    let state = try writer.referenceState()
    var tip = change
    if let kept, try reader.objects.isAncestor(change.id, of: kept.id) { tip = kept }
    var facts = try reader.facts(
      .undo, following: tip, content: former.content, modified: former.facts.modified)
    facts.from = change.id.description
    facts.path = former.facts.path
    facts.permissions = try reader.permissions(of: former, replacing: present)
    try writer.show(
      writer.append(facts, to: tip, isInCharge: true), replacing: present, staged: staged,
      orElse: state)
    return kept
  }

  // MARK: Resolutions of conflicts

  /// Makes every side of a settled conflict a head again, as a version that follows the settlement.
  ///
  /// The conflict thus reappears on every device that receives these versions.
  ///
  /// Of the new versions, the one for the former current side is the latest, and becomes current again.
  ///
  /// - Returns: the version of that side.
  private func reopen(_ resolution: Record, by writer: borrowing StoreWriter) throws -> Record {
    let reader = writer.reader
    let last = LastOperation(reader)
    let made = try last.sidesMadeAgain(of: resolution)
    let count = resolution.parents.count
    var latest = max(reader.milliseconds, resolution.facts.date + 1) + Int64(count - 1)
    for (index, side) in resolution.parents.enumerated() {
      if let again = made[side] { latest = again.facts.date + Int64(index) }
    }
    var again: [Record] = []
    var objects: [GitObject] = []
    for (index, id) in resolution.parents.enumerated() {
      guard made[id] == nil else { continue }
      let (record, object) = try Record.make(
        facts(standingFor: reader.record(id), date: latest - Int64(index), in: reader),
        parents: [resolution.id])
      reader.objects.remember(record)
      again.append(record)
      objects.append(object)
    }
    let removal = try last.removal(by: resolution)
    var plan = try removal.map { try reader.trash.plan(before: $0) } ?? reader.chain.plan()
    plan.kept.formUnion(again.map(\.id))
    // One after the other: after a crash in between, the former current side exists, and a further undo makes
    // the others.
    let others = try reader.heads.divergent().map(\.record.id).filter { $0 != resolution.id }
    try writer.moveHeads(
      to: reader.chain.build(plan, heads: again.map(\.id) + others), objects: objects)
    return again.first ?? resolution
  }

  /// Returns the facts of a version that represents a side, with the person and the device that made its
  /// contents.
  private func facts(
    standingFor side: Record, date: Int64, in reader: StoreReader
  ) throws -> Record.Facts {
    var facts = try reader.facts(
      .undo, following: side, content: side.content, modified: side.facts.modified)
    facts.author = side.facts.author
    facts.device = side.facts.device
    facts.from = side.id.description
    facts.path = side.facts.path
    facts.date = date
    return facts
  }
}
