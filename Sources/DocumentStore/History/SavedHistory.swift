internal import DocumentFiles
internal import Foundation

/// The history of a document that may not exist, or may never have been saved.
struct SavedHistory {
  private let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Returns the history; `nil` if the document doesn't exist, or was never saved.
  func ifPresent(_ document: URL) throws -> DocumentHistory? {
    try isPresent(document) ? ifSaved(document) : nil
  }

  /// Returns some of the document's versions; none if it was never saved, and `nil` if it doesn't exist.
  func versions(
    of document: URL, _ choose: (DocumentHistory) -> [FileVersion]
  ) throws -> [FileVersion]? {
    try isPresent(document) ? ifSaved(document).map(choose) ?? [] : nil
  }

  /// Returns the history; `nil` if the document was never saved.
  ///
  /// The document itself may no longer exist.
  func ifSaved(_ document: URL) throws -> DocumentHistory? {
    guard let location = try possibleLocation(of: document) else { return nil }
    do {
      return try environment.reading(document) { try VersionList($0).history() }
    } catch let error as VersionError where error.code == .noVersions {
      return nil
    } catch let error as FileError where error.code == .notFound {
      guard try !location.hasStore else { throw error }
      return nil
    }
  }

  /// Returns whether the document is on disk.
  private func isPresent(_ document: URL) throws -> Bool {
    guard let location = try possibleLocation(of: document) else { return false }
    return try FileStatus.of(location.document) != nil
  }

  /// Returns the location of a document that exists or existed; `nil` if its folder is missing, too.
  private func possibleLocation(of document: URL) throws -> DocumentLocation? {
    do {
      return try DocumentLocation(of: document)
    } catch let error as FileError where error.code == .notFound {
      return nil
    }
  }
}
