import Testing

@testable import DocumentMerge

/// Checks that the parts of a tree are all bytes of its document, in order.
func checkParts(of tree: StructureTree, _ count: Int) {
  #expect(tree[StructureTree.root].whole == 0..<count)
  for node in (0..<tree.count).map({ tree[$0] }) {
    let parts = [node.lead, node.key, node.value, node.gap, node.separator, node.trail]
    for (part, next) in zip(parts, parts.dropFirst()) {
      #expect(part.upperBound == next.lowerBound)
    }
  }
  for node in 0..<tree.count where tree[node].kind != .leaf {
    let members = tree.members(of: node)
    for (member, next) in zip(members, members.dropFirst()) {
      #expect(tree[member].whole.upperBound == tree[next].whole.lowerBound)
    }
    let end = members.last.map { tree[$0].whole.upperBound }
    #expect(end ?? tree[node].tail.lowerBound == tree[node].tail.lowerBound)
  }
}

extension StructureTree {
  /// Returns the document, reassembled from the parts of its tree.
  func written(_ node: Int = StructureTree.root) -> [UInt8] {
    let parts = self[node]
    var pieces = [parts.lead, parts.key].map { bytes[$0] }
    if parts.kind == .leaf {
      pieces.append(bytes[parts.value])
    } else {
      let members = members(of: node)
      let inner = members.first.map { self[$0].whole.lowerBound } ?? parts.tail.lowerBound
      pieces.append(bytes[parts.value.lowerBound..<inner])
      pieces += members.map { written($0)[...] }
      pieces.append(bytes[parts.tail])
    }
    pieces += [parts.gap, parts.separator, parts.trail].map { bytes[$0] }
    return pieces.flatMap(Array.init)
  }

  /// Returns the paths of names to all members, with the value of each leaf; members of lists count as one.
  func places(_ format: some StructuredFormat) -> Set<String> {
    var places: Set<String> = []
    func visit(_ node: Int, _ path: String) {
      for member in members(of: node) {
        let isNamed = self[node].kind.isMapping && self[member].kind != .tables
        let name = isNamed ? String(decoding: self.name(of: member, format), as: UTF8.self) : "-"
        let place = path + "/" + name
        places.insert(self[member].kind == .leaf ? place + "=\(self[member].valueHash)" : place)
        visit(member, place)
      }
    }
    visit(StructureTree.root, "")
    return places
  }
}

extension StructuredFormat {
  /// Returns a hash of a document's value; throws if the document isn't valid, or has something twice.
  func valueHash(of document: String) throws -> Int {
    let tree = try parse(Array(document.utf8))
    guard DoubledMembers(in: tree, self, lists: false).isEmpty else {
      throw MergeError(.invalidDocument, "Something stands twice.")
    }
    return tree[StructureTree.root].valueHash
  }
}
