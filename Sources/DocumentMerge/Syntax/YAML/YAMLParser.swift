/// Reads YAML 1.1, as people write it, into a tree.
///
/// The root is the list of documents. A member of a block takes the line break before it, the comments above it and
/// its indentation as its lead, so that only the first member of a compact block, or of the document, has none. A key
/// reaches up to its value on the same line; an entry's key is its dash. Anchors and tags open a container, and
/// are part of a scalar.
///
/// Only what is surely YAML is read: complex keys, keys with anchors or tags, tabs outside scalars, `%TAG`,
/// several keys in one line, and what readers of YAML disagree about are refused.
struct YAMLParser {
  let bytes: [UInt8]
  var builder: StructureTreeBuilder
  var position = 0
  /// The anchors of the document, as far as it is read: where each is, and how often it was given.
  var anchors: [[UInt8]: (place: [UInt8], count: Int)] = [:]
  /// Whether a directive stands before the next document.
  var hasDirective = false
  /// The names of the members that are open.
  var path: [[UInt8]] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    builder = StructureTreeBuilder(bytes)
  }

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
    /// What the parser calls it.
    var given: [UInt8]?
  }

  // MARK: Values of blocks

  /// Reads the value of a member, and what follows it on its line.
  ///
  /// What it calls on the way to the members of a block is not inlined, so that the deepest document fits on a small
  /// stack.
  mutating func value(of member: Member) throws(MergeError) {
    if let start = try valueInLines(of: member) { try block(member, at: start) }
  }

  /// Reads the value of a member, and what follows it on its line, if it is no block.
  /// - Returns: Where the block starts that it is.
  @inline(never)
  private mutating func valueInLines(of member: Member) throws(MergeError) -> BlockStart? {
    let start = position
    skipBlanks()
    if isAtLineEnd { return try following(member, from: start, properties: start..<start) }
    let first = position
    let properties = try properties()
    if !properties.isEmpty, isAtLineEnd {
      return try following(member, from: start, properties: properties)
    }
    if member.mayBeCompact, properties.isEmpty,
      isEntry(position) || YAMLKey(bytes[position...]) != nil
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
    builder.beginValue(at: first, key: member.key, name: member.name[...])
    switch peek {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let scalar = try blockScalar(in: member.column)
      leaf(scalar, properties, member.given)
      return builder.endMember(separator: position..<position, end: position)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try flow(properties, name: member.given)
    case UInt8(ascii: "*"):
      guard properties.isEmpty else { throw invalid("a value") }
      builder.leaf(upTo: try skipAlias(), value: try alias(from: first), name: member.given)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quoted = try quoted()
      leaf(YAMLScalar.value(ofQuoted: quoted.text), properties, member.given)
    default:
      guard !isEntry(position) else { throw invalid("a value") }
      let text = try plain(in: member.column)
      leaf(text, properties, member.given)
    }
    try endLine()
  }

  private mutating func endLine() throws(MergeError) {
    let end = position
    try skipTrail()
    builder.endMember(separator: end..<end, end: position)
  }

  private mutating func leaf(_ value: [UInt8]?, _ properties: Range<Int>, _ name: [UInt8]?) {
    guard !properties.isEmpty else { return builder.leaf(upTo: position, value: value, name: name) }
    let content = value ?? Array(bytes[properties.upperBound..<position].drop { $0.isSpace })
    builder.leaf(
      upTo: position, value: bytes[properties] + [.lineFeed] + content, name: name)
  }

  /// A value that starts on another line than its key, if there is one at all.
  /// - Returns: Where the block starts that it is.
  private mutating func following(
    _ member: Member, from start: Int, properties: Range<Int>
  ) throws(MergeError) -> BlockStart? {
    let lineEnd = try lineEnd()
    let next = try content(after: lineEnd)
    let isLevelList =
      member.mayHoldLevelList
      && next.map { $0.column == member.column && isEntry($0.position) }
        ?? false
    guard let next, next.column > member.column || isLevelList else {
      // There is none.
      position = properties.isEmpty ? start : properties.upperBound
      let first = properties.isEmpty ? start : properties.lowerBound
      builder.beginValue(at: first, key: member.key, name: member.name[...])
      leaf([], properties, member.given)
      try endLine()
      return nil
    }
    if isEntry(next.position) || YAMLKey(bytes[next.position...]) != nil {
      return BlockStart(value: start, members: lineEnd)
    }
    guard properties.isEmpty else { throw invalid("the value in this line") }
    position = next.position
    switch peek {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      throw invalid("a block scalar in the line of its key")
    default: break
    }
    let own = try self.properties()
    guard !isAtLineEnd else { throw invalid("a value in the line of its anchor or tag") }
    try content(member, from: next.position, properties: own)
    return nil
  }

  // MARK: Scalars

  /// Takes a plain scalar, which may go on in the lines below.
  /// - Returns: Its text, if its bytes are not that.
  private mutating func plain(in column: Int) throws(MergeError) -> [UInt8]? {
    guard YAMLScalar.mayStartPlain(bytes[position...]) else { throw invalid("a value") }
    let first = try plainLine()
    var text: [UInt8]?
    var isCommented = first.isCommented
    while !isCommented, let next = plainContinuation(after: position, in: column) {
      text = text ?? Array(bytes[first.start..<position])
      let breaks = bytes[position..<next].count { $0 == .lineFeed }
      text?.append(
        contentsOf: breaks == 1 ? [0x20] : Array(repeating: .lineFeed, count: breaks - 1))
      position = next
      let line = try plainLine()
      isCommented = line.isCommented
      text?.append(contentsOf: bytes[line.start..<position])
    }
    return text
  }

  private mutating func plainLine() throws(MergeError) -> (start: Int, isCommented: Bool) {
    let start = position
    var end = start
    while let byte = peek, byte != .lineFeed {
      if byte == UInt8(ascii: "#"), end < position {
        position = end
        return (start, true)
      }
      guard byte != 0x09 else { throw invalid("no tab") }
      if byte == UInt8(ascii: ":"), isBlank(position + 1) { throw invalid("no second colon") }
      position += 1
      if byte != 0x20 { end = position }
    }
    position = end
    return (start, false)
  }

  /// Where a plain scalar goes on.
  private func plainContinuation(after end: Int, in column: Int) -> Int? {
    var index = end
    while index < bytes.count {
      let line = index
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      guard index < bytes.count else { return nil }
      if bytes[index] == .lineFeed {
        index += 1
        continue
      }
      let isEnd = bytes[index] == UInt8(ascii: "#") || bytes[index] == 0x09
      return isEnd || line == end || index - line <= column || isMarker(line) ? nil : index
    }
    return nil
  }

  /// Takes a literal or folded scalar.
  /// - Returns: What it says.
  private mutating func blockScalar(in column: Int) throws(MergeError) -> [UInt8] {
    guard let scalar = YAMLBlockScalar(at: position, in: bytes[...], column: column) else {
      throw invalid("a block scalar")
    }
    position = scalar.end
    return scalar.value
  }

  /// Takes a scalar in quotes.
  mutating func quoted() throws(MergeError) -> YAMLQuoted {
    guard let quoted = YAMLQuoted(at: position, in: bytes[...]) else {
      throw invalid("a string in quotes")
    }
    position = quoted.end
    return quoted
  }
}
