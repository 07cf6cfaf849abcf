/// The name of a git object: the SHA-1 of its kind, size and bytes.
package struct ObjectID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The 20 bytes as big-endian numbers, because ids are copied and compared very often.
  private let high, middle: UInt64
  private let low: UInt32

  /// The empty tree, which every record and every empty folder uses.
  package static let emptyTree = ObjectID(
    bytes: [
      0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60,
      0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04,
    ])

  /// Creates an id from the 20 bytes of a hash.
  init(bytes: [UInt8]) {
    self = unsafe bytes.withUnsafeBytes { unsafe ObjectID(twenty: $0) }
  }

  /// Creates an id from 20 raw bytes, as in a tree object; `nil` for another number of bytes.
  package init?(raw: ArraySlice<UInt8>) {
    guard raw.count == 20 else { return nil }
    self = unsafe raw.withUnsafeBytes { unsafe ObjectID(twenty: $0) }
  }

  /// Creates an id from 20 raw bytes, as in a file of ids.
  package init(twenty bytes: UnsafeRawBufferPointer) {
    high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    middle = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    low = unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
  }

  /// The 20 bytes of the hash.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    bytes.append(self)
    return bytes
  }

  /// The first byte, by which indexes are divided.
  var first: Int { Int(high >> 56) }

  /// Creates an id from 40 hexadecimal digits; `nil` for anything else.
  package init?(hexadecimal text: some StringProtocol) {
    self.init(hexadecimal: text.utf8)
  }

  /// Creates an id from 40 hexadecimal digits, as in a commit object.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 40 else { return nil }
    // Accessing the elements of a generic collection takes longer than everything else.
    let inRow = digits.withContiguousStorageIfAvailable { unsafe ObjectID(digits: $0) }
    let id = unsafe inRow ?? Array(digits).withUnsafeBufferPointer { unsafe ObjectID(digits: $0) }
    guard let id else { return nil }
    self = id
  }

  private init?(digits: UnsafeBufferPointer<UInt8>) {
    var (high, middle, low) = (UInt64(0), UInt64(0), UInt32(0))
    for place in digits.indices {
      guard let value = unsafe Self.value(ofDigit: digits[place]) else { return nil }
      switch place {
      case ..<16: high = high << 4 | UInt64(value)
      case ..<32: middle = middle << 4 | UInt64(value)
      default: low = low << 4 | UInt32(value)
      }
    }
    (self.high, self.middle, self.low) = (high, middle, low)
  }

  /// Returns whether the id begins with these hexadecimal digits.
  package func begins(with digits: [UInt8]) -> Bool {
    digits.count <= 40
      && digits.enumerated().allSatisfy { Self.value(ofDigit: $1) == value(ofDigitAt: $0) }
  }

  private func value(ofDigitAt place: Int) -> UInt8 {
    let digits = place < 16 ? high : place < 32 ? middle : UInt64(low) << 32
    return UInt8(truncatingIfNeeded: digits >> (60 - 4 * UInt64(place % 16)) & 15)
  }

  /// The 40 lowercase hexadecimal digits.
  package var description: String { digits(40) }

  /// Returns the first digits.
  package func digits(_ count: Int) -> String {
    let count = min(count, 40)
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      for place in 0..<count { unsafe text[place] = Self.digit(value(ofDigitAt: place)) }
      return count
    }
  }

  package static func < (left: ObjectID, right: ObjectID) -> Bool {
    (left.high, left.middle, left.low) < (right.high, right.middle, right.low)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    unsafe Swift.withUnsafeBytes(of: high.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    unsafe Swift.withUnsafeBytes(of: middle.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    unsafe Swift.withUnsafeBytes(of: low.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

extension [UInt8] {
  /// Appends the 20 bytes of an id.
  package mutating func append(_ id: ObjectID) {
    id.append(to: &self)
  }
}
