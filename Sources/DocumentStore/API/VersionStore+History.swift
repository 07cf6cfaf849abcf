public import Foundation

/// Listing documents and versions.
extension VersionStore {
  /// The versions of a document, on disk or not.
  ///
  /// A hundred of 100,000 versions are listed as fast as a hundred of a hundred.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - most: the largest number of versions to list, the newest ones; nil for all. For 0 or less none is listed, and
  ///     the rest is reported all the same.
  /// - Throws: ``VersionError`` with code `noVersions` if it was never saved.
  public func history(
    of document: URL, newest most: Int? = nil
  ) async throws -> DocumentHistory {
    try await perform { try $0.history(of: document, newest: most) }
  }

  /// The version of a document that a selector names.
  ///
  /// The whole history is only listed where the version index does not have the answer. "Ago" counts from what
  /// the clock of the store returns.
  ///
  /// - Parameters:
  ///   - selector: the text that was typed.
  ///   - document: the document.
  ///   - timeZone: where days begin; by default where the system is.
  /// - Throws: ``VersionError`` with code `noVersions`, `noSuchVersion`, `ambiguousVersion` or `invalidArgument`.
  public func version(
    _ selector: VersionSelector, of document: URL, timeZone: TimeZone? = nil
  ) async throws -> FileVersion {
    try await perform { try $0.version(selector, of: document, timeZone: timeZone) }
  }

  /// The relation of the document on disk to its versions.
  ///
  /// Reads it whole, unless it has no versions.
  ///
  /// - Throws: ``FileError`` with code `unsupportedKind` for a FIFO, a socket or a device.
  public func state(of document: URL) async throws -> EditState {
    try await perform { try $0.state(of: document) }
  }

  /// The documents with versions below a folder, in the order of their paths.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documents(below folder: URL) async throws -> [URL]? {
    try await perform { try $0.documents(below: folder) }
  }

  /// The new places of documents that were moved outside docversions to any folder of their container, and were not
  /// saved since.
  ///
  /// The very same file is the document; else the only one with the same bytes. Hidden folders are not searched, and a
  /// file under the name of a backup, a lock file or a conflicted copy is no document.
  ///
  /// - Returns: the new places by the former ones.
  package func movedDocuments(among documents: [URL]) async throws -> [URL: URL] {
    try await perform { try $0.movedDocuments(among: documents) }
  }
}
