package import DocumentFiles
package import DocumentGit
internal import SystemPackage

/// Following a document that was renamed or moved inside its container outside docversions.
extension DocumentLocation {
  /// Returns the location with the document's store, which is under the old name until it is moved along.
  ///
  /// The document is identified by the inode and birth time recorded at its last save, then by its content.
  ///
  /// - Parameters:
  ///   - clock: the clock to compare file times with.
  ///   - listings: the known listings of the container.
  ///   - refusesOpen: whether a file that may be one of several documents counts as none yet, rather than as
  ///     a new one.
  ///   - seconds: the longest time to wait for another process that changes the store, before it is moved to
  ///     its new location; nil to leave it in place.
  func followingRename(
    by clock: FileClock, knowing listings: ContainerListings? = nil,
    refusingOpen refusesOpen: Bool = false, movingStoreWithin seconds: Double? = nil
  ) throws -> DocumentLocation {
    while let answer = try answer(by: clock, knowing: listings) {
      if refusesOpen, case .open = answer { throw OpenMove(file: printable) }
      guard let former = answer.location else { break }
      guard let seconds else {
        try RestingActivation.run(former)
        if try former.isMissing { tidyUp { try former.recordMove(to: self) } }
        var location = self
        location.store = former.store
        return location
      }
      do {
        try moveStore(from: former, within: seconds)
      } catch let error as FileError where error.code == .changing {
        // Another process has moved it in the meantime.
      }
    }
    return self
  }

  /// Throws an error for a member of a package with versions, because it is saved with the package.
  func refuseMember(knowing listings: ContainerListings? = nil) throws {
    guard let package = try enclosingPackage(knowing: listings) else { return }
    throw VersionError(
      .invalidArgument, document: printable,
      message: "“\(printable)” is a member of “\(package.printable)”, and is saved with it.")
  }

  /// Returns the package with versions that a document at this path is, or would be, a member of; `nil` if
  /// there is none.
  ///
  /// The package may have been renamed outside docversions.
  ///
  /// - Parameter listings: the known listings of the container.
  package func enclosingPackage(
    knowing listings: ContainerListings? = nil
  ) throws -> DocumentLocation? {
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

  /// Returns whether the document has versions, including under its name from before a rename outside
  /// docversions.
  package func hasVersions(
    by clock: FileClock, knowing listings: ContainerListings? = nil
  ) throws -> Bool {
    try followingRename(by: clock, knowing: listings).hasStore
  }

  /// Returns the same if the document is the very file or folder that was saved, without reading it.
  func isKnownByMark(knowing listings: ContainerListings? = nil) throws -> Bool {
    try hasStore || FormerLocationSearch(self, knowing: listings).find().location != nil
  }

  /// Moves the store to the new name, unless another process has done so by the time its lock is free.
  func moveStore(from former: DocumentLocation, within seconds: Double) throws {
    let lock = try former.lockStore(waitingAtMost: seconds)
    if try !hasStore, try FileStatus.of(document) != nil,
      try former.isMissing || OwnFile(of: former).isMoved(to: self)
    {
      try Folder.create(store.parentFolder)
      try WorkingFileEntry.record(document, in: former.store)
      try former.moveStore(to: self)
    }
    lock.release()
  }

  /// Identifies a document without a store here; `nil` for any other.
  private func answer(
    by clock: FileClock, knowing listings: ContainerListings?
  ) throws -> FormerLocationSearch.Answer? {
    guard try !hasStore, try FileStatus.of(document) != nil else { return nil }
    let answer = try FormerLocationSearch(self, knowing: listings).find(readingBy: clock)
    // Among many documents, these were followed before; see ``StoreSearch/followRenames(of:)``.
    guard listings == nil, case .new = answer,
      let move = try ReplacedDocuments(container: container).moves(to: [self]).first
    else { return answer }
    return .former(move.former)
  }

  /// True if docversions deleted the document, so that its name is free.
  var isDeleted: Bool {
    get throws {
      guard try FileStatus.of(document) == nil else { return false }
      return try shownRecord.map { $0.content == nil } ?? false
    }
  }

  /// The known content of the document on disk; `nil` if it is deleted or can't be read.
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

  /// Moves the document to another place in the container, before its store follows.
  ///
  /// A program may replace the file before that, so the store has the place first.
  func moveFile(to place: DocumentLocation) throws {
    try recordMove(to: place)
    try DocumentWriter.move(document, to: place.document)
  }

  /// Moves the store after its document.
  func moveStore(to place: DocumentLocation) throws {
    try DocumentWriter.move(store, to: place.store)
    tidyUp { try Folder.removeTree(StoreFile.movedTo.path(in: place.store)) }
  }

  /// Records that a file is this missing document, because a program may replace it before it is saved.
  func recordMove(to place: DocumentLocation) throws {
    let file = StoreFile.movedTo.path(in: store)
    let path = Array(place.path.utf8)
    if try SmallFile.read(file) != path { try SmallFile.replaceCache(file, path) }
  }

  /// True if the document has a store here, but is not in place.
  var isMissing: Bool {
    get throws { try !ContainerFolder.hasItem(at: document, in: container) && hasStore }
  }
}

/// The error for a file that may be one of several missing documents, with nothing to determine which one.
package struct OpenMove: Error, CustomStringConvertible {
  let file: String

  package var description: String { "“\(file)” may be one of several documents that are missing." }
}

extension Repository {
  /// Returns the record that the document on disk was last saved as or written from.
  package func shownRecord() throws -> ObjectID? {
    switch try references.head() {
    case .detached(let id): return id
    case .attached(let name):
      guard let target = try references.value(of: name) else { return nil }
      return try ContentCommit.record(of: target, commit(target))
    }
  }
}
