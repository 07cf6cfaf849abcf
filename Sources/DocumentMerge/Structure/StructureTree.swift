/// A document as a tree that keeps every byte of it.
///
/// The nodes stand in the order of the document, each before its members, so that a subtree is a
/// range of nodes. A node says where its member's parts lie in the bytes, one after the other:
///
///     lead │ key │ value │ gap │ separator │ trail
///
/// In JSON, of `⏎  // size⏎  "width": 12 , // wide` the lead is everything before `"width"`, the key
/// `"width": `, the value `12`, the gap the space before the comma, and the trail ` // wide`. Parts
/// may be empty. A container's value is `open │ members │ tail`, where the tail holds its end, too.
/// The document itself is the only member of nothing: node 0, with what stands around it.
struct StructureTree: Sendable {
  /// What a node is.
  enum Kind: UInt8, Sendable {
    /// A value without members.
    case leaf
    /// Members found by their key; their order carries no meaning.
    case mapping
    /// Members in an order that carries meaning.
    case list
    /// A fixed number of members, each with its own role, such as a tag's attributes and contents.
    case record
    /// A mapping whose members are whole lines, the tables and lists of tables among them last.
    case table
    /// A list of tables.
    case tables
    /// A mapping whose members start lines in one column, which says that they are its members.
    case blockMapping
    /// A list of that kind.
    case blockList

    /// Whether members are found by their key.
    var isMapping: Bool { self == .mapping || self == .table || self == .blockMapping }
    /// Whether the order of members carries meaning.
    var isList: Bool { self == .list || self == .tables || self == .blockList }
    /// Whether members are whole lines.
    var isLines: Bool { self == .table || self == .tables }
    /// Whether members are known by the column that they start in.
    var isBlock: Bool { self == .blockMapping || self == .blockList }
  }

  struct Node: Sendable {
    fileprivate(set) var start: Int32
    fileprivate(set) var keyStart: Int32
    fileprivate(set) var valueStart: Int32
    fileprivate(set) var tailStart: Int32
    fileprivate(set) var valueEnd: Int32
    fileprivate(set) var separatorStart: Int32
    fileprivate(set) var separatorEnd: Int32
    fileprivate(set) var end: Int32
    /// The node after this one's subtree.
    fileprivate(set) var next: Int32
    let kind: Kind
    /// Equal for equal values, whatever their layout and comments.
    ///
    /// Hashes of 64 bits, seeded anew in every process: equal ones are taken for equal values.
    fileprivate(set) var valueHash: Int
  }

  /// The document.
  let bytes: [UInt8]
  fileprivate(set) var nodes: [Node] = []
  /// The hashes of contents that differ from those of the values, because they have comments.
  fileprivate var commented: [Int: Int] = [:]
  /// The names of members that have one, but no key that says it.
  fileprivate var names: [Int: [UInt8]] = [:]

  /// What should be there once in the whole document, by hash, and how often it is.
  fileprivate(set) var uniques: [Int: Int] = [:]

  /// The node of the whole document.
  static let root = 0

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  subscript(node: Int) -> Node { nodes[node] }

  /// What the key of a member says.
  func name(of node: Int, _ format: some StructuredFormat) -> [UInt8] {
    (names.isEmpty ? nil : names[node]) ?? format.name(ofKey: bytes[nodes[node].key])
  }

  /// Whether a member has neither a key nor another name.
  func isNameless(_ node: Int) -> Bool { nodes[node].key.isEmpty && names[node] == nil }

  /// What the parser called a member; `nil` if nothing but a key says it.
  func givenName(of node: Int) -> [UInt8]? { names[node] }

  /// Notes something that should be there once in the whole document.
  mutating func addUnique(_ name: [UInt8]) { uniques[hash(of: name[...]), default: 0] += 1 }

  /// The members of a container.
  func members(of node: Int) -> [Int] {
    var members: [Int] = []
    var member = node + 1
    while member < nodes[node].next {
      members.append(member)
      member = Int(nodes[member].next)
    }
    return members
  }
}

/// Makes a tree, told by a parser what it finds, in order.
///
/// For each member: ``beginMember(at:)``, then ``beginValue(at:key:name:)``, then ``leaf(upTo:value:)``
/// or ``open(_:)``, its members, ``close(tail:closing:end:)``, and last ``endMember(separator:end:)``.
struct StructureTreeBuilder {
  /// The deepest nesting of containers, which the merge can walk on the stack of any thread.
  static let depthLimit = 200
  /// The most bytes of a document; places in it are numbers of 32 bits.
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

  /// Starts a tree of a document.
  /// - Parameters:
  ///   - bytes: The document.
  ///   - nodeCount: About how many values it has, if that is known.
  init(_ bytes: [UInt8], nodeCount: Int = 0) {
    tree = StructureTree(bytes)
    tree.nodes.reserveCapacity(nodeCount)
  }

  /// Says where a member's lead starts.
  mutating func beginMember(at start: Int) { self.start = start }

  /// Says where the key and the value of the member start.
  /// - Parameters:
  ///   - position: Where the value starts.
  ///   - key: Where the key starts, if there is one.
  ///   - name: What the key says, whatever its spelling.
  mutating func beginValue(at position: Int, key: Int? = nil, name: ArraySlice<UInt8> = []) {
    keyStart = key ?? position
    valueStart = position
    self.name = name.isEmpty ? 0 : tree.hash(of: name)
  }

  /// Adds a value without members.
  /// - Parameters:
  ///   - end: Where it ends.
  ///   - value: What it says, whatever its spelling; `nil` if its bytes say it.
  ///   - name: What it is called, if it has no key that says it.
  mutating func leaf(upTo end: Int, value: [UInt8]? = nil, name: [UInt8]? = nil) {
    if let name { tree.names[tree.nodes.count] = name }
    let hash = tree.hash(of: value?[...] ?? tree.bytes[valueStart..<end])
    add(.leaf, end: end, hash: hash)
  }

  /// Adds a container, whose members follow.
  /// - Parameters:
  ///   - kind: What it is.
  ///   - comments: Where the comments in its opening are.
  ///   - name: What the container is called, if it has no key that says it.
  mutating func open(
    _ kind: StructureTree.Kind, comments: Range<Int> = 0..<0, name: [UInt8]? = nil
  ) throws(MergeError) {
    guard open.count < Self.depthLimit else {
      throw MergeError(
        .tooDeep, "The document is nested more than \(Self.depthLimit) levels deep.")
    }
    if let name {
      tree.names[tree.nodes.count] = name
      self.name = tree.hash(of: name[...])
    }
    open.append(Open(node: tree.nodes.count, content: tree.hash(ofComments: comments)))
    names.append(self.name)
    add(kind, end: valueStart, hash: 0)
  }

  /// Ends the last open container.
  /// - Parameters:
  ///   - tail: Where what follows the last member starts.
  ///   - closing: Where what closes the container starts.
  ///   - end: Where the value ends.
  mutating func close(tail: Int, closing: Int, end: Int) {
    guard let closed = open.popLast(), let name = names.popLast() else { return }
    self.name = name
    current = closed.node
    let comments = tree.hash(ofComments: tail..<closing)
    tree.nodes[current].tailStart = Int32(tail)
    tree.nodes[current].valueEnd = Int32(end)
    tree.nodes[current].next = Int32(tree.nodes.count)
    let shape = Int(tree.nodes[current].kind.rawValue) &+ closed.count &* 4
    let value = tree.mixed(closed.value, shape)
    tree.nodes[current].valueHash = value
    let content = tree.mixed(closed.content, shape)
    if comments != 0 {
      tree.commented[current] = tree.mixed(content, comments)
    } else if content != value {
      tree.commented[current] = content
    }
  }

  /// Ends a member, whose value was added before.
  mutating func endMember(separator: Range<Int>, end: Int) {
    tree.nodes[current].separatorStart = Int32(separator.lowerBound)
    tree.nodes[current].separatorEnd = Int32(separator.upperBound)
    tree.nodes[current].end = Int32(end)
    guard let last = open.indices.last else { return }
    let value = tree.mixed(tree.nodes[current].valueHash, name)
    let content = tree.mixed(tree.contentHash(ofMember: current), name)
    open[last].count += 1
    if tree.nodes[open[last].node].kind.isMapping {
      open[last].value &+= value
      open[last].content &+= content
    } else {
      open[last].value = tree.mixed(open[last].value, value)
      open[last].content = tree.mixed(open[last].content, content)
    }
  }

  /// Notes something that should be there once in the whole document.
  mutating func addUnique(_ name: [UInt8]) {
    tree.addUnique(name)
  }

  /// The finished tree.
  func finish() -> StructureTree { tree }

  private mutating func add(_ kind: StructureTree.Kind, end: Int, hash: Int) {
    current = tree.nodes.count
    let (end, next) = (Int32(end), Int32(current + 1))
    tree.nodes.append(
      StructureTree.Node(
        start: Int32(start), keyStart: Int32(keyStart), valueStart: Int32(valueStart),
        tailStart: end, valueEnd: end, separatorStart: end, separatorEnd: end, end: end,
        next: next, kind: kind, valueHash: hash))
  }
}

extension StructureTree {
  /// What equal members have in common: the value, and the comments in it and around it.
  ///
  /// The key is not part of it.
  func contentHash(ofMember node: Int) -> Int {
    let member = nodes[node]
    var content = contentHash(of: node)
    for part in [member.lead, member.gap, member.trail] {
      let comments = hash(ofComments: part)
      if comments != 0 { content = mixed(content, comments) }
    }
    return content
  }

  /// What equal values with equal comments in them have in common.
  func contentHash(of node: Int) -> Int {
    commented.isEmpty ? nodes[node].valueHash : commented[node] ?? nodes[node].valueHash
  }

  /// What equal comments have in common; 0 if there are none.
  fileprivate func hash(ofComments range: Range<Int>) -> Int {
    for index in range where !bytes[index].isSpace { return hash(of: comments(in: range)[...]) }
    return 0
  }

  /// The comments in what is no value, without the space in and around them.
  func comments(in range: Range<Int>) -> [UInt8] {
    range.isEmpty ? [] : bytes[range].filter { !$0.isSpace }
  }

  fileprivate func hash(of bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// A hash of two hashes, which were made with the seed of the process.
  func mixed(_ first: Int, _ second: Int) -> Int {
    var mixed = UInt64(bitPattern: Int64(first)) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 29
    mixed &+= UInt64(bitPattern: Int64(second)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 30) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: mixed ^ mixed >> 31)
  }
}

extension UInt8 {
  /// Whether this is a space, a tab or part of a line break.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
