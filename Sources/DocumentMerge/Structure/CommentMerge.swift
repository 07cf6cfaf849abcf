/// Decides which side's comments and space stand around the values of a result.
struct CommentMerge<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let log: DecisionLog<Format>
  let mergeLines: LineRule

  /// Chooses the side whose part is written: the one that changed the comments in it, or the space.
  ///
  /// Comments that both sides changed are a clash.
  /// - Parameter isAsked: Whether that clash is recorded here.
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

  /// The bytes of a part around values, and the side whose layout they have.
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

  /// The bytes that open a container, and the side whose layout they have; `nil` for that of the result.
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

  /// Asks which comment stands where both sides changed it.
  private func ask(about bytes: SideBytes) -> MergeAnswer {
    log.ask(
      .comment, bytes, choices: [.ours, .theirs], isPositional: true,
      explanation: "Both sides changed the comment here, differently.")
  }

  /// Merges comments of several lines, each a comment for itself, of which both sides changed others.
  private func merged(_ bytes: SideBytes, in frame: MemberFrame) throws -> [UInt8]? {
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
    guard areLines else { return nil }
    return try mergeLines(texts.map { $0 + [.lineFeed] }, log.options)?.dropLast()
  }

  /// The side whose comments in a part are the result; `nil` if both sides changed them.
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
