public import Foundation

/// What is there.
extension VersionStore {
  /// The versions of a document, whether it is on disk or not.
  ///
  /// - Throws: ``VersionError`` with code `noVersions` if it was never saved.
  public func history(of document: URL) throws -> DocumentHistory {
    try environment.reading(document) { try VersionList($0).history() }
  }

  /// The newest versions of a document, whether it is on disk or not: as quick for a hundred of 100,000 as for a
  /// hundred of a hundred.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - most: how many versions to list at most; for 0 or less none, and the rest is reported all the same.
  /// - Throws: ``VersionError`` with code `noVersions` if it was never saved.
  public func history(of document: URL, newest most: Int) throws -> DocumentHistory {
    try environment.reading(document) { reader in
      var history = try VersionList(reader).history(newest: max(1, most))
      if most < 1 { history.versions = [] }
      return history
    }
  }

  /// The version of a document that a selector means.
  ///
  /// The same as ``VersionSelector/version(in:now:timeZone:)`` finds in the whole history, but that is not listed where
  /// the version index knows the way. "Ago" counts from what ``clock`` says.
  ///
  /// - Parameters:
  ///   - selector: what was typed.
  ///   - document: the document.
  ///   - timeZone: where days begin; by default where the system is.
  /// - Throws: ``VersionError`` with code `noVersions`, `noSuchVersion`, `ambiguousVersion` or `invalidArgument`.
  public func version(
    _ selector: VersionSelector, of document: URL, timeZone: TimeZone? = nil
  ) throws -> FileVersion {
    let now = environment.clock()
    if let place = selector.place(now: now, timeZone: timeZone),
      let found = try environment.reading(document, { try VersionList($0).version(at: place) })
    {
      return found
    }
    return try selector.version(in: history(of: document), now: now, timeZone: timeZone)
  }

  /// How the document on disk relates to its versions.
  ///
  /// Reads it whole, unless it has no versions.
  ///
  /// - Throws: ``FileError`` with code `unsupportedKind` for a FIFO, a socket or a device.
  public func state(of document: URL) throws -> DocumentState {
    try environment.readingIfSaved(document) { try $0.document.state() } ?? .unsaved
  }

  /// The same, and the list of the newest versions, by one look; nil where it has no versions.
  package func stateAndHistory(
    of document: URL, newest most: Int
  ) throws -> (state: DocumentState, history: DocumentHistory)? {
    try environment.readingIfSaved(document) { reader in
      (try reader.document.state(), try VersionList(reader).history(newest: most))
    }
  }

  /// The documents with versions below a folder, in the order of their paths.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documents(below folder: URL) throws -> [URL]? {
    guard let (folder, container) = try ContainerFolder.holding(folder) else { return nil }
    return try Layout.storedDocuments(in: container).below(folder, in: container)
      .map { $0.location(in: container).url }
  }
}
