extension Delta {
  /// Computes the delta between two objects in the format of packs; `nil` if it wouldn't be shorter than `limit`.
  ///
  /// A rolling hash finds blocks of the base in the result, and each match is extended in both directions (after Rabin
  /// and Karp 1987, and MacDonald, “File system support for delta compression”, 2000).
  static func make(from base: [UInt8], to result: [UInt8], limit: Int) -> [UInt8]? {
    var delta: [UInt8] = []
    append(number: base.count, to: &delta)
    append(number: result.count, to: &delta)
    let blocks = BlockIndex(of: base)
    var literal = 0  // Where the bytes begin that are in no match yet.
    var place = 0
    var hash: UInt32?
    while place + BlockIndex.blockSize <= result.count {
      let current = hash ?? BlockIndex.hash(result, at: place)
      guard let match = blocks.match(current, in: base, with: result, at: place, since: literal)
      else {
        hash = BlockIndex.roll(current, result, from: place)
        place += 1
        continue
      }
      append(literals: result[literal..<match.result.lowerBound], to: &delta)
      append(copy: match.base, to: &delta)
      guard delta.count < limit else { return nil }
      literal = match.result.upperBound
      place = literal
      hash = nil
    }
    append(literals: result[literal...], to: &delta)
    return delta.count < limit ? delta : nil
  }

  private static func append(number: Int, to delta: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      delta.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    delta.append(UInt8(rest))
  }

  private static func append(literals: ArraySlice<UInt8>, to delta: inout [UInt8]) {
    var rest = literals
    while !rest.isEmpty {
      let part = rest.prefix(127)
      delta.append(UInt8(part.count))
      delta += part
      rest = rest.dropFirst(part.count)
    }
  }

  private static func append(copy range: Range<Int>, to delta: inout [UInt8]) {
    var start = range.lowerBound
    while start < range.upperBound {
      // The longest copy that every version of git supports.
      let length = min(range.upperBound - start, 0x10000)
      var command: UInt8 = 0x80
      var arguments: [UInt8] = []
      for place in 0..<4 where start >> (place * 8) & 0xFF != 0 {
        command |= 1 << place
        arguments.append(UInt8(start >> (place * 8) & 0xFF))
      }
      // 0x10000 is encoded as an omitted length.
      let written = length & 0xFFFF
      for place in 0..<2 where written >> (place * 8) & 0xFF != 0 {
        command |= 0x10 << place
        arguments.append(UInt8(written >> (place * 8) & 0xFF))
      }
      delta.append(command)
      delta += arguments
      start += length
    }
  }
}

/// An index of an object's blocks.
private struct BlockIndex {
  static let blockSize = 16

  /// The position of a block's end, by the low bits of its hash; 0 for none.
  ///
  /// For blocks with equal bits, the first one counts.
  private let places: [UInt32]
  private let mask: UInt32

  init(of base: [UInt8]) {
    let blocks = base.count / Self.blockSize
    var capacity = 16
    while capacity < blocks * 2 { capacity *= 2 }
    mask = UInt32(capacity - 1)
    var places = [UInt32](repeating: 0, count: capacity)
    for block in 0..<blocks {
      let start = block * Self.blockSize
      let slot = Int(Self.mixed(Self.hash(base, at: start)) & mask)
      if places[slot] == 0 { places[slot] = UInt32(start + Self.blockSize) }
    }
    self.places = places
  }

  private static let multiplier: UInt32 = 0x0100_0193
  /// The multiplier to the power of the block's size, for removing the oldest byte.
  private static let oldest = (0..<blockSize).reduce(UInt32(1)) { power, _ in power &* multiplier }

  static func hash(_ bytes: [UInt8], at place: Int) -> UInt32 {
    bytes[place..<(place + blockSize)].reduce(0) { $0 &* multiplier &+ UInt32($1) }
  }

  /// Returns the hash of the block one byte later; `nil` at the end.
  static func roll(_ hash: UInt32, _ bytes: [UInt8], from place: Int) -> UInt32? {
    guard place + blockSize < bytes.count else { return nil }
    return hash &* multiplier &+ UInt32(bytes[place + blockSize]) &- UInt32(bytes[place]) &* oldest
  }

  private static func mixed(_ hash: UInt32) -> UInt32 {
    hash ^ hash >> 15
  }

  /// Returns the longest part of the base that occurs in the result at a position.
  ///
  /// - Parameter start: the earliest position in the result that it may include.
  func match(
    _ hash: UInt32, in base: [UInt8], with result: [UInt8], at place: Int, since start: Int
  ) -> (base: Range<Int>, result: Range<Int>)? {
    let end = Int(places[Int(Self.mixed(hash) & mask)])
    guard end > 0 else { return nil }
    var (baseStart, resultStart) = (end - Self.blockSize, place)
    guard
      base[baseStart..<end].elementsEqual(result[place..<(place + Self.blockSize)])
    else { return nil }
    var (baseEnd, resultEnd) = (end, place + Self.blockSize)
    while baseEnd < base.count, resultEnd < result.count, base[baseEnd] == result[resultEnd] {
      baseEnd += 1
      resultEnd += 1
    }
    while baseStart > 0, resultStart > start, base[baseStart - 1] == result[resultStart - 1] {
      baseStart -= 1
      resultStart -= 1
    }
    return (baseStart..<baseEnd, resultStart..<resultEnd)
  }
}
