/// Finds targets of one side's references, such as an anchor or a package, that the other side removed or renamed.
struct LostReferences<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  private let removedByOurs: Set<Int>
  private let removedByTheirs: Set<Int>

  init(in documents: MergedDocuments<Format>) {
    self.documents = documents
    let (trees, format) = (documents.trees, documents.format)
    let known = trees.base.map { format.targets(in: $0) } ?? []
    func removed(by tree: StructureTree) -> Set<Int> {
      known.isEmpty ? [] : known.subtracting(format.targets(in: tree))
    }
    (removedByOurs, removedByTheirs) = (removed(by: trees.ours), removed(by: trees.theirs))
  }

  var explanation: String { "It refers to something that the other side removed or renamed." }

  /// Returns whether one side's node refers to something that the other side removed.
  /// - Parameter counterpart: The other side's node; references that it also has were already lost.
  @inline(never)
  func isIn(_ node: Int, _ side: Side, counterpart: Int? = nil) -> Bool {
    let lost = side == .ours ? removedByTheirs : removedByOurs
    guard !lost.isEmpty else { return false }
    let references = references(in: node, side, to: lost)
    guard let counterpart, !references.isEmpty else { return !references.isEmpty }
    return !references.isSubset(of: self.references(in: counterpart, side.other, to: lost))
  }

  /// Returns whether the side to take refers to something that the other side removed.
  @inline(never)
  func areIn(_ nodes: MergeSides<Int>, taking kind: MergeDecision.Kind) -> Bool {
    switch kind {
    case .ours: isIn(nodes.ours, .ours, counterpart: nodes.theirs)
    case .theirs: isIn(nodes.theirs, .theirs, counterpart: nodes.ours)
    default: false
    }
  }

  /// Returns the possible choices if one side's value refers to something that the other side removed.
  func choices(whereIn side: Side) -> Set<MergeAnswer.Choice> {
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
