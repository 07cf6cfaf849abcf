internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The heads after every change: an append-only file `ledger` in the store.
///
/// Git can't distinguish a lost reference from one that never existed. The ledger records every head. So if a
/// head is missing and no other head descends from it, it is known to be lost.
///
/// One line a change: `<check> <record>:<target> …`, where the check is the CRC-32 of the previous line and
/// this one, and the target is the object that the head’s reference points to. The line is written after the
/// references have moved, without waiting for the disk. After a power cut the ledger may be behind or end in
/// half a line; it is never ahead. If a repository has no ledger, the next change creates one.
struct HeadLedger {
  /// A head in the ledger.
  struct Entry: Hashable {
    let record: ObjectID
    let target: ObjectID
  }

  /// The end of the file.
  struct Tail {
    /// The heads in the last complete line.
    let heads: [Entry]
    fileprivate let check: ArraySlice<UInt8>
    /// The end of the last complete line.
    fileprivate let end: Int
    /// True if an incomplete line follows.
    let isTorn: Bool

    fileprivate static let empty = Tail(heads: [], check: noLine, end: 0, isTorn: false)
  }

  private let path: FilePath

  init(in store: FilePath) {
    path = StoreFile.ledger.path(in: store)
  }

  /// Returns the file's status; `nil` if there is none.
  func status() throws(FileError) -> FileStatus? {
    try FileStatus.of(path)
  }

  /// Reads the last complete line; `nil` if the ledger is missing or has none.
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
      // The first line of a part of the file can't be checked.
      guard let former = lines.last ?? (start == 0 ? noLine : nil) else { break }
      if let heads = heads(of: line, after: former) {
        return Tail(heads: heads, check: line.prefix(8), end: end, isTorn: isTorn)
      }
      isTorn = true
      end -= line.count + 1
    }
    return nil
  }

  /// Records the heads, unless the last line already lists them.
  ///
  /// - Parameter tail: the end of the file; `nil` if it has no complete line.
  /// - Returns: the new end of the file.
  @discardableResult
  func record(_ heads: [Entry], after tail: Tail?) throws -> Tail {
    let tail = tail ?? .empty
    guard Set(tail.heads) != Set(heads) || tail.isTorn else { return tail }
    let line = Array(Self.line(of: heads, after: tail.check).utf8)
    try AppendOnlyFile.append(line, to: path, at: tail.end)
    return Tail(heads: heads, check: line.prefix(8), end: tail.end + line.count, isTorn: false)
  }

  /// Starts a new ledger with only these heads; durable on return.
  func restart(with heads: [Entry]) throws {
    try SmallFile.replace(path, Array(Self.firstLine(heads).utf8))
  }

  /// Returns the heads in every line; `nil` for a damaged line.
  func lines() throws -> [[Entry]?] {
    try AppendOnlyFile.tail(path, limit: .max).map { Self.lines(of: $0.bytes) } ?? []
  }

  static func lines(of bytes: [UInt8]) -> [[Entry]?] {
    var former = noLine
    return bytes.split(separator: UInt8(ascii: "\n")).map { line in
      defer { former = line }
      return Self.heads(of: line, after: former)
    }
  }

  /// Returns a complete ledger with only these heads.
  static func firstLine(_ heads: [Entry]) -> String {
    line(of: heads, after: noLine)
  }

  /// The numbers of bytes to read: enough for most last lines, and finally for a line with the largest number
  /// of heads and its predecessor.
  private static let tailLimits = [512, 4 << 10, 256 << 10]

  /// The check in place of a line before the first.
  private static let noLine = Array("00000000".utf8)[...]

  private static func line(of heads: [Entry], after former: ArraySlice<UInt8>) -> String {
    let payload = heads.map { "\($0.record):\($0.target)" }.joined(separator: " ")
    let check = check(of: Array(" \(payload)".utf8)[...], after: former)
    return "\(String(decoding: check, as: UTF8.self)) \(payload)\n"
  }

  /// Returns the eight digits at the beginning of a line.
  ///
  /// - Parameter payload: the rest of the line, including the space at its beginning.
  private static func check(
    of payload: ArraySlice<UInt8>, after former: ArraySlice<UInt8>
  ) -> [UInt8] {
    let check = CyclicCheck.crc32(payload, continuing: CyclicCheck.crc32(former.prefix(8)))
    return (0..<8).map { place in
      let digit = UInt8(truncatingIfNeeded: check >> (28 - 4 * UInt32(place))) & 15
      return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
  }

  private static func isWhole(_ line: ArraySlice<UInt8>, after former: ArraySlice<UInt8>) -> Bool {
    let payload = line.dropFirst(8)
    return payload.count > 1 && payload.first == UInt8(ascii: " ")
      && line.prefix(8).elementsEqual(check(of: payload, after: former))
  }

  private static func heads(
    of line: ArraySlice<UInt8>, after former: ArraySlice<UInt8>
  ) -> [Entry]? {
    guard isWhole(line, after: former) else { return nil }
    let entries = line.dropFirst(9).split(separator: UInt8(ascii: " ")).map { pair -> Entry? in
      let ids = pair.split(separator: UInt8(ascii: ":")).map { ObjectID(hexadecimal: $0) }
      guard ids.count == 2, let record = ids[0], let target = ids[1] else { return nil }
      return Entry(record: record, target: target)
    }
    return entries.contains(nil) ? nil : entries.compactMap { $0 }
  }
}

extension HeadLedger {
  /// Returns the target of the only head in the last line, in digits; `nil` if the line is torn, has several
  /// heads, or can't be checked.
  static func onlyTarget(in bytes: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
    let feed = UInt8(ascii: "\n")
    guard bytes.last == feed else { return nil }
    let rest = bytes.dropLast()
    guard let end = rest.lastIndex(of: feed) else {
      return start == 0 ? onlyTarget(of: rest, after: noLine) : nil
    }
    let before = rest[..<end]
    let former = before.lastIndex(of: feed).map { before[($0 + 1)...] }
    guard let former = former ?? (start == 0 ? before : nil) else { return nil }
    return onlyTarget(of: rest[(end + 1)...], after: former)
  }

  private static func onlyTarget(
    of line: ArraySlice<UInt8>, after former: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    // The check, and two identifiers of 40 digits.
    guard line.count == 9 + 81, isWhole(line, after: former) else { return nil }
    return line.suffix(40)
  }
}
