/// The name of a component: its kind, and the value that identifies it among others of that kind.
struct ComponentName {
  let name: [UInt8]

  /// The properties that identify components, by their kind.
  private static let identifiers: [String: [String]] = [
    "VTIMEZONE": ["TZID"], "STANDARD": ["DTSTART"], "DAYLIGHT": ["DTSTART"],
    "VCARD": ["UID", "FN"],
  ]

  /// Determines the name of a component from its properties.
  init(_ kind: [UInt8], _ properties: [ContentLine]) {
    func value(_ name: String) -> ArraySlice<UInt8>? {
      properties.first { $0.name.elementsEqual(name.utf8) }?.value
    }
    let known = Self.identifiers[String(decoding: kind, as: UTF8.self)] ?? ["UID"]
    let identifier = known.lazy.compactMap(value).first
    // An occurrence of a recurring appointment.
    let occurrence = value("RECURRENCE-ID")
    name = kind + [identifier, occurrence].compactMap { $0 }.flatMap { [0x20] + $0 }
  }
}

/// The names of a component's properties; repeatable properties are distinguished by their parameters and
/// values.
struct ComponentProperties {
  private let isCard: Bool
  private var counts: [[UInt8]: Int] = [:]

  /// The properties of people that have several kinds.
  private static let kinds: Set<String> = [
    "TEL", "EMAIL", "ADR", "URL", "IMPP", "LABEL", "RELATED", "KEY", "X-SOCIALPROFILE",
  ]

  init(of properties: [ContentLine], in kind: [UInt8]) {
    isCard = kind.elementsEqual("VCARD".utf8)
    for property in properties {
      counts[property.name, default: 0] += 1
      counts[Self.kind(of: property), default: 0] += 1
    }
  }

  /// Returns the name of a property.
  func name(of property: ContentLine) -> [UInt8] {
    let word = String(decoding: property.name, as: UTF8.self)
    // An attendee is the same person whatever the answer.
    if word == "ATTENDEE" { return property.name + [UInt8(ascii: ":")] + property.value }
    let isOnce = counts[property.name, default: 0] < 2
    if isOnce, !isCard || !Self.kinds.contains(word) { return property.name }
    let kind = Self.kind(of: property)
    guard counts[kind, default: 0] > 1 else { return kind }
    return kind + [UInt8(ascii: ":")] + property.value
  }

  /// Returns the name with its parameters in a fixed order.
  private static func kind(of property: ContentLine) -> [UInt8] {
    let parameters = property.parameters.split(separator: UInt8(ascii: ";")).map(\.capitals)
      .sorted { $0.lexicographicallyPrecedes($1) }
    return property.name + [UInt8(ascii: ";")]
      + parameters.joined(separator: [UInt8(ascii: ";")])
  }
}
