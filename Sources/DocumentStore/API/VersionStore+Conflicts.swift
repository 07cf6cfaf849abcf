public import Foundation

/// Conflicts.
extension VersionStore {
  /// The documents below a folder that are in an unresolved conflict, in the order of their paths.
  ///
  /// Quick: of the others only the reference and the ledger are read, and of those that have not changed since the last
  /// search, not even these. Where the same store, or a copy of it, is asked for the same folder again, only what the
  /// system reports as changed meanwhile is read. A document whose versions cannot be read is
  /// in the list: ask for its history to see why.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documentsInConflict(below folder: URL) throws -> [URL]? {
    try DocumentsInConflict(environment).documents(below: folder, watchedBy: conflictWatch)
  }

  /// The documents below a folder that may be in a conflict, in the order of their paths: for a caller that opens each
  /// anyway.
  ///
  /// - Returns: nil when the folder is in no container.
  package func documentsMaybeInConflict(below folder: URL) throws -> [URL]? {
    try DocumentsInConflict(environment).candidates(below: folder)
  }

  /// Marks conflict versions as resolved in favour of the current one; they stay among the other
  /// versions.
  ///
  /// Versions that are in no conflict are passed over.
  ///
  /// - Returns: the current version afterwards.
  @discardableResult
  public func markResolved(_ versions: [FileVersion], of document: URL) throws -> FileVersion {
    try Resolving(environment).markResolved(versions, of: document)
  }

  /// Begins to resolve a conflict; edits that were not saved become a version first.
  ///
  /// - Returns: nil when the document is in no conflict.
  package func beginResolving(_ document: URL) throws -> ConflictSession? {
    try Resolving(environment).begin(document)
  }

  /// The same for a document’s conflict as it is now; edits that were not saved take no part.
  ///
  /// - Returns: nil when the document is in no conflict.
  package func readingConflict<Result>(
    of document: URL, _ body: (ConflictState, VersionReader) throws -> Result
  ) throws -> Result? {
    try Resolving(environment).readingConflict(of: document, body)
  }

  /// Ends a conflict with one version that follows all of its versions, and writes the document.
  ///
  /// - Throws: ``VersionError`` with code `changedMeanwhile` when the versions are not those of the session's state any
  ///   more, or the document was edited; ``FileError`` with code `changing` when it was moved away. Then nothing was
  ///   changed.
  package func settle(
    _ session: ConflictSession, with settlement: Settlement
  ) throws -> FileVersion {
    try Resolving(environment).settle(session, with: settlement)
  }
}
