/// Reads binary property lists (version 00), and refuses damaged or malicious ones.
///
/// Every position is checked before it is read. Objects may be shared, but their total contents are limited
/// by the size of the file, so chains of shared containers and cycles end.
struct BinaryPropertyListReader {
  /// The signature of a binary property list.
  static let signature = Array("bplist00".utf8)
  /// The maximum nesting, which the merge can also walk.
  private static let depthLimit = StructureTreeBuilder.depthLimit - 10

  private let bytes: [UInt8]
  private let offsetSize, referenceSize, count, table: Int
  private var visits: Int
  private var room: Int

  /// Returns the value of a document; `nil` if it isn't a readable binary property list.
  static func value(of bytes: [UInt8]) -> PropertyListValue? {
    guard var reader = BinaryPropertyListReader(bytes),
      let top = reader.number(at: bytes.count - 16, 8)
    else { return nil }
    return reader.value(top, depth: 0)
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.signature), bytes.count >= Self.signature.count + 33 else {
      return nil
    }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func number(_ position: Int) -> Int {
      bytes[position..<position + 8].reduce(0) { Int(truncatingIfNeeded: $0 << 8 | Int($1)) }
    }
    (count, table) = (number(trailer + 8), number(trailer + 24))
    visits = 1000 + 4 * bytes.count
    room = 1 << 20 + 16 * bytes.count
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      (1...bytes.count).contains(count), (Self.signature.count...trailer).contains(table),
      count * offsetSize <= trailer - table
    else { return nil }
  }

  /// Returns an unsigned number; `nil` if it is missing, or larger than any file.
  private func number(at position: Int, _ size: Int) -> Int? {
    guard position >= 0, position <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    for byte in bytes[position..<position + size] { number = number << 8 | UInt64(byte) }
    return number <= 1 << 40 ? Int(number) : nil
  }

  /// Returns the bytes of an object's content, which must be before the table.
  private mutating func content(at start: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard start + count <= table, count <= room else { return nil }
    room -= count
    return bytes[start..<start + count]
  }

  private mutating func value(_ object: Int, depth: Int) -> PropertyListValue? {
    visits -= 1
    guard visits >= 0, depth <= Self.depthLimit, object < count,
      let start = number(at: table + object * offsetSize, offsetSize),
      (Self.signature.count..<table).contains(start)
    else { return nil }
    let (kind, detail) = (bytes[start] >> 4, Int(bytes[start] & 0x0F))
    switch (kind, detail) {
    case (0x0, 0): return .null
    case (0x0, 8): return .bool(false)
    case (0x0, 9): return .bool(true)
    case (0x1, 0...4): return content(at: start + 1, 1 << detail).map { .integer(Self.integer($0)) }
    case (0x2, 2):
      return content(at: start + 1, 4).map {
        .float(Float(bitPattern: UInt32(Self.unsigned($0))))
      }
    case (0x2, 3): return content(at: start + 1, 8).map { .real(Self.double($0)) }
    case (0x3, 3): return content(at: start + 1, 8).map { .date(Self.double($0)) }
    case (0x8, 0...7): return content(at: start + 1, detail + 1).map { .uid(Self.unsigned($0)) }
    case (0x4, _), (0x5, _), (0x6, _), (0xA, _), (0xC, _), (0xD, _):
      guard let (length, rest) = length(detail, at: start + 1) else { return nil }
      return kind < 0xA ? text(kind, length, rest) : container(kind, length, rest, depth)
    default: return nil
    }
  }

  /// Returns the number of an object's bytes or members, and their start.
  private func length(_ detail: Int, at start: Int) -> (length: Int, rest: Int)? {
    guard detail == 0x0F else { return (detail, start) }
    guard start < table, (0x10...0x13).contains(bytes[start]) else { return nil }
    let size = 1 << Int(bytes[start] & 0x0F)
    return number(at: start + 1, size).map { ($0, start + 1 + size) }
  }

  /// Returns data or a string.
  private mutating func text(_ kind: UInt8, _ length: Int, _ start: Int) -> PropertyListValue? {
    guard let content = content(at: start, kind == 0x6 ? 2 * length : length) else { return nil }
    switch kind {
    case 0x4: return .data(Array(content))
    case 0x5: return content.allSatisfy { $0 < 0x80 } ? .string(Array(content)) : nil
    default:
      let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
      }
      return String(validating: units, as: UTF16.self).map { .string(Array($0.utf8)) }
    }
  }

  private mutating func container(
    _ kind: UInt8, _ length: Int, _ start: Int, _ depth: Int
  ) -> PropertyListValue? {
    let all = kind == 0xD ? 2 * length : length
    guard all <= bytes.count, start + all * referenceSize <= table else { return nil }
    var values: [PropertyListValue] = []
    for index in 0..<all {
      guard let object = number(at: start + index * referenceSize, referenceSize),
        let value = value(object, depth: depth + 1)
      else { return nil }
      values.append(value)
    }
    guard kind == 0xD else { return kind == 0xA ? .array(values) : .set(values) }
    var members: [(key: [UInt8], value: PropertyListValue)] = []
    for (key, value) in zip(values.prefix(length), values.dropFirst(length)) {
      guard case .string(let name) = key else { return nil }
      members.append((name, value))
    }
    return .dictionary(members)
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func double(_ bytes: ArraySlice<UInt8>) -> Double {
    Double(bitPattern: unsigned(bytes))
  }

  /// Returns a number, which is signed if it has eight bytes or more.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int128 {
    let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    return bytes.count == 8
      ? Int128(Int64(bitPattern: UInt64(number))) : Int128(truncatingIfNeeded: number)
  }
}
