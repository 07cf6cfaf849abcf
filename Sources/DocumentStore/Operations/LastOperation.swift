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
    /// A version with one parent and without a successor, except perhaps the version that undid it before a
    /// crash.
    case change(Record)
    /// A conflict was resolved; a crash may have left some sides recreated already.
    case resolution(Record)

    /// The version that the operation made; `nil` if it made none.
    var record: Record? {
      switch self {
      case .removal: nil
      case .change(let record), .resolution(let record): record
      }
    }
  }

  /// Returns the last operation on the document, as far as this device knows it.
  ///
  /// - Throws: ``VersionError`` with code `nothingToUndo` if it can't be undone.
  func find() throws -> Operation {
    let heads = try reader.heads.divergent().map(\.record)
    let removals = try removalsInForce()
    let present = Set(heads.map(\.id))
    if let removal = removals.last, removal.heads == present { return .removal(removal.group) }
    // The last operation on this device counts, even if another device’s version is current.
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

  /// Returns the removals whose contents are not all restored, oldest first.
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
      // A crash happened between keeping the edits and the undo that they were kept for.
      return try change(edited: record).map(Operation.change)
    case .rename where try isJoin(record):
      throw try UndoRefusal(reader).afterJoin(of: record)
    case .restore, .delete, .rename:
      return record.parents.count == 1 ? .change(record) : nil
    case .resolve, .merge:
      return record.parents.count > 1 ? .resolution(record) : nil
    case .undo:
      guard let parent = record.parents.first else { return nil }
      guard try reader.merging.undoneSide(of: record) != nil else {
        // A crash happened before the document got its name back.
        return try isNameStillAway(of: record) ? .change(try reader.record(parent)) : nil
      }
      let resolution = try reader.record(parent)
      return try sidesMadeAgain(of: resolution).count < resolution.parents.count
        ? .resolution(resolution) : nil
    default:
      return nil
    }
  }

  /// Returns whether a rename made another document a part of this one.
  ///
  /// The head that the document had before has the same name, and no version in common with it.
  private func isJoin(_ record: Record) throws -> Bool {
    let others = try reader.heads.divergent().map(\.record).filter {
      $0.id != record.id && $0.facts.path.hasBytes(of: record.facts.path)
    }
    guard !others.isEmpty else { return false }
    let own = Set(try reader.objects.ancestry(of: [record.id]).keys)
    return try others.contains {
      try own.isDisjoint(with: reader.objects.ancestry(of: [$0.id]).keys)
    }
  }

  /// Returns the records whose contents undoing an operation restores.
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

  /// Returns the change that was being undone when edits became this version; `nil` for any other version.
  private func change(edited record: Record) throws -> Record? {
    guard let id = record.facts.from.flatMap({ ObjectID(hexadecimal: $0) }),
      try reader.objects.repository.contains(id)
    else { return nil }
    let change = try reader.record(id)
    let isOne = [.restore, .delete, .rename].contains(change.facts.kind)
    return isOne && change.parents.count == 1 ? change : nil
  }

  /// Returns the version with the edits that an undo kept before it was interrupted, if the document shows
  /// it.
  func editsKept(toUndo change: Record) throws -> Record? {
    guard let base = try reader.heads.base(), base.facts.kind == .save,
      base.facts.from == change.id.description
    else { return nil }
    return base
  }

  /// Returns whether a version's name is free, while the document that shows it is still under the other name
  /// that it was given.
  private func isNameStillAway(of record: Record) throws -> Bool {
    guard !record.facts.path.hasBytes(of: reader.location.path),
      try reader.document.entry()?.path.hasBytes(of: reader.location.path) == true,
      try reader.document.shownVersion(reader.document.copy())?.id == record.id
    else { return false }
    let place = DocumentLocation(container: reader.location.container, path: record.facts.path)
    return try !place.hasStore && FileStatus.of(place.document) == nil
      && !ListedNames.of(place.container).contain(place, besides: reader.location)
  }

  /// Returns the sides of a settled conflict that were recreated, with their new versions.
  func sidesMadeAgain(of resolution: Record) throws -> [ObjectID: Record] {
    let history = try reader.objects.ancestry(of: reader.heads.divergent().map(\.record.id))
    return try history.values.reduce(into: [:]) { made, record in
      guard record.parents == [resolution.id], let side = try reader.merging.undoneSide(of: record)
      else { return }
      made[side] = record
    }
  }

  /// Returns the removal that a settlement also made, if it made one.
  func removal(by resolution: Record) throws -> TrashGroup? {
    guard try reader.chain.content(of: resolution.id)?.marks.isAllRemoved == true else {
      return nil
    }
    return try reader.trash.groups().last { group in
      try reader.trash.contents(of: group).heads.isSuperset(of: resolution.parents)
    }
  }

  // MARK: Errors

  /// Throws an error for undoing an operation that needs contents that are neither on the content chain nor
  /// in the trash.
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
