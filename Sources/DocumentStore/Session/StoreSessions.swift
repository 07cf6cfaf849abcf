internal import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

/// Opening the store of a document at its present location, which creates every ``StoreReader`` and
/// ``StoreWriter``.
extension StoreEnvironment {
  /// Passes a reader of a document's store to a closure.
  ///
  /// - Parameter body: repeated if the store was moved in the meantime.
  package func reading<Result>(_ document: URL, _ body: (StoreReader) throws -> Result) throws
    -> Result
  {
    let location = try DocumentLocation(of: document)
    return try reportingErrors(of: location) {
      try StoreSearch(self).atStore(of: location) { try body(StoreReader($0, in: self)) }
    }
  }

  /// Passes a reader of a document's store to a closure; `nil` if the document has none, but can have one.
  func readingIfSaved<Result>(
    _ document: URL, _ body: (StoreReader) throws -> Result
  ) throws -> Result? {
    do {
      return try reading(document, body)
    } catch let error as VersionError where error.code == .noVersions {
      let location = try DocumentLocation(of: document)
      // The remains of an interrupted arrival.
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

  /// Plans a change of a document's store, and carries it out unless it is a dry run.
  package func changing<Outcome>(
    _ document: URL, links: LinkUse = .followed,
    _ plan: (StoreReader) throws -> StorePlan<Outcome>
  ) throws -> Outcome {
    let location = try DocumentLocation(of: document, links: links)
    return try reportingErrors(of: location) { try changing(location, plan) }
  }

  /// Plans a change of the store at a location, and carries it out unless it is a dry run.
  package func changing<Outcome>(
    _ location: DocumentLocation, _ plan: (StoreReader) throws -> StorePlan<Outcome>
  ) throws -> Outcome {
    if isDryRun {
      return try StoreSearch(self).atStore(of: location) {
        try plan(StoreReader($0, in: self)).preview()
      }
    }
    return try withWriter(of: location) { try plan($0.reader).carryOut($0) }
  }

  /// Plans a change of the present state of an open store, and makes it; a dry run only plans.
  func changing<Outcome>(
    reopening reader: StoreReader, _ plan: (StoreReader) throws -> StorePlan<Outcome>
  ) throws -> Outcome {
    if isDryRun { return try plan(StoreReader(again: reader)).preview() }
    return try withWriter(reopening: reader) { try plan($0.reader).carryOut($0) }
  }

  /// Passes a writer of a document's store to a closure; the store follows the document if that was renamed
  /// outside docversions.
  package func withWriter<Result>(
    of location: DocumentLocation, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    // The writer holds the lock of the store, so nothing moves the store any more.
    let writer = try StoreSearch(self).atStore(of: location, movingIt: true) {
      try StoreWriter.open($0, in: self)
    }
    return try Self.lend(writer, body)
  }

  /// Passes a writer of an existing store at a location to a closure.
  package func withWriter<Result>(
    at location: DocumentLocation, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    try Self.lend(StoreWriter.open(location, in: self), body)
  }

  /// Passes a writer of an open store to a closure.
  package func withWriter<Result>(
    reopening reader: StoreReader, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    try Self.lend(StoreWriter.open(again: reader), body)
  }

  private static func lend<Result>(
    _ writer: consuming StoreWriter, _ body: (borrowing StoreWriter) throws -> Result
  ) throws -> Result {
    do {
      return try body(writer)
    } catch {
      if error.isFromSystem { writer.leaveLockBehind() }
      throw error
    }
  }

  /// Reports errors of git as errors of the document, and names the user whose document it is if that is another one.
  func reportingErrors<Result>(
    of location: DocumentLocation, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as GitError {
      let reported = error.reported(for: location.printable, at: location.document)
      throw OtherOwner(of: location).named(in: reported)
    } catch let error as FileError where error.code == .notPermitted {
      throw OtherOwner(of: location).named(in: error)
    }
  }
}
