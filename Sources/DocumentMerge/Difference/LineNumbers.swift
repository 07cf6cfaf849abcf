internal import Foundation

/// Numbers for the lines of texts, from 0: equal lines have equal numbers, and different ones different numbers.
struct LineNumbers {
  /// For each text, the number of each of its lines.
  let texts: [[Int32]]
  /// How many different lines there are.
  let count: Int

  init(_ texts: [TextLines]) {
    var table = Table(capacity: texts.map(\.count).max() ?? 0)
    self.texts = Self.withBytes(texts[...], []) { buffers in
      zip(texts, buffers).map { text, bytes in
        (0..<text.count).map { line in
          let place = text.place(of: line)
          return table.number(UnsafeRawBufferPointer(rebasing: bytes[place]))
        }
      }
    }
    count = table.count
  }

  /// Does something with the bytes of all texts.
  private static func withBytes<Result>(
    _ texts: ArraySlice<TextLines>, _ buffers: [UnsafeRawBufferPointer],
    _ body: ([UnsafeRawBufferPointer]) -> Result
  ) -> Result {
    guard let text = texts.first else { return body(buffers) }
    return text.bytes.withUnsafeBytes { withBytes(texts.dropFirst(), buffers + [$0], body) }
  }
}

/// The lines that are known, by their hashes: open addressing, as lines are only added.
private struct Table {
  private struct Entry {
    var line: UnsafeRawBufferPointer
    var hash: UInt64
  }

  /// For each place in the table, one more than the number of the line there; 0 is free.
  private var slots: [Int32]
  private var entries: [Entry] = []
  private var mask: Int

  var count: Int { entries.count }

  init(capacity: Int) {
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = [Int32](repeating: 0, count: size)
    mask = size - 1
    entries.reserveCapacity(capacity)
  }

  /// The number of a line, whose bytes must stay where they are as long as the table is used.
  mutating func number(_ line: UnsafeRawBufferPointer) -> Int32 {
    let hash = Self.hash(line)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, entry.line.count == line.count, Self.areEqual(entry.line, line) {
        return slots[slot] - 1
      }
      slot = (slot + 1) & mask
    }
    entries.append(Entry(line: line, hash: hash))
    slots[slot] = Int32(entries.count)
    if entries.count * 2 > slots.count { grow() }
    return Int32(entries.count - 1)
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for (number, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number + 1)
    }
  }

  private static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer)
    -> Bool
  {
    guard let one = one.baseAddress, let bytes = other.baseAddress else { return true }
    return memcmp(one, bytes, other.count) == 0
  }

  /// Eight bytes at a time, each multiplied and folded; seeded, so that nobody can prepare lines that collide.
  private static func hash(_ line: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(line.count)
    var offset = 0
    while offset + 8 <= line.count {
      hash = mixed(hash, line.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < line.count {
      rest = rest << 8 | UInt64(line[offset])
      offset += 1
    }
    return mixed(hash, rest)
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  private static let seed = UInt64.random(in: .min ... .max)
}
