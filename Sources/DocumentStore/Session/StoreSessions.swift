internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Opens the store of a document where it is: every ``StoreReader`` and ``StoreWriter`` comes from here.
extension StoreEnvironment {
  /// Lends a reader of a document's store.
  ///
  /// - Parameter body: done again where the store was moved meanwhile.
  func reading<Result>(_ document: URL, _ body: (StoreReader) throws -> Result) throws -> Result {
    let location = try DocumentLocation(of: document)
    return try reportingErrors(of: location) {
      try StoreSearch(self).atStore(of: location) { try body(StoreReader($0, in: self)) }
    }
  }

  /// Lends a reader of a document's store; nil where it has none, but can have one.
  func readingIfSaved<Result>(
    _ document: URL, _ body: (StoreReader) throws -> Result
  ) throws -> Result? {
    do {
      return try reading(document, body)
    } catch let error as VersionError where error.code == .noVersions {
      let location = try DocumentLocation(of: document)
      // What an arrival that was cut has left.
      if try FileStatus.of(location.document) == nil, try location.hasStore { throw error }
      if case .other(let special) = try location.status().kind {
        throw FileError(
          .unsupportedKind, path: location.document,
          message: """
            “\(location.document.printable)” is \(special.rawValue), and can’t be a document.
            """)
      }
      return nil
    }
  }

  /// Plans a change of a document's store, and makes it; a dry run only plans.
  func changing<Outcome>(
    _ document: URL, _ plan: (StoreReader) throws -> StorePlan<Outcome>
  ) throws -> Outcome {
    let location = try DocumentLocation(of: document)
    return try reportingErrors(of: location) { try changing(location, plan) }
  }

  /// Plans a change of the store at a location, and makes it; a dry run only plans.
  func changing<Outcome>(
    _ location: DocumentLocation, _ plan: (StoreReader) throws -> StorePlan<Outcome>
  ) throws -> Outcome {
    if isDryRun {
      return try StoreSearch(self).atStore(of: location) {
        try plan(StoreReader($0, in: self)).preview()
      }
    }
    return try withWriter(of: location) { try plan($0.reader).carryOut($0) }
  }

  /// Lends a writer of a document's store, which is moved along where the document was renamed outside docversions.
  package func withWriter<Result>(
    of location: DocumentLocation, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    // The writer holds the lock of the store, so nothing moves it any more.
    let writer = try StoreSearch(self).atStore(of: location, movingIt: true) {
      try StoreWriter.open($0, in: self)
    }
    return try Self.lend(writer, body)
  }

  /// Lends a writer of the store at a location, which must be there.
  package func withWriter<Result>(
    at location: DocumentLocation, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    try Self.lend(StoreWriter.open(location, in: self), body)
  }

  /// Lends a writer of a store that is open already.
  package func withWriter<Result>(
    reopening reader: StoreReader, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    try Self.lend(StoreWriter.open(again: reader), body)
  }

  private static func lend<Result>(
    _ writer: consuming StoreWriter, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    let reader = writer.reader
    defer { reader.endExclusive() }
    do {
      return try body(writer)
    } catch {
      if error.isFromSystem { writer.leaveLockBehind() }
      throw error
    }
  }

  /// Reports errors of git as errors of the document.
  func reportingErrors<Result>(
    of location: DocumentLocation, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as GitError {
      throw error.reported(for: location.printable, at: location.document)
    }
  }
}

/// Finds the store of a document, which may be moved meanwhile because the document is renamed.
package struct StoreSearch {
  private let environment: StoreEnvironment

  package init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Does something to a document's store where it is; again where it was moved meanwhile.
  ///
  /// - Parameter isMoving: whether the store is moved along where the document was renamed outside docversions.
  /// - Throws: ``VersionError`` with code `noVersions` where there is no store, or ``FileError`` with code `notFound` where
  ///   there is no document either.
  func atStore<Result: ~Copyable>(
    of location: DocumentLocation, movingIt isMoving: Bool = false,
    _ body: (DocumentLocation) throws -> Result
  ) throws -> Result {
    for _ in 1...Self.mostMoves {
      if let result = try unlessMoved(location, movingIt: isMoving, body) { return result }
    }
    throw FileError(
      .changing, path: location.document,
      message: "“\(location.printable)” is renamed all the time.")
  }

  private static let mostMoves = 100

  /// Does something to the store; nil where that was moved meanwhile.
  private func unlessMoved<Result: ~Copyable>(
    _ location: DocumentLocation, movingIt isMoving: Bool,
    _ body: (DocumentLocation) throws -> Result
  ) throws -> Result? {
    var place = location
    if try !place.hasStore {
      place = try followingRename(of: location, movingStore: isMoving)
      guard try place.hasStore else {
        if place.store != location.store { return nil }
        _ = try place.status()
        throw place.noVersions
      }
    }
    guard let store = try FileStatus.of(place.store) else { return nil }
    do {
      return try body(place)
    } catch {
      guard try place.isStore(store) else { return nil }
      throw error
    }
  }

  /// The location with the document's store, which is moved along where the document was renamed outside docversions and
  /// something is to be changed.
  package func followingRename(
    of location: DocumentLocation, movingStore: Bool
  ) throws -> DocumentLocation {
    try location.followingRename(
      by: environment.fileClock, knowing: environment.listings,
      movingStoreWithin: movingStore && !environment.isDryRun ? environment.lockTimeout : nil)
  }
}

extension DocumentLocation {
  /// The status of a document that must be on disk.
  func status() throws -> FileStatus {
    guard let status = try FileStatus.of(document) else {
      throw FileError(
        .notFound, path: document, message: "There is no document “\(document.printable)”.")
    }
    return status
  }
}
