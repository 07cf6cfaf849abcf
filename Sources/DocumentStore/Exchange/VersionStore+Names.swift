internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Where documents are put: under their own names, or with a number where these are taken.
extension VersionStore {
  /// Is told where a document was and where it is now.
  typealias Moved = (_ former: DocumentLocation, _ place: DocumentLocation) -> Void

  /// Moves the document and its store to where the current version says, unless it has edits.
  ///
  /// While its name is taken the document is shown with a number; that is nothing that others learn of. While it would
  /// be a member of another document, it stays where it is.
  ///
  /// - Parameter refused: told why it stays, also where it can't be moved. Without it that is thrown, and the rest is left to
  ///   the next exchange.
  func followWinnersName(
    _ location: DocumentLocation, refused: ((any Error) -> Void)? = nil
  ) throws -> DocumentLocation {
    try translatingErrors(location) {
      guard let wanted = try OpenStore(changing: location, for: self).wantedPath() else {
        return location
      }
      do {
        let place = try freePlace(for: wanted, in: location.container, besides: location)
        guard place != location else { return location }
        if let obstacle = try place.obstacle {
          refused?(obstacle)
          return location
        }
        try moveDocument(location, to: place, isOwnName: place.path.hasBytes(of: wanted))
        return place
      } catch {
        guard let refused, !(error is CancellationError) else { throw error }
        refused(error)
        return location
      }
    }
  }

  /// Moves a document and its store, and notes that nobody else did.
  ///
  /// Under its own name a document is where it belongs, whoever moved it: the note comes after, so that a crash
  /// before the move is no renaming either. Under a name with a number only the note tells, so it comes first.
  private func moveDocument(
    _ location: DocumentLocation, to place: DocumentLocation, isOwnName: Bool = false
  ) throws {
    let lock = try location.lockStore(
      waitingAtMost: lockTimeout, meter: ProgressMeter(progress))
    // As a copy of the container has it, what was noted may be another file's.
    let mark =
      try WorkingFileNote.mark(of: location.document)
      ?? WorkingFileNote(in: location.store)?.mark ?? ""
    let note = WorkingFileNote(mark: mark, path: place.path)
    if !isOwnName { try note.write(in: location.store) }
    try Folder.create(place.document.parentFolder)
    try Folder.create(place.store.parentFolder)
    if try FileStatus.of(location.document) != nil {
      try DocumentWriter.move(location.document, to: place.document)
    }
    if isOwnName { try note.write(in: location.store) }
    try DocumentWriter.move(location.store, to: place.store)
    lock.release()
  }

  /// Moves the store behind a document that was moved to a name with a number, where a crash came in between.
  ///
  /// - Returns: where both are now.
  func finishMove(of location: DocumentLocation) -> DocumentLocation {
    do {
      guard try placeOfUnfinishedMove(of: location) != nil else { return location }
      let lock = try location.lockStore(waitingAtMost: lockTimeout)
      // Who held it may have been moving it just now.
      guard let place = try placeOfUnfinishedMove(of: location) else { return location }
      try DocumentWriter.move(location.store, to: place.store)
      lock.release()
      return place
    } catch {
      // The exchange of this very document tells what is wrong.
      return location
    }
  }

  /// Where a document was moved to that its store has not followed; nil for any other.
  private func placeOfUnfinishedMove(of location: DocumentLocation) throws -> DocumentLocation? {
    guard try FileStatus.of(location.document) == nil,
      let note = try WorkingFileNote(in: location.store), !note.path.hasBytes(of: location.path),
      ContainerPath.isValid(note.path)
    else { return nil }
    let place = DocumentLocation(container: location.container, path: note.path)
    let isThere = try WorkingFileNote.mark(of: place.document) == note.mark
    return try isThere && !place.hasStore ? place : nil
  }

  /// Where a document that is new here goes; never into another document.
  ///
  /// Of two documents with one name, the one with the later id gets a number, on every device.
  ///
  /// - Parameters:
  ///   - heads: the versions of it that have arrived.
  ///   - moved: told of a document that had to make room.
  func place(
    for identifier: String, heads: [Record], in container: FilePath, moved: Moved
  ) throws -> DocumentLocation {
    guard let path = heads.sorted(by: Record.isPreferred).first?.facts.path else {
      throw GitError.malformed("the document \(identifier) is published without a version")
    }
    let wanted = DocumentLocation(container: container, path: path)
    if let obstacle = try wanted.obstacle { throw obstacle }
    if let taken = try wanted.hasStore ? wanted : wanted.otherSpelling() {
      let present = try OpenStore(reading: taken, for: self).documentIdentifier
      // It could not be read a moment ago: it is not new here.
      if identifier == present { return taken }
      guard identifier < present else { return try freePlace(for: path, in: container) }
      let aside = try freePlace(for: taken.path, in: container)
      try moveDocument(taken, to: aside)
      moved(taken, aside)
      return wanted
    }
    guard let present = try WorkingCopy.read(wanted) else { return wanted }
    // A file that nobody saved yet, and that happens to be the same, becomes the document.
    let isSame = heads.contains { present.content.isSame(as: $0.content) }
    // A folder that others keep documents in is not the package of that name.
    let holdsDocuments = try Layout.documentPaths(in: container).contains {
      $0.utf8.starts(with: (path + "/").utf8)
    }
    return isSame && !holdsDocuments ? wanted : try freePlace(for: path, in: container)
  }

  // MARK: Numbers

  /// Gives the documents of one name their numbers in the order of their ids, which is the same on every device;
  /// they may have arrived in any order.
  ///
  /// Each is moved by itself to a place that is free: wherever this ends, the next exchange goes on.
  ///
  /// - Parameter moved: told of every document that moves.
  func sortNumbers(in container: FilePath, moved: Moved) throws {
    let paths = try Layout.documentPaths(in: container)
    // A number stands behind a blank, and mostly there is none.
    guard paths.contains(where: { $0.utf8.contains(UInt8(ascii: " ")) }) else { return }
    // Bytes: as texts, two ways to compose a character are equal.
    let all = Set(paths.map { Array($0.utf8) })
    for path in paths where all.contains(Array(ContainerPath.numbered(path, 2).utf8)) {
      do {
        try sortNumbers(of: path, among: all, in: container, moved: moved)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // These keep the names that they have; what is wrong with one of them, its own exchange tells.
      }
    }
  }

  private func sortNumbers(
    of path: String, among all: Set<[UInt8]>, in container: FilePath, moved: Moved
  ) throws {
    var places: [DocumentLocation] = []
    var occupants: [(identifier: String, place: DocumentLocation)] = []
    var (number, place) = (1, path)
    while all.contains(Array(place.utf8)) {
      let location = DocumentLocation(container: container, path: place)
      // One with edits stays where it is, and so does one whose own name has the number.
      if let identifier = location.documentIdentifier,
        try OpenStore(changing: location, for: self).wantedPath()?.hasBytes(of: path) == true
      {
        places.append(location)
        occupants.append((identifier, location))
      }
      number += 1
      place = ContainerPath.numbered(path, number)
    }
    func move(_ index: Int, to place: DocumentLocation) throws {
      let former = occupants[index].place
      try moveDocument(former, to: place, isOwnName: place.path.hasBytes(of: path))
      occupants[index].place = place
      moved(former, place)
    }
    occupants.sort { $0.identifier < $1.identifier }
    for (index, place) in places.enumerated() where occupants[index].place != place {
      if let other = occupants.firstIndex(where: { $0.place == place }) {
        try move(other, to: freePlace(for: path, in: container))
      }
      try move(index, to: place)
    }
  }

  /// The path itself, or the first one with a number, at which nothing is but the document itself, in whatever case.
  private func freePlace(
    for path: String, in container: FilePath, besides own: DocumentLocation? = nil
  ) throws -> DocumentLocation {
    var place = DocumentLocation(container: container, path: path)
    var number = 2
    while try place != own
      && (place.hasStore || FileStatus.of(place.document) != nil
        || place.otherSpelling(besides: own) != nil)
    {
      place = DocumentLocation(container: container, path: ContainerPath.numbered(path, number))
      number += 1
    }
    return place
  }
}

extension OpenStore {
  /// Where the current version says that the document is; nil where it has edits.
  fileprivate func wantedPath() throws -> String? {
    let present = try workingCopy()
    guard try shownVersion(present) != nil else { return nil }
    // Its name comes with its contents.
    guard let current = try divergentHeads().first, !current.isBare else { return nil }
    return current.record.facts.path
  }

  /// Whether the current version has the name that the document has.
  var hasOwnName: Bool {
    get throws {
      try divergentHeads().first?.record.facts.path.hasBytes(of: location.path) ?? true
    }
  }
}

extension DocumentLocation {
  /// Why what another device has below a folder can't be put there: what has the folder's name is a package here, or no
  /// folder, or it is a container of its own, in which nobody would find the versions; nil where nothing is in the way.
  fileprivate var obstacle: FileError? {
    get throws {
      var folder = container
      var names: [String] = []
      for name in path.pathNames().dropLast() {
        names.append(name)
        folder = folder.appending(bytes: Array(name.utf8))
        guard let kind = try FileStatus.of(folder)?.kind else { break }
        let passed = names.joined(separator: "/")
        if kind != .folder { return cannotGo(into: passed, "is no folder here") }
        if try FileStatus.of(folder.appending(Layout.folderName))?.kind == .folder {
          return cannotGo(into: passed, "keeps versions of its own documents here")
        }
      }
      return try enclosingPackage.map { cannotGo(into: $0.path, "is one document here") }
    }
  }

  private func cannotGo(into folder: String, _ reason: String) -> FileError {
    FileError(
      .exists, path: document,
      message: """
        “\(Printable.text(path))” of another device can’t be put into “\(Printable.text(folder))”, which \
        \(reason). Rename or move one of them, on any device, and exchange again.
        """)
  }

  /// The document's id, as its store's config tells; nil where that cannot be read.
  var documentIdentifier: String? {
    do {
      let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) ?? []
      let identifier = try StoreConfiguration.values(in: bytes)["docversions.document"]
      return identifier.flatMap { OpenStore.isIdentifier($0) ? $0 : nil }
    } catch {
      // The exchange of this very document tells what is wrong.
      return nil
    }
  }
}
