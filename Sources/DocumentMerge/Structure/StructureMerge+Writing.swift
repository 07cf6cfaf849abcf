/// What writing a container's members has come to.
struct MemberWriter {
  /// Whether the member that is written is the first.
  var isFirst: Bool
  /// Whether it is the last.
  var isLast: Bool
  /// What stands between the members.
  let separator: [UInt8]
  /// Whether the last member has a separator, too.
  let lastHasSeparator: Bool
  /// Whether the format has one behind all members.
  var allHaveSeparators = false
  /// Whether a comment was written that needs the rest of its line for itself.
  var isAfterComment = false
}

extension MemberWriter {
  @inline(never)
  init(of kind: StructureTree.Kind, in layout: MemberLayout, _ format: some StructuredFormat) {
    let allHaveSeparators = format.endsWithSeparator(in: kind)
    self.init(
      isFirst: true, isLast: false, separator: format.separator(in: kind),
      lastHasSeparator: allHaveSeparators || layout.endsWithSeparator ?? false,
      allHaveSeparators: allHaveSeparators)
  }
}

/// The assembler: writes what was decided, in the layout of the place.
extension StructureMerge {
  /// Writes a part of a side's node at the depth it has in the result.
  @inline(never)
  mutating func copy(
    _ part: StructureTree.Part, of node: Int, _ side: Side, in frame: Frame
  ) {
    let bytes = tree(side).bytes[tree(side)[node][part]]
    if part == .value, frame.target.isBlock, let last = output.last, let next = bytes.first,
      format.needsSpace(between: last, and: next)
    {
      output.append(0x20)
    }
    let shift = frame.shift(side)
    if shift.isNothing { output += bytes } else { output += format.indented(bytes, shift) }
  }

  /// Writes a member: its value merged, what stands around it as the side has it that changed it.
  mutating func write(_ plan: Plan, in frame: Frame, _ writer: inout MemberWriter) throws {
    if writeUnchanged(plan, in: frame, &writer) { return }
    try writeLead(of: plan, in: frame, writer)
    let key = choice(of: .key, plan, isNoted: false)
    copy(.key, of: key.node, key.side, in: frame)
    if let ours = plan.ours, let theirs = plan.theirs {
      try mergeValue(MergeSides(base: plan.base, ours: ours, theirs: theirs), in: frame)
    } else if !writeRuling(on: plan, in: frame) {
      copy(.value, of: key.node, key.side, in: frame)
    }
    let gap = choice(of: .gap, plan)
    copy(.gap, of: gap.node, gap.side, in: frame)
    if needsSeparator(plan, writer) { output += writer.separator }
    let trail = choice(of: .trail, plan)
    copy(.trail, of: trail.node, trail.side, in: frame)
    // What is in a trail shares its line with nothing after it.
    let end = tree(trail.side).bytes[tree(trail.side)[trail.node].trail].last
    writer.isAfterComment = end != nil && end != .lineFeed && !path.isEmpty
  }

  /// Writes a member that is the same everywhere, if its place is laid out as it is.
  @inline(never)
  private mutating func writeUnchanged(
    _ plan: Plan, in frame: Frame, _ writer: inout MemberWriter
  ) -> Bool {
    guard
      !writer.isAfterComment, !(writer.isFirst && frame.target.isBlock), frame.target.unit != nil,
      frame.layouts.ours.unit != nil,
      frame.shift(.ours).isNothing, let base = plan.base, let old = trees.base,
      let ours = plan.ours, plan.theirs != nil, settled(plan, bytesOf: .body) == .same,
      trees.ours.hasEqual(trees.ours[ours].body, old, old[base].body),
      plan.present.allSatisfy({ tree($0.side)[$0.node].trail.isEmpty })
    else { return false }
    output += trees.ours.bytes[trees.ours[ours].body]
    if needsSeparator(plan, writer) { output += writer.separator }
    return true
  }

  /// Whether a separator stands behind a member; where all members have one, those without are comments.
  private func needsSeparator(_ plan: Plan, _ writer: MemberWriter) -> Bool {
    guard !writer.isLast || writer.lastHasSeparator else { return false }
    return !writer.allHaveSeparators
      || plan.present.contains { !tree($0.side)[$0.node].separator.isEmpty }
  }

  /// Writes what stands before a member, as the container's other members have it.
  @inline(never)
  private mutating func writeLead(
    of plan: Plan, in frame: Frame, _ writer: MemberWriter
  ) throws {
    let (side, lead) = try written(.lead, of: plan, in: frame)
    if frame.target.isBlock { return writeBlockLead(lead, side, in: frame, writer) }
    let isSpace = lead.allSatisfy(\.isSpace)
    let startsLine = lead.contains(.lineFeed)
    let isLaidOut = frame.layout(side).unit != nil
    var written: [UInt8]
    if frame.target.unit == nil, isSpace, !startsLine || isLaidOut, !path.isEmpty {
      // Without separators, the space may be all that tells members apart.
      let isSpaced = writer.separator.isEmpty
      let first = frame.target.leads.first ?? (isSpaced ? Array(lead) : [])
      let other = frame.target.leads.other ?? [0x20]
      written = writer.isFirst || isSpaced && other.isEmpty ? first : other
    } else if frame.target.unit != nil, !isLaidOut, !startsLine, !path.isEmpty {
      written = [.lineFeed] + frame.target.indent + lead.drop { $0.isSpace }
    } else {
      written = format.indented(lead, frame.shift(side))
    }
    if writer.isAfterComment, !startsWithLineBreak(written) {
      written = [.lineFeed] + frame.target.indent + written.drop { $0.isSpace }
    }
    output += written
  }

  private func startsWithLineBreak(_ bytes: [UInt8]) -> Bool {
    bytes.prefix { $0.isSpace }.contains(.lineFeed)
  }

  /// Writes how a container starts.
  @inline(never)
  mutating func copyOpening(
    _ sides: MemberSides, _ members: MergeSides<[Int]>, hasMembers: Bool, in frame: Frame
  ) throws {
    // What opens a container of one kind is the same on all sides, but for formats with options.
    func opening(_ node: Int, _ side: Side, _ members: [Int]) -> ArraySlice<UInt8> {
      let tree = tree(side)
      let end = members.first.map { tree[$0].whole.lowerBound } ?? tree[node].tail.lowerBound
      return tree.bytes[tree[node].value.lowerBound..<end]
    }
    let base = sides.base.flatMap { node in members.base.map { opening(node, .base, $0) } }
    guard var ours = sides.ours.map({ opening($0, .ours, members.ours) }),
      var theirs = sides.theirs.map({ opening($0, .theirs, members.theirs) })
    else { return }
    if hasMembers {
      // A side that has no members may have no opening either, such as `<a/>`.
      if ours.isEmpty { ours = theirs }
      if theirs.isEmpty { theirs = ours }
    }
    let openings = MergeSides(base: base, ours: ours, theirs: theirs)
    let comments = openings.map { $0.filter { !$0.isSpace } }
    var kind = openings.settled ?? comments.settled
    if comments.settled == nil {
      let bytes = SideBytes(base: base, ours: ours, theirs: theirs)
      if let merged = try mergedComment(bytes, in: frame) {
        output += merged
        return note(.combined, bytes)
      }
      kind = askAboutComment(bytes).kind
    }
    let side: Side = kind == .theirs ? .theirs : .ours
    output += format.indented(side == .theirs ? theirs : ours, frame.shift(side))
  }

  /// Whose comment stands where both sides changed it.
  private mutating func askAboutComment(_ bytes: SideBytes) -> MergeAnswer {
    ask(
      .comment, bytes, choices: [.ours, .theirs], isPositional: true,
      explanation: "Both sides changed the comment here, differently.")
  }

  /// Writes what stands after a container's last member.
  @inline(never)
  mutating func writeTail(
    _ sides: MemberSides, in frame: Frame, isAfterComment: Bool
  ) throws {
    let (side, tail) = try written(.tail, of: sides, in: frame)
    let written = format.indented(tail, frame.shift(side))
    if isAfterComment, !startsWithLineBreak(written) {
      output += [.lineFeed] + frame.target.indent
    }
    output += written
  }

  /// What is written of a part around values, and whose layout it has.
  private mutating func written(
    _ part: StructureTree.Part, of plan: Plan, in frame: Frame
  ) throws -> (side: Side, bytes: ArraySlice<UInt8>) {
    if settled(plan, bytesOf: part) == nil, settledComments(part, plan) == nil,
      let merged = try mergedComment(bytes(plan, part), in: frame)
    {
      note(.combined, bytes(plan, part))
      return (.ours, merged[...])
    }
    let (side, node) = choice(of: part, plan)
    return (side, tree(side).bytes[tree(side)[node][part]])
  }

  /// Comments of several lines, each a comment for itself, of which both sides changed others.
  private func mergedComment(_ bytes: SideBytes, in frame: Frame) throws -> [UInt8]? {
    guard let base = bytes.base.flatMap({ $0 }), let ours = bytes.ours, let theirs = bytes.theirs,
      frame.shift(.ours).isNothing, frame.shift(.theirs).isNothing
    else { return nil }
    let texts = MergeSides(base: Array(base), ours: Array(ours), theirs: Array(theirs))
    let areLines = texts.all.allSatisfy { text in
      text.contains(.lineFeed)
        && text.split(separator: .lineFeed).allSatisfy { line in
          let start = line.drop { $0.isSpace }
          return start.isEmpty || start.first == UInt8(ascii: "#") || start.starts(with: "//".utf8)
        }
    }
    let lines = texts.map { $0 + [.lineFeed] }
    guard areLines,
      case let outcome = try TextMergeEngine().merge(lines, options: options), outcome.isComplete
    else { return nil }
    return outcome.bytes.dropLast()
  }

  /// Which side's part is written: that of the side that changed the comments in it, or the space.
  ///
  /// Comments that both sides changed are a clash.
  @inline(never)
  private mutating func choice(
    of part: StructureTree.Part, _ plan: Plan, isNoted: Bool = true
  ) -> (side: Side, node: Int) {
    guard let ours = plan.ours, let theirs = plan.theirs else {
      return plan.present.last ?? (.ours, StructureTree.root)
    }
    var kind = settled(plan, bytesOf: part) ?? settledComments(part, plan)
    if kind == nil, isNoted { kind = askAboutComment(bytes(plan, part)).kind }
    return kind == .theirs ? (.theirs, theirs) : (.ours, ours)
  }

  private func settledComments(
    _ part: StructureTree.Part, _ plan: Plan
  ) -> MergeDecision.Kind? {
    func comments(_ side: Side) -> [UInt8]? {
      plan[side].map { tree(side).comments(in: tree(side)[$0][part]) }
    }
    guard let ours = comments(.ours), let theirs = comments(.theirs) else { return .ours }
    if let base = comments(.base) {
      return MergeSides(base: base, ours: ours, theirs: theirs).settled
    }
    if ours == theirs || theirs.isEmpty { return .ours }
    return ours.isEmpty ? .theirs : nil
  }
}
