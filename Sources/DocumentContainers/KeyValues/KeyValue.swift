public import Foundation

/// A value of a ``KeyValueStore``, of any property list type.
///
/// A value that isn't a number (NaN) equals itself, so that it doesn't count as changed.
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
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an array.
  public init(arrayLiteral elements: KeyValue...) { self = .array(elements) }
  /// Creates a dictionary; for duplicate keys, the last value counts.
  public init(dictionaryLiteral elements: (String, KeyValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}

extension KeyValue {
  /// Returns whether two values are the same.
  public static func == (left: KeyValue, right: KeyValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
    case (.bool(let left), .bool(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)):
      KeyValue.double(left.timeIntervalSinceReferenceDate)
        == .double(right.timeIntervalSinceReferenceDate)
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  /// Adds the value to a hash.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .bool(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value):
      KeyValue.double(value.timeIntervalSinceReferenceDate).hash(into: &hasher)
    case .array(let value): hasher.combine(value)
    case .dictionary(let value): hasher.combine(value)
    }
  }
}

/// The JSON form: a type that JSON lacks is an object with one key that begins with a dollar sign, and other keys that
/// begin with a dollar sign get a second one.
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
      // An integral number would be read as an integer.
      if value.isFinite, value != value.rounded() { return try single.encode(value) }
      try encode(.double, "\(value)")
    case .dictionary(let value):
      try single.encode(
        Dictionary(value.map { ($0.hasPrefix("$") ? "$" + $0 : $0, $1) }) { $1 })
    }
  }

  /// The size that counts against the limits: the bytes of its JSON form.
  func size() throws -> Int { try JSONEncoder().encode(self).count }
}
