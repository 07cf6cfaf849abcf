/// Builds a tree from the parts that a parser finds, in order.
///
/// For each member: ``beginMember(at:)``, then ``beginValue(at:key:name:)``, then ``leaf(upTo:value:)`` or
/// ``open(_:)``, its members, ``close(tail:closing:end:)``, and last ``endMember(separator:end:)``.
struct StructureTreeBuilder {
  /// The maximum nesting of containers, which the merge can walk on the stack of any thread.
  static let depthLimit = 200
  /// The maximum size of a document in bytes, because positions are 32-bit numbers.
  static let sizeLimit = 1 << 30

  private struct Open {
    let node: Int
    var count = 0
    var value = 0
    var content = 0
  }

  private var tree: StructureTree
  private var open: [Open] = []
  private var names: [Int] = []
  private var current = 0
  private var start = 0
  private var keyStart = 0
  private var valueStart = 0
  private var name = 0

  /// Begins the tree of a document with about this number of values.
  init(_ bytes: [UInt8], nodeCount: Int = 0) {
    tree = StructureTree(bytes, nodeCount: nodeCount)
  }

  /// Sets the start of a member's lead.
  mutating func beginMember(at start: Int) { self.start = start }

  /// Sets the starts of the member's key and value, and the name in the key, regardless of its spelling.
  mutating func beginValue(at position: Int, key: Int? = nil, name: ArraySlice<UInt8> = []) {
    keyStart = key ?? position
    valueStart = position
    self.name = name.isEmpty ? 0 : tree.hash(of: name)
  }

  /// Adds a value without members, with its meaning if its bytes don't show it, and its name if it has no
  /// key.
  mutating func leaf(upTo end: Int, value: [UInt8]? = nil, name: [UInt8]? = nil) {
    if let name { tree.names[tree.count] = name }
    let hash = tree.hash(of: value?[...] ?? tree.bytes[valueStart..<end])
    add(.leaf, end: end, hash: hash)
  }

  /// Adds a container, whose members follow, with the comments in its opening, and its name if it has no key.
  mutating func open(
    _ kind: StructureTree.Kind, comments: Range<Int> = 0..<0, name: [UInt8]? = nil
  ) throws(MergeError) {
    guard open.count < Self.depthLimit else {
      throw MergeError(
        .tooDeep, "The document is nested more than \(Self.depthLimit) levels deep.")
    }
    if let name {
      tree.names[tree.count] = name
      self.name = tree.hash(of: name[...])
    }
    open.append(Open(node: tree.count, content: tree.hash(ofComments: comments)))
    names.append(self.name)
    add(kind, end: valueStart, hash: 0)
  }

  /// Ends the innermost open container, with the starts of the bytes after its last member and of its
  /// closing.
  mutating func close(tail: Int, closing: Int, end: Int) {
    guard let closed = open.popLast(), let name = names.popLast() else { return }
    self.name = name
    current = closed.node
    let comments = tree.hash(ofComments: tail..<closing)
    var node = tree[current]
    node.tailStart = Int32(tail)
    node.valueEnd = Int32(end)
    node.next = Int32(tree.count)
    let shape = Int(node.kind.rawValue) &+ closed.count &* 4
    let value = tree.mixed(closed.value, shape)
    node.valueHash = value
    tree[current] = node
    let content = tree.mixed(closed.content, shape)
    if comments != 0 {
      tree.commented[current] = tree.mixed(content, comments)
    } else if content != value {
      tree.commented[current] = content
    }
  }

  /// Begins the container for the whole document.
  mutating func openDocument(_ kind: StructureTree.Kind) throws(MergeError) {
    beginMember(at: 0)
    beginValue(at: 0)
    try open(kind)
  }

  /// Ends the container for the whole document.
  /// - Parameter tail: The start of the bytes after its last member.
  /// - Returns: The finished tree.
  mutating func finishDocument(tail: Int) -> StructureTree {
    let end = tree.bytes.count
    close(tail: tail, closing: end, end: end)
    endMember(at: end)
    return tree
  }

  /// Ends a member without a separator at the end of its value.
  mutating func endMember(at end: Int) { endMember(separator: end..<end, end: end) }

  /// Ends a member, whose value was added before.
  mutating func endMember(separator: Range<Int>, end: Int) {
    var node = tree[current]
    node.separatorStart = Int32(separator.lowerBound)
    node.separatorEnd = Int32(separator.upperBound)
    node.end = Int32(end)
    tree[current] = node
    guard let last = open.indices.last else { return }
    let value = tree.mixed(tree[current].valueHash, name)
    let content = tree.mixed(tree.contentHash(ofMember: current), name)
    open[last].count += 1
    if tree[open[last].node].kind.isMapping {
      open[last].value &+= value
      open[last].content &+= content
    } else {
      open[last].value = tree.mixed(open[last].value, value)
      open[last].content = tree.mixed(open[last].content, content)
    }
  }

  /// Records a value that should be unique in the whole document.
  mutating func addUnique(_ name: [UInt8]) {
    tree.addUnique(name)
  }

  /// Returns the finished tree.
  func finish() -> StructureTree { tree }

  private mutating func add(_ kind: StructureTree.Kind, end: Int, hash: Int) {
    current = tree.count
    let (end, next) = (Int32(end), Int32(current + 1))
    tree.append(
      StructureTree.Node(
        start: Int32(start), keyStart: Int32(keyStart), valueStart: Int32(valueStart),
        tailStart: end, valueEnd: end, separatorStart: end, separatorEnd: end, end: end,
        next: next, kind: kind, valueHash: hash))
  }
}
