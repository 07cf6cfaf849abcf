/// Finds members that a side no longer has at their old place, but at another one.
final class PlacesElsewhere<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  /// The members of each side, by a hash of name and contents.
  private lazy var ours = contents(of: .ours)
  private lazy var theirs = contents(of: .theirs)

  /// The minimum size of a value that is hardly equal to another one by chance.
  private static var size: Int { 12 }

  init(in documents: MergedDocuments<Format>) { self.documents = documents }

  /// Returns whether a side has a member of base at any place, with the same name and contents.
  func hold(_ member: Int, on side: Side) -> Bool {
    guard tree(.base)[member].value.count >= Self.size else { return false }
    return (side == .ours ? ours : theirs).contains(content(of: member, in: tree(.base)))
  }

  private func contents(of side: Side) -> Set<Int> {
    let tree = tree(side)
    return Set(
      (0..<tree.count).filter { tree[$0].value.count >= Self.size }
        .map { content(of: $0, in: tree) })
  }

  private func content(of member: Int, in tree: StructureTree) -> Int {
    tree.mixed(tree.contentHash(of: member), tree.hash(of: tree.name(of: member, format)[...]))
  }
}
