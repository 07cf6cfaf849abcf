public import Foundation

/// Searching the histories of documents.
extension LinePattern {
  /// Finds the versions of a document that added or removed the text.
  ///
  /// A version is compared with its parents whose contents are on this device. A version that changed only the rest of
  /// a line with the text isn't listed.
  ///
  /// - Parameters:
  ///   - document: the document, on disk or not.
  ///   - store: the store that has the document.
  /// - Throws: ``VersionError`` with code `noVersions` if it was never saved.
  public func search(
    _ document: URL, in store: VersionStore = VersionStore()
  ) async throws -> SearchedHistory {
    try await store.perform { try search(document, in: $0) }
  }

  /// The synchronous form of ``search(_:in:)``.
  package func search(_ document: URL, in store: SynchronousStore) throws -> SearchedHistory {
    try store.environment.search(document, for: self)
  }
}
