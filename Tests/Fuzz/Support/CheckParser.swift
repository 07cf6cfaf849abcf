@testable internal import DocumentMerge

/// Returns the fuzzer's input of a target.
func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// Traps with a message, which `precondition` omits in optimized code.
func check(_ isSound: Bool, _ message: String) {
  if !isSound { fatalError(message) }
}

/// Reads a document, and checks that the parts of its tree are all of its bytes, in order.
/// - Returns: The result that libFuzzer expects, so that a target is one line.
func checkParser(_ format: some StructuredFormat, _ bytes: [UInt8]) -> CInt {
  do {
    let tree = try format.parse(bytes)
    let root = tree[StructureTree.root]
    check(root.whole == 0..<bytes.count, "bytes are missing")
    for node in (0..<tree.count).map({ tree[$0] }) {
      let parts = [node.lead, node.key, node.value, node.gap, node.separator, node.trail]
      for (part, next) in zip(parts, parts.dropFirst()) {
        check(part.upperBound == next.lowerBound, "parts are apart")
      }
    }
    for node in 0..<tree.count where tree[node].kind != .leaf {
      let members = tree.members(of: node)
      for (member, next) in zip(members, members.dropFirst()) {
        check(
          tree[member].whole.upperBound == tree[next].whole.lowerBound, "members are apart")
      }
      let end = members.last.map { tree[$0].whole.upperBound }
      check(
        end ?? tree[node].tail.lowerBound == tree[node].tail.lowerBound, "an end is missing")
    }
  } catch {}
  return 0
}
