/// The deltas between objects in the format of packs (`gitformat-pack`).
enum Delta {
  /// Applies a delta to its base.
  static func apply(_ delta: [UInt8], to base: [UInt8]) throws(GitError) -> [UInt8] {
    var rest = delta[...]
    guard number(&rest) == base.count, let size = number(&rest), size <= 2 << 30 else {
      throw damaged
    }
    var result: [UInt8] = []
    result.reserveCapacity(min(size, 64 << 20))
    while let command = rest.popFirst() {
      if command & 0x80 != 0 {
        let start = argument(&rest, bits: command & 15, count: 4)
        let length = argument(&rest, bits: command >> 4 & 7, count: 3)
        guard let start, let length else { throw damaged }
        let end = start + (length == 0 ? 0x10000 : length)
        guard end <= base.count else { throw damaged }
        result += base[start..<end]
      } else {
        let count = Int(command)
        guard count > 0, rest.count >= count else { throw damaged }
        result += rest.prefix(count)
        rest = rest.dropFirst(count)
      }
      guard result.count <= size else { throw damaged }
    }
    guard result.count == size else { throw damaged }
    return result
  }

  /// Reads the size of the resulting object from the beginning of a delta.
  static func resultSize(_ start: [UInt8]) throws(GitError) -> Int {
    var rest = start[...]
    guard number(&rest) != nil, let size = number(&rest) else { throw damaged }
    return size
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    var shift = 0
    while let byte = rest.popFirst(), shift < 48 {
      value |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  /// Reads a number of which only the nonzero bytes are stored, as bits indicate.
  private static func argument(
    _ rest: inout ArraySlice<UInt8>, bits: UInt8, count: Int
  ) -> Int? {
    var value = 0
    for place in 0..<count where bits & 1 << place != 0 {
      guard let byte = rest.popFirst() else { return nil }
      value |= Int(byte) << (place * 8)
    }
    return value
  }

  private static let damaged = GitError.damaged("the changes of a packed object are damaged")
}
