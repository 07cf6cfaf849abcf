internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Decides the locations of documents: under their own names, or with a number if these are taken.
struct DocumentPlacement {
  let environment: StoreEnvironment

  /// A closure that receives a document's former location and its new one.
  typealias Moved = (_ former: DocumentLocation, _ place: DocumentLocation) -> Void

  /// Returns the location for a document that is new here; never inside another document.
  ///
  /// Of two documents with one name, the one that got it later gets a number, on every device: see ``NameClaim``.
  ///
  /// - Parameters:
  ///   - arrived: its arrived versions.
  ///   - moved: receives a document that had to make room.
  func place(
    for identifier: String, _ arrived: PeerObjects.Arrived, in container: FilePath, moved: Moved
  ) throws -> DocumentLocation {
    guard let path = arrived.path else {
      throw GitError.malformed("the document \(identifier) is published without a version")
    }
    let wanted = DocumentLocation(container: container, path: path)
    try makeRoom(forFolderOf: wanted, moved: moved)
    if let obstacle = try wanted.obstacle() { throw obstacle }
    if let taken = try wanted.hasStore ? wanted : wanted.otherSpelling() {
      let reader = try StoreReader(taken, in: environment)
      let present = reader.documentIdentifier.description
      // It couldn't be read a moment ago, so it isn't new here.
      if identifier == present { return taken }
      // A document that only this device knows under that name keeps the name until a version records it,
      // too.
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
    // An unsaved file with the contents of one of its versions becomes the document.
    let isSame = arrived.versions.values.contains { version in
      copies.contains { $0.content.isSame(as: version.content) }
    }
    // A folder in which other documents are kept isn't the package with that name.
    let holdsDocuments = try Layout.documentPaths(in: container).contains {
      $0.utf8.starts(with: (path + "/").utf8)
    }
    return isSame && !holdsDocuments ? wanted : try DocumentLocation.free(for: path, in: container)
  }

  /// Moves a document that is a file, and has the name of a folder above a new document, to a location with a
  /// number.
  ///
  /// Where the folder came first, the file got a number when it arrived, so all devices agree.
  private func makeRoom(forFolderOf wanted: DocumentLocation, moved: Moved) throws {
    var path = ""
    for name in wanted.path.pathNames().dropLast() {
      path += (path.isEmpty ? "" : "/") + name
      let file = DocumentLocation(container: wanted.container, path: path)
      guard try FileStatus.of(file.document)?.kind == .file else { continue }
      guard try file.hasStore else { return }
      try RestingActivation.run(file)
      let aside = try DocumentLocation.free(for: path, in: wanted.container)
      try Renaming(environment).move(file, to: aside)
      return moved(file, aside)
    }
  }

  // MARK: Numbers

  /// Gives documents their own names if these have become free.
  ///
  /// A document whose name another one had when it was visited got a number, even if that one moved a moment later.
  ///
  /// - Parameter moved: receives every document that moves.
  func dropNumbers(of documents: [URL], moved: Moved) throws {
    for document in documents {
      do {
        let location = try DocumentLocation(of: document)
        guard location.mayLoseItsNumber else { continue }
        let place = try Renaming(environment).followCurrentName(of: location)
        if place != location { moved(location, place) }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // It keeps its number.
      }
    }
  }

  /// Numbers the documents with one name in the order in which they got it.
  ///
  /// That order is the same on every device, in whatever order they arrived.
  ///
  /// Each document is moved separately to a free location, so the next exchange can continue after an
  /// interruption.
  ///
  /// - Parameter moved: receives every document that moves.
  func sortNumbers(in container: FilePath, moved: Moved) throws {
    let paths = try Layout.documentPaths(in: container)
    // A number stands behind a blank, and most names have no blank.
    guard paths.contains(where: { $0.utf8.contains(UInt8(ascii: " ")) }) else { return }
    // Compares bytes, because strings with different compositions of a character are equal.
    let all = Set(paths.map { Array($0.utf8) })
    for path in paths where all.contains(Array(ContainerPath.numbered(path, 2).utf8)) {
      do {
        try sortNumbers(of: path, among: all, in: container, moved: moved)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // These keep their names; the exchange of a damaged one reports its fault.
      }
    }
  }

  /// Returns the path that a document's current version records; nil if the document has edits.
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
      // A document with edits stays where it is, and so does a document whose own name has the number.
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
    try unite(&occupants, named: path, moved: moved)
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

extension DocumentLocation {
  /// True if the document may have its number only because its name, now free, was taken.
  var mayLoseItsNumber: Bool {
    guard let path = ContainerPath.unnumbered(path) else { return false }
    let place = DocumentLocation(container: container, path: path)
    do { return try FileStatus.of(place.document) == nil } catch { return false }
  }
}

extension DocumentPlacement {
  /// A document's claim to a name, and its location.
  private typealias Occupant = (claim: NameClaim, place: DocumentLocation)

  /// Joins the documents with one name that are the same; see ``StoreReader/isOneDocument(named:with:)``.
  private func unite(_ occupants: inout [Occupant], named path: String, moved: Moved) throws {
    var index = 0
    while index < occupants.count {
      let place = occupants[index].place
      let next = try occupants.indices.dropFirst(index + 1).first { other in
        let versions = try StoreReader(occupants[other].place, in: environment).versions()
        return try StoreReader(place, in: environment).isOneDocument(named: path, with: versions)
      }
      guard let next else {
        index += 1
        continue
      }
      let other = occupants.remove(at: next).place
      try Joining(environment).fold(other, into: place)
      moved(other, place)
      // Its new versions may join it with others.
      index = 0
    }
  }
}
