/// Checks a binary property list before Foundation reads it.
///
/// Foundation on Linux (6.3) crashes on sets, which a flipped bit can make of an array, and never returns if containers
/// share others over many levels.
struct BinaryPropertyListCheck {
  /// The reason for rejecting a property list.
  struct Refusal: Error {
    let reason: String
  }

  /// The bytes at the beginning.
  static let signature = Array("bplist00".utf8)

  /// The greatest number of levels, far more than declarations need.
  private static let mostLevels = 64
  private static let mostObjects = 100_000

  private let bytes: [UInt8]
  private let offsetSize, referenceSize, objects, table: Int
  private var visited = 0

  /// Throws an error for a list that is truncated, has invalid references, is nested too deeply, or contains
  /// values that aren't plain.
  static func check(_ bytes: [UInt8]) throws(Refusal) {
    var check = try BinaryPropertyListCheck(bytes)
    try check.visit(check.number(at: bytes.count - 16, size: 8), level: 0)
  }

  private init(_ bytes: [UInt8]) throws(Refusal) {
    guard bytes.count >= Self.signature.count + 32 else { throw Refusal(reason: "it is cut off") }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func number(at position: Int) -> Int {
      bytes[position..<position + 8].reduce(0) { Int(truncatingIfNeeded: $0 << 8 | Int($1)) }
    }
    objects = number(at: trailer + 8)
    table = number(at: trailer + 24)
    let isSound =
      (1...8).contains(offsetSize) && (1...8).contains(referenceSize)
      && (1...bytes.count).contains(objects) && (Self.signature.count...trailer).contains(table)
      && objects * offsetSize <= trailer - table
    guard isSound else { throw Refusal(reason: "its end is damaged") }
  }

  /// Reads a number; throws an error if it is negative or larger than any file.
  private func number(at position: Int, size: Int) throws(Refusal) -> Int {
    guard position >= 0, position <= bytes.count - size else {
      throw Refusal(reason: "it is cut off")
    }
    var number: UInt64 = 0
    for byte in bytes[position..<position + size] { number = number << 8 | UInt64(byte) }
    guard let result = Int(exactly: number), result <= 1 << 40 else {
      throw Refusal(reason: "it holds an impossible number")
    }
    return result
  }

  /// Checks an object and its contents, each time it is used.
  private mutating func visit(_ object: Int, level: Int, isKey: Bool = false) throws(Refusal) {
    visited += 1
    guard visited <= Self.mostObjects, level <= Self.mostLevels else {
      throw Refusal(reason: "it is nested too deep, or holds too much")
    }
    guard object < objects else { throw Refusal(reason: "it leads nowhere") }
    let start = try number(at: table + object * offsetSize, size: offsetSize)
    guard (Self.signature.count..<table).contains(start) else {
      throw Refusal(reason: "it leads nowhere")
    }
    let (kind, detail) = (bytes[start] >> 4, bytes[start] & 0x0F)
    guard !isKey || kind == 0x5 || kind == 0x6 else {
      throw Refusal(reason: "a key isn’t a string")
    }
    switch kind {
    case 0x0 where detail == 8 || detail == 9: break
    case 0x1 where detail <= 3: try checkRoom(1 << Int(detail), after: start + 1)
    case 0x2 where detail == 2 || detail == 3: try checkRoom(1 << Int(detail), after: start + 1)
    case 0x3 where detail == 3: try checkRoom(8, after: start + 1)
    case 0x4, 0x5, 0x6:
      let (count, rest) = try count(detail, after: start + 1)
      try checkRoom(count * (kind == 0x6 ? 2 : 1), after: rest)
    case 0xA, 0xD:
      let (count, rest) = try count(detail, after: start + 1)
      try visitMembers(count, at: rest, level: level, hasKeys: kind == 0xD)
    default: throw Refusal(reason: "it contains something other than plain values")
    }
  }

  private mutating func visitMembers(
    _ count: Int, at start: Int, level: Int, hasKeys: Bool
  ) throws(Refusal) {
    let all = hasKeys ? 2 * count : count
    guard all <= bytes.count else { throw Refusal(reason: "it is cut off") }
    try checkRoom(all * referenceSize, after: start)
    for index in 0..<all {
      let object = try number(at: start + index * referenceSize, size: referenceSize)
      try visit(object, level: level + 1, isKey: hasKeys && index < count)
    }
  }

  /// Reads the number of bytes or members of an object, and the position of the first.
  private func count(_ detail: UInt8, after start: Int) throws(Refusal) -> (count: Int, rest: Int) {
    guard detail == 0x0F else { return (Int(detail), start) }
    let marker = try number(at: start, size: 1)
    guard (0x10...0x13).contains(marker) else { throw Refusal(reason: "it is cut off") }
    let size = 1 << (marker & 0x0F)
    return (try number(at: start + 1, size: size), start + 1 + size)
  }

  private func checkRoom(_ count: Int, after start: Int) throws(Refusal) {
    guard start + count <= table else { throw Refusal(reason: "it is cut off") }
  }
}
