internal import DocumentFiles
public import DocumentStore
public import Foundation

/// Exchange with other devices.
extension VersionStore {
  /// Exchanges the versions of a container's documents with other devices, through a folder that all of
  /// them can reach.
  ///
  /// Versions that arrive and follow what this device has move the document forward. Otherwise there is a
  /// conflict: the document shows the version that all devices agree on as the current one, and the others
  /// wait to be resolved. Unsaved edits become a version before anything moves. Documents
  /// that are new here are written; a name that is taken gets a number.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or one inside it.
  ///   - folder: made on first use; one folder serves one container on each device.
  /// - Returns: what was sent and received, and the documents that it concerns.
  /// - Throws: ``VersionError`` with code `invalidArgument` where a dry run is asked for: what would arrive is not known
  ///   before it has.
  @discardableResult
  public func exchange(_ container: URL, through folder: URL) async throws -> ExchangeOutcome {
    try await perform { try $0.exchange(container, through: folder) }
  }

  /// Makes one document of two, for good and on every device: of one that began on two of them.
  ///
  /// It has the versions of both; unsaved edits become versions first. What follows contents that both have is an edit;
  /// where both were edited, or nothing is in common, there is a conflict. An exchange does this by itself to documents with
  /// one name and contents in common.
  ///
  /// - Parameters:
  ///   - document: the document that stays where it is.
  ///   - other: another saved document of its container, of the same kind; its file goes.
  @discardableResult
  public func join(_ document: URL, with other: URL) async throws -> FileVersion {
    try await perform { try $0.join(document, with: other) }
  }
}

extension SynchronousStore {
  /// The synchronous form of ``VersionStore/exchange(_:through:)``.
  @discardableResult
  package func exchange(_ container: URL, through folder: URL) throws -> ExchangeOutcome {
    try ContainerSync(self).exchange(container, through: folder)
  }
}
