internal import DocumentCoordination
internal import DocumentFiles
public import DocumentStore
public import Foundation
internal import Synchronization

/// A store for settings and other small values that follow the user to each device (`NSUbiquitousKeyValueStore`).
///
/// ```swift
/// let settings = try await KeyValueStore(in: container)
/// try settings.set(14, forKey: "fontSize")
/// for await change in settings.changes() { apply(change.keys) }
/// ```
///
/// The values are in a document of the container. Setting values makes a version, which travels with the other
/// documents; old versions are removed automatically. If two devices set different keys, both changes take effect; if
/// they set the same key, the later version takes effect. Reading and setting values work in memory; the values are on
/// disk a moment later, or when ``synchronize()`` returns.
public final class KeyValueStore: Sendable {
  /// The maximum number of keys.
  public static let maximumKeyCount = 1_024
  /// The maximum length of a key, in bytes of UTF-8.
  public static let maximumKeyLength = 64
  /// The maximum size of a value, and of all values together, in bytes.
  public static let maximumSize = 1 << 20

  /// The reason for a change of values.
  public enum ChangeReason: String, Sendable {
    /// Another device or program set the values.
    case serverChange
    /// The first values arrived on this device.
    case initialSyncChange
    /// More values arrived than the limits allow; until some are removed, none can be added.
    case quotaViolation
  }

  /// A change of values from elsewhere.
  public struct Change: Sendable, Hashable {
    /// The reason for the change.
    public let reason: ChangeReason
    /// The keys that changed, in order.
    public let keys: [String]
  }

  private struct State {
    /// The last read values on disk.
    var saved: [String: KeyValue] = [:]
    /// The values set since; `nil` for removed ones.
    var pending: [String: KeyValue?] = [:]
    var hasDocument = false
    var isWriteDue = false
    /// The last write, which the next one waits for.
    var writing: Task<Void, any Error>?
    var observers: [Int: AsyncStream<Change>.Continuation] = [:]
    var observerCount = 0

    var values: [String: KeyValue] {
      var values = saved
      for (key, value) in pending { values[key] = value }
      return values
    }
  }

  private let document: KeyValueDocument
  private let state = Mutex(State())
  private let following = Mutex<Task<Void, Never>?>(nil)

  /// Opens the values of a container; a folder that isn't a container becomes one.
  ///
  /// - Throws: ``KeyValueStoreError`` with code `damaged` if the values can't be read.
  public init(in container: URL, store: VersionStore = VersionStore()) async throws {
    document = try await KeyValueDocument(in: container, store: store)
    if let values = try await document.present() {
      state.withLock {
        $0.saved = values
        $0.hasDocument = true
      }
    }
    let task = Task.detached { [weak self, document] in
      let signal = ChangeSignal()
      while !Task.isCancelled {
        let watched = await Self.watch(document) { signal.send() }
        let isRead = await self?.readAgain() ?? false
        let isReported = isRead && watched?.isComplete == true
        await signal.next(within: isReported ? .seconds(60) : .seconds(2))
        // The observation has to last until here.
        _ = watched?.isComplete
      }
    }
    following.withLock { $0 = task }
  }

  deinit {
    following.withLock { $0?.cancel() }
    state.withLock { state in
      for observer in state.observers.values { observer.finish() }
    }
  }

  private static func watch(
    _ document: KeyValueDocument, _ notify: @escaping @Sendable () -> Void
  ) async -> WatchedFolders? {
    do {
      return try await document.store.perform { _ in
        try WatchedFolders(document.url, isPackage: false) { _ in notify() }
      }
    } catch {
      // Without events, the values are read from time to time.
      return nil
    }
  }

  // MARK: Values

  /// Returns the value of a key; `nil` if there is none (`objectForKey:`).
  public func value(forKey key: String) -> KeyValue? {
    state.withLock { state in
      if let pending = state.pending[key] { return pending }
      return state.saved[key]
    }
  }

  /// All values (`dictionaryRepresentation`).
  public var dictionaryRepresentation: [String: KeyValue] { state.withLock { $0.values } }

  /// Sets a value, which other devices receive as a whole.
  ///
  /// - Throws: ``KeyValueStoreError``; then nothing changes.
  public func set(_ value: KeyValue, forKey key: String) throws {
    guard !key.isEmpty, key.utf8.count <= Self.maximumKeyLength else {
      throw KeyValueStoreError.invalidKey(key)
    }
    let size = try value.size()
    guard size <= Self.maximumSize else { throw KeyValueStoreError.valueTooLarge(key, size) }
    try state.withLock { state in
      // Above a limit, values can still be changed, but nothing can be added.
      let values = state.values
      guard values[key] != nil || values.count < Self.maximumKeyCount else {
        throw KeyValueStoreError.tooManyKeys(key)
      }
      let growth = try size - (values[key]?.size() ?? 0)
      let sum = try Self.size(of: values) + growth
      guard growth <= 0 || sum <= Self.maximumSize else {
        throw KeyValueStoreError.tooManyBytes(key, sum)
      }
      state.pending[key] = .some(value)
    }
    writeSoon()
  }

  private static func size(of values: [String: KeyValue]) throws -> Int {
    try values.values.reduce(0) { try $0 + $1.size() }
  }

  /// Removes a value (`removeObjectForKey:`).
  public func removeValue(forKey key: String) {
    state.withLock { $0.pending[key] = .some(nil) }
    writeSoon()
  }

  /// Writes the values that were set, and reads changes from elsewhere.
  ///
  /// - Throws: ``VersionError`` and ``FileError``; the values that were set are written again with the next change.
  public func synchronize() async throws {
    try await write()
    try await takeIn()
  }

  /// Returns the changes from elsewhere, from now on (`didChangeExternallyNotification`).
  public func changes() -> AsyncStream<Change> {
    let (changes, observer) = AsyncStream.makeStream(of: Change.self)
    let number = state.withLock { state in
      state.observerCount += 1
      state.observers[state.observerCount] = observer
      return state.observerCount
    }
    observer.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers[number] = nil }
    }
    return changes
  }

  // MARK: Writing

  private func writeSoon() {
    let isDue = state.withLock { state in
      defer { state.isWriteDue = true }
      return state.isWriteDue
    }
    guard !isDue else { return }
    Task.detached { [self] in
      // Values that are set together make one version.
      do { try await Task.sleep(for: .milliseconds(200)) } catch {}
      // After a failure, the values stay pending, and the next write or `synchronize` reports the error.
      do { try await write() } catch {}
    }
  }

  private func write() async throws {
    try await afterOthers { try await $0.writePending() }
  }

  /// Works with the document after earlier work is done.
  private func afterOthers(
    _ body: @escaping @Sendable (KeyValueStore) async throws -> Void
  ) async throws {
    let task = state.withLock { state in
      let former = state.writing
      let task = Task {
        _ = await former?.result
        try await body(self)
      }
      state.writing = task
      return task
    }
    try await task.value
  }

  private func writePending() async throws {
    let pending = state.withLock { state in
      state.isWriteDue = false
      return state.pending
    }
    guard !pending.isEmpty else { return }
    let values = try await document.write(pending)
    try take(values, written: pending)
  }

  // MARK: Reading

  /// - Returns: whether reading succeeded; otherwise it is tried again, and ``synchronize()`` throws the error.
  private func readAgain() async -> Bool {
    do { try await takeIn() } catch { return false }
    return true
  }

  private func takeIn() async throws {
    try await afterOthers { settings in
      guard let values = try await settings.document.present() else { return }
      try settings.take(values, written: [:])
    }
  }

  /// Accepts values that were read, and reports changes from elsewhere.
  private func take(_ values: [String: KeyValue], written: [String: KeyValue?]) throws {
    let isAboveLimit =
      try values.count > Self.maximumKeyCount || Self.size(of: values) > Self.maximumSize
    state.withLock { state in
      var keys: [String] = []
      for key in Set(values.keys).union(state.saved.keys) where values[key] != state.saved[key] {
        if let own = written[key], own == values[key] { continue }
        if state.pending[key] == nil || written[key] != nil { keys.append(key) }
      }
      for (key, value) in written where state.pending[key] == .some(value) {
        state.pending[key] = nil
      }
      let isFirst = !state.hasDocument && written.isEmpty
      state.saved = values
      state.hasDocument = true
      guard !keys.isEmpty else { return }
      let reason: ChangeReason =
        isAboveLimit
        ? .quotaViolation : isFirst ? .initialSyncChange : .serverChange
      for observer in state.observers.values {
        observer.yield(Change(reason: reason, keys: keys.sorted()))
      }
    }
  }
}

extension KeyValueStore {
  /// Returns the string for a key; `nil` if there is none, or the value has another type.
  public func string(forKey key: String) -> String? {
    if case .string(let value)? = value(forKey: key) { value } else { nil }
  }

  /// Returns the integer for a key (`longLongForKey:`); `nil` if there is none, or the value has another type.
  public func integer(forKey key: String) -> Int64? {
    switch value(forKey: key) {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Returns the number for a key; `nil` if there is none, or the value has another type.
  public func double(forKey key: String) -> Double? {
    switch value(forKey: key) {
    case .double(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// Returns the Boolean value for a key; `nil` if there is none, or the value has another type.
  public func bool(forKey key: String) -> Bool? {
    if case .bool(let value)? = value(forKey: key) { value } else { nil }
  }
}
