public import Foundation

/// Listing documents and versions.
extension VersionStore {
  /// Lists the versions of a document, on disk or not.
  ///
  /// Listing a hundred of 100,000 versions is as fast as listing a hundred of a hundred.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - most: the maximum number of versions to list, newest first; `nil` for all. For 0 or less, no version is
  ///     listed, but everything else is reported.
  /// - Throws: ``VersionError`` with code `noVersions` if the document was never saved.
  public func history(
    of document: URL, newest most: Int? = nil
  ) async throws -> DocumentHistory {
    try await perform { try $0.history(of: document, newest: most) }
  }

  /// Returns the version of a document that a selector names.
  ///
  /// This lists the whole history only if the version index doesn't have the answer. "Ago" counts from the time of the
  /// store's clock.
  ///
  /// - Parameters:
  ///   - selector: the selector, as a person types it.
  ///   - document: the document.
  ///   - timeZone: the time zone in which days begin; by default the system's.
  /// - Throws: ``VersionError`` with code `noVersions`, `noSuchVersion`, `ambiguousVersion` or `invalidArgument`.
  public func version(
    _ selector: VersionSelector, of document: URL, timeZone: TimeZone? = nil
  ) async throws -> FileVersion {
    try await perform { try $0.version(selector, of: document, timeZone: timeZone) }
  }

  /// Returns the relation of the document on disk to its versions.
  ///
  /// This reads the whole document, unless it has no versions.
  ///
  /// - Throws: ``FileError`` with code `unsupportedKind` for a FIFO, a socket or a device.
  public func state(of document: URL) async throws -> EditState {
    try await perform { try $0.state(of: document) }
  }

  /// Lists the documents with versions below a folder, in the order of their paths.
  ///
  /// - Parameter folder: a container, or a folder inside one, which may be gone.
  /// - Returns: the documents; `nil` if the folder isn't in a container.
  public func documents(below folder: URL) async throws -> [URL]? {
    try await perform { try $0.documents(below: folder) }
  }
}
