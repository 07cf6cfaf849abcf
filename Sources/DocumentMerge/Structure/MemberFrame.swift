/// The layout of a container for its members; on the heap, as each level of a document has one.
final class MemberFrame {
  /// The layout of each side's members.
  let layouts: MergeSides<MemberLayout>
  /// Their layout in the result.
  let target: MemberLayout
  /// Whether both sides added the document, so that nothing has a base.
  let isNew: Bool
  /// Whether its member is the whole document.
  let isOutermost: Bool
  /// The members of each side.
  let members: MergeSides<[Int]>

  init(
    layouts: MergeSides<MemberLayout>, target: MemberLayout, members: MergeSides<[Int]>,
    isNew: Bool, isOutermost: Bool = false
  ) {
    self.layouts = layouts
    self.target = target
    self.members = members
    self.isNew = isNew
    self.isOutermost = isOutermost
  }

  func layout(_ side: MergeSide) -> MemberLayout {
    switch side {
    case .base: layouts.base ?? layouts.ours
    case .ours: layouts.ours
    case .theirs: layouts.theirs
    }
  }

  /// The shift that brings a side's bytes to the depth they have in the result.
  func shift(_ side: MergeSide) -> IndentShift { IndentShift(from: layout(side), to: target) }
}

/// Containers of one kind that are merged by their members; on the heap, as each level of a document has one.
final class MergedContainer {
  let sides: MemberSides
  let members: MergeSides<[Int]>
  let kind: StructureTree.Kind
  /// The members of the result, in its order.
  let steps: [MemberStep]
  /// The layout for the members.
  let inner: MemberFrame
  /// The position that writing the members starts with.
  let start: MemberPosition

  init(
    sides: MemberSides, members: MergeSides<[Int]>, kind: StructureTree.Kind, steps: [MemberStep],
    inner: MemberFrame, start: MemberPosition
  ) {
    (self.sides, self.members, self.kind) = (sides, members, kind)
    (self.steps, self.inner, self.start) = (steps, inner, start)
  }

  /// Whether it is a block without members, which would be nothing at all.
  var isEmptyBlock: Bool { kind.isBlock && steps.isEmpty }

  /// The sides whose end the result may get: a side that has no members has no line for it either.
  var ending: MemberSides {
    func ending(_ members: [Int]?, _ node: Int?) -> Int? { members?.isEmpty ?? true ? nil : node }
    let endings = MemberSides(
      base: ending(members.base, sides.base), ours: ending(members.ours, sides.ours),
      theirs: ending(members.theirs, sides.theirs))
    let showsEnd = !steps.isEmpty && (endings.ours != nil || endings.theirs != nil)
    return showsEnd ? endings : sides
  }
}

/// The position of a member in its container while that is written.
struct MemberPosition {
  /// Whether the member that is written is the first.
  var isFirst: Bool
  /// Whether it is the last.
  var isLast: Bool
  /// The bytes between the members.
  let separator: [UInt8]
  /// Whether the last member has a separator, too.
  let lastHasSeparator: Bool
  /// Whether the format has one behind all members.
  var allHaveSeparators = false
  /// Whether a comment was written that needs the rest of its line for itself.
  var isAfterComment = false
  /// The comments above members that are written, by hash, and how often each is.
  var comments: [Int: Int] = [:]
  /// How often each comment stands above a member, on the side where it does most often; `nil` before that is needed.
  var commentLimits: [Int: Int]?
}

extension MemberPosition {
  @inline(never)
  init(startOf kind: StructureTree.Kind, in layout: MemberLayout, _ format: some StructuredFormat) {
    let allHaveSeparators = format.endsWithSeparator(in: kind)
    self.init(
      isFirst: true, isLast: false, separator: format.separator(in: kind),
      lastHasSeparator: allHaveSeparators || layout.endsWithSeparator ?? false,
      allHaveSeparators: allHaveSeparators)
  }
}
