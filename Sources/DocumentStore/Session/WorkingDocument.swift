internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The document on disk, and its relation to the versions.
package final class WorkingDocument {
  private let objects: VersionObjects
  private let heads: Heads
  private let chain: ContentChain
  private let contents: StoredContents
  private let clock: FileClock
  /// Reports whether file systems keep permission bits.
  let support: PermissionSupport
  private let meter: ProgressMeter
  /// The entry that identifies the document's file, if it has been read.
  private var knownEntry: WorkingFileEntry??

  init(
    _ objects: VersionObjects, _ heads: Heads, _ chain: ContentChain, _ contents: StoredContents,
    clock: FileClock, support: PermissionSupport, meter: ProgressMeter
  ) {
    self.objects = objects
    self.heads = heads
    self.chain = chain
    self.contents = contents
    self.clock = clock
    self.support = support
    self.meter = meter
  }

  private var location: DocumentLocation { objects.location }

  // MARK: Contents

  /// Returns the document on disk, reading only the changes since the last save; `nil` if there is none.
  ///
  /// - Parameter isPackage: whether a folder in place of a file is the document.
  package func copy(asPackage isPackage: Bool = false) throws -> WorkingCopy? {
    if try !isPackage && PlainFolder.covers(location, after: heads.base()) { return nil }
    return try WorkingCopy.read(
      location, knowing: statCache(), after: formerMembers(), support: support, clock: clock,
      meter: meter)
  }

  /// Returns the first of some versions that the document on disk matches.
  ///
  /// - Parameter isWrittenEnough: whether the only version counts, too, if the document's file was written for it and is
  ///   edited by now.
  func shown(
    _ present: WorkingCopy?, among heads: [Head], orWritten isWrittenEnough: Bool = false
  ) throws -> Head? {
    if let head = try heads.first(where: { try isAsIn($0.record, present) }) { return head }
    guard isWrittenEnough, heads.count == 1, let mark = try entry()?.mark, !mark.isEmpty,
      try WorkingFileEntry.mark(of: location.document) == mark
    else { return nil }
    return heads.first
  }

  /// Returns whether the document on disk matches a version, including members that the rules ignore.
  ///
  /// No document matches a deletion.
  func isAsIn(_ record: Record, _ present: WorkingCopy?) throws -> Bool {
    guard let present, let content = record.content else {
      return present == nil && record.content == nil
    }
    if present.content.isSame(as: content) { return true }
    guard present.listing.hasIgnored, try chain.content(of: record.id) != nil else { return false }
    return try WorkingCopy.read(
      location, after: FormerMembers(of: content, in: contents), support: support, clock: clock
    )?.content.isSame(as: content) == true
  }

  /// Returns the members of the version that the document shows; `nil` if it isn't on this device.
  package func formerMembers() throws -> FormerMembers? {
    guard let base = try heads.base(), let content = base.content,
      try chain.content(of: base.id) != nil
    else { return nil }
    return FormerMembers(of: content, in: contents)
  }

  /// Returns the cached files of the version that the document shows.
  func statCache() throws -> StatCache? {
    guard let base = try heads.base(), let tree = base.content?.tree,
      try chain.content(of: base.id) != nil
    else { return nil }
    return StatCache(in: location.store, of: tree)
  }

  /// Returns the time for which the document's files must have been left alone to be recorded, in
  /// nanoseconds.
  func leastAge() throws -> Int64 {
    let isPackage = try FileStatus.of(location.document)?.kind == .folder
    let folder = isPackage ? location.document : location.document.parentFolder
    return try Freshness.leastAge(in: folder)
  }

  /// Returns the freshness of files that are read from now on.
  func freshness() throws -> Freshness {
    Freshness(readSince: clock.now, leastAge: try leastAge())
  }

  // MARK: State

  /// Returns the version that the document on disk shows; `nil` if the document is edited.
  package func shownVersion(_ present: WorkingCopy?) throws -> Record? {
    guard let base = try heads.base() else { return nil }
    guard let present else { return base.content == nil ? base : nil }
    return present.content.isSame(as: base.content) ? base : nil
  }

  /// Returns the relation of the document on disk to its versions.
  ///
  /// - Throws: ``VersionError`` with code `noVersions` if the first save didn't finish.
  func state() throws -> EditState {
    let present = try copy()
    let base = try heads.base()
    guard try base != nil || !heads.divergent().isEmpty else { throw location.noVersionsHere }
    guard let present else {
      if let base, base.content == nil { return .deleted }
      // A crash may have left unrecorded that a deletion was carried out.
      return try heads.divergent().allSatisfy { $0.record.content == nil } ? .deleted : .missing
    }
    return present.content.isSame(as: base?.content) ? .unchanged : .edited
  }

  // MARK: Name

  /// Returns the recorded facts that identify the document's file; `nil` if there are none.
  func entry() throws -> WorkingFileEntry? {
    if let knownEntry { return knownEntry }
    let entry = try location.workingFile
    knownEntry = .some(entry)
    return entry
  }

  /// Records the facts that identify the document's file, so that it can be found under another name.
  ///
  /// - Parameter path: its path if that is the version's own. Otherwise, either an exchange put the document
  ///   there, or it was moved outside docversions; the present entry distinguishes these cases, so it stays.
  func recordFile(_ item: FilePath?, path: String? = nil) throws {
    if item == location.document {
      // It isn't elsewhere any more.
      try Folder.removeTree(StoreFile.movedTo.path(in: location.store))
    }
    let former = try entry()
    let path = path ?? former?.path ?? location.path
    let mark = try item.flatMap { try WorkingFileEntry.mark(of: $0) } ?? former?.mark ?? ""
    let present = WorkingFileEntry(mark: mark, path: path)
    guard former != present else { return }
    forgetEntry()
    try present.write(in: location.store)
  }

  /// Drops the cached entry, before it changes.
  func forgetEntry() {
    knownEntry = nil
  }

  /// Returns the path of a version that is based on another one: the document's location, if it was moved
  /// there outside docversions.
  ///
  /// A document that only has another name because its own is taken keeps its own name.
  func path(following base: Record?) throws -> String {
    guard let base, try entry()?.path.hasBytes(of: location.path) == true else {
      return location.path
    }
    return base.facts.path
  }

  /// True if the document was moved outside docversions since the version that it shows.
  package var isRenamed: Bool {
    get throws {
      try heads.base().map { try !path(following: $0).hasBytes(of: $0.facts.path) } ?? false
    }
  }

  /// True if the current version has the document's name.
  package var hasOwnName: Bool {
    get throws {
      try heads.divergent().first?.record.facts.path.hasBytes(of: location.path) ?? true
    }
  }

  /// Returns the document's path in its current version; `nil` if the document is edited.
  package func wantedPath() throws -> String? {
    let present = try copy()
    // A document that was never shown can be anywhere.
    let isUnseen = try present == nil && heads.base() == nil
    guard try isUnseen || shownVersion(present) != nil else { return nil }
    // Its name comes with its contents.
    guard let current = try heads.divergent().first, !current.lacksContent else { return nil }
    return current.record.facts.path
  }

  // MARK: Showing versions

  /// Writes the current version over an unedited document.
  ///
  /// This doesn't restore a missing document.
  package func showCurrentVersion(by writer: borrowing StoreWriter) throws {
    guard let head = try heads.divergent().first, !head.lacksContent else { return }
    let current = head.record
    let base = try heads.base()
    guard base?.id != current.id else { return }
    let present = try copy()
    if base == nil, let present {
      guard let version = try version(with: present.content) else { return }
      try writer.setBase(version)
      guard version.id != current.id else { return }
      // A file with the only copy of its contents must not be overwritten.
      if try chain.content(of: version.id) == nil {
        try writer.keep(present, as: .save, on: ArrivalCheck.Origin(base: version))
        try UndisputedJoin.joinAll(by: writer)
      }
      try showCurrentVersion(by: writer)
    } else if try base == nil || shownVersion(present) != nil {
      try writer.show(current, replacing: present)
    }
  }

  /// Returns the latest version with some contents; `nil` if there is none.
  private func version(with content: DocumentContent) throws -> Record? {
    try objects.ancestry(of: heads.divergent().map(\.record.id)).values
      .filter { content.isSame(as: $0.content) }.min(by: Record.isPreferred)
  }
}
