public import Foundation

/// The same calls for `async` code: they wait on a thread of their own, never on one of Swift's few.
extension FileVersion {
  /// The document's current version.
  public static func current(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> FileVersion? {
    try await store.perform { try current(of: document, store: $0) }
  }

  /// All versions on this device except the current one.
  public static func others(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try others(of: document, store: $0) }
  }

  /// The unresolved conflict versions.
  public static func unresolvedConflicts(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws -> [FileVersion]? {
    try await store.perform { try unresolvedConflicts(of: document, store: $0) }
  }

  /// The version with an identifier.
  public static func version(
    of document: URL, identifier: PersistentIdentifier, store: VersionStore = VersionStore()
  ) async throws -> FileVersion? {
    try await store.perform { try version(of: document, identifier: identifier, store: $0) }
  }

  /// Adds a version with contents from a file or folder.
  public static func add(
    to document: URL, contentsOf contents: URL, options: AddingOptions = [],
    store: VersionStore = VersionStore()
  ) async throws -> FileVersion {
    try await store.perform {
      try add(to: document, contentsOf: contents, options: options, store: $0)
    }
  }

  /// Puts this version's contents in place of an item.
  @discardableResult
  public func replaceItem(at url: URL, options: ReplacingOptions = []) async throws -> URL {
    try await perform { try $0.replaceItem(at: url, options: options) }
  }

  /// Removes the version's contents from this device.
  public func remove() async throws {
    try await perform { try $0.remove() }
  }

  /// Leaves the current version as the only one.
  public static func removeOthers(
    of document: URL, store: VersionStore = VersionStore()
  ) async throws {
    try await store.perform { try removeOthers(of: document, store: $0) }
  }

  /// Marks a conflict version as resolved.
  public func markResolved() async throws {
    try await perform { try $0.markResolved() }
  }

  /// Sets whether the system may drop the version's contents.
  public func setDiscardable(_ isDiscardable: Bool) async throws {
    try await perform { try $0.setDiscardable(isDiscardable) }
  }

  /// Sets whether the contents are kept on this device whatever is thinned.
  public func setPinned(_ isPinned: Bool) async throws {
    try await perform { try $0.setPinned(isPinned) }
  }

  /// The contents of a document that is a file.
  public func contents() async throws -> Data {
    try await perform { try $0.contents() }
  }

  /// The contents of one member of a package.
  public func contents(ofMember member: String) async throws -> Data {
    try await perform { try $0.contents(ofMember: member) }
  }

  /// Does something with this version on a thread of its own; when the task is cancelled, it stops.
  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable (FileVersion) throws -> Result
  ) async throws -> Result {
    try await VersionStore(environment).perform { try work(inEnvironment($0.environment)) }
  }
}
