/// Writes blocks, whose members are recognized by their column.
extension StructureWriter {
  /// Returns the layouts of the members of containers.
  @inline(never)
  func frame(
    of members: MergeSides<[Int]>, _ kind: StructureTree.Kind, in frame: Frame
  ) -> Frame {
    if kind.isBlock { return blockFrame(of: members, in: frame) }
    func layout(_ members: [Int], _ side: Side) -> MemberLayout {
      kind.isLines
        ? .lines
        : MemberLayout(of: members, in: tree(side), outer: frame.layout(side).indent)
    }
    let layouts = MergeSides(
      base: members.base.map { layout($0, .base) }, ours: layout(members.ours, .ours),
      theirs: layout(members.theirs, .theirs))
    return Frame(
      layouts: layouts, target: MemberLayout(merging: layouts, in: frame.target),
      members: members, isNew: frame.isNew)
  }

  /// Returns the layouts of the members of blocks.
  @inline(never)
  private func blockFrame(of members: MergeSides<[Int]>, in frame: Frame) -> Frame {
    func layout(_ members: [Int], _ side: Side) -> MemberLayout {
      frame.isOutermost
        ? MemberLayout(unit: [], isKnown: true, isBlock: true)
        : MemberLayout(ofBlock: members, in: tree(side), outer: frame.layout(side).indent)
    }
    let layouts = MergeSides(
      base: members.base.map { layout($0, .base) }, ours: layout(members.ours, .ours),
      theirs: layout(members.theirs, .theirs))
    var target = MemberLayout(merging: layouts, in: frame.target)
    target.isBlock = true
    if startsInLine {
      // The line in which it starts determines the column.
      let column = output.count - 1 - (output.lastIndex(of: .lineFeed) ?? -1)
      target.unit = Array(repeating: 0x20, count: max(column - target.outer.count, 0))
    }
    return Frame(layouts: layouts, target: target, members: members, isNew: frame.isNew)
  }

  /// True if a block can start at the end of the output, after the dash of an entry.
  private var startsInLine: Bool {
    let spaces = output[...].suffix(while: { $0 == 0x20 })
    let before = output.dropLast(spaces.count)
    guard !spaces.isEmpty, before.last == UInt8(ascii: "-") else { return false }
    return before.dropLast().last?.isSpace ?? true
  }

  /// Writes the bytes before a member of a block.
  ///
  /// Only the first member of a document, or on the line of an entry's dash, has no line break there.
  @inline(never)
  mutating func writeBlockLead(
    _ lead: ArraySlice<UInt8>, _ side: Side, in frame: Frame, _ position: MemberPosition
  ) {
    if position.isFirst, startsInLine, lead.allSatisfy(\.isSpace) { return }
    let isInLine = lead.first != .lineFeed
    let lines = format.indented((isInLine ? [.lineFeed] : []) + lead, frame.shift(side))
    let isAtLineStart = output.isEmpty || position.isFirst && output.last == .lineFeed
    let written = isAtLineStart ? lines.dropFirst() : lines[...]
    output += written
    // The last line contains only the indentation.
    let indent = written.suffix(while: { $0 == 0x20 })
    let before = written.dropLast(indent.count).last
    guard before == .lineFeed || before == nil && isAtLineStart else { return }
    output.removeLast(indent.count)
    output += frame.target.indent
  }
}

extension MemberLayout {
  /// Determines the layout of a block's members among members with some indentation.
  init(ofBlock members: [Int], in tree: StructureTree, outer: [UInt8]) {
    self.init(outer: outer, isKnown: !members.isEmpty, isBlock: true)
    guard let first = members.first else { return }
    let start = tree[first].key.lowerBound
    var lineStart = start
    while lineStart > 0, tree.bytes[lineStart - 1] != .lineFeed { lineStart -= 1 }
    let column = start - lineStart
    if column < outer.count { self.outer = [] }
    unit = Array(repeating: 0x20, count: column - self.outer.count)
  }
}

extension IndentShift {
  /// Returns the bytes with all lines moved by the same number of columns, except lines left of the old
  /// column.
  func moved(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let distance = new.indent.count - old.indent.count
    guard distance != 0, bytes.contains(.lineFeed) else { return Array(bytes) }
    var result: [UInt8] = []
    var rest = bytes
    while let feed = rest.firstIndex(of: .lineFeed) {
      result += rest[...feed]
      let line = rest[(feed + 1)...]
      let spaces = line.prefix { $0 == 0x20 }.count
      rest = line.dropFirst(spaces)
      // An empty line has no indentation.
      let isEmpty = spaces == 0 && (rest.isEmpty || rest.first == .lineFeed)
      let isInside = spaces >= old.indent.count && !isEmpty
      result += Array(repeating: 0x20, count: isInside ? max(spaces + distance, 0) : spaces)
    }
    return result + rest
  }
}
