/// The three documents of one merge, read as trees of one format.
///
/// Nothing in it changes while the merge runs, so that all collaborators of the merge share it.
final class MergedDocuments<Format: StructuredFormat> {
  let format: Format
  let trees: MergeSides<StructureTree>

  init(_ trees: MergeSides<StructureTree>, format: Format) {
    self.trees = trees
    self.format = format
  }
}

/// A collaborator of a merge, which reads its three documents.
protocol DocumentsReader {
  associatedtype Format: StructuredFormat
  typealias Side = MergeSide
  var documents: MergedDocuments<Format> { get }
}

extension DocumentsReader {
  var format: Format { documents.format }

  var trees: MergeSides<StructureTree> { documents.trees }

  /// Returns the document of a side; that of ours if there is no base.
  func tree(_ side: Side) -> StructureTree { documents.trees[side] }

  /// Reads a value from each side's node.
  func map<Node, Value>(
    _ nodes: MergeSides<Node>, _ value: (StructureTree, Node) -> Value
  ) -> MergeSides<Value> {
    MergeSides(
      base: nodes.base.map { value(tree(.base), $0) }, ours: value(trees.ours, nodes.ours),
      theirs: value(trees.theirs, nodes.theirs))
  }

  /// Returns the side whose bytes are the result, if the bytes of a part determine it.
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

  /// Returns the bytes of a part of each side's node.
  func bytes(_ sides: MemberSides, _ part: StructureTree.Part) -> SideBytes {
    func bytes(_ side: Side) -> ArraySlice<UInt8>? {
      sides[side].map { tree(side).bytes[tree(side)[$0][part]] }
    }
    return MergeSides(base: bytes(.base), ours: bytes(.ours), theirs: bytes(.theirs))
  }

  /// Returns the bytes of consecutive members.
  func bytes(of members: ArraySlice<Int>, _ side: Side) -> ArraySlice<UInt8>? {
    guard let first = members.first, let last = members.last else { return nil }
    let tree = tree(side)
    return tree.bytes[tree[first].key.lowerBound..<tree[last].value.upperBound]
  }

  /// Returns whether there are numbers, which may belong together, such as coordinates.
  func haveNumbers(_ members: RegionMembers) -> Bool {
    members.base.contains { isNumber($0, .base) } || members.ours.contains { isNumber($0, .ours) }
      || members.theirs.contains { isNumber($0, .theirs) }
  }

  /// Returns whether a member is a value other than a text.
  func isNumber(_ member: Int, _ side: Side) -> Bool {
    let tree = tree(side)
    return tree[member].kind == .leaf && format.text(ofLeaf: tree.bytes[tree[member].value]) == nil
  }
}

extension MergeSides<StructureTree> {
  /// The document of a side; that of ours if there is no base.
  subscript(side: MergeSide) -> StructureTree {
    switch side {
    case .base: base ?? ours
    case .ours: ours
    case .theirs: theirs
    }
  }

  /// Returns the members a number of places after others.
  @inline(never)
  func sibling(of plan: MemberSides, after count: Int) -> MemberSides {
    func sibling(_ node: Int?, _ side: MergeSide) -> Int? {
      guard var node else { return nil }
      for _ in 0..<count { node = self[side].next(after: node) }
      return node
    }
    return MemberSides(
      base: sibling(plan.base, .base), ours: sibling(plan.ours, .ours),
      theirs: sibling(plan.theirs, .theirs))
  }
}

/// Bytes of each side; `nil` for a side that has none.
typealias SideBytes = MergeSides<ArraySlice<UInt8>?>
