/// Mappings and lists whose members each start a line.
extension YAMLParser {
  /// The start of a block.
  struct BlockStart {
    /// The start of the value, including its opening.
    let value: Int
    /// The start of the first member, including the lines above it.
    let members: Int
  }

  /// A block whose members are being read.
  private struct Block {
    let isList: Bool
    let column: Int
    /// True if the block is a list in the column of its mapping.
    let isLevel: Bool
  }

  /// Reads a block mapping or list.
  /// - Parameter member: The member with the block as its value.
  mutating func block(_ member: Member, at start: BlockStart) throws(MergeError) {
    var place = try contentPlace(of: start, in: member)
    let block = try open(member, at: start, firstMember: place)
    while true {
      try value(of: beginMember(at: place, in: block))
      input.references.path.removeLast()
      guard let next = try nextMember(in: block) else { return }
      place = next
    }
  }

  /// Returns the place of a block's first member, below the comments above it.
  @inline(never)
  private mutating func contentPlace(
    of start: BlockStart, in member: Member
  ) throws(MergeError) -> YAMLScanner.Place {
    input.position = start.members
    let isCompact =
      start.value == start.members && !input.scanner.isLineFeed(start.members) && member.key != nil
    if isCompact {
      return YAMLScanner.Place(
        position: start.members, column: input.scanner.column(of: start.members))
    }
    guard let place = try input.scanner.content(after: start.members) else {
      throw input.invalid("a value")
    }
    return place
  }

  @inline(never)
  private mutating func open(
    _ member: Member, at start: BlockStart, firstMember place: YAMLScanner.Place
  ) throws(MergeError) -> Block {
    input.builder.beginValue(at: start.value, key: member.key, name: member.name[...])
    let isList = input.scanner.isEntry(place.position)
    try input.builder.open(
      isList ? .blockList : .blockMapping, comments: start.value..<start.members,
      name: member.given)
    return Block(
      isList: isList, column: place.column, isLevel: isList && place.column == member.column)
  }

  /// Begins a member of a block, up to its value.
  @inline(never)
  private mutating func beginMember(
    at place: YAMLScanner.Place, in block: Block
  ) throws(MergeError) -> Member {
    input.builder.beginMember(at: input.position)
    input.position = place.position
    if block.isList {
      input.position += 1
      input.references.path.append([UInt8(ascii: "-")])
      return Member(key: place.position, column: place.column, mayBeCompact: true)
    }
    guard let key = YAMLKey(input.bytes[place.position...]),
      (key.colonColumn ?? place.column) == place.column
    else { throw input.invalid("a key") }
    input.position = key.end
    input.references.path.append(key.name)
    return Member(
      key: place.position, name: key.name, column: place.column,
      mayHoldLevelList: key.colonColumn == nil)
  }

  /// Returns the place of a block's next member; if there is none, ends the block.
  @inline(never)
  private mutating func nextMember(in block: Block) throws(MergeError) -> YAMLScanner.Place? {
    let next = try input.scanner.content(after: input.position)
    if let next, next.column == block.column, block.isList == input.scanner.isEntry(next.position) {
      return next
    }
    let isEnd =
      (next?.column ?? -1) < block.column || block.isLevel && next?.column == block.column
    guard isEnd else {
      input.position = next?.position ?? input.position
      throw input.invalid("another indentation")
    }
    let tail = input.position
    input.scanner.skipTail(
      from: block.isLevel ? block.column + 1 : block.column, above: next?.column ?? -1)
    input.builder.close(tail: tail, closing: input.position, end: input.position)
    input.builder.endMember(at: input.position)
    return nil
  }
}
