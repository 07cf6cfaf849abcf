/// Members in a row that nobody changed.
extension StructureMerge {
  /// The member of a list behind another one.
  @inline(never)
  func member(behind step: Step) -> Step {
    guard case .positions(let place) = step.name else { return step }
    return Step(sibling(of: step.plan, after: 1), at: place.upperBound)
  }

  /// The members that stand some places behind others.
  private func sibling(of plan: Plan, after count: Int) -> Plan {
    func sibling(_ node: Int?, _ side: Side) -> Int? {
      guard var node else { return nil }
      for _ in 0..<count { node = tree(side).next(after: node) }
      return node
    }
    return Plan(
      base: sibling(plan.base, .base), ours: sibling(plan.ours, .ours),
      theirs: sibling(plan.theirs, .theirs))
  }

  /// Writes members that stand between others as they are, if they and their layout are the same everywhere.
  @inline(never)
  mutating func writeUnchanged(
    _ step: Step, in frame: Frame, _ writer: inout MemberWriter
  ) -> Bool {
    let (target, layout) = (frame.target, frame.layouts.ours)
    guard step.count > 1, !writer.isFirst, !writer.isLast, !writer.isAfterComment, !target.isBlock,
      frame.shift(.ours).isNothing, target.unit == layout.unit,
      target.unit != nil || target.leads.other == layout.leads.other
    else { return false }
    let last = sibling(of: step.plan, after: step.count - 1)
    let places = step.plan.present.compactMap { side, node in
      last[side].map { last in
        (tree(side), tree(side)[node].whole.lowerBound..<tree(side)[last].whole.upperBound)
      }
    }
    guard places.count == 3, let (tree, place) = places.first,
      places.dropFirst().allSatisfy({ tree.hasEqual(place, $0.0, $0.1) })
    else { return false }
    output += tree.bytes[place]
    let endsWithTrail = last.base.map { !tree[$0].trail.isEmpty } ?? false
    writer.isAfterComment = endsWithTrail && tree.bytes[place].last != .lineFeed
    return true
  }
}
