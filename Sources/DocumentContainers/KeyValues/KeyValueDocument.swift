internal import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// The document in which a container keeps settings: a hidden JSON file with one key on each line.
struct KeyValueDocument: Sendable {
  typealias Values = [String: KeyValue]

  let url: URL
  let store: VersionStore

  /// The document's name in its container.
  static let name = ".key-values.json"
  /// The settings have the same identity on every device.
  private static let identifier = "docversions settings"

  /// Finds the document of a folder, which becomes a container if it isn't one.
  init(in container: URL, store: VersionStore) async throws {
    self.store = store
    url = try await store.perform { store in
      try store.makeContainer(container)
      return (try store.container(around: container) ?? container).appending(path: Self.name)
    }
  }

  private func read() async throws -> Values? {
    try await store.perform { try Self.read(url, in: $0)?.values }
  }

  /// Reads the values; a missing file counts as its current version, not as the removal of all values.
  private static func read(_ url: URL, in store: SynchronousStore) throws -> KeyValueRecords? {
    do {
      return try records(of: PlainFile.read(url))
    } catch let error as FileError where error.code == .notFound {
      guard try DocumentHistory.isInConflict(url, waitingAtMost: 5, in: store) != nil,
        let current = try store.history(of: url, newest: 1).current
      else { return nil }
      return current.isDeletion
        ? KeyValueRecords() : try records(of: Array(current.contents()))
    }
  }

  private static func records(of bytes: [UInt8]) throws -> KeyValueRecords {
    do {
      return try KeyValueRecords(json: Data(bytes))
    } catch {
      throw KeyValueStoreError(
        .damaged,
        "The settings in “\(name)” can’t be read: they are no JSON object. Restore an earlier version of the file."
      )
    }
  }

  /// Changes values, and makes a version of all values.
  ///
  /// - Parameter changes: the new values; `nil` for removed ones.
  /// - Returns: all values after the change.
  func write(_ changes: [String: KeyValue?]) async throws -> Values {
    let intent = FileAccessIntent.writingIntent(with: url, options: .forMerging)
    let now = Int64(store.clock().timeIntervalSince1970 * 1_000)
    return try await FileCoordinator().coordinate(with: [intent]) {
      try await resolve()
      return try await store.perform { store in
        let former = try Self.read(url, in: store) ?? KeyValueRecords()
        var records = former
        records.apply(changes, now: now)
        guard records != former else { return records.values }
        try PlainFile.replace(url, with: Array(records.json()))
        try DocumentHistory.save(url, identifiedBy: Self.identifier, in: store)
        try Self.discardFormer(url, in: store)
        try Self.thin(url, in: store)
        return records.values
      }
    }
  }

  /// Returns the values, after resolving a conflict; `nil` if there are none yet.
  func present() async throws -> Values? {
    guard try await isInConflict else { return try await read() }
    let intent = FileAccessIntent.writingIntent(with: url, options: .forMerging)
    return try await FileCoordinator().coordinate(with: [intent]) {
      try await resolve()
      return try await read()
    }
  }

  private var isInConflict: Bool {
    get async throws {
      try await store.perform { try DocumentHistory.isInConflict(url, waitingAtMost: 5, in: $0) }
        == true
    }
  }

  private func resolve() async throws {
    guard try await isInConflict else { return }
    _ = try await ConflictResolver(Self.byKeys, store: store).resolve(url)
  }

  /// Takes each key from the version that changed it last.
  private static let byKeys = ResolutionStrategy(name: "keys") { conflict in
    var base = KeyValueRecords()
    if let version = conflict.base { base = try await records(of: version) }
    var merged = base
    for version in conflict.versions.sorted(by: isEarlier) where !version.isDeletion {
      merged.merge(try await records(of: version), base: base)
    }
    return .contents(try merged.json(), because: "keys are apart")
  }

  private static func records(of version: FileVersion) async throws -> KeyValueRecords {
    guard version.hasLocalContents else { return KeyValueRecords() }
    return try records(of: Array(try await version.contents()))
  }

  private static func isEarlier(_ left: FileVersion, _ right: FileVersion) -> Bool {
    (left.savingDate, left.id.description) < (right.savingDate, right.id.description)
  }

  /// Marks the version before the current one as discardable; the current one can't be marked.
  private static func discardFormer(_ url: URL, in store: SynchronousStore) throws {
    let versions = try store.history(of: url, newest: 2).versions
    guard versions.count > 1, !versions[1].isDiscardable else { return }
    try versions[1].setDiscardable(true)
  }

  /// Removes old versions if there are too many.
  private static func thin(_ url: URL, in store: SynchronousStore) throws {
    guard try store.history(of: url, newest: 0).count > 2 * mostVersions else { return }
    try store.thin(url, keeping: RetentionPolicy(last: mostVersions))
  }

  /// The number of versions to keep.
  private static let mostVersions = 10
}
