@testable internal import DocumentMerge

/// A YAML document: the parts of the tree are all of its bytes, in order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do {
    let tree = try YAMLFormat().parse(bytes)
    let root = tree[StructureTree.root]
    precondition(root.whole == 0..<count, "bytes are missing")
    for node in tree.nodes {
      let parts = [node.lead, node.key, node.value, node.gap, node.separator, node.trail]
      for (part, next) in zip(parts, parts.dropFirst()) {
        precondition(part.upperBound == next.lowerBound, "parts are apart")
      }
    }
    for node in tree.nodes.indices where tree[node].kind != .leaf {
      let members = tree.members(of: node)
      for (member, next) in zip(members, members.dropFirst()) {
        precondition(
          tree[member].whole.upperBound == tree[next].whole.lowerBound, "members are apart")
      }
      let end = members.last.map { tree[$0].whole.upperBound }
      precondition(end ?? tree[node].tail.lowerBound == tree[node].tail.lowerBound)
    }
  } catch {}
  return 0
}
