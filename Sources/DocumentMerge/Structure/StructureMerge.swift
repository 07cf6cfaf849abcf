/// Merges three documents by their structure: walks their trees at once and writes the merged document.
///
/// What is equal on both sides, or changed by one, is copied; containers of one kind are merged by
/// their members; all else is a clash, in which ours' (or base's) value stands.
///
/// The walk decides about values; its collaborators decide about the rest:
///
/// - ``MemberMatcher`` finds which members of three containers are the same.
/// - ``MemberPlanner`` and ``ListPlanner`` decide which members are in the result, and in which order.
/// - ``StructureWriter`` writes, and ``CommentMerge`` chooses the comments around the values.
/// - ``DecisionLog`` records all decisions, and asks about clashes.
///
/// What the walk calls on its path down is not inlined, so that the deepest document fits on a small stack.
struct StructureMerge<Format: StructuredFormat>: DocumentsReader {
  typealias Frame = MemberFrame

  let documents: MergedDocuments<Format>
  private let log: DecisionLog<Format>
  private let rulings: MergeRulings
  private let matcher: MemberMatcher<Format>
  private let members: MemberPlanner<Format>
  private let lists: ListPlanner<Format>
  private let leaves: LeafMerge<Format>
  private let lostReferences: LostReferences<Format>
  private let comparison: MemberComparison<Format>
  private var writer: StructureWriter<Format>
  /// The number of leaves that were merged to one that no side has.
  private(set) var mergedLeaves = 0

  /// Starts a merge of three documents of one format.
  /// - Parameters:
  ///   - answers: The answers to the clashes of an earlier run.
  ///   - literals: The answers that are texts, not values as the format writes them.
  init(
    _ trees: MergeSides<StructureTree>, format: Format, rules: StructureRules,
    options: MergeOptions, answers: [ClashLog.Key: MergeAnswer] = [:],
    literals: Set<ClashLog.Key> = [], rulings: MergeRulings = MergeRulings()
  ) {
    documents = MergedDocuments(trees, format: format)
    log = DecisionLog(
      documents, options: options, clashes: ClashLog(answers: answers), literals: literals,
      hasContradiction: rulings.overrulesLines)
    self.rulings = rulings
    lostReferences = LostReferences(in: documents)
    matcher = MemberMatcher(documents: documents)
    members = MemberPlanner(
      documents: documents, log: log, rulings: rulings, lostReferences: lostReferences,
      placesElsewhere: PlacesElsewhere(in: documents))
    leaves = LeafMerge(documents: documents, rules: rules.forLeaves(options))
    lists = ListPlanner(
      documents: documents, log: log, matcher: matcher, planner: members, leaves: leaves)
    comparison = MemberComparison(documents: documents)
    writer = StructureWriter(
      CommentMerge(documents: documents, log: log, mergeLines: rules.mergeLines))
  }

  /// The merged document, and the decisions.
  var outcome: MergeOutcome { MergeOutcome(bytes: writer.output, decisions: log.decisions) }
  /// Whether one thing with a name was changed to two, so that no merge by lines could be right.
  var hasContradiction: Bool { log.hasContradiction }
  /// The clashes that have no answer yet.
  var clashes: ClashLog { log.clashes }

  /// Merges the documents.
  mutating func run() throws {
    let root = StructureTree.root
    let sides = MemberSides(base: trees.base.map { _ in root }, ours: root, theirs: root)
    let layout = MemberLayout()
    let frame = Frame(
      layouts: trees.map { _ in layout }, target: layout, members: trees.map { _ in [root] },
      isNew: trees.base == nil, isOutermost: true)
    var position = MemberPosition(
      isFirst: true, isLast: true, separator: [], lastHasSeparator: false)
    try write(sides, in: frame, &position)
  }

  // MARK: Members

  /// Writes a member: its value merged, what stands around it as the side has it that changed it.
  private mutating func write(
    _ plan: MemberSides, in frame: Frame, _ position: inout MemberPosition
  ) throws {
    if writer.writeUnchanged(plan, in: frame, &position) { return }
    try writer.writeLead(of: plan, in: frame, &position)
    let key = writer.comments.choice(of: .key, plan, isAsked: false)
    writer.copy(.key, of: key.node, key.side, in: frame)
    if let ours = plan.ours, let theirs = plan.theirs {
      try mergeValue(MergeSides(base: plan.base, ours: ours, theirs: theirs), in: frame)
    } else if !writeRuling(on: plan, in: frame) {
      writer.copy(.value, of: key.node, key.side, in: frame)
    }
    writer.writeEnd(of: plan, in: frame, &position)
  }

  /// Merges containers of one kind by their members.
  /// - Returns: Whether they could be; nothing is written if not.
  private mutating func mergeMembers(_ nodes: MergeSides<Int>, in frame: Frame) throws -> Bool {
    try MergeCancellation.check()
    guard let container = try open(nodes, in: frame) else { return false }
    var position = container.start
    for (index, step) in container.steps.enumerated() {
      position.isLast = index == container.steps.count - 1
      if writer.writeUnchanged(step, in: container.inner, &position) { continue }
      var member = step
      for _ in 0..<step.count {
        log.path.append(member.name)
        try write(member.plan, in: container.inner, &position)
        log.path.removeLast()
        position.isFirst = false
        if step.count > 1 { member = self.member(behind: member) }
      }
    }
    try close(container, isAfterComment: position.isAfterComment, in: frame)
    return true
  }

  /// Plans the members of containers of one kind, and writes how the result starts.
  /// - Returns: `nil` if they cannot be merged by their members.
  @inline(never)
  private mutating func open(
    _ nodes: MergeSides<Int>, in frame: Frame
  ) throws -> MergedContainer? {
    let members = map(nodes) { $0.members(of: $1) }
    let kind = trees.ours[nodes.ours].kind
    let known = log.decisions.count
    guard let steps = try steps(members, nodes, kind, isStream: frame.isOutermost) else {
      return nil
    }
    let inner = writer.frame(of: members, kind, in: frame)
    let container = MergedContainer(
      sides: MemberSides(nodes), members: members, kind: kind, steps: steps, inner: inner,
      start: MemberPosition(startOf: kind, in: inner.target, format))
    if container.isEmptyBlock {
      // An empty block would be nothing at all. Perhaps that was asked about already.
      guard log.decisions[known...].contains(where: { $0.kind == .clash }) else { return nil }
      writer.copy(.value, of: nodes.ours, .ours, in: frame)
    } else {
      try writer.writeOpening(container.sides, members, hasMembers: !steps.isEmpty, in: frame)
    }
    return container
  }

  /// Writes how the result of some containers ends.
  @inline(never)
  private mutating func close(
    _ container: MergedContainer, isAfterComment: Bool, in frame: Frame
  ) throws {
    guard !container.isEmptyBlock else { return }
    try writer.writeTail(
      container.ending, in: frame, isAfterComment: isAfterComment && !container.kind.isBlock)
  }

  /// Plans the members of containers; `nil` if they cannot be merged by them.
  @inline(never)
  private func steps(
    _ members: MergeSides<[Int]>, _ nodes: MergeSides<Int>, _ kind: StructureTree.Kind,
    isStream: Bool
  ) throws -> [MemberStep]? {
    let known =
      rulings.matchings[nodes.ours] ?? matcher.matching(members, kind, isStream: isStream)
    if let (matching, fields) = known {
      return self.members.steps(members, matching, fields, in: MemberSides(nodes), kind)
    }
    guard kind.isList, let base = members.base else { return nil }
    return try lists.steps(base: base, ours: members.ours, theirs: members.theirs)
  }

  // MARK: Values

  /// Merges the values of a member that both sides have.
  private mutating func mergeValue(_ nodes: MergeSides<Int>, in frame: Frame) throws {
    if takeSettled(nodes, in: frame) { return }
    let areAlike = haveMembersAlike(nodes, in: frame)
    if areAlike, try mergeMembers(nodes, in: frame) { return }
    try mergeUndivided(nodes, areAlike: areAlike, in: frame)
  }

  /// Writes a value that a ruling or its bytes decide.
  /// - Returns: Whether they do.
  @inline(never)
  private mutating func takeSettled(_ nodes: MergeSides<Int>, in frame: Frame) -> Bool {
    let sides = MemberSides(nodes)
    if writeRuling(on: sides, in: frame) { return true }
    guard let kind = settled(sides, bytesOf: .value), !lostReferences.areIn(nodes, taking: kind)
    else { return false }
    take(kind, sides, in: frame)
    return true
  }

  /// The kinds of the sides' values.
  private func kinds(of nodes: MergeSides<Int>) -> Set<StructureTree.Kind> {
    Set(MemberSides(nodes).present.map { tree($0.side)[$0.node].kind })
  }

  /// Returns whether values are containers of one kind, and the same one or like it, so that their members may be
  /// merged.
  @inline(never)
  private func haveMembersAlike(_ nodes: MergeSides<Int>, in frame: Frame) -> Bool {
    let kinds = kinds(of: nodes)
    guard kinds.count == 1, kinds != [.leaf] else { return false }
    return nodes.base != nil || frame.isNew || format.isMap(trees.ours.name(of: nodes.ours, format))
      || comparison.isOneInOther(nodes.ours, nodes.theirs)
      || comparison.haveContradiction(nodes.ours, nodes.theirs)
  }

  /// Merges values as wholes: leaves, and containers that are not merged by their members.
  /// - Parameter areAlike: Whether merging their members was tried.
  @inline(never)
  private mutating func mergeUndivided(
    _ nodes: MergeSides<Int>, areAlike: Bool, in frame: Frame
  ) throws {
    let sides = MemberSides(nodes)
    let kinds = kinds(of: nodes)
    let contents = map(nodes) { $0.contentHash(of: $1) }
    if let kind = contents.settled {
      return take(kind, sides, in: frame)
    }
    let values = map(nodes) { $0[$1].valueHash }
    if kinds == [.leaf], let kind = values.settled { return take(kind, sides, in: frame) }
    if kinds == [.leaf], let leaf = try leaves.merged(nodes) {
      writer.write(leaf[...], of: .ours, in: frame)
      mergedLeaves += 1
      return log.record(.combined, sides)
    }
    if kinds == [.leaf],
      let newer = RevisedValue(of: nodes, in: documents, log.options.revisedFields)?.newer
    {
      take(newer, sides, in: frame)
      return
    }
    // If a list of tables is in parts, a key is doubled, or an element renamed, by one side only, lines may know
    // better.
    let isUnmatched = areAlike && (kinds.allSatisfy(\.isMapping) || isRenamed(nodes))
    askAboutValue(nodes, isPositional: isUnmatched || haveLinesOfMarkup(nodes), in: frame)
  }

  /// Returns whether a leaf is of many lines on all sides, and no text, such as text with elements in it.
  private func haveLinesOfMarkup(_ nodes: MergeSides<Int>) -> Bool {
    let leaves = map(nodes) { $0[$1].kind == .leaf ? $0.bytes[$0[$1].value] : [] }
    return leaves.base != nil
      && leaves.all.allSatisfy { $0.contains(.lineFeed) && format.text(ofLeaf: $0) == nil }
  }

  /// Returns whether only one side changed the tag of a record, which is the same on all sides by its name.
  private func isRenamed(_ nodes: MergeSides<Int>) -> Bool {
    let tags = map(nodes) { tree, node in
      tree[node].kind == .record ? tree.members(of: node).first.map { tree[$0].valueHash } : nil
    }
    return tags.base != nil && tags.ours != tags.theirs && tags.settled != nil
  }

  /// Writes the value that stands in a clash.
  @inline(never)
  private mutating func askAboutValue(
    _ nodes: MergeSides<Int>, isPositional: Bool = false, explanation: String? = nil,
    in frame: Frame
  ) {
    let answer = log.ask(
      .value, bytes(MemberSides(nodes), .value), choices: [.ours, .theirs, .base, .text],
      isPositional: isPositional, explanation: explanation)
    switch answer {
    case .text(let text): writer.write(text)
    case .theirs: writer.copy(.value, of: nodes.theirs, .theirs, in: frame)
    case .ours, .both: writer.copy(.value, of: nodes.ours, .ours, in: frame)
    case .base:
      let (side, node): (Side, Int) = nodes.base.map { (.base, $0) } ?? (.ours, nodes.ours)
      writer.copy(.value, of: node, side, in: frame)
    }
  }

  /// Writes one side's value, and records a decision if it is not base's.
  @inline(never)
  private mutating func take(_ kind: MergeDecision.Kind, _ sides: MemberSides, in frame: Frame) {
    // Of equal bytes in blocks, those that stand in the layout of the result are meant.
    let isTheirs =
      kind == .same && frame.target.isBlock && sides.theirs != nil
      && frame.shift(.theirs).isNothing && !frame.shift(.ours).isNothing
    let side: Side = kind == .theirs || isTheirs ? .theirs : .ours
    guard let node = sides[side] else { return }
    let other = side.other
    if let value = sides[other], let ours = sides.ours, let theirs = sides.theirs,
      lostReferences.areIn(
        MergeSides(base: sides.base, ours: ours, theirs: theirs), taking: kind)
    {
      let choices = lostReferences.choices(whereIn: side)
      let answer = log.ask(
        .value, bytes(sides, .value), choices: choices, explanation: lostReferences.explanation)
      let isOther = choices.count == 1 || (answer == .theirs) == (other == .theirs)
      return writer.copy(
        .value, of: isOther ? value : node, isOther ? other : side, in: frame)
    }
    writer.copy(.value, of: node, side, in: frame)
    let isChanged = sides.base.map { base in
      tree(.base).contentHash(of: base) != tree(side).contentHash(of: node)
        || tree(.base).bytes[tree(.base)[base].value] != tree(side).bytes[tree(side)[node].value]
          && tree(side)[node].kind == .leaf
    }
    if isChanged ?? true { log.record(kind, sides) }
  }

  /// Writes a value as the ruling about it says.
  /// - Returns: Whether there is one.
  private mutating func writeRuling(on sides: MemberSides, in frame: Frame) -> Bool {
    switch rulings.ruling(on: sides) {
    case .taken(let side, let explanation):
      guard let node = sides[side] else { return false }
      writer.copy(.value, of: node, side, in: frame)
      log.record(side == .theirs ? .theirs : .ours, sides, explanation: explanation)
    case .written(let bytes, let kind, let explanation):
      writer.write(bytes[...], of: sides.ours == nil ? .theirs : .ours, in: frame)
      log.record(kind, sides, explanation: explanation)
    case .asked(let explanation):
      guard let ours = sides.ours, let theirs = sides.theirs else { return false }
      askAboutValue(
        MergeSides(base: sides.base, ours: ours, theirs: theirs), explanation: explanation,
        in: frame)
    case .dropped, nil: return false
    }
    return true
  }
}

/// The rules for what is inside leaves and comments.
struct StructureRules: Sendable {
  /// Merges long texts in leaves, if the caller has rules for them.
  var mergeText: TextRule?
  /// Merges comments of several lines.
  let mergeLines: LineRule

  func forLeaves(_ options: MergeOptions) -> LeafRules {
    LeafRules(mergeText: mergeText) { try mergeLines($0, options) }
  }
}
