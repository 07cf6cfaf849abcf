/// Reads YAML 1.1, as people write it, into a tree.
///
/// The root is the list of documents. The lead of a block's member is the line break before it, the comments
/// above it and its indentation, so only the first member of a compact block, or of the document, has no
/// lead. A key extends to its value on the same line; the key of an entry is its dash. Anchors and tags open
/// a container, and are part of a scalar.
///
/// Only unambiguous YAML is read: complex keys, keys with anchors or tags, tabs outside scalars, `%TAG`,
/// several keys on one line, and everything that YAML readers disagree about are refused.
struct YAMLParser {
  var input: YAMLInput
  /// True if a directive is before the next document.
  var hasDirective = false

  init(_ bytes: [UInt8]) { input = YAMLInput(bytes) }

  /// A member whose value is being read.
  struct Member {
    /// The start of its key; `nil` for a document.
    var key: Int?
    var name: [UInt8] = []
    /// The column of its block; -1 for a document.
    let column: Int
    /// True if a list may be in the column of its block.
    var mayHoldLevelList = false
    /// True if a block may start on this line.
    var mayBeCompact = false
    /// The name from the parser.
    var given: [UInt8]?
  }

  // MARK: Values of blocks

  /// Reads the value of a member, and the rest of its line.
  ///
  /// The functions that it calls on its path to the members of a block aren't inlined, so that the deepest
  /// document fits on a small stack.
  mutating func value(of member: Member) throws(MergeError) {
    if let start = try valueInLines(of: member) { try block(member, at: start) }
  }

  /// Reads the value of a member, and the rest of its line, unless it is a block.
  /// - Returns: The start of the value if it is a block.
  @inline(never)
  private mutating func valueInLines(of member: Member) throws(MergeError) -> BlockStart? {
    let start = input.position
    input.scanner.skipBlanks()
    if input.scanner.isAtLineEnd {
      return try following(member, from: start, properties: start..<start)
    }
    let first = input.position
    let properties = try input.properties()
    if !properties.isEmpty, input.scanner.isAtLineEnd {
      return try following(member, from: start, properties: properties)
    }
    if member.mayBeCompact, properties.isEmpty,
      input.scanner.isEntry(input.position) || YAMLKey(input.bytes[input.position...]) != nil
    {
      return BlockStart(value: first, members: first)
    }
    try content(member, from: first, properties: properties)
    return nil
  }

  /// Reads a value that isn't a block, and the rest of its line.
  private mutating func content(
    _ member: Member, from first: Int, properties: Range<Int>
  ) throws(MergeError) {
    input.builder.beginValue(at: first, key: member.key, name: member.name[...])
    switch input.peek {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let scalar = try input.scanner.blockScalar(in: member.column)
      leaf(scalar, properties, member.given)
      return input.builder.endMember(
        separator: input.position..<input.position, end: input.position)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try YAMLFlow.read(from: &input, properties, name: member.given)
    case UInt8(ascii: "*"):
      try input.alias(from: first, properties, name: member.given)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quoted = try input.scanner.quoted()
      leaf(YAMLScalar.value(ofQuoted: quoted.text), properties, member.given)
    default:
      guard !input.scanner.isEntry(input.position) else { throw input.invalid("a value") }
      let text = try input.scanner.plain(in: member.column)
      leaf(text, properties, member.given)
    }
    try endLine()
  }

  private mutating func endLine() throws(MergeError) {
    let end = input.position
    try input.scanner.skipTrail()
    input.builder.endMember(separator: end..<end, end: input.position)
  }

  private mutating func leaf(_ value: [UInt8]?, _ properties: Range<Int>, _ name: [UInt8]?) {
    guard !properties.isEmpty else {
      return input.builder.leaf(upTo: input.position, value: value, name: name)
    }
    let content =
      value ?? Array(input.bytes[properties.upperBound..<input.position].drop { $0.isSpace })
    input.builder.leaf(
      upTo: input.position, value: input.bytes[properties] + [.lineFeed] + content, name: name)
  }

  /// Reads a value that starts on another line than its key, if there is a value.
  /// - Returns: The start of the value if it is a block.
  private mutating func following(
    _ member: Member, from start: Int, properties: Range<Int>
  ) throws(MergeError) -> BlockStart? {
    let lineEnd = try input.scanner.lineEnd()
    let next = try input.scanner.content(after: lineEnd)
    let isLevelList =
      member.mayHoldLevelList
      && next.map { $0.column == member.column && input.scanner.isEntry($0.position) }
        ?? false
    guard let next, next.column > member.column || isLevelList else {
      // There is no value.
      input.position = properties.isEmpty ? start : properties.upperBound
      let first = properties.isEmpty ? start : properties.lowerBound
      input.builder.beginValue(at: first, key: member.key, name: member.name[...])
      leaf([], properties, member.given)
      try endLine()
      return nil
    }
    if input.scanner.isEntry(next.position) || YAMLKey(input.bytes[next.position...]) != nil {
      return BlockStart(value: start, members: lineEnd)
    }
    guard properties.isEmpty else { throw input.invalid("the value in this line") }
    input.position = next.position
    switch input.peek {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      throw input.invalid("a block scalar in the line of its key")
    default: break
    }
    let own = try input.properties()
    guard !input.scanner.isAtLineEnd else {
      throw input.invalid("a value in the line of its anchor or tag")
    }
    try content(member, from: next.position, properties: own)
    return nil
  }
}
