/// The names of a stream's documents, if they are objects of a cluster.
struct YAMLDocumentNames {
  /// The kind, and the name in the metadata or beside the kind.
  private struct Name {
    let bytes: [UInt8]
    let namespace: [UInt8]?
  }

  private let format = YAMLFormat()
  private let tree: StructureTree

  init(in tree: StructureTree) { self.tree = tree }

  /// The names by document; duplicate names include the namespace.
  var byDocument: [Int: [UInt8]] {
    let documents = tree.members(of: StructureTree.root)
    let names = documents.reduce(into: [:]) { $0[$1] = name(of: $1) }
    let counts = names.values.reduce(into: [:]) { $0[$1.bytes, default: 0] += 1 }
    return names.mapValues { name in
      guard counts[name.bytes] != 1, let namespace = name.namespace else { return name.bytes }
      return name.bytes + [0x20] + namespace
    }
  }

  private func name(of document: Int) -> Name? {
    // Most documents have no name, and are large.
    guard let kind = text("kind", of: document) else { return nil }
    let metadata = field("metadata", of: document)
    guard let name = metadata.flatMap({ text("name", of: $0) }) ?? text("name", of: document)
    else { return nil }
    return Name(
      bytes: kind + [0x20] + name, namespace: metadata.flatMap { text("namespace", of: $0) })
  }

  private func text(_ name: String, of mapping: Int) -> [UInt8]? {
    guard let field = field(name, of: mapping), tree[field].kind == .leaf else { return nil }
    let leaf = tree.bytes[tree[field].value]
    return leaf.isEmpty ? nil : format.text(ofLeaf: leaf) ?? Array(leaf)
  }

  private func field(_ name: String, of mapping: Int) -> Int? {
    guard tree[mapping].kind.isMapping else { return nil }
    return tree.members(of: mapping).first { tree.name(of: $0, format).elementsEqual(name.utf8) }
  }
}
