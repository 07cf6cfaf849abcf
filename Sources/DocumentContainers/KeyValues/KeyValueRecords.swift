internal import Foundation

/// The values of a container's settings, with the time at which each key was last set or removed.
///
/// Merging takes each key from the side that changed it later. So a removal counts like a set, and neither
/// requires the base of both sides. The file keeps the times beside the values, under the key `$changes`.
struct KeyValueRecords: Equatable, Sendable {
  typealias Values = [String: KeyValue]

  private(set) var values: Values = [:]
  /// The times of changes, in milliseconds since 1970.
  ///
  /// A key with a time and no value was removed. Values from before times were recorded, and those that a
  /// person has added to the file, have no time.
  private(set) var times: [String: Int64] = [:]

  private static let timesKey = "$changes"
  /// The maximum number of removed keys whose times are kept.
  private static let mostRemoved = KeyValueStore.maximumKeyCount

  /// Creates records without values.
  init() {}

  /// Sets and removes values.
  ///
  /// - Parameter now: the time, in milliseconds; even if the clock is behind an existing change, the new one
  ///   is recorded as later.
  mutating func apply(_ changes: [String: KeyValue?], now: Int64) {
    let time = max(now, (times.values.max() ?? 0) + 1)
    for (key, value) in changes where values[key] != value {
      values[key] = value
      times[key] = time
    }
    forgetOldRemovals()
  }

  /// Takes each key from another side if it was changed there later.
  ///
  /// - Parameter base: the base of both sides; only values that a person has written into the file need it.
  mutating func merge(_ other: KeyValueRecords, base: KeyValueRecords) {
    for key in Set(values.keys).union(other.values.keys).union(other.times.keys) {
      let (own, others) = (times[key], other.times[key])
      guard own == others ? other.values[key] != base.values[key] : (others ?? 0) > (own ?? 0)
      else { continue }
      values[key] = other.values[key]
      times[key] = others
    }
    forgetOldRemovals()
  }

  private mutating func forgetOldRemovals() {
    let removed = times.filter { values[$0.key] == nil }
    guard removed.count > Self.mostRemoved else { return }
    let old = removed.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for (key, _) in old.prefix(removed.count - Self.mostRemoved) { times[key] = nil }
  }
}

extension KeyValueRecords {
  /// Reads the JSON form.
  init(json: Data) throws {
    var members = try JSONDecoder().decode(Values.self, from: json)
    if case .dictionary(let recorded)? = members.removeValue(forKey: Self.timesKey) {
      for case (let key, .integer(let time)) in recorded { times[key] = time }
    }
    values = Dictionary(
      members.map { ($0.hasPrefix("$$") ? String($0.dropFirst()) : $0, $1) }
    ) { $1 }
  }

  /// Returns the JSON form, with one key on each line.
  func json() throws -> Data {
    var members = Dictionary(
      uniqueKeysWithValues: values.map { ($0.hasPrefix("$") ? "$" + $0 : $0, $1) })
    if !times.isEmpty { members[Self.timesKey] = .dictionary(times.mapValues { .integer($0) }) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(members) + Data("\n".utf8)
  }
}
