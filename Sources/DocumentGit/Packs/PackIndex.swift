/// The index of a pack, with the ids, positions and checksums of its objects.
///
/// The format is git's version 2 (`gitformat-pack`).
struct PackIndex {
  /// An object of the pack.
  struct Entry {
    let id: ObjectID
    /// The position of the entry in the pack.
    let offset: Int
    /// The CRC-32 of the entry's bytes in the pack.
    let check: UInt32
  }

  /// The objects, sorted by id.
  let entries: [Entry]
  /// The checksum at the end of the pack.
  let packChecksum: ObjectID

  /// Creates an index of entries in any order.
  init(_ entries: [Entry], packChecksum: ObjectID) {
    self.entries = entries.sorted { $0.id < $1.id }
    self.packChecksum = packChecksum
  }

  /// Returns the bytes of the index's file.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = Self.signature
    bytes.reserveCapacity(entries.count * 28 + 1_100)
    var counts = [UInt32](repeating: 0, count: 256)
    for entry in entries { counts[entry.id.first] += 1 }
    var total: UInt32 = 0
    for count in counts {
      total += count
      bytes.append(bigEndian: total)
    }
    for entry in entries { bytes.append(entry.id) }
    for entry in entries { bytes.append(bigEndian: entry.check) }
    // Positions beyond 2 GiB are in a separate table.
    var far: [UInt64] = []
    for entry in entries {
      if entry.offset < 1 << 31 {
        bytes.append(bigEndian: UInt32(entry.offset))
      } else {
        bytes.append(bigEndian: UInt32(1 << 31 | far.count))
        far.append(UInt64(entry.offset))
      }
    }
    for offset in far { bytes.append(bigEndian: offset) }
    bytes += packChecksum.bytes
    return bytes + Checksum.of(bytes[...]).bytes
  }

  /// Reads the bytes of an index's file, and checks all of them.
  init(decoding bytes: [UInt8]) throws(GitError) {
    let fixed = 8 + 256 * 4 + 40
    guard bytes.count >= fixed, bytes.starts(with: Self.signature) else { throw Self.damaged }
    let count = Int(bytes.bigEndian(at: 8 + 255 * 4))
    guard bytes.count >= fixed + count * 28,
      Checksum.of(bytes[..<(bytes.count - 20)]).bytes[...] == bytes[(bytes.count - 20)...],
      let packChecksum = ObjectID(raw: bytes[(bytes.count - 40)..<(bytes.count - 20)])
    else { throw Self.damaged }
    let ids = 8 + 256 * 4
    let (checks, offsets) = (ids + count * 20, ids + count * 24)
    let (far, end) = (ids + count * 28, bytes.count - 40)
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      guard let id = ObjectID(raw: bytes[(ids + index * 20)..<(ids + index * 20 + 20)]) else {
        throw Self.damaged
      }
      var offset = Int(bytes.bigEndian(at: offsets + index * 4))
      if offset >= 1 << 31 {
        let place = far + (offset - 1 << 31) * 8
        guard place + 8 <= end else { throw Self.damaged }
        offset = Int(bytes.bigEndian(at: place)) << 32 | Int(bytes.bigEndian(at: place + 4))
      }
      guard offset >= 12 else { throw Self.damaged }
      entries.append(Entry(id: id, offset: offset, check: bytes.bigEndian(at: checks + index * 4)))
    }
    self.entries = entries
    self.packChecksum = packChecksum
  }

  /// The maximum size of an index in bytes, enough for four million objects.
  static let mostBytes = 128 << 20
  static let signature: [UInt8] = [0xFF, 0x74, 0x4F, 0x63, 0, 0, 0, 2]
  private static let damaged = GitError.damaged("the index of a pack is damaged")
}

extension [UInt8] {
  package mutating func append(bigEndian number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
  }

  /// Reads the four bytes at a position as a number.
  func bigEndian(at place: Int) -> UInt32 {
    precondition(place >= 0 && place + 4 <= count)
    return unsafe withUnsafeBytes {
      UInt32(bigEndian: unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
  }
}
