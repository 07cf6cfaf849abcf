/// Writes the merged document: values and the space between them, in the layout of their container.
struct StructureWriter<Format: StructuredFormat>: DocumentsReader {
  typealias Frame = MemberFrame

  let comments: CommentMerge<Format>
  /// The merged document, as far as it is written.
  var output: [UInt8] = []

  var documents: MergedDocuments<Format> { comments.documents }

  init(_ comments: CommentMerge<Format>) {
    self.comments = comments
    let trees = comments.trees
    output.reserveCapacity(trees.ours.bytes.count + trees.theirs.bytes.count / 8)
  }

  // MARK: Values

  /// Writes bytes unchanged.
  mutating func write(_ bytes: some Sequence<UInt8>) { output += bytes }

  /// Writes bytes of a side at the depth they have in the result.
  mutating func write(_ bytes: ArraySlice<UInt8>, of side: Side, in frame: Frame) {
    output += format.indented(bytes, frame.shift(side))
  }

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

  // MARK: Around members

  /// Writes the bytes before a member, in the layout of the container's other members.
  @inline(never)
  mutating func writeLead(
    of plan: MemberSides, in frame: Frame, _ position: inout MemberPosition
  ) throws {
    let (side, lead) = try comments.lead(of: plan, in: frame, &position)
    if frame.target.isBlock { return writeBlockLead(lead, side, in: frame, position) }
    let isSpace = lead.allSatisfy(\.isSpace)
    let startsLine = lead.contains(.lineFeed)
    let isLaidOut = frame.layout(side).unit != nil
    var written: [UInt8]
    if frame.target.unit == nil, isSpace, !startsLine || isLaidOut, !frame.isOutermost {
      // Without separators, the space may be all that separates members.
      let isSpaced = position.separator.isEmpty
      let first = frame.target.leads.first ?? (isSpaced ? Array(lead) : [])
      let other = frame.target.leads.other ?? [0x20]
      written = position.isFirst || isSpaced && other.isEmpty ? first : other
    } else if frame.target.unit != nil, !isLaidOut, !startsLine, !frame.isOutermost {
      written = [.lineFeed] + frame.target.indent + lead.drop { $0.isSpace }
    } else {
      written = format.indented(lead, frame.shift(side))
      // A comment above the first member of a side shares no line with another one's value.
      if !position.isFirst, !isSpace, frame.target.unit != nil, output.last != .lineFeed,
        !startsWithLineBreak(written)
      {
        written = [.lineFeed] + frame.target.indent + written.drop { $0.isSpace }
      }
    }
    if position.isAfterComment, !startsWithLineBreak(written) {
      written = [.lineFeed] + frame.target.indent + written.drop { $0.isSpace }
    }
    output += written
  }

  /// Writes the bytes after the value of a member.
  @inline(never)
  mutating func writeEnd(
    of plan: MemberSides, in frame: Frame, _ position: inout MemberPosition
  ) {
    let gap = comments.choice(of: .gap, plan)
    copy(.gap, of: gap.node, gap.side, in: frame)
    if needsSeparator(plan, position) { output += position.separator }
    let trail = comments.choice(of: .trail, plan)
    copy(.trail, of: trail.node, trail.side, in: frame)
    // The bytes of a trail end their line.
    let end = tree(trail.side).bytes[tree(trail.side)[trail.node].trail].last
    position.isAfterComment = end != nil && end != .lineFeed && !frame.isOutermost
  }

  /// Returns whether a member has a separator; if all members have one, those without are comments.
  private func needsSeparator(_ plan: MemberSides, _ position: MemberPosition) -> Bool {
    guard !position.isLast || position.lastHasSeparator else { return false }
    return !position.allHaveSeparators
      || plan.present.contains { !tree($0.side)[$0.node].separator.isEmpty }
  }

  private func startsWithLineBreak(_ bytes: [UInt8]) -> Bool {
    bytes.prefix { $0.isSpace }.contains(.lineFeed)
  }

  // MARK: Around containers

  /// Writes how a container starts.
  @inline(never)
  mutating func writeOpening(
    _ sides: MemberSides, _ members: MergeSides<[Int]>, hasMembers: Bool, in frame: Frame
  ) throws {
    // The opening of a kind of container is the same on all sides, except in formats with options.
    func bytes(_ node: Int, _ side: Side, _ members: [Int]) -> ArraySlice<UInt8> {
      let tree = tree(side)
      let end = members.first.map { tree[$0].whole.lowerBound } ?? tree[node].tail.lowerBound
      return tree.bytes[tree[node].value.lowerBound..<end]
    }
    let base = sides.base.flatMap { node in members.base.map { bytes(node, .base, $0) } }
    guard var ours = sides.ours.map({ bytes($0, .ours, members.ours) }),
      var theirs = sides.theirs.map({ bytes($0, .theirs, members.theirs) })
    else { return }
    if hasMembers {
      // A side that has no members may have no opening either, such as `<a/>`.
      if ours.isEmpty, members.ours.isEmpty { ours = theirs }
      if theirs.isEmpty, members.theirs.isEmpty { theirs = ours }
    }
    let openings = MergeSides(base: base, ours: ours, theirs: theirs)
    let (side, opening) = try comments.opening(openings, in: frame)
    if let side { write(opening, of: side, in: frame) } else { write(opening) }
  }

  /// Writes the bytes after a container's last member.
  @inline(never)
  mutating func writeTail(
    _ sides: MemberSides, in frame: Frame, isAfterComment: Bool
  ) throws {
    let (side, tail) = try comments.bytes(of: .tail, sides, in: frame)
    let written = format.indented(tail, frame.shift(side))
    if isAfterComment, !startsWithLineBreak(written) {
      output += [.lineFeed] + frame.target.indent
    }
    output += written
  }
}

/// Copies members that are the same everywhere.
extension StructureWriter {
  /// Writes a member that is equal everywhere, if the result has its layout.
  @inline(never)
  mutating func writeUnchanged(
    _ plan: MemberSides, in frame: Frame, _ position: inout MemberPosition
  ) -> Bool {
    guard
      !position.isAfterComment, !(position.isFirst && frame.target.isBlock),
      !(frame.movedComments?.areAbove(plan) ?? false),
      frame.target.unit != nil, frame.layouts.ours.unit != nil,
      frame.shift(.ours).isNothing, let base = plan.base, let old = trees.base,
      let ours = plan.ours, plan.theirs != nil, settled(plan, bytesOf: .body) == .same,
      trees.ours.hasEqual(trees.ours[ours].body, old, old[base].body),
      plan.present.allSatisfy({ tree($0.side)[$0.node].trail.isEmpty })
    else { return false }
    for comment in trees.ours.hashes(ofComments: trees.ours[ours].lead) {
      position.comments[comment, default: 0] += 1
    }
    output += trees.ours.bytes[trees.ours[ours].body]
    if needsSeparator(plan, position) { output += position.separator }
    return true
  }

  /// Writes consecutive members unchanged, if they and their layout are equal everywhere.
  @inline(never)
  mutating func writeUnchanged(
    _ step: MemberStep, in frame: Frame, _ position: inout MemberPosition
  ) -> Bool {
    let (target, layout) = (frame.target, frame.layouts.ours)
    guard step.count > 1, !position.isFirst, !position.isLast, !position.isAfterComment,
      !target.isBlock, frame.movedComments == nil,
      frame.shift(.ours).isNothing, target.unit == layout.unit,
      target.unit != nil || target.leads.other == layout.leads.other
    else { return false }
    let last = trees.sibling(of: step.plan, after: step.count - 1)
    let places = step.plan.present.compactMap { side, node in
      last[side].map { last in
        (tree(side), tree(side)[node].whole.lowerBound..<tree(side)[last].whole.upperBound)
      }
    }
    guard places.count == 3, let (tree, place) = places.first,
      places.dropFirst().allSatisfy({ tree.hasEqual(place, $0.0, $0.1) })
    else { return false }
    output += tree.bytes[place]
    let endsWithTrail = last.base.map { !tree[$0].trail.isEmpty } ?? false
    position.isAfterComment = endsWithTrail && tree.bytes[place].last != .lineFeed
    return true
  }
}

extension DocumentsReader {
  /// Returns the next member of a list.
  @inline(never)
  func member(behind step: MemberStep) -> MemberStep {
    guard case .positions(let place) = step.name else { return step }
    return MemberStep(trees.sibling(of: step.plan, after: 1), at: place.upperBound)
  }
}
