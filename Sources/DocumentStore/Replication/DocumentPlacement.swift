internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Decides where documents are put: under their own names, or with a number where these are taken.
struct DocumentPlacement {
  let environment: StoreEnvironment

  /// Gets where a document was and where it is now.
  typealias Moved = (_ former: DocumentLocation, _ place: DocumentLocation) -> Void

  /// The place of a document that is new here; never in another document.
  ///
  /// Of two documents with one name, the one with the later id gets a number, on every device.
  ///
  /// - Parameters:
  ///   - heads: the versions of it that have arrived.
  ///   - moved: receives a document that had to make room.
  func place(
    for identifier: String, heads: [Record], in container: FilePath, moved: Moved
  ) throws -> DocumentLocation {
    guard let path = heads.sorted(by: Record.isPreferred).first?.facts.path else {
      throw GitError.malformed("the document \(identifier) is published without a version")
    }
    let wanted = DocumentLocation(container: container, path: path)
    if let obstacle = try wanted.obstacle() { throw obstacle }
    if let taken = try wanted.hasStore ? wanted : wanted.otherSpelling() {
      let present = try StoreReader(taken, in: environment).documentIdentifier.description
      // It could not be read a moment ago: it is not new here.
      if identifier == present { return taken }
      guard identifier < present else { return try DocumentLocation.free(for: path, in: container) }
      let aside = try DocumentLocation.free(for: taken.path, in: container)
      try Renaming(environment).move(taken, to: aside)
      moved(taken, aside)
      return wanted
    }
    guard let present = try WorkingCopy.read(wanted, clock: environment.fileClock) else {
      return wanted
    }
    // A file that was not saved yet, and that happens to be the same, becomes the document.
    let isSame = heads.contains { present.content.isSame(as: $0.content) }
    // A folder that others keep documents in is not the package of that name.
    let holdsDocuments = try Layout.documentPaths(in: container).contains {
      $0.utf8.starts(with: (path + "/").utf8)
    }
    return isSame && !holdsDocuments ? wanted : try DocumentLocation.free(for: path, in: container)
  }

  // MARK: Numbers

  /// Gives the documents of one name their numbers in the order of their ids, which is the same on every device;
  /// they may have arrived in any order.
  ///
  /// Each is moved by itself to a place that is free: wherever this ends, the next exchange goes on.
  ///
  /// - Parameter moved: gets every document that moves.
  func sortNumbers(in container: FilePath, moved: Moved) throws {
    let paths = try Layout.documentPaths(in: container)
    // A number stands behind a blank, and most names have no blank.
    guard paths.contains(where: { $0.utf8.contains(UInt8(ascii: " ")) }) else { return }
    // Bytes: as texts, two ways to compose a character are equal.
    let all = Set(paths.map { Array($0.utf8) })
    for path in paths where all.contains(Array(ContainerPath.numbered(path, 2).utf8)) {
      do {
        try sortNumbers(of: path, among: all, in: container, moved: moved)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // These keep the names that they have; the exchange of a damaged one reports its fault.
      }
    }
  }

  /// The path of a document by its current version; nil where it has edits.
  private func wantedPath(of location: DocumentLocation) throws -> String? {
    try environment.withWriter(at: location) { try $0.reader.document.wantedPath() }
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
        try wantedPath(of: location)?.hasBytes(of: path) == true
      {
        places.append(location)
        occupants.append((identifier, location))
      }
      number += 1
      place = ContainerPath.numbered(path, number)
    }
    func move(_ index: Int, to place: DocumentLocation) throws {
      let former = occupants[index].place
      try Renaming(environment).move(former, to: place, isOwnName: place.path.hasBytes(of: path))
      occupants[index].place = place
      moved(former, place)
    }
    occupants.sort { $0.identifier < $1.identifier }
    for (index, place) in places.enumerated() where occupants[index].place != place {
      if let other = occupants.firstIndex(where: { $0.place == place }) {
        try move(other, to: .free(for: path, in: container))
      }
      try move(index, to: place)
    }
  }
}

extension DocumentLocation {
  /// The document's id in its store's config; nil where that cannot be read.
  var documentIdentifier: String? {
    do {
      let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) ?? []
      let identifier = try StoreConfiguration.values(in: bytes)["docversions.document"]
      return identifier.flatMap { DocumentIdentifier($0)?.description }
    } catch {
      // The exchange of this very document reports the fault.
      return nil
    }
  }
}
