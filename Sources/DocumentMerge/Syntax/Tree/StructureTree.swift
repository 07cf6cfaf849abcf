/// A document as a tree that keeps every byte of it.
///
/// The nodes are in the order of the document, each before its members, so a subtree is a range of nodes. A
/// node has the positions of its member's parts in the bytes, one after the other:
///
///     lead │ key │ value │ gap │ separator │ trail
///
/// In JSON, of `⏎  // size⏎  "width": 12 , // wide` the lead is everything before `"width"`, the key
/// `"width": `, the value `12`, the gap the space before the comma, and the trail ` // wide`. Parts may be
/// empty. A container's value is `open │ members │ tail`, and the tail includes its end. The document itself
/// is the only member without a container: node 0, with the bytes around it.
struct StructureTree: Sendable {
  /// The kind of a node.
  enum Kind: UInt8, Sendable {
    /// A value without members.
    case leaf
    /// Members found by their keys, in an order without a meaning.
    case mapping
    /// Members in an order with a meaning.
    case list
    /// A fixed number of members, each with its own role, such as a tag's attributes and contents.
    case record
    /// A mapping whose members are whole lines, followed by tables and lists of tables.
    case table
    /// A list of tables.
    case tables
    /// A mapping whose members start lines in one column, by which they are recognized.
    case blockMapping
    /// A list whose members start lines in one column.
    case blockList

    /// True if members are found by their keys.
    var isMapping: Bool { self == .mapping || self == .table || self == .blockMapping }
    /// True if the order of members has a meaning.
    var isList: Bool { self == .list || self == .tables || self == .blockList }
    /// True if members are whole lines.
    var isLines: Bool { self == .table || self == .tables }
    /// True if members are recognized by their column.
    var isBlock: Bool { self == .blockMapping || self == .blockList }
  }

  struct Node: Sendable {
    var start: Int32
    var keyStart: Int32
    var valueStart: Int32
    var tailStart: Int32
    var valueEnd: Int32
    var separatorStart: Int32
    var separatorEnd: Int32
    var end: Int32
    /// The node after this one's subtree.
    var next: Int32
    let kind: Kind
    /// A hash that is equal for equal values, regardless of their layout and comments.
    ///
    /// Hashes have 64 bits and a new seed in every process; equal ones are considered equal values.
    var valueHash: Int
  }

  /// The document.
  let bytes: [UInt8]
  private var nodes: StructureNodes
  /// The hashes of contents that differ from those of the values because of comments.
  var commented: [Int: Int] = [:]
  /// The names of members that have a name without a key.
  var names: [Int: [UInt8]] = [:]

  /// The numbers of occurrences of values that should be unique in the whole document, by hash.
  fileprivate(set) var uniques: [Int: Int] = [:]

  /// The node of the whole document.
  static let root = 0

  /// Creates the tree of a document, without nodes.
  init(_ bytes: [UInt8], nodeCount: Int) {
    self.bytes = bytes
    nodes = StructureNodes(capacity: nodeCount)
  }

  /// The number of nodes.
  var count: Int { nodes.count }

  /// A node; only the builder changes it.
  subscript(node: Int) -> Node {
    get { nodes[node] }
    set { nodes[node] = newValue }
  }

  /// Adds a node; only for the builder.
  mutating func append(_ node: Node) { nodes.append(node) }

  /// Returns the name in a member's key.
  func name(of node: Int, _ syntax: some DocumentSyntax) -> [UInt8] {
    (names.isEmpty ? nil : names[node]) ?? syntax.name(ofKey: bytes[self[node].key])
  }

  /// Returns whether a member has neither a key nor another name.
  func isNameless(_ node: Int) -> Bool { self[node].key.isEmpty && names[node] == nil }

  /// Returns the name that the parser gave to a member; `nil` if only a key names it.
  func givenName(of node: Int) -> [UInt8]? { names[node] }

  /// Records a value that should be unique in the whole document.
  mutating func addUnique(_ name: [UInt8]) { uniques[hash(of: name[...]), default: 0] += 1 }

  /// Returns the node after a node's subtree.
  func next(after node: Int) -> Int { nodes.next(after: node) }

  private func forEachMember(from first: Int, to end: Int, _ body: (Int) -> Void) {
    var member = first
    while member < end {
      body(member)
      member = next(after: member)
    }
  }

  /// Returns the members of a container.
  func members(of node: Int) -> [Int] {
    let end = Int(self[node].next)
    var count = 0
    forEachMember(from: node + 1, to: end) { _ in count += 1 }
    var members: [Int] = []
    members.reserveCapacity(count)
    forEachMember(from: node + 1, to: end) { members.append($0) }
    return members
  }
}

extension StructureTree {
  /// Returns a hash that is equal for equal members: of the value, and of the comments in it and around it.
  ///
  /// The key isn't part of it.
  func contentHash(ofMember node: Int) -> Int {
    let member = self[node]
    var content = contentHash(of: node)
    for part in [member.lead, member.gap, member.trail] {
      let comments = hash(ofComments: part)
      if comments != 0 { content = mixed(content, comments) }
    }
    return content
  }

  /// Returns a hash that is equal for equal values with equal comments in them.
  func contentHash(of node: Int) -> Int {
    commented.isEmpty ? self[node].valueHash : commented[node] ?? self[node].valueHash
  }

  /// Returns a hash that is equal for equal comments; 0 if there are none.
  func hash(ofComments range: Range<Int>) -> Int {
    for index in range where !bytes[index].isSpace { return hash(of: comments(in: range)[...]) }
    return 0
  }

  /// Returns the hashes of the comments that blank lines separate in bytes before a value.
  func hashes(ofComments range: Range<Int>) -> [Int] {
    for index in range where !bytes[index].isSpace {
      return bytes[range].paragraphs.map(hash(ofParagraph:))
    }
    return []
  }

  func hash(ofParagraph comment: ArraySlice<UInt8>) -> Int {
    hash(of: comment.filter { !$0.isSpace }[...])
  }

  /// Returns the comments in bytes around values, without the space in and around them.
  func comments(in range: Range<Int>) -> [UInt8] {
    range.isEmpty ? [] : bytes[range].filter { !$0.isSpace }
  }

  func hash(of bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Returns a hash of two hashes that were made with the seed of the process.
  func mixed(_ first: Int, _ second: Int) -> Int {
    var mixed = UInt64(bitPattern: Int64(first)) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 29
    mixed &+= UInt64(bitPattern: Int64(second)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 30) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: mixed ^ mixed >> 31)
  }
}
