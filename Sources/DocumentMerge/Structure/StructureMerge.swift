/// One run of a merge by structure: walks three trees at once and writes the merged document.
///
/// What is equal on both sides, or changed by one, is copied; containers of one kind are merged by
/// their members; all else is a clash, in which ours' (or base's) value stands.
///
/// What the walk calls on its way is not inlined, so that the deepest document fits on a small stack.
struct StructureMerge<Format: StructuredFormat> {
  typealias Side = MergeSide
  typealias Frame = MemberFrame

  let format: Format
  let trees: MergeSides<StructureTree>
  let mergeText: TextRule?
  let options: MergeOptions
  let rulings: MergeRulings
  let removedTargets: RemovedTargets

  /// The merged document, as far as it is written.
  var output: [UInt8] = []
  /// What was decided, in the order of the document.
  var decisions: [MergeDecision] = []
  /// Whether one thing with a name was changed to two: no way to merge could be right.
  var hasContradiction = false
  /// How many leaves were merged to one that no side has.
  private(set) var mergedLeaves = 0
  /// The way to the value that is merged.
  var path: [PathStep] = []
  /// What nobody has answered yet.
  var log: ClashLog
  /// The answers that are texts, which the format has to write as it writes texts.
  let literals: Set<ClashLog.Key>

  /// Starts a merge of three documents of one format.
  /// - Parameters:
  ///   - answers: What somebody answered to the clashes of an earlier run.
  ///   - literals: Which of the answers are texts, not values as the format writes them.
  init(
    _ trees: MergeSides<StructureTree>, format: Format,
    mergeText: TextRule?, options: MergeOptions, answers: [ClashLog.Key: MergeAnswer] = [:],
    literals: Set<ClashLog.Key> = [], rulings: MergeRulings = MergeRulings()
  ) {
    self.rulings = rulings
    removedTargets = RemovedTargets(from: trees, format)
    self.hasContradiction = rulings.overrulesLines
    self.trees = trees
    self.format = format
    self.mergeText = mergeText
    self.options = options
    self.literals = literals
    log = ClashLog(answers: answers)
    output.reserveCapacity(trees.ours.bytes.count + trees.theirs.bytes.count / 8)
  }

  /// Merges the documents.
  mutating func run() throws {
    let root = StructureTree.root
    let sides = MemberSides(base: trees.base.map { _ in root }, ours: root, theirs: root)
    let layout = MemberLayout()
    let frame = Frame(
      layouts: trees.map { _ in layout }, target: layout, isNew: trees.base == nil)
    var writer = MemberWriter(
      isFirst: true, isLast: true, separator: [], lastHasSeparator: false)
    try write(sides, in: frame, &writer)
  }

  /// The document of a side; ours' stands for a base that is not there.
  func tree(_ side: Side) -> StructureTree {
    switch side {
    case .base: trees.base ?? trees.ours
    case .ours: trees.ours
    case .theirs: trees.theirs
    }
  }

  // MARK: Values

  /// Merges the values of a member that both sides have.
  mutating func mergeValue(_ nodes: MergeSides<Int>, in frame: Frame) throws {
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
    guard let kind = settled(sides, bytesOf: .value), !hasLostReference(nodes, kind) else {
      return false
    }
    take(kind, sides, in: frame)
    return true
  }

  /// What kinds of values the sides have.
  private func kinds(of nodes: MergeSides<Int>) -> Set<StructureTree.Kind> {
    Set(MemberSides(nodes).present.map { tree($0.side)[$0.node].kind })
  }

  /// Whether values are containers of one kind, and the same one or like it, so that their members may be merged.
  @inline(never)
  private func haveMembersAlike(_ nodes: MergeSides<Int>, in frame: Frame) -> Bool {
    let kinds = kinds(of: nodes)
    guard kinds.count == 1, kinds != [.leaf] else { return false }
    return nodes.base != nil || frame.isNew || isOneInOther(nodes.ours, nodes.theirs)
      || haveContradiction(nodes.ours, nodes.theirs)
  }

  /// Merges values as wholes: leaves, and containers that are not merged by their members.
  /// - Parameter areAlike: Whether these were looked at, and could not be merged.
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
    if kinds == [.leaf], let leaf = try mergedLeaf(nodes) {
      output += format.indented(leaf[...], frame.shift(.ours))
      mergedLeaves += 1
      return note(.combined, sides)
    }
    // Where a list of tables is in parts, a key is doubled, or an element renamed, by one side only, lines may know
    // better.
    let isUnmatched = areAlike && (kinds.allSatisfy(\.isMapping) || isRenamed(nodes))
    askAboutValue(nodes, isPositional: isUnmatched || haveLinesOfMarkup(nodes), in: frame)
  }

  /// Whether a leaf is of many lines on all sides, and no text, such as text with elements in it.
  private func haveLinesOfMarkup(_ nodes: MergeSides<Int>) -> Bool {
    let leaves = map(nodes) { $0[$1].kind == .leaf ? $0.bytes[$0[$1].value] : [] }
    return leaves.base != nil
      && leaves.all.allSatisfy { $0.contains(.lineFeed) && format.text(ofLeaf: $0) == nil }
  }

  /// Whether only one side changed the tag of a record, which is the same on all sides by what it is called.
  private func isRenamed(_ nodes: MergeSides<Int>) -> Bool {
    let tags = map(nodes) { tree, node in
      tree[node].kind == .record ? tree.members(of: node).first.map { tree[$0].valueHash } : nil
    }
    return tags.base != nil && tags.ours != tags.theirs && tags.settled != nil
  }

  /// Writes the value that stands in a clash.
  @inline(never)
  mutating func askAboutValue(
    _ nodes: MergeSides<Int>, isPositional: Bool = false, explanation: String? = nil,
    in frame: Frame
  ) {
    let answer = ask(
      .value, bytes(MemberSides(nodes), .value), choices: [.ours, .theirs, .base, .text],
      isPositional: isPositional, explanation: explanation)
    switch answer {
    case .text(let text): output += text
    case .theirs: copy(.value, of: nodes.theirs, .theirs, in: frame)
    case .ours, .both: copy(.value, of: nodes.ours, .ours, in: frame)
    case .base:
      let (side, node): (Side, Int) = nodes.base.map { (.base, $0) } ?? (.ours, nodes.ours)
      copy(.value, of: node, side, in: frame)
    }
  }

  /// Whether the side that is to be taken refers to what the other one removed.
  @inline(never)
  private func hasLostReference(_ nodes: MergeSides<Int>, _ kind: MergeDecision.Kind) -> Bool {
    switch kind {
    case .ours: refersToLost(nodes.ours, .ours, counterpart: nodes.theirs)
    case .theirs: refersToLost(nodes.theirs, .theirs, counterpart: nodes.ours)
    default: false
    }
  }

  /// Writes one side's value, and says so if it is not base's.
  @inline(never)
  private mutating func take(_ kind: MergeDecision.Kind, _ sides: MemberSides, in frame: Frame) {
    // Of equal bytes in blocks, those that stand in the layout of the result are what is meant.
    let isTheirs =
      kind == .same && frame.target.isBlock && sides.theirs != nil
      && frame.shift(.theirs).isNothing && !frame.shift(.ours).isNothing
    let side: Side = kind == .theirs || isTheirs ? .theirs : .ours
    guard let node = sides[side] else { return }
    let other = side.other
    if let value = sides[other], let ours = sides.ours, let theirs = sides.theirs,
      hasLostReference(MergeSides(base: sides.base, ours: ours, theirs: theirs), kind)
    {
      let choices = choices(forLostReferenceOf: side)
      let answer = ask(.value, bytes(sides, .value), choices: choices, explanation: lostReference)
      let isOther = choices.count == 1 || (answer == .theirs) == (other == .theirs)
      return copy(.value, of: isOther ? value : node, isOther ? other : side, in: frame)
    }
    copy(.value, of: node, side, in: frame)
    let isChanged = sides.base.map { base in
      tree(.base).contentHash(of: base) != tree(side).contentHash(of: node)
        || tree(.base).bytes[tree(.base)[base].value] != tree(side).bytes[tree(side)[node].value]
          && tree(side)[node].kind == .leaf
    }
    if isChanged ?? true { note(kind, sides) }
  }

  /// Leaves that the format can merge.
  @inline(never)
  func mergedLeaf(_ nodes: MergeSides<Int>) throws -> [UInt8]? {
    guard nodes.base != nil else { return nil }
    let leaves = map(nodes) { $0.bytes[$0[$1].value] }
    return try format.merged(leaves, by: LeafRules(mergeText: mergeText))
  }

  func map<Value>(
    _ nodes: MergeSides<Int>, _ value: (StructureTree, Int) -> Value
  ) -> MergeSides<Value> {
    MergeSides(
      base: nodes.base.map { value(tree(.base), $0) }, ours: value(trees.ours, nodes.ours),
      theirs: value(trees.theirs, nodes.theirs))
  }

  /// Which side's bytes are the result, as far as the bytes of a part show it.
  @inline(never)
  func settled(
    _ sides: MemberSides, bytesOf part: StructureTree.Part
  ) -> MergeDecision.Kind? {
    guard let ours = sides.ours else { return .theirs }
    guard let theirs = sides.theirs else { return .ours }
    let places = (trees.ours[ours][part], trees.theirs[theirs][part])
    if trees.ours.hasEqual(places.0, trees.theirs, places.1) { return .same }
    guard let base = sides.base, let old = trees.base else { return nil }
    if old.hasEqual(old[base][part], trees.ours, places.0) { return .theirs }
    return old.hasEqual(old[base][part], trees.theirs, places.1) ? .ours : nil
  }
}

/// Some bytes of each side that has something.
typealias SideBytes = MergeSides<ArraySlice<UInt8>?>

/// The rules for prose: the merged text, or `nil` if they would ask.
typealias TextRule = @Sendable (MergeSides<[UInt8]>) -> [UInt8]?
