package import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

/// Finds the store of a document, which may move in the meantime because the document is renamed.
package struct StoreSearch {
  private let environment: StoreEnvironment

  package init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Runs a closure on a document's store, and repeats it if the store was moved in the meantime.
  ///
  /// - Parameter isMoving: whether the store is moved along if the document was renamed outside docversions.
  /// - Throws: ``VersionError`` with code `noVersions` if there is no store, or ``FileError`` with code `notFound` if
  ///   there is no document either.
  func atStore<Result: ~Copyable>(
    of location: DocumentLocation, movingIt isMoving: Bool = false,
    _ body: (DocumentLocation) throws -> Result
  ) throws -> Result {
    for attempt in 1...Self.mostMoves {
      let result = try unlessMoved(
        location, movingIt: isMoving, orBack: attempt <= Self.mostReturns, body)
      if let result { return result }
    }
    throw FileError(
      .changing, path: location.document,
      message: "“\(location.printable)” keeps being renamed.")
  }

  private static let mostMoves = 100
  /// How often a store that has changed may have been away; one that keeps failing is damaged.
  private static let mostReturns = 5

  /// Runs a closure on the store; `nil` if the store was moved in the meantime.
  ///
  /// - Parameter mayBeBack: whether a store that has changed may have been moved away and back.
  private func unlessMoved<Result: ~Copyable>(
    _ location: DocumentLocation, movingIt isMoving: Bool, orBack mayBeBack: Bool,
    _ body: (DocumentLocation) throws -> Result
  ) throws -> Result? {
    var place = location
    // Among many documents, these were followed before.
    if isMoving, environment.listings == nil { tidyUp { try followIfReplacedByOlder(location) } }
    if try !place.hasStore {
      place = try followingRename(of: location, movingStore: isMoving)
      guard try place.hasStore else {
        if place.store != location.store { return nil }
        _ = try place.status()
        throw place.noVersions
      }
    }
    let resting = try RestingDocuments.document(of: place)
    let store = try FileStatus.of(place.store)
    guard resting != nil || store != nil else { return nil }
    do {
      return try body(place)
    } catch {
      // A resting document may have got a store.
      let isThere =
        try resting == nil
        ? place.isStore(store) : RestingDocuments.document(of: place) == resting
      guard isThere else { return nil }
      let mayBeBack = mayBeBack && error is GitError
      if mayBeBack, try FileStatus.of(place.store)?.changed != store?.changed { return nil }
      throw error
    }
  }

  /// Moves the stores of renamed documents along with their files, before these documents are saved, because
  /// another one of them may be in the former place.
  ///
  /// If that fails, saving the document reports the error.
  package func followRenames(of documents: some Collection<URL>) {
    guard !environment.isDryRun else { return }
    // The error of one document doesn't affect the others.
    var files: [DocumentLocation] = []
    for document in documents { tidyUp { files.append(try DocumentLocation(of: document)) } }
    for (container, files) in Dictionary(grouping: files, by: \.container) {
      var files = files
      tidyUp {
        let missing = try missing(besides: &files, in: container)
        let others = try missing.inSameFolder().values
        followExchanges(among: missing, others.map(\.url))
        files += others
      }
      // Each that moves makes room for another one.
      while isMoving(to: files, in: ReplacedDocuments(container: container)) {}
    }
  }

  private func followIfReplacedByOlder(_ document: DocumentLocation) throws {
    if try OwnFile(of: document).isReplacedByOlder { followRenames(of: [document.url]) }
  }

  /// Returns those of some documents whose own files aren't in place; if one of them has the place of another one, which
  /// may be in any folder, among all documents of the container.
  ///
  /// - Parameter files: receives the places where the documents are by now.
  private func missing(
    besides files: inout [DocumentLocation], in container: FilePath
  ) throws -> MissingDocuments {
    guard try files.contains(where: { try OwnFile(of: $0).isReplacedByOlder }) else {
      return MissingDocuments(among: files.map(\.url))
    }
    let all = try Layout.documents(in: container).map { $0.location(in: container).url }
    let missing = MissingDocuments(among: all)
    files += try missing.moved(by: environment.fileClock).places.values.map {
      try DocumentLocation(of: $0)
    }
    return missing
  }

  /// Exchanges the stores of documents that took each other's places outside docversions.
  package func followExchanges(among documents: MissingDocuments, _ others: [URL] = []) {
    guard !environment.isDryRun else { return }
    tidyUp {
      for circle in try documents.circles(with: others) {
        tidyUp { try exchangeStores(of: circle) }
      }
    }
  }

  private func exchangeStores(of circle: [DocumentLocation]) throws {
    try withLocks(of: circle.sorted { $0.store.string < $1.store.string }[...]) {
      let next = circle.dropFirst() + circle.prefix(1)
      guard try zip(circle, next).allSatisfy({ try OwnFile(of: $0).isMoved(to: $1) }) else {
        return
      }
      // Each is the right one afterward, and after a crash, the others are a smaller circle.
      for place in circle.dropFirst() {
        try DocumentWriter.exchange(circle[0].store, with: place.store)
      }
    }
  }

  private func withLocks(of documents: ArraySlice<DocumentLocation>, _ body: () throws -> Void)
    throws
  {
    guard let document = documents.first else { return try body() }
    let lock = try document.lockStore(waitingAtMost: environment.lockSeconds)
    try withLocks(of: documents.dropFirst(), body)
    lock.release()
  }

  /// Moves the stores of documents that are at some locations by now.
  ///
  /// - Returns: whether any was moved.
  private func isMoving(to files: [DocumentLocation], in replaced: ReplacedDocuments) -> Bool {
    var isMoving = false
    tidyUp {
      for move in try replaced.moves(to: files) {
        tidyUp {
          let place = try followMove(of: move.former, to: move.place)
          isMoving = isMoving || place == move.place
        }
      }
    }
    return isMoving
  }

  /// Moves the store of a document that was moved outside docversions to the document's place.
  ///
  /// - Returns: the location of both; the former one if the document isn't at the place any more.
  package func followMove(
    of former: DocumentLocation, to place: DocumentLocation
  ) throws -> DocumentLocation {
    try place.moveStore(from: former, within: environment.lockSeconds)
    return try place.hasStore ? place : former
  }

  /// Returns the location with the document's store, which is moved along if the document was renamed outside
  /// docversions and is about to be changed.
  package func followingRename(
    of location: DocumentLocation, movingStore: Bool
  ) throws -> DocumentLocation {
    try location.followingRename(
      by: environment.fileClock, knowing: environment.listings,
      refusingOpen: movingStore && environment.leavesOpenMoves,
      movingStoreWithin: movingStore && !environment.isDryRun ? environment.lockSeconds : nil)
  }
}

extension DocumentLocation {
  /// Returns the status of a document that must be on disk.
  package func status() throws -> FileStatus {
    guard let status = try FileStatus.of(document) else {
      throw FileError(
        .notFound, path: document, message: "There is no document “\(document.printable)”.")
    }
    return status
  }
}
