/// What leaves may refer to, such as an anchor or another package, that was in the base and that a side removed or renamed.
struct RemovedTargets {
  private let byOurs: Set<Int>
  private let byTheirs: Set<Int>

  init(from trees: MergeSides<StructureTree>, _ format: some StructuredFormat) {
    let known = trees.base.map { format.targets(in: $0) } ?? []
    func removed(by tree: StructureTree) -> Set<Int> {
      known.isEmpty ? [] : known.subtracting(format.targets(in: tree))
    }
    (byOurs, byTheirs) = (removed(by: trees.ours), removed(by: trees.theirs))
  }

  /// What is lost to one side, because the other one removed it.
  func lost(to side: MergeSide) -> Set<Int> { side == .ours ? byTheirs : byOurs }
}

extension StructureMerge {
  var lostReference: String { "It refers to something that the other side removed or renamed." }

  /// Whether what one side has refers to what the other side removed.
  /// - Parameter counterpart: What the other side has there; what that refers to, too, was lost before.
  @inline(never)
  func refersToLost(_ node: Int, _ side: Side, counterpart: Int? = nil) -> Bool {
    let lost = removedTargets.lost(to: side)
    guard !lost.isEmpty else { return false }
    let references = references(in: node, side, to: lost)
    guard let counterpart, !references.isEmpty else { return !references.isEmpty }
    return !references.isSubset(of: self.references(in: counterpart, side.other, to: lost))
  }

  /// The sides whose value may stand where one side's refers to what the other one removed.
  func choices(forLostReferenceOf side: Side) -> Set<MergeAnswer.Choice> {
    guard !format.needsTargets else { return side == .ours ? [.theirs] : [.ours] }
    return [.ours, .theirs]
  }

  private func references(in node: Int, _ side: Side, to targets: Set<Int>) -> Set<Int> {
    let tree = tree(side)
    let leaves = (node..<Int(tree[node].next)).lazy.filter { tree[$0].kind == .leaf }
    return Set(
      leaves.compactMap { format.reference(of: $0, in: tree) }.filter(targets.contains))
  }
}

extension MergeSide {
  /// The other one of ours and theirs.
  var other: MergeSide { self == .ours ? .theirs : .ours }
}
