internal import DocumentFiles
internal import DocumentGit

/// Finds the last operation on a document, if it is one that can be undone.
struct LastOperation {
  private let reader: StoreReader

  init(_ reader: StoreReader) {
    self.reader = reader
  }

  /// An operation that can be undone.
  enum Operation {
    /// Contents were removed after the last change of the heads.
    case removal(TrashGroup)
    /// A version based on one other, without a successor, except perhaps the version that undid it before a crash.
    case change(Record)
    /// A conflict was resolved; some sides may already have been recreated before a crash.
    case resolution(Record)

    /// The version that the operation has made; `nil` if it made none.
    var record: Record? {
      switch self {
      case .removal: nil
      case .change(let record), .resolution(let record): record
      }
    }
  }

  /// The last operation on the document, as far as this device knows.
  ///
  /// - Throws: ``VersionError`` with code `nothingToUndo` if it cannot be undone.
  func find() throws -> Operation {
    let heads = try reader.heads.divergent().map(\.record)
    let removals = try removalsInForce()
    let present = Set(heads.map(\.id))
    if let removal = removals.last, removal.heads == present { return .removal(removal.group) }
    // What was done on this device is the last operation here, even if another device’s version is current.
    let base = try reader.heads.base()
    let candidates = heads.filter { $0.id == base?.id } + heads.prefix(1)
    for record in candidates {
      guard let operation = try operation(thatMade: record) else { continue }
      let isRemovedSince = removals.contains {
        $0.group.date > record.facts.date && !$0.heads.isSuperset(of: record.parents)
      }
      if isRemovedSince { throw UndoRefusal(reader).afterRemoval() }
      try checkContents(from: operation)
      return operation
    }
    if let copy = heads.first(where: { $0.facts.kind == .importCopy }),
      candidates.allSatisfy({ $0.facts.date <= copy.facts.date })
    {
      throw UndoRefusal(reader).afterImport(of: copy)
    }
    throw try UndoRefusal(reader).ofLast(candidates.last)
  }

  /// The removals whose contents are not all back, oldest first.
  private func removalsInForce() throws -> [(group: TrashGroup, heads: Set<ObjectID>)] {
    let present = Set(try reader.chain.contents().keys)
    return try reader.trash.groups().compactMap { group in
      let former = try reader.trash.contents(of: group)
      return present.isSuperset(of: former.contents.keys) ? nil : (group, former.heads)
    }
  }

  private func operation(thatMade record: Record) throws -> Operation? {
    switch record.facts.kind {
    case .save:
      // A crash came between keeping edits and taking back what they were kept for.
      return try change(edited: record).map(Operation.change)
    case .restore, .delete, .rename:
      return record.parents.count == 1 ? .change(record) : nil
    case .resolve, .merge:
      return record.parents.count > 1 ? .resolution(record) : nil
    case .undo:
      guard let parent = record.parents.first else { return nil }
      guard try reader.merging.undoneSide(of: record) != nil else {
        // A crash came before the document got its name back.
        return try isNameStillAway(of: record) ? .change(try reader.record(parent)) : nil
      }
      let resolution = try reader.record(parent)
      return try sidesMadeAgain(of: resolution).count < resolution.parents.count
        ? .resolution(resolution) : nil
    default:
      return nil
    }
  }

  /// The records whose contents come back with undoing an operation.
  func contentsBack(from operation: Operation) throws -> Set<ObjectID> {
    let removal: TrashGroup? =
      switch operation {
      case .removal(let group): group
      case .change: nil
      case .resolution(let record): try removal(by: record)
      }
    guard let removal else { return [] }
    return try Set(reader.trash.contents(of: removal).contents.keys)
      .subtracting(reader.chain.contents().keys)
  }

  /// The change that was about to be taken back when edits became this version; `nil` for any other version.
  private func change(edited record: Record) throws -> Record? {
    guard let id = record.facts.from.flatMap({ ObjectID(hexadecimal: $0) }),
      try reader.objects.repository.contains(id)
    else { return nil }
    let change = try reader.record(id)
    let isOne = [.restore, .delete, .rename].contains(change.facts.kind)
    return isOne && change.parents.count == 1 ? change : nil
  }

  /// The version with the edits that an undo kept before it was interrupted, if the document shows that one.
  func editsKept(toUndo change: Record) throws -> Record? {
    guard let base = try reader.heads.base(), base.facts.kind == .save,
      base.facts.from == change.id.description
    else { return nil }
    return base
  }

  /// Returns whether a version has a name that is free, while the document that shows it is where it was put under
  /// another one.
  private func isNameStillAway(of record: Record) throws -> Bool {
    guard !record.facts.path.hasBytes(of: reader.location.path),
      try reader.document.entry()?.path.hasBytes(of: reader.location.path) == true,
      try reader.document.shownVersion(reader.document.copy())?.id == record.id
    else { return false }
    let place = DocumentLocation(container: reader.location.container, path: record.facts.path)
    return try !place.hasStore && FileStatus.of(place.document) == nil
  }

  /// The sides of a settled conflict for which there is a version again, with that version.
  func sidesMadeAgain(of resolution: Record) throws -> [ObjectID: Record] {
    let history = try reader.objects.ancestry(of: reader.heads.divergent().map(\.record.id))
    return try history.values.reduce(into: [:]) { made, record in
      guard record.parents == [resolution.id], let side = try reader.merging.undoneSide(of: record)
      else { return }
      made[side] = record
    }
  }

  /// The removal that a settlement was at the same time, if it was one.
  func removal(by resolution: Record) throws -> TrashGroup? {
    guard try reader.chain.content(of: resolution.id)?.marks.isAllRemoved == true else {
      return nil
    }
    return try reader.trash.groups().last { group in
      try reader.trash.contents(of: group).heads.isSuperset(of: resolution.parents)
    }
  }

  // MARK: Refusals

  /// Refuses to undo what needs contents that are neither on the content chain nor in the trash.
  private func checkContents(from operation: Operation) throws {
    guard let change = operation.record else { return }
    let present = try reader.chain.contents()
    let removed = try reader.trash.removedContents()
    for former in try change.parents.map(reader.record) {
      let isHere = present[former.id] != nil || removed[former.id] != nil
      guard let content = former.content, !isHere, !content.isSame(as: change.content) else {
        continue
      }
      throw VersionError(
        .contentsNotLocal, document: reader.location.printable,
        message: """
          The last operation on “\(reader.location.printable)” can’t be undone: the contents of \
          \(former.shortName) are not on this device.
          """)
    }
  }
}
