internal import DocumentFiles
internal import DocumentGit

/// What a version's content is: its tree, and the facts that tell two contents apart without reading them.
struct DocumentContent: Hashable, Sendable {
  /// The document's tree: one entry for a file, the members for a package.
  var tree: ObjectID
  /// The ``ContentDigest``, as text.
  var digest: String
  /// Bytes of all files.
  var bytes: Int
  /// Files and links.
  var files: Int
  /// Whether the document is a folder.
  var isPackage: Bool
  /// Whether the document is a file that may be run.
  var isExecutable: Bool

  /// Whether both are the same document content.
  ///
  /// The tree holds the document's name too, which may differ.
  func isSame(as other: DocumentContent?) -> Bool {
    guard let other else { return false }
    return digest == other.digest && isPackage == other.isPackage
      && isExecutable == other.isExecutable
  }
}

/// Makes git objects of a document's members; nothing is written before it is known to be wanted.
struct ContentBuilder: DocumentVisitor {
  /// A member: how its folder's tree lists it, and its digest.
  struct Node {
    var mode: Tree.Mode
    var id: ObjectID
    var digest: ContentDigest
  }

  private(set) var objects: [ObjectID: GitObject] = [:]
  private var bytes = 0
  private var files = 0

  mutating func file(_ contents: [UInt8], isExecutable: Bool) throws -> Node {
    bytes += contents.count
    files += 1
    return Node(
      mode: isExecutable ? .executable : .file, id: try add(.blob, contents),
      digest: ContentDigest(of: contents))
  }

  mutating func symbolicLink(target: [UInt8]) throws -> Node {
    files += 1
    return Node(
      mode: .symbolicLink, id: try add(.blob, target), digest: ContentDigest(of: target))
  }

  mutating func folder(_ members: [(name: [UInt8], node: Node)]) throws -> Node {
    let tree = Tree(
      members.map {
        Tree.Entry(mode: $0.node.mode, name: MemberName.encoded($0.name), id: $0.node.id)
      })
    let object = try tree.encoded()
    objects[object.id] = object
    return Node(
      mode: .folder, id: object.id,
      digest: ContentDigest(
        ofMembers: members.map { ($0.node.mode.rawValue, $0.name, $0.node.digest) }))
  }

  /// The content of the whole document, once its node is built.
  ///
  /// - Parameters:
  ///   - node: the document itself.
  ///   - name: the document's name, for the one entry of a file's tree.
  mutating func content(of node: Node, named name: [UInt8]) throws -> DocumentContent {
    let tree = node.mode == .folder ? node.id : try folder([(name, node)]).id
    return DocumentContent(
      tree: tree, digest: node.digest.description, bytes: bytes, files: files,
      isPackage: node.mode == .folder, isExecutable: node.mode == .executable)
  }

  /// Builds a document that is not on disk.
  mutating func build(_ item: DocumentItem) throws -> Node {
    switch item {
    case .file(let isExecutable, let contents):
      return try file(contents(), isExecutable: isExecutable)
    case .symbolicLink(let target):
      return try symbolicLink(target: target)
    case .folder(let members):
      var nodes: [(name: [UInt8], node: Node)] = []
      for (name, member) in try members() { nodes.append((name, try build(member))) }
      return try folder(nodes)
    case .unchanged:
      throw GitError.malformed("a new document has a member without contents")
    }
  }

  private mutating func add(_ kind: ObjectKind, _ bytes: [UInt8]) throws -> ObjectID {
    let object = try GitObject(kind, bytes)
    objects[object.id] = object
    return object.id
  }
}
