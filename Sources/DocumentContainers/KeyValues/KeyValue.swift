public import Foundation

/// A value of a ``KeyValueStore``: what a property list can hold.
public enum KeyValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case bool(Bool)
  case data(Data)
  case date(Date)
  case array([KeyValue])
  case dictionary([String: KeyValue])
}

extension KeyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a list.
  public init(arrayLiteral elements: KeyValue...) { self = .array(elements) }
  /// Makes a dictionary; of two equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, KeyValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}

/// As JSON: what JSON does not have is an object with one key that begins with a dollar sign, and keys that begin so get
/// another one.
extension KeyValue: Codable {
  private enum Mark: String {
    case data = "$data"
    case date = "$date"
    case double = "$double"
  }

  /// Reads a value.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ type: Value.Type) -> Value? {
      do { return try single.decode(type) } catch { return nil }
    }
    if let value = read(Bool.self) {
      self = .bool(value)
    } else if let value = read(Int64.self) {
      self = .integer(value)
    } else if let value = read(Double.self) {
      self = .double(value)
    } else if let value = read(String.self) {
      self = .string(value)
    } else if let value = read([KeyValue].self) {
      self = .array(value)
    } else {
      let members = try single.decode([String: KeyValue].self)
      guard let marked = try Self.marked(members, in: single) else {
        self = .dictionary(
          Dictionary(
            members.map { ($0.hasPrefix("$$") ? String($0.dropFirst()) : $0, $1) }
          ) { $1 })
        return
      }
      self = marked
    }
  }

  private static func marked(
    _ members: [String: KeyValue], in container: any SingleValueDecodingContainer
  ) throws -> KeyValue? {
    guard let (key, value) = members.first, members.count == 1, let mark = Mark(rawValue: key)
    else { return nil }
    switch (mark, value) {
    case (.data, .string(let text)):
      if let data = Data(base64Encoded: text) { return .data(data) }
    case (.date, .string(let text)), (.double, .string(let text)):
      if let number = Double(text) {
        return mark == .double
          ? .double(number) : .date(Date(timeIntervalSinceReferenceDate: number))
      }
    default: break
    }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "“\(key)” has no such value.")
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    func encode(_ mark: Mark, _ text: String) throws { try single.encode([mark.rawValue: text]) }
    switch self {
    case .string(let value): try single.encode(value)
    case .integer(let value): try single.encode(value)
    case .bool(let value): try single.encode(value)
    case .array(let value): try single.encode(value)
    case .data(let value): try encode(.data, value.base64EncodedString())
    case .date(let value): try encode(.date, "\(value.timeIntervalSinceReferenceDate)")
    case .double(let value):
      // A whole number would be read as an integer.
      if value.isFinite, value != value.rounded() { return try single.encode(value) }
      try encode(.double, "\(value)")
    case .dictionary(let value):
      try single.encode(
        Dictionary(value.map { ($0.hasPrefix("$") ? "$" + $0 : $0, $1) }) { $1 })
    }
  }

  /// The bytes that count against the limits: those of the text in the file.
  func size() throws -> Int { try JSONEncoder().encode(self).count }
}
