/// Decides which side's comments and space surround the values of a result.
struct CommentMerge<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let log: DecisionLog<Format>
  let rules: LeafRules

  /// Chooses the side whose part is written: the one that changed the part's comments, or else its space.
  ///
  /// Comments that both sides changed are a clash; this or another function asks about it.
  @inline(never)
  func choice(
    of part: StructureTree.Part, _ plan: MemberSides, isAsked: Bool = true
  ) -> (side: Side, node: Int) {
    guard let ours = plan.ours, let theirs = plan.theirs else {
      return plan.present.last ?? (.ours, StructureTree.root)
    }
    var kind = settled(plan, bytesOf: part) ?? settledComments(part, plan)
    if kind == nil, isAsked { kind = ask(about: bytes(plan, part)).kind }
    return kind == .theirs ? (.theirs, theirs) : (.ours, ours)
  }

  /// Returns the bytes of a part around values, and the side whose layout they have.
  func bytes(
    of part: StructureTree.Part, _ plan: MemberSides, in frame: MemberFrame
  ) throws -> (side: Side, bytes: ArraySlice<UInt8>) {
    if settled(plan, bytesOf: part) == nil, settledComments(part, plan) == nil,
      let merged = try merged(bytes(plan, part), in: frame)
    {
      log.record(.combined, bytes(plan, part))
      return (.ours, merged[...])
    }
    let (side, node) = choice(of: part, plan)
    return (side, tree(side).bytes[tree(side)[node][part]])
  }

  /// Leaves out comments above a member if members above already have them as often as on any side.
  ///
  /// A comment moves with the member below it. If both sides put the same comment above different members, such as the
  /// head of a file, or one side inserted a member between, the result would have it twice.
  private func once(
    _ lead: (side: Side, bytes: ArraySlice<UInt8>), of plan: MemberSides, in frame: MemberFrame,
    _ position: inout MemberPosition
  ) -> (side: Side, bytes: ArraySlice<UInt8>) {
    // The marker of a document isn't a comment.
    let text = lead.bytes.drop { $0.isSpace }
    guard !text.isEmpty, !text.starts(with: "---".utf8) else { return lead }
    let paragraphs = lead.bytes.paragraphs
    let first = paragraphs.indices.filter { isNew(paragraphs[$0], in: frame, &position) }.first
    if let first {
      guard first > 0 else { return lead }
      let start = lead.bytes.prefix(1).filter { $0 == .lineFeed }
      return (lead.side, (start + lead.bytes[(paragraphs[first - 1].endIndex + 1)...])[...])
    }
    return space(of: plan, insteadOf: lead)
  }

  /// Returns the space above a member without its comments: that of a side without comments, if there is one.
  private func space(
    of plan: MemberSides, insteadOf lead: (side: Side, bytes: ArraySlice<UInt8>)
  ) -> (side: Side, bytes: ArraySlice<UInt8>) {
    let other = plan.present.first { side, node in
      side != .base && tree(side).bytes[tree(side)[node].lead].allSatisfy(\.isSpace)
    }
    if let other { return (other.side, tree(other.side).bytes[tree(other.side)[other.node].lead]) }
    let before = lead.bytes.prefix { $0.isSpace }
    let behind = lead.bytes.suffix(while: { $0.isSpace })
    return (lead.side, before.contains(.lineFeed) ? before : behind)
  }

  /// Returns the bytes above a member, and the side whose layout they have.
  func lead(
    of plan: MemberSides, in frame: MemberFrame, _ position: inout MemberPosition
  ) throws -> (side: Side, bytes: ArraySlice<UInt8>) {
    var lead = try bytes(of: .lead, plan, in: frame)
    if let moved = frame.movedComments {
      lead = moved.placed(in: lead, of: plan) { space(of: plan, insteadOf: lead).bytes }
    }
    return once(lead, of: plan, in: frame, &position)
  }

  /// Counts a comment above a member; returns whether members above have it less often than on some side.
  private func isNew(
    _ comment: ArraySlice<UInt8>, in frame: MemberFrame, _ position: inout MemberPosition
  ) -> Bool {
    let comment = trees.ours.hash(ofParagraph: comment)
    let count = position.comments[comment, default: 0]
    if count > 0 {
      let limits = position.commentLimits ?? commentLimits(in: frame)
      position.commentLimits = limits
      guard count < limits[comment, default: 0] else { return false }
    }
    position.comments[comment] = count + 1
    return true
  }

  /// Returns the number of members below each comment, on the side that has most of them.
  private func commentLimits(in frame: MemberFrame) -> [Int: Int] {
    func counts(_ members: [Int], _ side: Side) -> [Int: Int] {
      let tree = tree(side)
      return members.reduce(into: [:]) { counts, member in
        for comment in tree.hashes(ofComments: tree[member].lead) {
          counts[comment, default: 0] += 1
        }
      }
    }
    return counts(frame.members.base ?? [], .base)
      .merging(counts(frame.members.ours, .ours), uniquingKeysWith: max)
      .merging(counts(frame.members.theirs, .theirs), uniquingKeysWith: max)
  }

  /// Returns the bytes that open a container, and the side whose layout they have; `nil` for the layout of
  /// the result.
  func opening(
    _ openings: MergeSides<ArraySlice<UInt8>>, in frame: MemberFrame
  ) throws -> (side: Side?, bytes: ArraySlice<UInt8>) {
    let comments = openings.map { $0.filter { !$0.isSpace } }
    var kind = openings.settled ?? comments.settled
    if comments.settled == nil {
      let bytes = SideBytes(base: openings.base, ours: openings.ours, theirs: openings.theirs)
      if let merged = try merged(bytes, in: frame) {
        log.record(.combined, bytes)
        return (nil, merged[...])
      }
      kind = ask(about: bytes).kind
    }
    return kind == .theirs ? (.theirs, openings.theirs) : (.ours, openings.ours)
  }

  /// Asks which comment to use if both sides changed it.
  private func ask(about bytes: SideBytes) -> MergeAnswer {
    log.ask(
      .comment, bytes, choices: [.ours, .theirs], isPositional: true,
      explanation: "Both sides changed the comment here, differently.")
  }

  /// Merges independent comment lines of which the sides changed different ones.
  private func merged(_ bytes: SideBytes, in frame: MemberFrame) throws -> [UInt8]? {
    guard let base = bytes.base.flatMap({ $0 }), let ours = bytes.ours, let theirs = bytes.theirs,
      frame.shift(.ours).isNothing, frame.shift(.theirs).isNothing
    else { return nil }
    let texts = MergeSides(base: base, ours: ours, theirs: theirs)
    let areLines = texts.all.allSatisfy { text in
      text.contains(.lineFeed)
        && text.split(separator: .lineFeed).allSatisfy { line in
          let start = line.drop { $0.isSpace }
          return start.isEmpty || start.first == UInt8(ascii: "#") || start.starts(with: "//".utf8)
        }
    }
    guard areLines else { return nil }
    return try rules.mergedLines(texts)
  }

  /// Returns the side whose comments in a part are the result; `nil` if both sides changed them.
  private func settledComments(
    _ part: StructureTree.Part, _ plan: MemberSides
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

extension ArraySlice<UInt8> {
  /// The comments that blank lines separate, without the line breaks around them; a comment in brackets stays whole.
  var paragraphs: [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var isOpen = false
    for line in split(separator: .lineFeed, omittingEmptySubsequences: false) {
      let isBlank = line.allSatisfy(\.isSpace)
      if isOpen, !isBlank {
        found[found.count - 1] = self[found[found.count - 1].startIndex..<line.endIndex]
      } else if !isBlank {
        found.append(line)
      }
      isOpen = !isBlank
    }
    let areWhole = found.allSatisfy { paragraph in
      let text = paragraph.filter { !$0.isSpace }
      return [("/*", "*/"), ("<!--", "-->")].allSatisfy { start, end in
        text.starts(with: start.utf8) == text.reversed().starts(with: end.utf8.reversed())
      }
    }
    return areWhole ? found : [self]
  }

  /// Returns the last bytes that satisfy a condition.
  func suffix(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, isPart(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
