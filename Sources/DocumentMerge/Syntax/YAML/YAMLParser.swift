/// Reads YAML 1.1, as people write it, into a tree.
///
/// The root is the list of documents. A member of a block takes the line break before it, the comments above it and
/// its indentation as its lead, so that only the first member of a compact block, or of the document, has none. A key
/// reaches up to its value on the same line; an entry's key is its dash. Anchors and tags open a container, and
/// are part of a scalar.
///
/// Only what is surely YAML is read: complex keys, keys with anchors or tags, tabs outside scalars, `%TAG`,
/// several keys in one line, and all that readers of YAML disagree about are refused.
struct YAMLParser {
  var input: YAMLInput
  /// Whether a directive stands before the next document.
  var hasDirective = false

  init(_ bytes: [UInt8]) { input = YAMLInput(bytes) }

  /// A member whose value is read.
  struct Member {
    /// Where its key starts; `nil` for a document.
    var key: Int?
    var name: [UInt8] = []
    /// The column of the block that it is in; -1 for a document.
    let column: Int
    /// Whether a list may stand in the column of the block that it is in.
    var mayHoldLevelList = false
    /// Whether a block may start in this line.
    var mayBeCompact = false
    /// The name that the parser gives it.
    var given: [UInt8]?
  }

  // MARK: Values of blocks

  /// Reads the value of a member, and what follows it on its line.
  ///
  /// What it calls on its path to the members of a block is not inlined, so that the deepest document fits on a small
  /// stack.
  mutating func value(of member: Member) throws(MergeError) {
    if let start = try valueInLines(of: member) { try block(member, at: start) }
  }

  /// Reads the value of a member, and what follows it on its line, if it is no block.
  /// - Returns: Where the block starts that it is.
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

  /// A value that is no block, and the rest of its line.
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

  /// A value that starts on another line than its key, if there is one at all.
  /// - Returns: Where the block starts that it is.
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
      // There is none.
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
