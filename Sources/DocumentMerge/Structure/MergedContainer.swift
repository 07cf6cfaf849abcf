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
