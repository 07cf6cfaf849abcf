internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What the heads were after every change: a file `ledger` in the store that only grows.
///
/// Git cannot tell a reference that was lost from one that never was. Here every head is written down, so
/// a head that is missing, and that none of the others descends from, is known to be lost, and which one it was.
///
/// One line a change: `<check> <record>:<target> …`, the check being the CRC-32 of the line before and this
/// one, the target what the head’s reference is at. The line is written after the references have moved, and
/// nobody waits for the disk: the ledger may be behind after a power cut, or end in half a line, never
/// ahead. A repository without a ledger gets one with the next change.
struct HeadLedger {
  /// A head as it is written down.
  struct Entry: Hashable {
    let record: ObjectID
    let target: ObjectID
  }

  /// What the file ends with.
  struct Tail {
    /// The heads of the last whole line.
    let heads: [Entry]
    fileprivate let check: Substring
    /// Where the last whole line ends.
    fileprivate let end: Int
    /// Whether something follows that is no whole line.
    let isTorn: Bool

    fileprivate static let empty = Tail(heads: [], check: "00000000", end: 0, isTorn: false)
  }

  private let path: FilePath

  init(in store: FilePath) {
    path = store.appending("ledger")
  }

  /// The last whole line; nil where the ledger is missing or tells nothing.
  func tail() throws -> Tail? {
    for limit in Self.tailLimits {
      guard let (bytes, start) = try AppendOnlyFile.tail(path, limit: limit) else { return nil }
      if let tail = Self.tail(of: bytes, at: start) { return tail }
    }
    return nil
  }

  static func tail(of bytes: [UInt8], at start: Int) -> Tail? {
    var end = start + bytes.count
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var isTorn = lines.popLast()?.isEmpty == false
    if isTorn { end = start + (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1 }
    while let line = lines.popLast() {
      let text = String(decoding: line, as: UTF8.self)
      // The first line of a part of the file cannot be checked.
      guard
        let former = lines.last.map({ String(decoding: $0, as: UTF8.self) })
          ?? (start == 0 ? "00000000" : nil)
      else { break }
      if let heads = heads(of: text, after: former) {
        return Tail(heads: heads, check: text.prefix(8), end: end, isTorn: isTorn)
      }
      isTorn = true
      end -= line.count + 1
    }
    return nil
  }

  /// Writes down the heads, if the last line does not say the same.
  func note(_ heads: [Entry]) throws {
    let tail = try tail() ?? .empty
    guard Set(tail.heads) != Set(heads) || tail.isTorn else { return }
    let line = Self.line(of: heads, after: tail.check)
    try AppendOnlyFile.append(Array(line.utf8), to: path, at: tail.end)
  }

  /// Begins again with the heads alone; durable on return.
  func restart(with heads: [Entry]) throws {
    try SmallFile.replace(path, Array(Self.firstLine(heads).utf8))
  }

  /// Every line, for a close look: the heads it tells, nil where it is damaged.
  func lines() throws -> [[Entry]?] {
    try AppendOnlyFile.tail(path, limit: .max).map { Self.lines(of: $0.bytes) } ?? []
  }

  static func lines(of bytes: [UInt8]) -> [[Entry]?] {
    var former = "00000000"
    return bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let text = String(decoding: line, as: UTF8.self)
      defer { former = text }
      return Self.heads(of: text, after: former)
    }
  }

  /// A whole ledger that tells of these heads and nothing before.
  static func firstLine(_ heads: [Entry]) -> String {
    line(of: heads, after: "00000000")
  }

  /// Mostly the last lines are short; then as many bytes as a line of the largest number of heads may have,
  /// and its forerunner.
  private static let tailLimits = [512, 4 << 10, 256 << 10]

  private static func line(of heads: [Entry], after former: some StringProtocol) -> String {
    let payload = heads.map { "\($0.record):\($0.target)" }.joined(separator: " ")
    return "\(check(of: payload, after: former)) \(payload)\n"
  }

  private static func check(of payload: String, after former: some StringProtocol) -> String {
    let digits = String(CyclicCheck.crc32(Array("\(former.prefix(8)) \(payload)".utf8)), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func heads(of line: String, after former: String) -> [Entry]? {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0] == check(of: String(parts[1]), after: former) else {
      return nil
    }
    let entries = parts[1].split(separator: " ").map { pair -> Entry? in
      let ids = pair.split(separator: ":").map { ObjectID(hexadecimal: $0) }
      guard ids.count == 2, let record = ids[0], let target = ids[1] else { return nil }
      return Entry(record: record, target: target)
    }
    return entries.contains(nil) ? nil : entries.compactMap { $0 }
  }
}
