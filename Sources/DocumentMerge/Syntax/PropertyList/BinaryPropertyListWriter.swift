/// Writes binary property lists (version 00).
///
/// Equal values other than containers are written once, as Apple's writer does.
struct BinaryPropertyListWriter {
  private enum Object {
    case value([UInt8])
    case container(marker: UInt8, count: Int, members: [Int])
  }

  private var objects: [Object] = []
  private var known: [[UInt8]: Int] = [:]

  /// Returns the document with a value.
  static func bytes(of value: PropertyListValue) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.add(value)
    return writer.document(top: top)
  }

  private mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let values): return add(values, 0xA0)
    case .set(let values): return add(values, 0xC0)
    case .dictionary(let members):
      return add(members.map { .string($0.key) } + members.map(\.value), 0xD0, members.count)
    default:
      let bytes = Self.encoded(value)
      if let index = known[bytes] { return index }
      known[bytes] = objects.count
      objects.append(.value(bytes))
      return objects.count - 1
    }
  }

  private mutating func add(
    _ values: [PropertyListValue], _ marker: UInt8, _ count: Int? = nil
  ) -> Int {
    let index = objects.count
    objects.append(.value([]))
    var members: [Int] = []
    for value in values { members.append(add(value)) }
    objects[index] = .container(marker: marker, count: count ?? values.count, members: members)
    return index
  }

  private func document(top: Int) -> [UInt8] {
    var bytes = BinaryPropertyListReader.signature
    let referenceSize = Self.size(of: objects.count - 1)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .value(let value): bytes += value
      case .container(let marker, let count, let members):
        bytes += Self.head(marker, count)
        for member in members { bytes += Self.number(member, referenceSize) }
      }
    }
    let table = bytes.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { bytes += Self.number(offset, offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    return bytes + Self.number(objects.count, 8) + Self.number(top, 8) + Self.number(table, 8)
  }

  private static func encoded(_ value: PropertyListValue) -> [UInt8] {
    switch value {
    case .null, .array, .set, .dictionary: return [0x00]
    case .bool(let value): return [value ? 0x09 : 0x08]
    case .integer(let value): return integer(value)
    case .float(let value): return [0x22] + number(UInt64(value.bitPattern), 4)
    case .real(let value): return [0x23] + number(value.bitPattern, 8)
    case .date(let value): return [0x33] + number(value.bitPattern, 8)
    case .data(let value): return head(0x40, value.count) + value
    case .uid(let value):
      let size = value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1 << 32 ? 4 : 8
      return [0x80 | UInt8(size - 1)] + number(value, size)
    case .string(let value):
      if value.allSatisfy({ $0 < 0x80 }) { return head(0x50, value.count) + value }
      let units = Array(String(decoding: value, as: UTF8.self).utf16)
      return head(0x60, units.count) + units.flatMap { number(UInt64($0), 2) }
    }
  }

  /// Returns a marker with the number of bytes or members that follow.
  private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0F] + integer(Int128(count))
  }

  private static func integer(_ value: Int128) -> [UInt8] {
    if let short = UInt64(exactly: value), short < 1 << 32 {
      let power = short < 1 << 8 ? 0 : short < 1 << 16 ? 1 : 2
      return [0x10 | UInt8(power)] + number(short, 1 << power)
    }
    if let long = Int64(exactly: value) { return [0x13] + number(UInt64(bitPattern: long), 8) }
    return [0x14]
      + (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * (15 - Int128($0)))) }
  }

  /// Returns the number of bytes for numbers up to a largest one.
  private static func size(of largest: Int) -> Int {
    largest < 1 << 8 ? 1 : largest < 1 << 16 ? 2 : largest < 1 << 32 ? 4 : 8
  }

  private static func number(_ value: some BinaryInteger, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
  }
}
