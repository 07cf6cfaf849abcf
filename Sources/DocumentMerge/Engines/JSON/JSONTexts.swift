/// The members of a JSON document by their names.
struct JSONTexts {
  private let tree: StructureTree
  private let format = JSONFormat()

  /// Reads a document; `nil` if it is no JSON.
  init?(_ document: [UInt8]) {
    do { tree = try JSONParser(document).parse() } catch { return nil }
  }

  /// The members of a node, none if it is no object.
  func members(of node: Int) -> [(name: String, member: Int)] {
    guard tree[node].kind.isMapping else { return [] }
    return tree.members(of: node).map {
      (String(decoding: tree.name(of: $0, format), as: UTF8.self), $0)
    }
  }

  /// The items of a list, none if it is no list.
  func items(of node: Int) -> [Int] {
    tree[node].kind.isList ? Array(tree.members(of: node)) : []
  }

  /// The text of a value, without its spaces if it has members.
  func text(of node: Int) -> String {
    let bytes = tree.bytes[tree[node].value]
    let isLeaf = tree[node].kind == .leaf
    return String(decoding: isLeaf ? Array(bytes) : bytes.filter { !$0.isSpace }, as: UTF8.self)
  }
}
