/// Collections in brackets and braces.
extension YAMLParser {
  /// A collection whose members are read.
  private struct Flow {
    let isMapping: Bool
    var closing: UInt8 { isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  /// Takes a flow collection.
  ///
  /// What it calls on the way to its members is not inlined, so that the deepest document fits on a small stack.
  /// - Parameters:
  ///   - properties: Its anchor and tag.
  ///   - name: What the parser calls it.
  mutating func flow(_ properties: Range<Int>, name: [UInt8]? = nil) throws(MergeError) {
    let flow = try openFlow(properties, name: name)
    while try beginMember(of: flow) {
      // A member that is a collection itself.
      if let properties = try scalar(in: flow) { try self.flow(properties) }
      try endMember(of: flow)
    }
  }

  @inline(never)
  private mutating func openFlow(
    _ properties: Range<Int>, name: [UInt8]?
  ) throws(MergeError) -> Flow {
    let flow = Flow(isMapping: peek == UInt8(ascii: "{"))
    try builder.open(flow.isMapping ? .mapping : .list, comments: properties, name: name)
    position += 1
    return flow
  }

  /// Begins the next member, or ends the collection.
  @inline(never)
  private mutating func beginMember(of flow: Flow) throws(MergeError) -> Bool {
    let start = position
    try skipFlowSpace()
    guard peek == flow.closing else {
      builder.beginMember(at: start)
      return true
    }
    position += 1
    builder.close(tail: start, closing: position - 1, end: position)
    return false
  }

  /// Takes a member up to its value, and the value, too, if it is no collection.
  /// - Returns: The anchor and tag of the collection that the value is.
  @inline(never)
  private mutating func scalar(in flow: Flow) throws(MergeError) -> Range<Int>? {
    if flow.isMapping { return try flowPair() }
    path.append([UInt8(ascii: "-")])
    return try flowValue(key: nil, name: [])
  }

  @inline(never)
  private mutating func endMember(of flow: Flow) throws(MergeError) {
    path.removeLast()
    let end = position
    try skipFlowSpace()
    let hasSeparator = peek == UInt8(ascii: ",")
    guard hasSeparator || peek == flow.closing else { throw invalid("“,” or the end") }
    let separator = hasSeparator ? position..<position + 1 : end..<end
    position = separator.upperBound
    skipFlowTrail()
    builder.endMember(separator: separator, end: position)
  }

  private mutating func flowPair() throws(MergeError) -> Range<Int>? {
    let key = position
    let name: [UInt8]
    let isQuoted = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
    if isQuoted {
      let quoted = try quoted()
      guard !quoted.isMultiline else { throw invalid("a key in one line") }
      name = quoted.text
    } else {
      name = Array(try flowPlain())
    }
    path.append(name)
    let end = position
    try skipFlowSpace()
    if peek == UInt8(ascii: ",") || peek == UInt8(ascii: "}") {
      // A key alone has no value.
      leaveFlowValueOut(at: end, key: key, name: name)
      return nil
    }
    position = end
    skipBlanks()
    guard peek == UInt8(ascii: ":"), position - key < YAMLKey.limit,
      isBlank(position + 1) || isQuoted && position == end
    else { throw invalid("a key") }
    position += 1
    let valueStart = position
    try skipFlowSpace()
    guard peek == UInt8(ascii: ",") || peek == UInt8(ascii: "}") else {
      return try flowValue(key: key, name: name)
    }
    guard isBlank(valueStart) else { throw invalid("a value") }
    leaveFlowValueOut(at: valueStart, key: key, name: name)
    return nil
  }

  /// Adds the value of a key that has none.
  private mutating func leaveFlowValueOut(at place: Int, key: Int, name: [UInt8]) {
    position = place
    builder.beginValue(at: place, key: key, name: name[...])
    builder.leaf(upTo: place, value: [])
  }

  /// Takes a value that is no collection.
  /// - Returns: The anchor and tag of the collection that it is.
  private mutating func flowValue(key: Int?, name: [UInt8]) throws(MergeError) -> Range<Int>? {
    let start = position
    builder.beginValue(at: start, key: key, name: name[...])
    let properties = try properties()
    let prefix = properties.isEmpty ? nil : bytes[properties] + [.lineFeed]
    switch peek {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      return properties
    case UInt8(ascii: "*"):
      guard properties.isEmpty else { throw invalid("a value") }
      builder.leaf(upTo: try skipAlias(), value: try alias(from: start))
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quoted = try quoted()
      let text = YAMLScalar.value(ofQuoted: quoted.text)
      let isKey = key == nil && properties.isEmpty && !quoted.isMultiline
      let pair = isKey ? try pairValue(isQuoted: true) : nil
      builder.leaf(upTo: position, value: (prefix ?? []) + text + (pair ?? []))
    default:
      let text = Array(try flowPlain())
      let pair = key == nil && properties.isEmpty ? try pairValue(isQuoted: false) : nil
      builder.leaf(
        upTo: position, value: pair.map { text + $0 } ?? prefix.map { Array($0 + text) })
    }
    return nil
  }

  /// Takes the value of an entry that is a pair, such as `[a: 1]`, if it is a scalar; the pair is one value.
  /// - Returns: What tells the pair from others of its key; `nil` if it is none.
  private mutating func pairValue(isQuoted: Bool) throws(MergeError) -> [UInt8]? {
    let end = position
    skipBlanks()
    guard peek == UInt8(ascii: ":"), isBlank(position + 1) || isQuoted && position == end else {
      position = end
      return nil
    }
    position += 1
    let valueStart = position
    skipBlanks()
    switch peek {
    case UInt8(ascii: ","), UInt8(ascii: "]"):
      guard isBlank(valueStart) else { throw invalid("a value") }
      position = valueStart
      return [0]
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return [0] + YAMLScalar.value(ofQuoted: try quoted().text)
    default: return [0] + Array(try flowPlain())
    }
  }

  /// Takes a plain scalar, which must be in one line.
  private mutating func flowPlain() throws(MergeError) -> ArraySlice<UInt8> {
    let start = position
    guard YAMLScalar.mayStartPlain(bytes[start...]), bytes[start] != UInt8(ascii: ":") else {
      throw invalid("a value")
    }
    var end = start
    loop: while let byte = peek {
      switch byte {
      case .lineFeed, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): break loop
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "?"), 0x09: throw invalid("a value")
      case UInt8(ascii: "#") where end < position: break loop
      case UInt8(ascii: ":"):
        if isBlank(position + 1) { break loop }
        guard !",[]{}".utf8.contains(bytes[position + 1]) else { throw invalid("a space") }
      default: break
      }
      position += 1
      if byte != 0x20 { end = position }
    }
    position = end
    guard end > start, !(end == start + 1 && bytes[start] == UInt8(ascii: "-")) else {
      throw invalid("a value")
    }
    return bytes[start..<end]
  }

  /// Takes space, line breaks and comments.
  private mutating func skipFlowSpace() throws(MergeError) {
    while let byte = peek {
      if byte == 0x20 {
        position += 1
      } else if byte == .lineFeed {
        position += 1
        guard position >= bytes.count || !isMarker(position) else {
          throw invalid("no end of the document")
        }
      } else if byte == UInt8(ascii: "#"), position > 0, bytes[position - 1].isSpace {
        position = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
      } else {
        return
      }
    }
  }

  /// Takes a comment to which this line belongs alone, without the line break.
  private mutating func skipFlowTrail() {
    let start = position
    skipBlanks()
    if position > start, peek == UInt8(ascii: "#") {
      position = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
    } else {
      position = start
    }
  }
}
