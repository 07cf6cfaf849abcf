/// A collection in brackets or braces whose members are being read.
struct YAMLFlow {
  private let isMapping: Bool
  private var closing: UInt8 { isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  /// Reads a collection with its anchor and tag.
  ///
  /// The functions that it calls on its path to the members aren't inlined, so that the deepest document fits
  /// on a small stack.
  static func read(
    from input: inout YAMLInput, _ properties: Range<Int>, name: [UInt8]? = nil
  ) throws(MergeError) {
    let flow = try YAMLFlow(opening: &input, properties, name: name)
    while try flow.beginMember(&input) {
      // The member is itself a collection.
      if let properties = try flow.scalar(&input) { try read(from: &input, properties) }
      try flow.endMember(&input)
    }
  }

  @inline(never)
  private init(
    opening input: inout YAMLInput, _ properties: Range<Int>, name: [UInt8]?
  ) throws(MergeError) {
    isMapping = input.peek == UInt8(ascii: "{")
    try input.builder.open(isMapping ? .mapping : .list, comments: properties, name: name)
    input.position += 1
  }

  /// Begins the next member and returns `true`, or ends the collection.
  @inline(never)
  private func beginMember(_ input: inout YAMLInput) throws(MergeError) -> Bool {
    let start = input.position
    try input.scanner.skipFlowSpace()
    guard input.peek == closing else {
      input.builder.beginMember(at: start)
      return true
    }
    input.position += 1
    input.builder.close(tail: start, closing: input.position - 1, end: input.position)
    return false
  }

  /// Reads a member up to its value, and also the value if it isn't a collection.
  /// - Returns: The anchor and tag of the value if it is a collection.
  @inline(never)
  private func scalar(_ input: inout YAMLInput) throws(MergeError) -> Range<Int>? {
    if isMapping { return try pair(&input) }
    input.references.path.append([UInt8(ascii: "-")])
    return try value(&input, key: nil, name: [])
  }

  @inline(never)
  private func endMember(_ input: inout YAMLInput) throws(MergeError) {
    input.references.path.removeLast()
    let end = input.position
    try input.scanner.skipFlowSpace()
    let hasSeparator = input.peek == UInt8(ascii: ",")
    guard hasSeparator || input.peek == closing else { throw input.invalid("“,” or the end") }
    let separator = hasSeparator ? input.position..<input.position + 1 : end..<end
    input.position = separator.upperBound
    input.scanner.skipFlowTrail()
    input.builder.endMember(separator: separator, end: input.position)
  }

  private func pair(_ input: inout YAMLInput) throws(MergeError) -> Range<Int>? {
    let key = input.position
    let name: [UInt8]
    let isQuoted = input.peek == UInt8(ascii: "\"") || input.peek == UInt8(ascii: "'")
    if isQuoted {
      let quoted = try input.scanner.quoted()
      guard !quoted.isMultiline else { throw input.invalid("a key in one line") }
      name = quoted.text
    } else {
      name = Array(try input.scanner.flowPlain())
    }
    input.references.path.append(name)
    let end = input.position
    try input.scanner.skipFlowSpace()
    if input.peek == UInt8(ascii: ",") || input.peek == UInt8(ascii: "}") {
      // A key without a colon has no value.
      leaveValueOut(&input, at: end, key: key, name: name)
      return nil
    }
    input.position = end
    input.scanner.skipBlanks()
    guard input.peek == UInt8(ascii: ":"), input.position - key < YAMLKey.limit,
      input.scanner.isBlank(input.position + 1) || isQuoted && input.position == end
    else { throw input.invalid("a key") }
    input.position += 1
    let valueStart = input.position
    try input.scanner.skipFlowSpace()
    guard input.peek == UInt8(ascii: ",") || input.peek == UInt8(ascii: "}") else {
      return try value(&input, key: key, name: name)
    }
    guard input.scanner.isBlank(valueStart) else { throw input.invalid("a value") }
    leaveValueOut(&input, at: valueStart, key: key, name: name)
    return nil
  }

  /// Adds the empty value of a key without one.
  private func leaveValueOut(
    _ input: inout YAMLInput, at place: Int, key: Int, name: [UInt8]
  ) {
    input.position = place
    input.builder.beginValue(at: place, key: key, name: name[...])
    input.builder.leaf(upTo: place, value: [])
  }

  /// Reads a value that isn't a collection.
  /// - Returns: The anchor and tag of the value if it is a collection.
  private func value(
    _ input: inout YAMLInput, key: Int?, name: [UInt8]
  ) throws(MergeError) -> Range<Int>? {
    let start = input.position
    input.builder.beginValue(at: start, key: key, name: name[...])
    let properties = try input.properties()
    let prefix = properties.isEmpty ? nil : input.bytes[properties] + [.lineFeed]
    switch input.peek {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      return properties
    case UInt8(ascii: "*"):
      try input.alias(from: start, properties)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quoted = try input.scanner.quoted()
      let text = YAMLScalar.value(ofQuoted: quoted.text)
      let isKey = key == nil && properties.isEmpty && !quoted.isMultiline
      let pair = isKey ? try pairValue(&input, isQuoted: true) : nil
      input.builder.leaf(upTo: input.position, value: (prefix ?? []) + text + (pair ?? []))
    default:
      let text = Array(try input.scanner.flowPlain())
      let pair = key == nil && properties.isEmpty ? try pairValue(&input, isQuoted: false) : nil
      input.builder.leaf(
        upTo: input.position, value: pair.map { text + $0 } ?? prefix.map { Array($0 + text) })
    }
    return nil
  }

  /// Reads the scalar value of an entry that is a pair, such as `[a: 1]`; the pair is a single value.
  /// - Returns: The bytes that distinguish the pair from others with its key; `nil` if the entry isn't a
  ///   pair.
  private func pairValue(
    _ input: inout YAMLInput, isQuoted: Bool
  ) throws(MergeError) -> [UInt8]? {
    let end = input.position
    input.scanner.skipBlanks()
    guard input.peek == UInt8(ascii: ":"),
      input.scanner.isBlank(input.position + 1) || isQuoted && input.position == end
    else {
      input.position = end
      return nil
    }
    input.position += 1
    let valueStart = input.position
    input.scanner.skipBlanks()
    switch input.peek {
    case UInt8(ascii: ","), UInt8(ascii: "]"):
      guard input.scanner.isBlank(valueStart) else { throw input.invalid("a value") }
      input.position = valueStart
      return [0]
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return [0] + YAMLScalar.value(ofQuoted: try input.scanner.quoted().text)
    default: return [0] + Array(try input.scanner.flowPlain())
    }
  }
}
