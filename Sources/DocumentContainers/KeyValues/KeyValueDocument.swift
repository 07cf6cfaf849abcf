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
    try await store.perform { _ in try Self.read(url) }
  }

  private static func read(_ url: URL) throws -> Values? {
    do {
      return try values(of: PlainFile.read(url))
    } catch let error as FileError where error.code == .notFound {
      return nil
    }
  }

  private static func values(of bytes: [UInt8]) throws -> Values {
    do {
      return try JSONDecoder().decode(Values.self, from: Data(bytes))
    } catch {
      throw KeyValueStoreError(
        .damaged,
        "The settings in “\(name)” can’t be read: \(error). Restore an earlier version of it.")
    }
  }

  /// Changes values, and makes a version of all values.
  ///
  /// - Parameter changes: the new values; `nil` for removed ones.
  /// - Returns: all values after the change.
  func write(_ changes: [String: KeyValue?]) async throws -> Values {
    let intent = FileAccessIntent.writingIntent(with: url, options: .forMerging)
    return try await FileCoordinator().coordinate(with: [intent]) {
      try await resolve()
      return try await store.perform { store in
        let former = try Self.read(url) ?? [:]
        var values = former
        for (key, value) in changes { values[key] = value }
        guard values != former else { return values }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try PlainFile.replace(url, with: Array(encoder.encode(values)) + [UInt8(ascii: "\n")])
        try DocumentHistory.save(url, identifiedBy: Self.identifier, in: store)
        try Self.thin(url, in: store)
        return values
      }
    }
  }

  /// Returns the values, after resolving a conflict; `nil` if there are none yet.
  func present() async throws -> Values? {
    guard
      try await store.perform({ try DocumentHistory.isInConflict(url, waitingAtMost: 5, in: $0) })
        == true
    else {
      return try await read()
    }
    let intent = FileAccessIntent.writingIntent(with: url, options: .forMerging)
    return try await FileCoordinator().coordinate(with: [intent]) {
      try await resolve()
      return try await read()
    }
  }

  private func resolve() async throws {
    guard
      try await store.perform({ try DocumentHistory.isInConflict(url, waitingAtMost: 5, in: $0) })
        == true
    else {
      return
    }
    _ = try await ConflictResolver(Self.byKeys, store: store).resolve(url)
  }

  /// Takes each key from the version that changed it, or from the latest of several.
  private static let byKeys = ResolutionStrategy(name: "keys") { conflict in
    var base: Values = [:]
    if let version = conflict.base { base = try await values(of: version) }
    var merged = base
    for version in conflict.versions.sorted(by: isEarlier) where !version.isDeletion {
      let values = try await values(of: version)
      for key in Set(values.keys).union(base.keys) where values[key] != base[key] {
        merged[key] = values[key]
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return .contents(try encoder.encode(merged) + Data("\n".utf8), because: "keys are apart")
  }

  private static func values(of version: FileVersion) async throws -> Values {
    guard version.hasLocalContents else { return [:] }
    return try values(of: Array(try await version.contents()))
  }

  private static func isEarlier(_ left: FileVersion, _ right: FileVersion) -> Bool {
    (left.savingDate, left.id.description) < (right.savingDate, right.id.description)
  }

  /// Removes old versions if there are too many.
  private static func thin(_ url: URL, in store: SynchronousStore) throws {
    guard try store.history(of: url, newest: 0).count > 2 * mostVersions else { return }
    try store.thin(url, keeping: RetentionPolicy(last: mostVersions))
  }

  /// The number of versions to keep.
  private static let mostVersions = 10
}
