/// A step of the path to a value, which is described in words only for a decision.
enum PathStep {
  /// The member of a mapping with this node's key.
  case key(MergeSide, Int)
  /// The member of a list that fields of this node identify.
  case identity(MergeSide, Int, MemberIdentity)
  /// Members of a list, by their positions.
  case positions(Range<Int>)
}

/// The nodes of a member; `nil` for a side that lacks it.
struct MemberSides {
  // Compact, because a long list of numbers may need one for each number.
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

  /// True if one or both sides removed the member.
  var isRemoved: Bool { base != nil && (ours == nil || theirs == nil) }

  /// The sides that have the member, with its node there.
  var present: [(side: MergeSide, node: Int)] {
    MergeSide.allCases.compactMap { side in self[side].map { (side, $0) } }
  }
}

/// A member of a result, merged from the sides, or several consecutive unchanged members.
struct MemberStep {
  let plan: MemberSides
  /// The path step to the first member.
  let name: PathStep
  /// The number of members, which are consecutive on all sides.
  var count = 1

  init(_ plan: MemberSides, _ name: PathStep) { (self.plan, self.name) = (plan, name) }

  /// Creates a step for members of lists, from a position on.
  init(_ plan: MemberSides, at position: Int, count: Int = 1) {
    self.init(plan, .positions(position..<position + 1))
    self.count = count
  }
}
