/// The members of a JSON document, by name.
struct JSONTexts {
  private let tree: StructureTree
  private let format = JSONFormat()

  /// Reads a document; `nil` if it isn't JSON.
  init?(_ document: [UInt8]) {
    do { tree = try JSONParser(document).parse() } catch { return nil }
  }

  /// Returns the members of a node; none if it isn't an object.
  func members(of node: Int) -> [(name: String, member: Int)] {
    guard tree[node].kind.isMapping else { return [] }
    return tree.members(of: node).map {
      (String(decoding: tree.name(of: $0, format), as: UTF8.self), $0)
    }
  }

  /// Returns the items of a list; none if the node isn't a list.
  func items(of node: Int) -> [Int] {
    tree[node].kind.isList ? Array(tree.members(of: node)) : []
  }

  /// Returns the text of a value, without spaces if it has members.
  func text(of node: Int) -> String {
    let bytes = tree.bytes[tree[node].value]
    let isLeaf = tree[node].kind == .leaf
    return String(decoding: isLeaf ? Array(bytes) : bytes.filter { !$0.isSpace }, as: UTF8.self)
  }
}
