internal import Foundation

/// The numbers of the lines of texts, from 0; only equal lines have equal numbers.
struct LineNumbers {
  /// The number of each line, for each text.
  let texts: [[Int32]]
  /// The number of different lines.
  let count: Int

  init(_ texts: [TextLines]) {
    var table = Table(capacity: texts.map(\.count).max() ?? 0)
    self.texts = Self.withBytes(texts[...], []) { buffers in
      var first: FirstText?
      return zip(texts, buffers).map { text, bytes in
        let numbers = (0..<text.count).map { line in
          let line = UnsafeRawBufferPointer(rebasing: bytes[text.place(of: line)])
          return first?.next(ifEqual: line) ?? table.number(of: line, after: &first)
        }
        first?.goBack()
        if first == nil { first = FirstText(text, bytes, numbers, count: table.count) }
        return numbers
      }
    }
    count = table.count
  }

  /// Calls a closure with the bytes of all texts.
  private static func withBytes<Result>(
    _ texts: ArraySlice<TextLines>, _ buffers: [UnsafeRawBufferPointer],
    _ body: ([UnsafeRawBufferPointer]) -> Result
  ) -> Result {
    guard let text = texts.first else { return body(buffers) }
    return text.bytes.withUnsafeBytes { withBytes(texts.dropFirst(), buffers + [$0], body) }
  }
}

/// The first of several texts, with a position that advances while the others are read.
///
/// The other texts usually have the same lines in the same order, and comparing a line with the next one here
/// is faster than looking it up in a table.
private struct FirstText {
  private let text: TextLines
  private let bytes: UnsafeRawBufferPointer
  private let numbers: [Int32]
  /// The first line with each number.
  private let lines: [Int32]
  private var next = 0

  /// - Parameter count: The number of different lines.
  init(_ text: TextLines, _ bytes: UnsafeRawBufferPointer, _ numbers: [Int32], count: Int) {
    self.text = text
    self.bytes = bytes
    self.numbers = numbers
    var lines: [Int32] = []
    lines.reserveCapacity(count)
    for (line, number) in numbers.enumerated() where Int(number) == lines.count {
      lines.append(Int32(line))
    }
    self.lines = lines
  }

  /// Returns the number of the next line and advances, if a line is equal to it.
  mutating func next(ifEqual line: UnsafeRawBufferPointer) -> Int32? {
    guard next < numbers.count,
      UnsafeRawBufferPointer(rebasing: bytes[text.place(of: next)]).isEqual(to: line)
    else { return nil }
    defer { next += 1 }
    return numbers[next]
  }

  /// Continues after the first line with a number, if that line is further down.
  mutating func skip(to number: Int32) {
    guard Int(number) < lines.count, lines[Int(number)] >= next else { return }
    next = Int(lines[Int(number)]) + 1
  }

  mutating func goBack() {
    next = 0
  }
}

/// A hash table of the known lines, with open addressing because lines are only added.
private struct Table {
  private struct Entry {
    var line: UnsafeRawBufferPointer
    var hash: UInt64
  }

  /// The line's number plus one, for each slot; 0 for a free slot.
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

  /// Returns the number of a line, and advances the first text behind that line.
  mutating func number(of line: UnsafeRawBufferPointer, after first: inout FirstText?) -> Int32 {
    let number = number(line)
    first?.skip(to: number)
    return number
  }

  /// Returns the number of a line, whose bytes must stay in place as long as the table is used.
  mutating func number(_ line: UnsafeRawBufferPointer) -> Int32 {
    let hash = Self.hash(line)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, entry.line.isEqual(to: line) {
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

  /// Returns a hash of a line, eight bytes at a time, each multiplied and folded; a seed prevents prepared
  /// collisions.
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

extension UnsafeRawBufferPointer {
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}
