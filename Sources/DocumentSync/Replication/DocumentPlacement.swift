internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// Decides where documents are put: under their own names, or with a number where these are taken.
struct DocumentPlacement {
  let environment: StoreEnvironment

  /// Gets where a document was and where it is now.
  typealias Moved = (_ former: DocumentLocation, _ place: DocumentLocation) -> Void

  /// The place of a document that is new here; never in another document.
  ///
  /// Of two documents with one name, the one that got it later gets a number, on every device: see ``NameClaim``.
  ///
  /// - Parameters:
  ///   - arrived: what has arrived of it.
  ///   - moved: receives a document that had to make room.
  func place(
    for identifier: String, _ arrived: PeerObjects.Arrived, in container: FilePath, moved: Moved
  ) throws -> DocumentLocation {
    guard let path = arrived.path else {
      throw GitError.malformed("the document \(identifier) is published without a version")
    }
    let wanted = DocumentLocation(container: container, path: path)
    if let obstacle = try wanted.obstacle() { throw obstacle }
    if let taken = try wanted.hasStore ? wanted : wanted.otherSpelling() {
      let reader = try StoreReader(taken, in: environment)
      let present = reader.documentIdentifier.description
      // It could not be read a moment ago: it is not new here.
      if identifier == present { return taken }
      // One that only this device knows under that name keeps it until a version says so, too.
      guard let own = try NameClaim(of: reader, to: taken.path),
        let other = NameClaim(
          to: path, by: identifier, heads: arrived.heads, record: { arrived.versions[$0] }),
        other < own
      else { return try DocumentLocation.free(for: path, in: container) }
      let aside = try DocumentLocation.free(for: taken.path, in: container)
      try Renaming(environment).move(taken, to: aside)
      moved(taken, aside)
      return wanted
    }
    let copies = try WorkingCopy.possible(at: wanted, clock: environment.fileClock)
    guard !copies.isEmpty else { return wanted }
    // A file that was not saved yet, and that is one of its versions, becomes the document.
    let isSame = arrived.versions.values.contains { version in
      copies.contains { $0.content.isSame(as: version.content) }
    }
    // A folder that others keep documents in is not the package of that name.
    let holdsDocuments = try Layout.documentPaths(in: container).contains {
      $0.utf8.starts(with: (path + "/").utf8)
    }
    return isSame && !holdsDocuments ? wanted : try DocumentLocation.free(for: path, in: container)
  }

  // MARK: Numbers

  /// Gives the documents of one name their numbers in the order in which they got it, which is the same on every device;
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

  /// The path of a document by its current version; nil if it has edits.
  private func wantedPath(of location: DocumentLocation) throws -> String? {
    try environment.withWriter(at: location) { try $0.reader.document.wantedPath() }
  }

  private func sortNumbers(
    of path: String, among all: Set<[UInt8]>, in container: FilePath, moved: Moved
  ) throws {
    var places: [DocumentLocation] = []
    var occupants: [Occupant] = []
    var (number, place) = (1, path)
    while all.contains(Array(place.utf8)) {
      let location = DocumentLocation(container: container, path: place)
      // One with edits stays where it is, and so does one whose own name has the number.
      if location.documentIdentity != nil,
        try wantedPath(of: location)?.hasBytes(of: path) == true,
        let claim = try NameClaim(of: StoreReader(location, in: environment), to: path)
      {
        places.append(location)
        occupants.append((claim, location))
      }
      number += 1
      place = ContainerPath.numbered(path, number)
    }
    try unite(&occupants, moved: moved)
    places = Array(places.prefix(occupants.count))
    func move(_ index: Int, to place: DocumentLocation) throws {
      let former = occupants[index].place
      try Renaming(environment).move(former, to: place, isOwnName: place.path.hasBytes(of: path))
      occupants[index].place = place
      moved(former, place)
    }
    occupants.sort { $0.claim < $1.claim }
    for (index, place) in places.enumerated() where occupants[index].place != place {
      if let other = occupants.firstIndex(where: { $0.place == place }) {
        try move(other, to: .free(for: path, in: container))
      }
      try move(index, to: place)
    }
  }
}

extension DocumentPlacement {
  /// A document that has a name, and where it is.
  private typealias Occupant = (claim: NameClaim, place: DocumentLocation)

  /// Makes one document of those of one name that have a version in common by its contents.
  private func unite(_ occupants: inout [Occupant], moved: Moved) throws {
    var index = 0
    while index < occupants.count {
      let place = occupants[index].place
      let next = try occupants.indices.dropFirst(index + 1).first { other in
        let versions = try StoreReader(occupants[other].place, in: environment).versions()
        return try StoreReader(place, in: environment).hasVersion(in: versions)
      }
      guard let next else {
        index += 1
        continue
      }
      let other = occupants.remove(at: next).place
      try Joining(environment).fold(other, into: place)
      moved(other, place)
      // What it was given may make it one with others.
      index = 0
    }
  }
}
