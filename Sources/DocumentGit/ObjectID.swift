internal import CGit2

/// The name of a git object: the SHA-1 of its kind, size and bytes.
package struct ObjectID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The 20 bytes of the hash.
  package let bytes: [UInt8]

  /// The tree without entries, which every record and every empty folder has.
  package static let emptyTree = ObjectID(
    bytes: [
      0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60,
      0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04,
    ])

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ raw: git_oid) {
    var raw = raw
    bytes = unsafe withUnsafeBytes(of: &raw.id) { unsafe [UInt8]($0) }
  }

  /// Reads 20 raw bytes, as they stand in a tree object.
  package init?(raw: some Collection<UInt8>) {
    guard raw.count == 20 else { return nil }
    bytes = [UInt8](raw)
  }

  /// Reads 40 hexadecimal digits; nil for anything else.
  package init?(hexadecimal text: some StringProtocol) {
    self.init(hexadecimal: text.utf8)
  }

  /// Reads 40 hexadecimal digits, as they stand in a commit object.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 40 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    var high: UInt8?
    for digit in digits {
      guard let value = Self.value(ofDigit: digit) else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    self.bytes = bytes
  }

  /// The 40 lower-case hexadecimal digits.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  package static func < (left: ObjectID, right: ObjectID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  var raw: git_oid {
    var raw = git_oid()
    unsafe withUnsafeMutableBytes(of: &raw.id) { unsafe $0.copyBytes(from: bytes) }
    return raw
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
