/// One step on the way to a value, which is put into words only if something is said about it.
enum PathStep {
  /// The member of a mapping that has the key of this node.
  case key(MergeSide, Int)
  /// The member of a list that is known by some fields of this node.
  case identity(MergeSide, Int, MemberIdentity)
  /// Members of a list, by their positions.
  case positions(Range<Int>)
}

/// The nodes of a member; a side that does not have it has none.
struct MemberSides {
  // There may be one of them for each number of a long list.
  private var nodes: (base: Int32, ours: Int32, theirs: Int32)

  init(base: Int? = nil, ours: Int? = nil, theirs: Int? = nil) {
    nodes = (Self.stored(base), Self.stored(ours), Self.stored(theirs))
  }

  init(_ nodes: MergeSides<Int>) {
    self.init(base: nodes.base, ours: nodes.ours, theirs: nodes.theirs)
  }

  var base: Int? {
    get { Self.node(nodes.base) }
    set { nodes.base = Self.stored(newValue) }
  }
  var ours: Int? {
    get { Self.node(nodes.ours) }
    set { nodes.ours = Self.stored(newValue) }
  }
  var theirs: Int? {
    get { Self.node(nodes.theirs) }
    set { nodes.theirs = Self.stored(newValue) }
  }

  private static func stored(_ node: Int?) -> Int32 { node.map { Int32($0) } ?? -1 }
  private static func node(_ stored: Int32) -> Int? { stored < 0 ? nil : Int(stored) }

  subscript(side: MergeSide) -> Int? {
    switch side {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }

  /// Whether a side, or both, removed the member.
  var isRemoved: Bool { base != nil && (ours == nil || theirs == nil) }

  /// The sides that have the member, with its node there.
  var present: [(side: MergeSide, node: Int)] {
    MergeSide.allCases.compactMap { side in self[side].map { (side, $0) } }
  }
}

/// A member of a result, merged from the sides it names; or many in a row that nobody changed.
struct MemberStep {
  let plan: MemberSides
  /// What the first of them is called in a path.
  let name: PathStep
  /// How many there are, each behind the one before it on all sides.
  var count = 1

  init(_ plan: MemberSides, _ name: PathStep) { (self.plan, self.name) = (plan, name) }

  /// Members of lists from a position on.
  init(_ plan: MemberSides, at position: Int, count: Int = 1) {
    self.init(plan, .positions(position..<position + 1))
    self.count = count
  }
}

/// What the members of a container need to know of it; on the heap, as each level of a document has one.
final class MemberFrame {
  /// How each side lays out its members.
  let layouts: MergeSides<MemberLayout>
  /// How they are laid out in the result.
  let target: MemberLayout
  /// Whether both sides added the document, so that nothing has a base.
  let isNew: Bool

  init(layouts: MergeSides<MemberLayout>, target: MemberLayout, isNew: Bool) {
    self.layouts = layouts
    self.target = target
    self.isNew = isNew
  }

  func layout(_ side: MergeSide) -> MemberLayout {
    switch side {
    case .base: layouts.base ?? layouts.ours
    case .ours: layouts.ours
    case .theirs: layouts.theirs
    }
  }

  /// What brings a side's bytes to the depth they have in the result.
  func shift(_ side: MergeSide) -> IndentShift { IndentShift(from: layout(side), to: target) }
}

/// Containers of one kind that are merged by their members; on the heap, as each level of a document has one.
final class MergedContainer {
  let sides: MemberSides
  let members: MergeSides<[Int]>
  let kind: StructureTree.Kind
  /// What becomes of the members, in the order of the result.
  let steps: [MemberStep]
  /// What the members need to know.
  let inner: MemberFrame
  /// What writing the members starts with.
  let writer: MemberWriter

  init(
    sides: MemberSides, members: MergeSides<[Int]>, kind: StructureTree.Kind, steps: [MemberStep],
    inner: MemberFrame, writer: MemberWriter
  ) {
    (self.sides, self.members, self.kind) = (sides, members, kind)
    (self.steps, self.inner, self.writer) = (steps, inner, writer)
  }

  /// Whether nothing stands in a block, which is what a block consists of.
  var isEmptyBlock: Bool { kind.isBlock && steps.isEmpty }

  /// Whose end the result gets: a side that has no members has no line for it either.
  var ending: MemberSides {
    func ending(_ members: [Int]?, _ node: Int?) -> Int? { members?.isEmpty ?? true ? nil : node }
    let endings = MemberSides(
      base: ending(members.base, sides.base), ours: ending(members.ours, sides.ours),
      theirs: ending(members.theirs, sides.theirs))
    let showsEnd = !steps.isEmpty && (endings.ours != nil || endings.theirs != nil)
    return showsEnd ? endings : sides
  }
}
