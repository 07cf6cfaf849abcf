internal import DocumentFiles
public import DocumentStore
public import Foundation

/// Exchange with other devices.
extension VersionStore {
  /// Exchanges the versions of a container's documents with other devices, through a folder that all of them can reach.
  ///
  /// A received version that follows this device's versions updates the document. Otherwise, the document is in
  /// conflict: it shows the version that all devices agree on as the current one, and the other versions wait for a
  /// resolution. Unsaved edits become a version first. New documents are written; if their name is taken, they get a
  /// number.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or a folder inside it.
  ///   - folder: the exchange folder, which is created on first use and serves one container on each device.
  /// - Returns: the sent and received versions, and the affected documents.
  /// - Throws: ``VersionError`` with code `invalidArgument` for a dry run, because the versions that would arrive
  ///   aren't known in advance.
  @discardableResult
  public func exchange(_ container: URL, through folder: URL) async throws -> ExchangeOutcome {
    try await perform { try $0.exchange(container, through: folder) }
  }

  /// Combines two documents into one, permanently and on every device.
  ///
  /// Use this for a document that began on two devices. The combined document has the versions of both; unsaved edits
  /// become versions first. Versions that follow common contents are edits. If both were edited, or they have no
  /// contents in common, the document is in conflict. An exchange does this automatically for documents with the same
  /// name and common contents.
  ///
  /// - Parameters:
  ///   - document: the document that stays.
  ///   - other: another saved document of the same container and kind, whose file is removed.
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
