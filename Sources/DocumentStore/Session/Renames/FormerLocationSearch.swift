internal import DocumentFiles
internal import SystemPackage

/// Finds the former location of a document whose store lost its document.
struct FormerLocationSearch {
  private let place: DocumentLocation
  private let listings: ContainerListings?

  /// - Parameters:
  ///   - place: the document.
  ///   - listings: the known listings of the container.
  init(_ place: DocumentLocation, knowing listings: ContainerListings?) {
    self.place = place
    self.listings = listings
  }

  private var container: FilePath { place.container }

  /// The answer to which document a file without a store is.
  enum Answer {
    /// It is the document that was at the location.
    case former(DocumentLocation)
    /// It has the contents of the documents that were at these paths, and nothing determines which one it is.
    case open([String])
    case new

    var location: DocumentLocation? {
      guard case .former(let location) = self else { return nil }
      return location
    }
  }

  /// Identifies a file without a store; see ``RenameAssignment``.
  ///
  /// - Parameter clock: the clock for reading contents; `nil` if only the very file counts.
  func find(readingBy clock: FileClock? = nil) throws -> Answer {
    let moves = ContainerMoves(
      container: container, clock: clock ?? .system, listings: listings)
    let missing = try moves.missing()
    guard !missing.documents.isEmpty, let mark = try WorkingFileEntry.mark(of: place.document)
    else { return .new }
    let answer = try find(mark, among: missing, in: moves, readingBy: clock)
    guard clock != nil, case .new = answer,
      let former = try movedWithFolder(among: missing, in: moves)
    else { return answer }
    return .former(former)
  }

  private func find(
    _ mark: String, among missing: MissingIndex, in moves: ContainerMoves,
    readingBy clock: FileClock?
  ) throws -> Answer {
    // Thousands may be missing, so only those that match are checked on disk.
    func first(_ documents: [MissingDocument]) throws -> DocumentLocation? {
      for document in documents {
        let former = DocumentLocation(container: container, path: document.path)
        if try mayBe(former) { return former }
      }
      return nil
    }
    let path = Array(place.path.utf8)
    let same = try first(missing.documents(withMark: mark))
    // Where a document was found before, there may be another file by now.
    let found = missing.documents(foundAt: path)
    let others =
      try found.isEmpty ? [] : moves.unsavedFiles().filter { !$0.path.hasBytes(of: place.path) }
    let known =
      try same ?? first(found.filter { document in !others.contains { $0.mark == document.mark } })
    let isNamedAsOther = missing.documents(named: ContainerPath.name(of: place.path))
      .contains { other in same.map { !$0.path.hasBytes(of: other.path) } ?? true }
    guard let clock, same == nil || isNamedAsOther else {
      return known.map(Answer.former) ?? .new
    }
    let contents = try moves.contents()
    let copies =
      contents.isEmpty ? [] : try WorkingCopy.possible(at: place, clock: clock).map(\.content.key)
    guard let content = copies.first(where: { contents[$0] != nil }),
      same.map({ same in contents[content]?.contains { $0.path.hasBytes(of: same.path) } ?? false })
        ?? true
    else { return known.map(Answer.former) ?? .new }
    let places = try moves.places(of: content, with: place)
    if let former = places.former[path] {
      let location = DocumentLocation(container: container, path: former)
      return try mayBe(location) ? .former(location) : .new
    }
    return places.open[path].flatMap { $0.isEmpty ? nil : .open($0) } ?? .new
  }

  /// Returns the document of the same name in a folder that was moved to the file's folder: another document
  /// of that folder is the very file there.
  ///
  /// The file itself has been replaced since, as editors do when they save.
  private func movedWithFolder(
    among missing: MissingIndex, in moves: ContainerMoves
  ) throws -> DocumentLocation? {
    let names = place.path.pathNames()
    let found = try missing.documents(named: names.last ?? "").filter { document in
      let former = document.path.pathNames()
      let same = zip(names.reversed(), former.reversed())
        .prefix { $0.utf8.elementsEqual($1.utf8) }.count
      // Including the name, because the folder may have been moved with an outer one.
      return try (1...same).contains { count in
        try count < former.count
          && isMoved(former.dropLast(count), to: names.dropLast(count), missing)
      }
    }
    guard found.count == 1,
      // Its own file may be elsewhere.
      try !moves.unsavedFiles().contains(where: { $0.mark == found[0].mark })
    else { return nil }
    let former = DocumentLocation(container: container, path: found[0].path)
    return try mayBe(former) && !former.isDeleted ? former : nil
  }

  /// Returns whether a folder is gone and one of its documents is in another one.
  private func isMoved(
    _ former: ArraySlice<String>, to new: ArraySlice<String>, _ missing: MissingIndex
  ) throws -> Bool {
    guard try FileStatus.of(path(former)) == nil else { return false }
    return try missing.documents(below: former).prefix(Self.mostWitnesses).contains {
      guard let mark = $0.mark else { return false }
      let rest = $0.path.pathNames().dropFirst(former.count)
      return try WorkingFileEntry.mark(of: path(new + rest)) == mark
    }
  }

  private func path(_ names: some Sequence<String>) -> FilePath {
    names.reduce(container) { $0.appending($1) }
  }

  /// The greatest number of a folder's documents that are checked to find its new location.
  private static let mostWitnesses = 64

  /// Returns whether this may be a document from another location, at which it is missing and has its store.
  private func mayBe(_ former: DocumentLocation) throws -> Bool {
    // An unreadable store of another document doesn't affect this one.
    do {
      return try former.isMissing && !OwnFile(of: former).isPutAside(at: place)
    } catch  where !error.isFromSystem {
      return false
    }
  }
}
