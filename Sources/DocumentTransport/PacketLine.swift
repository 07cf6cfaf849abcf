/// Packet lines: four digits with the length, and bytes (`gitprotocol-common`).
enum PacketLine {
  /// A packet that was received.
  enum Packet {
    case data(ArraySlice<UInt8>)
    /// The end of a section.
    case flush
  }

  /// The end of a section.
  static let flush = Array("0000".utf8)

  /// Returns a line.
  static func line(_ text: String) -> [UInt8] {
    let bytes = Array((text + "\n").utf8)
    return length(of: bytes.count) + bytes
  }

  /// Returns bytes without an end of line.
  static func data(_ bytes: [UInt8]) -> [UInt8] { length(of: bytes.count) + bytes }

  private static func length(of count: Int) -> [UInt8] {
    let digits = String(count + 4, radix: 16)
    return Array((String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
  }
}

/// Parses packet lines from bytes that arrive in pieces of any size.
struct PacketReader {
  private var buffer: [UInt8] = []
  private var start = 0

  /// Adds bytes that were received.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// True if all added bytes were consumed.
  var isEmpty: Bool { start == buffer.count }

  /// Returns the next packet; `nil` if it hasn't arrived yet.
  mutating func next() throws(TransportError) -> PacketLine.Packet? {
    guard buffer.count - start >= 4 else { return nil }
    let digits = buffer[start..<start + 4]
    guard digits.allSatisfy({ Self.isHexadecimal($0) }),
      let length = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw .notGit }
    if length == 0 {
      start += 4
      return .flush
    }
    // Other values delimit sections of a newer protocol, which wasn't requested.
    guard length >= 4, length <= Self.most else { throw .notGit }
    guard buffer.count - start >= length else { return nil }
    let data = buffer[start + 4..<start + length]
    start += length
    return .data(data)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static let most = 65_520
}

extension TransportError {
  static let notGit = TransportError(
    .malformed, "The server does not answer like a git server.",
    hint: "Check the address: it must be that of a repository.")

  static let cut = TransportError(
    .cut, "The connection ended before all had come.", hint: "Try again.")
}

extension ArraySlice<UInt8> {
  /// The line, without its end, as text for display.
  var line: String {
    let bytes = last == UInt8(ascii: "\n") ? dropLast() : self
    return String(decoding: bytes, as: UTF8.self)
  }
}
