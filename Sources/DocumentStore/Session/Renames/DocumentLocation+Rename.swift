package import DocumentFiles
package import DocumentGit
internal import SystemPackage

/// Following a document that was renamed or moved inside its container outside docversions.
extension DocumentLocation {
  /// The location with the store that belongs to the document, which lies under the old name until
  /// it is moved along.
  ///
  /// The document is identified by the inode and birth time recorded at its last save, then by its content.
  ///
  /// - Parameters:
  ///   - clock: the clock that files' times are compared with.
  ///   - listings: what is known of the container already.
  ///   - refusesOpen: whether a file that may be one of several documents is none yet, rather than a new one.
  ///   - seconds: moves the store to where it belongs now, after waiting so long at most for another
  ///     process that changes it; nil leaves it where it is.
  func followingRename(
    by clock: FileClock, knowing listings: ContainerListings? = nil,
    refusingOpen refusesOpen: Bool = false, movingStoreWithin seconds: Double? = nil
  ) throws -> DocumentLocation {
    while let answer = try answer(by: clock, knowing: listings) {
      if refusesOpen, case .open = answer { throw OpenMove(file: printable) }
      guard let former = answer.location else { break }
      guard let seconds else {
        try RestingActivation.run(former)
        // Once it is edited, its contents do not show any more what it was.
        tidyUp { try former.recordMove(to: self) }
        var location = self
        location.store = former.store
        return location
      }
      do {
        try moveStore(from: former, within: seconds)
      } catch let error as FileError where error.code == .changing {
        // Another process has moved it meanwhile.
      }
    }
    return self
  }

  /// Refuses a member of a package that has versions: it is saved with the package, and would be two documents.
  func refuseMember(knowing listings: ContainerListings? = nil) throws {
    guard let package = try enclosingPackage(knowing: listings) else { return }
    throw VersionError(
      .invalidArgument, document: printable,
      message: "“\(printable)” is a member of “\(package.printable)”, and is saved with it.")
  }

  /// The package with versions that a document at this path is a member of, or would be; `nil` if there is none.
  ///
  /// Also one that was renamed outside docversions.
  ///
  /// - Parameter listings: what is known of the container already.
  func enclosingPackage(knowing listings: ContainerListings? = nil) throws -> DocumentLocation? {
    var names = path.pathNames().dropLast()
    while !names.isEmpty {
      let package = DocumentLocation(container: container, path: names.joined(separator: "/"))
      if try FileStatus.of(package.document)?.kind == .folder,
        try package.isKnownByMark(knowing: listings), try !PlainFolder.covers(package)
      {
        return package
      }
      names.removeLast()
    }
    return nil
  }

  /// Returns whether the document has versions, also under the name that it had before a rename outside docversions.
  package func hasVersions(
    by clock: FileClock, knowing listings: ContainerListings? = nil
  ) throws -> Bool {
    try followingRename(by: clock, knowing: listings).hasStore
  }

  /// The same of a document that is the very file or folder that was saved: nothing is read.
  func isKnownByMark(knowing listings: ContainerListings? = nil) throws -> Bool {
    try hasStore || FormerLocationSearch(self, knowing: listings).find().location != nil
  }

  /// Moves the store to the new name, unless another process has done so by the time that its lock is free.
  private func moveStore(from former: DocumentLocation, within seconds: Double) throws {
    let lock = try former.lockStore(waitingAtMost: seconds)
    if try !hasStore, try FileStatus.of(document) != nil, try former.isMissing {
      try Folder.removeTree(StoreFile.movedTo.path(in: former.store))
      try Folder.create(store.parentFolder)
      try DocumentWriter.move(former.store, to: store)
    }
    lock.release()
  }

  /// What a document without a store here is; `nil` for any other.
  private func answer(
    by clock: FileClock, knowing listings: ContainerListings?
  ) throws -> FormerLocationSearch.Answer? {
    guard try !hasStore, try FileStatus.of(document) != nil else { return nil }
    return try FormerLocationSearch(self, knowing: listings).find(readingBy: clock)
  }

  /// Whether the document was deleted by docversions, so that its name is free.
  var isDeleted: Bool {
    get throws {
      guard try FileStatus.of(document) == nil else { return false }
      return try shownRecord.map { $0.content == nil } ?? false
    }
  }

  /// The content that the document on disk has, as far as is known; `nil` if it is deleted or cannot be read.
  var shownContent: DocumentContent? {
    get throws { try shownRecord?.content }
  }

  /// The record that the document on disk was last saved as or written from; `nil` if there is none.
  var shownRecord: Record? {
    get throws {
      func record(_ id: ObjectID, in repository: borrowing Repository) throws -> Record {
        try Record(id: id, decoding: repository.commit(id))
      }
      let resting = try RestingDocument.reading(self) {
        try record($0.head, in: $0.openMirror(in: container))
      }
      if let resting { return resting }
      let repository = try Repository(store: store)
      return try repository.shownRecord().map { try record($0, in: repository) }
    }
  }

  /// The facts that identify the document's file; `nil` if there are none.
  var workingFile: WorkingFileEntry? {
    get throws {
      if let resting = try RestingDocuments.document(of: self) {
        return WorkingFileEntry(mark: resting.mark, path: resting.path)
      }
      return try WorkingFileEntry(in: store)
    }
  }

  /// Which file the document was, if it is not at its place any more.
  var markWhereMissing: String? {
    get throws {
      // Most documents are there, so this check comes first and saves the others.
      guard try FileStatus.of(document) == nil, try hasStore else { return nil }
      return try workingFile?.mark
    }
  }

  /// Moves the document and its store to another place of the container: both or neither.
  func move(to target: DocumentLocation) throws {
    try DocumentWriter.move(document, to: target.document)
    do {
      try DocumentWriter.move(store, to: target.store)
    } catch {
      // Should this fail too, the store follows as if the document had been renamed outside docversions.
      do { try DocumentWriter.move(target.document, to: document) } catch {}
      throw error
    }
  }

  /// Records that a file is this document, which is missing: where it is not the same file, by its contents.
  private func recordMove(to place: DocumentLocation) throws {
    let file = StoreFile.movedTo.path(in: store)
    let path = Array(place.path.utf8)
    guard try WorkingFileEntry(in: store)?.mark != WorkingFileEntry.mark(of: place.document),
      try SmallFile.read(file) != path
    else { return }
    try SmallFile.replaceCache(file, path)
  }

  /// Whether the document has a store here, and is not at its place.
  var isMissing: Bool {
    get throws { try FileStatus.of(document) == nil && hasStore }
  }

  /// Returns whether its name says that it is no document by another name, but one that was put aside, or a copy of it.
  func isPutAside(from former: DocumentLocation) -> Bool {
    PutAsideName.isPutAside(
      ContainerPath.name(of: path), from: ContainerPath.name(of: former.path))
  }
}

/// A file may be one of several documents that are missing, and nothing says which one.
package struct OpenMove: Error, CustomStringConvertible {
  let file: String

  package var description: String { "“\(file)” may be one of several documents that are missing." }
}

extension Repository {
  /// The record that the document on disk was last saved as or written from.
  package func shownRecord() throws -> ObjectID? {
    switch try head() {
    case .detached(let id): return id
    case .attached(let name):
      guard let target = try reference(name) else { return nil }
      return try ContentCommit.record(of: target, commit(target))
    }
  }
}
