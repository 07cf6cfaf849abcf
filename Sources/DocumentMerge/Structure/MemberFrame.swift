/// The layout of a container for its members, on the heap because each level of a document has one.
final class MemberFrame {
  /// The layout of each side's members.
  let layouts: MergeSides<MemberLayout>
  /// The layout of the members in the result.
  let target: MemberLayout
  /// True if both sides added the document, so that nothing has a base.
  let isNew: Bool
  /// True if the member is the whole document.
  let isOutermost: Bool
  /// The members of each side.
  let members: MergeSides<[Int]>
  /// The comments that are above other members than before, once the members of the result are known.
  var movedComments: MovedComments?

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

  /// Returns the shift from the depth of a side's bytes to their depth in the result.
  func shift(_ side: MergeSide) -> IndentShift { IndentShift(from: layout(side), to: target) }
}

/// Containers of one kind that are merged by their members, on the heap because each level of a document has
/// one.
final class MergedContainer {
  let sides: MemberSides
  let members: MergeSides<[Int]>
  let kind: StructureTree.Kind
  /// The members of the result, in order.
  let steps: [MemberStep]
  /// The layout for the members.
  let inner: MemberFrame
  /// The position from which the members are written.
  let start: MemberPosition

  init(
    sides: MemberSides, members: MergeSides<[Int]>, kind: StructureTree.Kind, steps: [MemberStep],
    inner: MemberFrame, start: MemberPosition
  ) {
    (self.sides, self.members, self.kind) = (sides, members, kind)
    (self.steps, self.inner, self.start) = (steps, inner, start)
  }

  /// True if the container is a block without members, which can't be written.
  var isEmptyBlock: Bool { kind.isBlock && steps.isEmpty }

  /// The sides whose end the result may have; a side without members has no line for it.
  var ending: MemberSides {
    func ending(_ members: [Int]?, _ node: Int?) -> Int? { members?.isEmpty ?? true ? nil : node }
    let endings = MemberSides(
      base: ending(members.base, sides.base), ours: ending(members.ours, sides.ours),
      theirs: ending(members.theirs, sides.theirs))
    let showsEnd = !steps.isEmpty && (endings.ours != nil || endings.theirs != nil)
    return showsEnd ? endings : sides
  }
}

/// The position of a member in its container during writing.
struct MemberPosition {
  /// True if the member is the first one.
  var isFirst: Bool
  /// True if the member is the last one.
  var isLast: Bool
  /// The bytes between the members.
  let separator: [UInt8]
  /// True if the last member also has a separator.
  let lastHasSeparator: Bool
  /// True if all members have a separator after them in the format.
  var allHaveSeparators = false
  /// True if a comment was written that must be the last thing on its line.
  var isAfterComment = false
  /// How often each comment was written above a member, by hash.
  var comments: [Int: Int] = [:]
  /// How often each comment is above a member, on the side with most of them; `nil` until it is needed.
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
