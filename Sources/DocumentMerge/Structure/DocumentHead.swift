/// The lines above the first entry of a document, which may be about the document or about that entry.
///
/// They are about the document if a blank line ends them, or if a side kept them there when it put another entry
/// before the first one.
struct DocumentHead {
  private let tree: StructureTree
  /// The node whose members are the entries.
  private let container: Int
  /// The nodes that begin with the first entry.
  private let nodes: Range<Int>
  /// The comments above the first entry.
  private let paragraphs: [ArraySlice<UInt8>]
  private let hashes: [Int]
  /// True if no blank line separates the last comment from the entry.
  private let isTouching: Bool
  /// The identities of the entries, first one first.
  private let entries: [Int]
  /// The comments above other entries.
  private let others: Set<Int>

  /// Finds the head; `nil` if no entry begins with comments.
  fileprivate init?(of tree: StructureTree, _ syntax: some DocumentSyntax) {
    // A stream of documents has their entries one level below.
    let container = tree[StructureTree.root].kind == .blockList ? 1 : StructureTree.root
    guard tree.count > container + 1, tree[container].kind.isLines || tree[container].kind.isBlock
    else { return nil }
    let first = container + 1
    let end = (first..<tree.count).first { tree[$0].start != tree[first].start } ?? tree.count
    nodes = first..<end
    (self.tree, self.container) = (tree, container)
    let text = tree.bytes[tree[first].whole.lowerBound..<tree[end - 1].key.lowerBound]
    paragraphs = text.paragraphs
    hashes = paragraphs.map(tree.hash(ofParagraph:))
    isTouching = paragraphs.last.map { text[$0.endIndex...].count { $0 == .lineFeed } < 2 } ?? false
    let members = tree.members(of: container)
    entries = members.map { member in
      tree[container].kind.isList
        ? tree[member].valueHash : tree.hash(of: tree.name(of: member, syntax)[...])
    }
    others = Set(members.dropFirst().flatMap { tree.hashes(ofComments: tree[$0].lead) })
  }

  /// The comment right above the first entry.
  private var title: Int? { isTouching ? hashes.last : nil }

  /// Returns the number of comments that are about the document, compared with those of other sides.
  private func count(among sides: [DocumentHead]) -> Int {
    let limit = sides.compactMap { side in
      side.hashes.firstIndex { hash in sides.contains { $0.others.contains(hash) } }
    }
    .min()
    // A side that put an entry between the comment and the entry below it shows that the comment isn't about it.
    let titles = Set(sides.compactMap(\.title))
    let isParted =
      titles.count == 1
      && sides.contains { one in
        one.isTouching
          && sides.contains { $0.isTouching && $0.entries.dropFirst().contains(one.entries[0]) }
      }
    let known = isParted ? hashes.count : hashes.count - (isTouching ? 1 : 0)
    // A new comment above a new entry is about that entry.
    let isNew = sides.count { $0.entries.contains(entries[0]) } < 2 && !(isParted && isTouching)
    let common = sides.filter { $0.entries[0] != entries[0] }
      .map { zip($0.hashes, hashes).prefix { $0 == $1 }.count }.max()
    return min(known, limit ?? known, isNew ? common ?? 0 : known)
  }

  /// Returns the document with its head before its first entry instead of in it.
  fileprivate func cut(among sides: [DocumentHead]) -> StructureTree {
    let count = count(among: sides)
    guard count > 0 else { return tree }
    var tree = tree
    // Entries that are lines contain only their own line breaks.
    let isLine = tree[container].kind.isLines
    let end = min(
      Int32(paragraphs[count - 1].endIndex + (isLine ? 1 : 0)), tree[nodes.upperBound - 1].keyStart)
    for node in nodes {
      tree[node].start = max(tree[node].start, end)
      tree[node].keyStart = max(tree[node].keyStart, end)
      tree[node].valueStart = max(tree[node].valueStart, end)
    }
    return tree
  }
}

extension MergeSides<StructureTree> {
  /// Returns the documents with their heads before their first entries, where they stay.
  func withHeads(_ syntax: some DocumentSyntax) -> MergeSides<StructureTree> {
    guard let heads = compactMap({ DocumentHead(of: $0, syntax) }) else { return self }
    return heads.map { $0.cut(among: heads.all) }
  }
}
