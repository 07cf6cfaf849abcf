/// Merges three documents by their structure: walks their trees together and writes the merged document.
///
/// Values that are equal on both sides, or changed by one, are copied; containers of one kind are merged by their
/// members; everything else is a clash, with the value of ours (or base).
///
/// The walk decides about values; its collaborators decide about everything else:
///
/// - ``MemberMatcher`` finds which members of three containers are the same.
/// - ``MemberPlanner`` and ``ListPlanner`` decide which members are in the result, and in which order.
/// - ``StructureWriter`` writes, and ``CommentMerge`` chooses the comments around the values.
/// - ``DecisionLog`` records all decisions, and asks about clashes.
///
/// Functions on the walk's path down aren't inlined, so that the deepest document fits on a small stack.
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
  /// The number of merged leaves with a value that no side has.
  private(set) var mergedLeaves = 0

  /// Starts a merge with the answers of an earlier run, of which some are texts, not values in the format's syntax.
  init(
    _ trees: MergeSides<StructureTree>, format: Format, rules: LeafRules,
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
    leaves = LeafMerge(documents: documents, rules: rules)
    lists = ListPlanner(
      documents: documents, log: log, matcher: matcher, planner: members, leaves: leaves)
    comparison = MemberComparison(documents: documents)
    writer = StructureWriter(CommentMerge(documents: documents, log: log, rules: rules))
  }

  /// The merged document, and the decisions.
  var outcome: MergeOutcome { MergeOutcome(bytes: writer.output, decisions: log.clashes.decisions) }
  /// True if both sides changed a named value differently, so that no merge by lines could be right.
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

  /// Writes a member with its merged value, and the surrounding bytes of the side that changed them.
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

  /// Merges containers of one kind by their members; if that is not possible, nothing is written.
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

  /// Plans the members of containers of one kind, and writes the beginning of the result.
  /// - Returns: The container; `nil` if it can't be merged by its members.
  @inline(never)
  private mutating func open(
    _ nodes: MergeSides<Int>, in frame: Frame
  ) throws -> MergedContainer? {
    let members = map(nodes) { $0.members(of: $1) }
    let kind = trees.ours[nodes.ours].kind
    let known = log.clashes.decisions.count
    guard let steps = try steps(members, nodes, kind, isStream: frame.isOutermost) else {
      return nil
    }
    let inner = writer.frame(of: members, kind, in: frame)
    if inner.shift(.ours).isNothing, inner.shift(.theirs).isNothing {
      inner.movedComments = MovedComments(of: members, steps, in: trees)
    }
    let container = MergedContainer(
      sides: MemberSides(nodes), members: members, kind: kind, steps: steps, inner: inner,
      start: MemberPosition(startOf: kind, in: inner.target, format))
    if container.isEmptyBlock {
      // An empty block would have no bytes, which may already have been asked about.
      let said = log.clashes.decisions[known...]
      guard said.contains(where: { $0.kind == .clash }) else { return nil }
      writer.copy(.value, of: nodes.ours, .ours, in: frame)
    } else {
      try writer.writeOpening(container.sides, members, hasMembers: !steps.isEmpty, in: frame)
    }
    return container
  }

  /// Writes the end of a container's result.
  @inline(never)
  private mutating func close(
    _ container: MergedContainer, isAfterComment: Bool, in frame: Frame
  ) throws {
    guard !container.isEmptyBlock else { return }
    try writer.writeTail(
      container.ending, in: frame, isAfterComment: isAfterComment && !container.kind.isBlock)
  }

  /// Plans the members of containers; `nil` if they can't be merged by their members.
  @inline(never)
  private func steps(
    _ members: MergeSides<[Int]>, _ nodes: MergeSides<Int>, _ kind: StructureTree.Kind,
    isStream: Bool
  ) throws -> [MemberStep]? {
    let known =
      rulings.matchings[nodes.ours] ?? matcher.matching(members, kind, isStream: isStream)
    if let (matching, fields) = known, !kind.isList || !matching.hasReplacedDifferentByOne {
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

  /// Writes a value that a ruling or its bytes decide, if they do.
  @inline(never)
  private mutating func takeSettled(_ nodes: MergeSides<Int>, in frame: Frame) -> Bool {
    let sides = MemberSides(nodes)
    if writeRuling(on: sides, in: frame) { return true }
    guard let kind = settled(sides, bytesOf: .value), !lostReferences.areIn(nodes, taking: kind)
    else { return false }
    take(kind, sides, in: frame)
    return true
  }

  /// Returns the kinds of the sides' values.
  private func kinds(of nodes: MergeSides<Int>) -> Set<StructureTree.Kind> {
    Set(MemberSides(nodes).present.map { tree($0.side)[$0.node].kind })
  }

  /// Returns whether values are containers of one kind that are the same or similar, so that their members may be
  /// merged.
  @inline(never)
  private func haveMembersAlike(_ nodes: MergeSides<Int>, in frame: Frame) -> Bool {
    let kinds = kinds(of: nodes)
    guard kinds.count == 1, kinds != [.leaf] else { return false }
    if format.hasLockedPackages, map(nodes, { $0.isLockedPackage($1, format) }).all.contains(true) {
      return false
    }
    return nodes.base != nil || frame.isNew || format.isMap(trees.ours.name(of: nodes.ours, format))
      || comparison.isOneInOther(nodes.ours, nodes.theirs)
      || comparison.haveContradiction(nodes.ours, nodes.theirs)
  }

  /// Merges whole values: leaves, and containers that aren't merged by their members.
  /// - Parameter areAlike: Whether merging their members was attempted.
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
    // If one side alone split a list of tables, duplicated a key, or renamed an element, a merge by lines may be
    // better.
    let isUnmatched = areAlike && (kinds.allSatisfy(\.isMapping) || isRenamed(nodes))
    askAboutValue(nodes, isPositional: isUnmatched || haveLinesOfMarkup(nodes), in: frame)
  }

  /// Returns whether a leaf has many lines on all sides and isn't a text, such as text with elements.
  private func haveLinesOfMarkup(_ nodes: MergeSides<Int>) -> Bool {
    let leaves = map(nodes) { $0[$1].kind == .leaf ? $0.bytes[$0[$1].value] : [] }
    return leaves.base != nil
      && leaves.all.allSatisfy { $0.contains(.lineFeed) && format.text(ofLeaf: $0) == nil }
  }

  /// Returns whether only one side changed the tag of a record that has the same name on all sides.
  private func isRenamed(_ nodes: MergeSides<Int>) -> Bool {
    let tags = map(nodes) { tree, node in
      tree[node].kind == .record ? tree.members(of: node).first.map { tree[$0].valueHash } : nil
    }
    return tags.base != nil && tags.ours != tags.theirs && tags.settled != nil
  }

  /// Writes the value that represents a clash.
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

  /// Writes one side's value, and records a decision if it differs from base's.
  @inline(never)
  private mutating func take(_ kind: MergeDecision.Kind, _ sides: MemberSides, in frame: Frame) {
    // For equal bytes in blocks, those in the layout of the result are used.
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

  /// Writes a value according to its ruling, if there is one.
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
