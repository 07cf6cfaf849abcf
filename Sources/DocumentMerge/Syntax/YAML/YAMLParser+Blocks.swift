/// Mappings and lists of which each member starts a line.
extension YAMLParser {
  /// Where a block starts.
  struct BlockStart {
    /// Where the value starts, with what opens it.
    let value: Int
    /// Where its first member starts, with what is above it.
    let members: Int
  }

  /// A block whose members are read.
  private struct Block {
    let isList: Bool
    let column: Int
    /// Whether it is a list in the column of the mapping that it is in.
    let isLevel: Bool
  }

  /// Reads a block mapping or list.
  /// - Parameter member: Whose value it is.
  mutating func block(_ member: Member, at start: BlockStart) throws(MergeError) {
    var place = try contentPlace(of: start, in: member)
    let block = try open(member, at: start, firstMember: place)
    while true {
      try value(of: beginMember(at: place, in: block))
      path.removeLast()
      guard let next = try nextMember(in: block) else { return }
      place = next
    }
  }

  /// Where the first member of a block is, below what stands above it.
  @inline(never)
  private mutating func contentPlace(
    of start: BlockStart, in member: Member
  ) throws(MergeError) -> Place {
    position = start.members
    let isCompact =
      start.value == start.members && !isLineFeed(start.members) && member.key != nil
    if isCompact { return Place(position: start.members, column: column(of: start.members)) }
    guard let place = try content(after: start.members) else { throw invalid("a value") }
    return place
  }

  @inline(never)
  private mutating func open(
    _ member: Member, at start: BlockStart, firstMember place: Place
  ) throws(MergeError) -> Block {
    builder.beginValue(at: start.value, key: member.key, name: member.name[...])
    let isList = isEntry(place.position)
    try builder.open(
      isList ? .blockList : .blockMapping, comments: start.value..<start.members,
      name: member.given)
    return Block(
      isList: isList, column: place.column, isLevel: isList && place.column == member.column)
  }

  /// Begins the member of a block, up to its value.
  @inline(never)
  private mutating func beginMember(
    at place: Place, in block: Block
  ) throws(MergeError) -> Member {
    builder.beginMember(at: position)
    position = place.position
    if block.isList {
      position += 1
      path.append([UInt8(ascii: "-")])
      return Member(key: place.position, column: place.column, mayBeCompact: true)
    }
    guard let key = YAMLKey(bytes[place.position...]),
      (key.colonColumn ?? place.column) == place.column
    else { throw invalid("a key") }
    position = key.end
    path.append(key.name)
    return Member(
      key: place.position, name: key.name, column: place.column,
      mayHoldLevelList: key.colonColumn == nil)
  }

  /// Where the next member of a block is; where there is none, the block ends.
  @inline(never)
  private mutating func nextMember(in block: Block) throws(MergeError) -> Place? {
    let next = try content(after: position)
    if let next, next.column == block.column, block.isList == isEntry(next.position) { return next }
    let isEnd =
      (next?.column ?? -1) < block.column || block.isLevel && next?.column == block.column
    guard isEnd else {
      position = next?.position ?? position
      throw invalid("another indentation")
    }
    let tail = position
    skipTail(from: block.isLevel ? block.column + 1 : block.column, above: next?.column ?? -1)
    builder.close(tail: tail, closing: position, end: position)
    builder.endMember(separator: position..<position, end: position)
    return nil
  }
}
