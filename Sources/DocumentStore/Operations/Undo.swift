internal import DocumentFiles
internal import DocumentGit

/// Taking back the last operation.
extension OpenStore {
  /// What can be taken back.
  enum LastOperation {
    /// Contents were removed since the heads are what they are.
    case removal(TrashGroup)
    /// A version was made from one other, and is not followed yet; but perhaps by the one that takes it back,
    /// before a crash.
    case change(Record)
    /// A conflict was settled; some sides may have been made again already, before a crash.
    case resolution(Record)

    /// The version that the operation has made; nil where it made none.
    var record: Record? {
      switch self {
      case .removal: nil
      case .change(let record), .resolution(let record): record
      }
    }
  }

  /// The last operation on the document, as far as this device knows.
  ///
  /// - Throws: ``VersionError`` with code `nothingToUndo` where that is none that can be taken back.
  func lastOperation() throws -> LastOperation {
    let heads = try divergentHeads().map(\.record)
    let removals = try removalsInForce()
    let present = Set(heads.map(\.id))
    if let removal = removals.last, removal.heads == present { return .removal(removal.group) }
    // What was done on this device is the last operation here, even if another device’s version is current.
    let base = try base()
    let candidates = heads.filter { $0.id == base?.id } + heads.prefix(1)
    for record in candidates {
      guard let operation = try operation(thatMade: record) else { continue }
      let isRemovedSince = removals.contains {
        $0.group.date > record.facts.date && !$0.heads.isSuperset(of: record.parents)
      }
      if isRemovedSince { throw refusalAfterRemoval() }
      try checkContents(from: operation)
      return operation
    }
    if let copy = heads.first(where: { $0.facts.kind == .importCopy }),
      candidates.allSatisfy({ $0.facts.date <= copy.facts.date })
    {
      throw refusalAfterImport(of: copy)
    }
    throw try refusalToUndo(candidates.last)
  }

  /// The removals whose contents are not all back, oldest first.
  private func removalsInForce() throws -> [(group: TrashGroup, heads: Set<ObjectID>)] {
    let present = Set(try rail().keys)
    return try trash().compactMap { group in
      let former = try contents(of: group)
      return present.isSuperset(of: former.rail.keys) ? nil : (group, former.heads)
    }
  }

  private func operation(thatMade record: Record) throws -> LastOperation? {
    switch record.facts.kind {
    case .save:
      // A crash came between keeping edits and taking back what they were kept for.
      return try change(edited: record).map(LastOperation.change)
    case .restore, .delete, .rename:
      return record.parents.count == 1 ? .change(record) : nil
    case .resolve, .merge:
      return record.parents.count > 1 ? .resolution(record) : nil
    case .undo:
      guard let parent = record.parents.first else { return nil }
      guard try undoneSide(of: record) != nil else {
        // A crash came before the document got its name back.
        return try isNameStillAway(of: record) ? .change(try self.record(parent)) : nil
      }
      let resolution = try self.record(parent)
      return try sidesMadeAgain(of: resolution).count < resolution.parents.count
        ? .resolution(resolution) : nil
    default:
      return nil
    }
  }

  /// The records whose contents come back with undoing an operation.
  func contentsBack(from operation: LastOperation) throws -> Set<ObjectID> {
    let removal: TrashGroup? =
      switch operation {
      case .removal(let group): group
      case .change: nil
      case .resolution(let record): try removal(by: record)
      }
    guard let removal else { return [] }
    return Set(try contents(of: removal).rail.keys).subtracting(try rail().keys)
  }

  /// Takes an operation back, and shows what it had replaced.
  ///
  /// - Returns: the version that unsaved edits became first; nil where there were none.
  func undo(_ operation: LastOperation) throws -> Record? {
    switch operation {
    case .removal(let group):
      try rewriteRail(railPlan(before: group), keepingTrash: false)
      return nil
    case .change(let record):
      return try takeBack(record)
    case .resolution(let record):
      let present = try workingCopy()
      let shown = try shownVersion(present)
      let former = try referenceState()
      let again = try reopen(record)
      if let shown, shown.id == record.id {
        try show(again, replacing: present, orElse: former)
      }
      return nil
    }
  }

  /// Makes a version with the contents and the name that a change replaced, and shows it.
  private func takeBack(_ change: Record) throws -> Record? {
    guard let parent = change.parents.first else { return nil }
    let former = try record(parent)
    // Made already, before a crash: only the name is missing.
    let isMade = try divergentHeads().contains {
      $0.record.facts.kind == .undo && $0.record.parents == [change.id]
    }
    if isMade { return nil }
    let present = try workingCopy()
    let kept = try keepEdits(present, toUndo: change) ?? editsKept(toUndo: change)
    let staged = try stage(former, replacing: present)
    let state = try referenceState()
    let tip = try kept.flatMap { try isAncestor(change.id, of: $0.id) ? $0 : nil } ?? change
    var facts = try facts(
      .undo, following: tip, content: former.content, modified: former.facts.modified)
    facts.from = change.id.description
    facts.path = former.facts.path
    try show(append(facts, to: tip), replacing: present, staged: staged, orElse: state)
    return kept
  }

  /// The change that was about to be taken back when edits became this version; nil for any other version.
  private func change(edited record: Record) throws -> Record? {
    guard let id = record.facts.from.flatMap({ ObjectID(hexadecimal: $0) }),
      try repository.contains(id)
    else { return nil }
    let change = try self.record(id)
    let isOne = [.restore, .delete, .rename].contains(change.facts.kind)
    return isOne && change.parents.count == 1 ? change : nil
  }

  /// The version that the document shows, where it has the edits that an undo kept before a crash.
  private func editsKept(toUndo change: Record) throws -> Record? {
    guard let base = try base(), base.facts.kind == .save,
      base.facts.from == change.id.description
    else { return nil }
    return base
  }

  /// Whether a version has a name that is free, while the document that shows it is where it was put under
  /// another one.
  private func isNameStillAway(of record: Record) throws -> Bool {
    guard !record.facts.path.hasBytes(of: location.path),
      try workingFileNote()?.path.hasBytes(of: location.path) == true,
      try shownVersion(workingCopy())?.id == record.id
    else { return false }
    let place = DocumentLocation(container: location.container, path: record.facts.path)
    return try !place.hasStore && FileStatus.of(place.document) == nil
  }

  // MARK: The resolution of a conflict

  /// Makes every side of a settled conflict a head again, by a version that follows the settlement: so the
  /// conflict is there again on every device that learns of it.
  ///
  /// Of the versions made, the one of the side that was current is the latest, and current again.
  ///
  /// - Returns: the version of that side.
  private func reopen(_ resolution: Record) throws -> Record {
    let made = try sidesMadeAgain(of: resolution)
    let count = resolution.parents.count
    var latest = max(milliseconds, resolution.facts.date + 1) + Int64(count - 1)
    for (index, side) in resolution.parents.enumerated() {
      if let again = made[side] { latest = again.facts.date + Int64(index) }
    }
    var again: [Record] = []
    var objects: [GitObject] = []
    for (index, id) in resolution.parents.enumerated() {
      guard made[id] == nil else { continue }
      let side = try record(id)
      let (record, object) = try Record.make(
        facts(standingFor: side, date: latest - Int64(index)), parents: [resolution.id])
      remember(record)
      again.append(record)
      objects.append(object)
    }
    var plan = try removal(by: resolution).map(railPlan(before:)) ?? railPlan()
    plan.kept.formUnion(again.map(\.id))
    // One after the other: after a crash in between, the side that was current is there, and undoing once
    // more makes the others.
    let others = try divergentHeads().map(\.record.id).filter { $0 != resolution.id }
    let heads = again.map(\.id) + others
    let built = try buildRail(plan, heads: heads)
    try moveHeads(to: built.heads, targets: built.targets, objects: objects + built.objects)
    return again.first ?? resolution
  }

  /// The sides of a settled conflict for which there is a version again, with that version.
  private func sidesMadeAgain(of resolution: Record) throws -> [ObjectID: Record] {
    let history = try ancestry(of: divergentHeads().map(\.record.id))
    return try history.values.reduce(into: [:]) { made, record in
      guard record.parents == [resolution.id], let side = try undoneSide(of: record) else { return }
      made[side] = record
    }
  }

  /// The removal that a settlement was at the same time, where it was one.
  private func removal(by resolution: Record) throws -> TrashGroup? {
    guard try content(of: resolution.id)?.marks.isAllRemoved == true else { return nil }
    return try trash().last { group in
      try contents(of: group).heads.isSuperset(of: resolution.parents)
    }
  }

  /// The person who edited stays; the device is the one that makes the version.
  private func facts(standingFor side: Record, date: Int64) throws -> Record.Facts {
    var facts = try facts(
      .undo, following: side, content: side.content, modified: side.facts.modified)
    facts.author = side.facts.author
    facts.from = side.id.description
    facts.path = side.facts.path
    facts.date = date
    return facts
  }

  // MARK: Refusals

  /// Refuses to undo what needs contents that are neither on the rail nor in the trash.
  private func checkContents(from operation: LastOperation) throws {
    guard let change = operation.record else { return }
    let present = try rail()
    let removed = try removedContents()
    for former in try change.parents.map(record) {
      let isHere = present[former.id] != nil || removed[former.id] != nil
      guard let content = former.content, !isHere, !content.isSame(as: change.content) else {
        continue
      }
      throw VersionError(
        .contentsNotLocal, document: location.printable,
        message: """
          The last operation on “\(location.printable)” can’t be undone: the contents of \
          \(former.shortName) are not on this device.
          """)
    }
  }
}
