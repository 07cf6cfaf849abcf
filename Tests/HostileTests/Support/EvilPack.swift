import Foundation

@testable import DocumentGit

/// A pack of entries that no git would write, with an index of them.
struct EvilPack {
  /// The kind of an entry, which determines its data after the type and size.
  enum Kind {
    case whole(ObjectKind)
    /// A delta of the entry that is this number of bytes before it.
    case delta(distance: Int)
    case deltaOf(ObjectID)
  }

  private var bytes = Array("PACK".utf8) + [0, 0, 0, 2, 0, 0, 0, 0]
  private var entries: [PackIndex.Entry] = []

  /// The offset of the next entry.
  var end: Int { bytes.count }

  /// Appends an entry.
  ///
  /// - Parameter size: the claimed inflated size; by default the true one.
  mutating func append(_ id: ObjectID, _ kind: Kind, _ content: [UInt8], size: Int? = nil) throws {
    var entry: [UInt8]
    switch kind {
    case .whole(.commit): entry = Self.header(type: 1, size ?? content.count)
    case .whole(.tree): entry = Self.header(type: 2, size ?? content.count)
    case .whole(.blob): entry = Self.header(type: 3, size ?? content.count)
    case .delta(let distance):
      entry = Self.header(type: 6, size ?? content.count)
      var rest = distance
      var digits = [UInt8(rest & 127)]
      while rest > 127 {
        rest = rest >> 7 - 1
        digits.insert(0x80 | UInt8(rest & 127), at: 0)
      }
      entry += digits
    case .deltaOf(let base): entry = Self.header(type: 7, size ?? content.count) + base.bytes
    }
    entry += try Deflater().deflate(content, thoroughly: true)
    entries.append(PackIndex.Entry(id: id, offset: end, check: CyclicCheck.crc32(entry)))
    bytes += entry
  }

  /// Returns a delta that copies a base of a number of bytes repeatedly.
  static func delta(from base: Int, repeating: Int) -> [UInt8] {
    let copy: [UInt8] = [0xF0, 0xFF, 0xFF, 0xFF]
    let most = 0xFF_FFFF
    var delta = number(base) + number(base * repeating)
    for _ in 0..<repeating {
      for start in stride(from: 0, to: base, by: most) {
        let length = min(most, base - start)
        delta += length == most && start == 0 ? copy : command(start, length)
      }
    }
    return delta
  }

  /// Returns a delta that replaces all bytes.
  static func delta(from base: Int, to result: [UInt8]) -> [UInt8] {
    number(base) + number(result.count) + [UInt8(result.count)] + result
  }

  /// Returns a number in groups of seven bits, the lowest ones first.
  static func number(_ number: Int) -> [UInt8] {
    number > 127 ? [0x80 | UInt8(number & 127)] + self.number(number >> 7) : [UInt8(number)]
  }

  private static func command(_ start: Int, _ length: Int) -> [UInt8] {
    [0xFF] + (0..<4).map { UInt8(start >> ($0 * 8) & 255) }
      + (0..<3).map { UInt8(length >> ($0 * 8) & 255) }
  }

  private static func header(type: UInt8, _ size: Int) -> [UInt8] {
    let first = type << 4 | UInt8(size & 15)
    return size < 16 ? [first] : [first | 0x80] + number(size >> 4)
  }

  /// Writes the pack and its index into a folder.
  func write(to folder: URL) throws {
    var pack = bytes
    pack.replaceSubrange(8..<12, with: [UInt8](bigEndian: UInt32(entries.count)))
    let checksum = Checksum.of(pack[...])
    try Data(pack + checksum.bytes).write(to: folder.appending(path: "pack-evil.pack"))
    try Data(PackIndex(entries, packChecksum: checksum).encoded())
      .write(to: folder.appending(path: "pack-evil.idx"))
  }
}

extension [UInt8] {
  init(bigEndian number: UInt32) {
    self = (0..<4).map { UInt8(number >> (24 - $0 * 8) & 255) }
  }
}
