internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Moves documents with their versions to other folders, in the same container or in another one.
struct Moving {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Moves a document; see ``FileVersion/move(_:to:store:)``.
  ///
  /// - Parameter isUndone: whether this undoes a move, and can't be undone itself.
  func move(
    _ document: URL, to destination: URL, undoing isUndone: Bool = false
  ) throws -> FileVersion {
    let location = try StoreSearch(environment).followingRename(
      of: DocumentLocation(of: document, links: .refused), movingStore: true)
    let target = try DocumentLocation(of: destination, links: .itself)
    _ = try location.status()
    if try isArrived(location, at: target) {
      guard !environment.isDryRun else { return try currentVersion(at: target) }
      try environment.reportingErrors(of: location) {
        try environment.withWriter(at: location) { try finish($0, to: target, undoing: isUndone) }
      }
      return try currentVersion(at: target)
    }
    try check(target, for: location)
    guard target.container != location.container else {
      return try Renaming(environment).rename(location, to: target, makingWay: true).version
    }
    guard try location.hasStore else { throw location.noVersions }
    try checkArrival(of: location, at: target)
    guard !environment.isDryRun else {
      return try environment.reading(document) { try $0.currentVersion() }
    }
    try environment.reportingErrors(of: location) {
      try environment.withWriter(at: location) {
        try move(by: $0, to: target, undoing: isUndone)
      }
    }
    return try currentVersion(at: target)
  }

  private func currentVersion(at place: DocumentLocation) throws -> FileVersion {
    try environment.reading(place.url) { try $0.currentVersion() }
  }

  // MARK: Interrupted moves

  /// Returns whether a document has arrived in another container by a move that was interrupted before the
  /// deletion here.
  private func isArrived(_ location: DocumentLocation, at target: DocumentLocation) throws -> Bool {
    guard target.container != location.container, try location.hasStore, try target.hasStore,
      try FileStatus.of(target.document) != nil, isSame(location, target)
    else { return false }
    // It may have been interrupted before it recorded what the document shows.
    if !environment.isDryRun { try environment.withWriter(at: target) { _ in } }
    let (identifier, shown) = try environment.reading(location.url) { reader in
      (reader.documentIdentifier.description, try Self.unchanged(in: reader)?.id)
    }
    return try environment.reading(target.url) { reader in
      try reader.objects.identity.contains(identifier)
        && Self.unchanged(in: reader).map { Self.isMove($0, of: shown, to: target) } == true
    }
  }

  /// Returns whether a document in another container has an id of this one.
  private func isSame(_ location: DocumentLocation, _ target: DocumentLocation) -> Bool {
    guard target.container != location.container, let own = location.documentIdentity?.all,
      let others = target.documentIdentity?.all
    else { return false }
    return !own.isDisjoint(with: others)
  }

  /// Returns the version that a document shows, if it has no edits.
  private static func unchanged(in reader: StoreReader) throws -> Record? {
    guard let base = try reader.heads.base(), let present = try reader.document.copy(),
      try reader.document.shownVersion(present)?.id == base.id
    else { return nil }
    return base
  }

  private static func isMove(
    _ record: Record, of shown: ObjectID?, to target: DocumentLocation
  ) -> Bool {
    record.facts.kind == .move && shown.map(record.parents.contains) == true
      && record.facts.path.hasBytes(of: target.path)
  }

  private func finish(
    _ source: borrowing StoreWriter, to target: DocumentLocation, undoing isUndone: Bool
  ) throws {
    guard let shown = try source.heads.base(),
      let arrival = try StoreReader(target, in: environment).heads.base()
    else { throw source.location.noVersionsHere }
    // The deletion may have been recorded already; then it is carried out by now.
    let deletion = try shown.content == nil ? shown : depart(source, shown)
    if !isUndone { record(arrival, at: target, deletion, at: source.location) }
  }

  /// Records the two places of a move; without them, the move can't be undone, but the document can be moved
  /// back.
  private func record(
    _ arrival: Record, at target: DocumentLocation, _ deletion: Record,
    at former: DocumentLocation
  ) {
    tidyUp {
      try OtherPlace(record: arrival.id, document: former.document).write(in: target.store)
      try OtherPlace(record: deletion.id, document: target.document).write(in: former.store)
    }
  }

  // MARK: Moving

  /// Throws an error for a place where the document can't be.
  private func check(_ target: DocumentLocation, for location: DocumentLocation) throws {
    try ContainerPath.checkName(ContainerPath.name(of: target.path), of: location.document)
    guard !target.document.starts(with: location.document) || target == location else {
      throw FileError(
        .invalidName, path: target.document,
        message: "“\(location.printable)” can’t be moved into itself.")
    }
    guard try FileStatus.of(target.document.parentFolder)?.kind == .folder else {
      throw FileError(
        .notFound, path: target.document.parentFolder,
        message: "There is no folder “\(target.document.parentFolder.printable)”.")
    }
    guard try FileStatus.of(target.document) == nil else {
      throw FileError(
        .exists, path: target.document,
        message: isSame(location, target)
          ? """
          “\(target.printable)” is in both folders, as after a move that was interrupted: delete the one that is not to \
          stay.
          """ : "There already is a “\(target.printable)”.")
    }
    try target.refuseMember()
    if let obstacle = try target.obstacle() { throw obstacle }
  }

  /// Throws an error for a document that can't go to another container, and for a destination with another
  /// document's versions.
  private func checkArrival(of location: DocumentLocation, at target: DocumentLocation) throws {
    try location.refuseContainer()
    try LiveDatabase.refuseWriting(location.document)
    try target.checkSpelling()
    try ListedNames.of(target.container).refuse(target, besides: location)
    guard try target.hasStore else { return }
    let own = try StoreReader(location, in: environment).documentIdentifier
    // It was moved away from there, or a move to there was interrupted.
    guard try StoreReader(target, in: environment).objects.identity.contains(own.description)
    else {
      throw FileError(
        .exists, path: target.document,
        message: """
          There are versions of another “\(target.printable)” that was deleted or is missing; choose another name.
          """)
    }
  }

  /// Copies the versions, writes the document from them, and deletes it at its former place.
  ///
  /// Whenever this is interrupted, the document is complete in at least one of the places.
  private func move(
    by source: borrowing StoreWriter, to target: DocumentLocation, undoing isUndone: Bool
  ) throws {
    let reader = source.reader
    guard let first = try reader.document.copy() else {
      throw FileError(
        .changing, path: source.location.document,
        message: "“\(source.location.printable)” disappeared in the meantime.")
    }
    try source.keepName(of: first)
    try source.keepEdits(first)
    guard let shown = try source.heads.base(), shown.content != nil else {
      throw source.location.noVersionsHere
    }
    let isNew = try !target.hasStore
    if isNew { try makeStore(at: target, for: first.listing.readership, withAllOf: reader) }
    let (arrival, deletion): (Record, Record)
    do {
      arrival = try environment.withWriter(at: target) {
        try arrive(shown, from: reader, by: $0, orElse: isNew ? nil : $0.referenceState())
      }
      deletion = try depart(source, shown)
    } catch {
      // Rolls back, so that a reported failure leaves no change. If this fails, too, the document is in both
      // places.
      do { try takeBack(target, isNew: isNew) } catch {}
      throw error
    }
    if !isUndone { record(arrival, at: target, deletion, at: source.location) }
  }

  /// Creates the store of a document in another container; it gets its name with all versions in it.
  private func makeStore(
    at target: DocumentLocation, for readership: Readership, withAllOf other: StoreReader
  ) throws {
    let unnamed = try UnnamedStores(in: target.container, clock: environment.fileClock)
    var place = target
    place.store = unnamed.folder.appending("1")
    try StoreCreation.create(
      place.store, identity: other.objects.identity, for: readership, tidyingFirst: false,
      clock: environment.fileClock)
    try environment.withWriter(at: place) {
      try Joining(environment).takeAll(of: other, by: $0, isConflict: false)
    }
    try Folder.create(target.store.parentFolder)
    try DocumentWriter.move(place.store, to: target.store)
  }

  /// Takes in all versions of a document, and shows the version that it showed at its former place.
  private func arrive(
    _ shown: Record, from other: StoreReader, by writer: borrowing StoreWriter,
    orElse former: StoreWriter.ReferenceState?
  ) throws -> Record {
    // A store that was made for the document has all of them.
    if former != nil {
      try Joining(environment).takeAll(of: other, by: writer, isConflict: false)
    }
    // An interrupted move made it.
    if let record = try writer.heads.divergent().map(\.record)
      .first(where: { Self.isMove($0, of: shown.id, to: writer.location) })
    {
      try writer.show(record, replacing: nil, orElse: former)
      return record
    }
    let known = try Set(other.heads.divergent().map(\.record.id))
    // It was deleted here when it was moved away; its return settles the deletion.
    let deletions = try writer.heads.divergent().map(\.record)
      .filter { $0.content == nil && !known.contains($0.id) }
    var facts = try writer.reader.facts(
      .move, following: shown, content: shown.content, modified: shown.facts.modified)
    facts.path = writer.location.path
    facts.permissions = try writer.reader.permissions(of: shown, replacing: nil)
    let record =
      try deletions.isEmpty
      ? writer.append(facts, to: shown, isInCharge: true)
      : writer.settle(
        with: facts.later(than: [shown] + deletions), parents: [shown] + deletions)
    try writer.show(record, replacing: nil, orElse: former)
    tidyUp {
      if let state = try SmallFile.read(StoreFile.privateState.path(in: other.location.store)) {
        try SmallFile.replaceCache(
          StoreFile.privateState.path(in: writer.location.store), state, isPrivate: true)
      }
    }
    return record
  }

  /// Deletes the document at its former place; other devices with that container delete it, too.
  private func depart(_ source: borrowing StoreWriter, _ shown: Record) throws -> Record {
    let present = try source.reader.document.copy()
    guard try present.map({ try source.reader.document.shownVersion($0)?.id == shown.id }) == true
    else {
      throw FileError(
        .changing, path: source.location.document,
        message: "“\(source.location.printable)” changed in the meantime; it is untouched.")
    }
    let former = try source.referenceState()
    let deletion = try source.append(
      source.reader.facts(.delete, following: shown, content: nil), to: shown, isInCharge: true)
    try source.show(deletion, replacing: present, orElse: former)
    return deletion
  }

  /// Reverts an arrival, even if the move was canceled.
  private func takeBack(_ target: DocumentLocation, isNew: Bool) throws {
    try environment.afterOperation.withWriter(at: target) { writer in
      guard let present = try writer.reader.document.copy(),
        try writer.reader.document.shownVersion(present) != nil
      else { return }
      try DocumentWriter.remove(
        target.document, displacing: present.listing,
        mark: writer.reader.documentIdentifier.description)
    }
    if isNew { try StoreCreation.remove(target.store) }
  }
}
