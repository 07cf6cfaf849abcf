internal import DocumentFiles
package import DocumentGit
internal import Foundation
internal import SystemPackage

/// The store of one document, open for reading during one operation.
///
/// Reading needs no lock, because nothing is ever changed in place. Each part reads its data at most once. It
/// stays on the thread that opened it.
package final class StoreReader {
  package let environment: StoreEnvironment
  /// The time when the operation began.
  let now: Date
  /// Receives the progress of long operations.
  package let meter: ProgressMeter
  package let objects: VersionObjects
  package let heads: Heads
  package let chain: ContentChain
  let trash: Trash
  let merging: MergeHistory
  package let contents: StoredContents
  package let document: WorkingDocument
  /// True if the store has nothing that a killed process may have left.
  let isTidy: Bool
  /// True if the lock of the store is held.
  let isExclusive: Bool
  /// The versions that were once in a conflict, if they have been read.
  private var knownConflictVersions: Set<ObjectID>?

  /// Opens a store for reading, or the repository that a resting document rests on.
  ///
  /// - Parameter isExclusive: whether the lock of the store is held.
  package convenience init(
    _ location: DocumentLocation, in environment: StoreEnvironment, isExclusive: Bool = false
  ) throws {
    if !isExclusive, let objects = try VersionObjects.resting(at: location) {
      self.init(objects, in: environment)
      return
    }
    let findings = try StoreSafety.check(location.store)
    let objects = try VersionObjects(
      location, configuration: findings.configuration, waitingWith: environment.syncGroup)
    self.init(
      objects, in: environment, isTidy: findings.isTidy, isExclusive: isExclusive)
  }

  /// Opens the store of a reader again.
  ///
  /// Data that other processes may have changed is read again; of the immutable data, only the part that was
  /// not read yet.
  ///
  /// - Parameter isExclusive: whether the lock of the store is held by now.
  convenience init(again reader: StoreReader, isExclusive: Bool = false) throws {
    if reader.objects.areResting {
      try self.init(reader.location, in: reader.environment, isExclusive: isExclusive)
      return
    }
    try reader.objects.repository.refresh()
    self.init(
      reader.objects, in: reader.environment, isTidy: reader.isTidy, isExclusive: isExclusive)
  }

  init(
    _ objects: VersionObjects, in environment: StoreEnvironment, isTidy: Bool = true,
    isExclusive: Bool = false
  ) {
    self.environment = environment
    self.isExclusive = isExclusive
    self.isTidy = isTidy
    self.objects = objects
    now = environment.clock()
    meter = environment.meter
    heads = Heads(objects, isExclusive: isExclusive)
    chain = ContentChain(objects, heads)
    trash = Trash(objects, heads, chain)
    merging = MergeHistory(objects, heads)
    contents = StoredContents(objects: objects)
    document = WorkingDocument(
      objects, heads, chain, contents, clock: environment.fileClock,
      support: environment.permissionSupport, meter: meter)
  }

  /// Returns the versions that were once in an unresolved conflict on this device.
  func conflictVersions() throws -> Set<ObjectID> {
    if let knownConflictVersions { return knownConflictVersions }
    let versions = try ConflictVersions(in: location.store).identifiers
    knownConflictVersions = versions
    return versions
  }

  /// Records versions that are in an unresolved conflict; the caller holds the lock.
  func recordConflictVersions(_ identifiers: [ObjectID]) throws {
    guard !identifiers.isEmpty else { return }
    knownConflictVersions = nil
    var versions = try ConflictVersions(in: location.store)
    try versions.add(identifiers)
  }

  package var location: DocumentLocation { objects.location }
  package var documentIdentifier: DocumentIdentifier { objects.identity.identifier }
  /// ``now`` in milliseconds since 1970, as in records.
  var milliseconds: Int64 { now.milliseconds }

  /// Returns a record by its id.
  package func record(_ id: ObjectID) throws -> Record { try objects.record(id) }

  // MARK: Versions as callers see them

  /// Returns a version by its id.
  package func version(_ id: ObjectID) throws -> FileVersion {
    let divergent = try heads.divergent()
    let isConflict = divergent.dropFirst().contains { $0.record.id == id }
    return FileVersion(
      listed: ListedVersion(
        try record(id), content: try chain.content(of: id),
        isSettled: try conflictVersions().contains(id)),
      listing: FileVersion.Listing(
        of: location.url, at: try heads.state(), environment: environment),
      isUnresolved: isConflict, isCurrent: divergent.first?.record.id == id)
  }

  /// Returns versions by their ids, newest first.
  func versions(_ ids: some Sequence<ObjectID>) throws -> [FileVersion] {
    try ids.map(version).sorted { $0.savingDate > $1.savingDate }
  }

  /// Returns the current version.
  func currentVersion() throws -> FileVersion {
    try version(heads.current().id)
  }

  /// Returns the record of a version that must be known here.
  func knownRecord(_ version: FileVersion) throws -> Record {
    let id = version.persistentIdentifier.objectID
    guard try objects.repository.contains(id) else { throw location.lacks(version) }
    return try record(id)
  }

  /// Returns the record of a version whose contents must be on this device.
  package func localRecord(_ version: FileVersion) throws -> Record {
    let record = try knownRecord(version)
    guard try content(of: version) != nil else {
      throw VersionError(
        .contentsNotLocal, document: location.printable,
        message:
          "The contents of \(record.shortName) of “\(location.printable)” are not on this device.")
    }
    return record
  }

  /// Returns the content commit of a version, usually the one that it was listed with, which requires no walk
  /// over the chain.
  func content(of version: FileVersion) throws -> ContentCommit? {
    try listedContent(of: version) ?? chain.content(of: version.listed.id)
  }

  /// Returns the content commit that a version was listed with; `nil` if any reference has moved since.
  func listedContent(of version: FileVersion) throws -> ContentCommit? {
    guard let id = version.listed.content, try heads.state() == version.listing.state else {
      return nil
    }
    let content = try objects.content(id)
    return content.record == version.listed.id ? content : nil
  }

  // MARK: Making versions

  /// Returns the facts of a new version of the document.
  ///
  /// - Parameters:
  ///   - kind: the operation that makes the version.
  ///   - base: the version that it is based on.
  ///   - content: the contents; `nil` for a deletion.
  ///   - modified: the modification time of the contents, in milliseconds since 1970; by default the present.
  ///   - note: the person's note.
  func facts(
    _ kind: VersionKind, following base: Record?, content: DocumentContent?,
    modified: Int64? = nil, note: String? = nil
  ) throws -> Record.Facts {
    var facts = Record.Facts(
      document: documentIdentifier.description, kind: kind,
      path: try document.path(following: base),
      author: environment.identity.author, device: environment.identity.device,
      date: milliseconds, modified: modified ?? milliseconds, note: note)
    facts.describe(content)
    facts.permissions = content == nil ? nil : base?.facts.permissions
    return facts
  }
}

extension Record.Facts {
  /// Returns the facts with a date later than every parent's, so that an edit on a slow clock doesn't lose to its base.
  package func later(than parents: [Record]) -> Record.Facts {
    var facts = self
    if let latest = parents.map(\.facts.date).max() { facts.date = max(date, latest + 1) }
    return facts
  }

  /// Takes over what is said of the person, the device and the moment, so that nothing of this device is part of the
  /// facts.
  mutating func takeOrigin(from other: Record.Facts) {
    (document, author, device, date) = (other.document, other.author, other.device, other.date)
  }

  /// True if the version settled a conflict, with all its parents except the first as sides of it.
  var isResolution: Bool { [.resolve, .merge].contains(kind) }
}
