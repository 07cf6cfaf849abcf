internal import DocumentFiles
package import DocumentGit

/// Creates the git objects of a document's members; nothing is written before it is known to be needed.
///
/// For large files, and for the later files of a large package, it keeps only the objects' ids, and reads the
/// bytes again when they are written. For known files it keeps nothing, because they are already stored.
struct ContentBuilder: DocumentVisitor {
  typealias Node = ContentNode

  /// A folder on disk, with the nodes of its members and its own.
  struct ReadFolder {
    let listing: ItemListing
    let members: [Node]
    let node: Node
  }

  /// The objects to store, each after those that it names; empty for a builder that only computes ids.
  private(set) var objects: [GitObject] = []
  /// The node of each member, a folder after its members.
  private(set) var nodes: [Node] = []
  /// The number of files that were read.
  private(set) var readFiles = 0
  /// The folders on disk that were listed.
  private(set) var readFolders: [ReadFolder] = []
  /// The cached members of the folders that were listed.
  private var match: CachedMembers?
  private var added: Set<ObjectID> = []
  private let keepsObjects: Bool
  private let readChunks: () -> CachedChunks
  /// The chunks of large files; `nil` if there were none.
  private(set) var chunks: CachedChunks?
  /// The size of the visited files, in bytes; for a database in use, the size of its copy.
  private(set) var bytes = 0
  private var files = 0
  /// The size of the objects in memory, in bytes.
  private var held = 0

  /// The greatest size of the objects in memory; further objects are read again when they are written.
  private static let mostHeld = 64 << 20

  /// - Parameters:
  ///   - keepsObjects: whether to keep the objects; otherwise, only the content's facts are computed.
  ///   - known: the files that are already stored, and need not be read.
  ///   - readChunks: the cached chunks of large files.
  init(
    keepsObjects: Bool = true, knowing known: StatCache? = nil,
    readChunks: @escaping () -> CachedChunks = { CachedChunks() }
  ) {
    self.keepsObjects = keepsObjects
    match = known.map(CachedMembers.init)
    self.readChunks = readChunks
  }

  mutating func knownFile(_ status: FileStatus) -> Node? {
    guard let node = match?.file(status) else { return nil }
    bytes += status.size
    files += 1
    nodes.append(node)
    return node
  }

  mutating func knownFolder(_ listing: ItemListing) -> Node? {
    guard let node = match?.folder(listing, adding: &nodes) else { return nil }
    bytes += listing.bytes
    files += listing.files
    return node
  }

  /// The unchanged folders, by their inodes.
  var knownFolders: Set<UInt64> { match?.found ?? [] }

  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> Node {
    bytes += contents.size
    files += 1
    readFiles += 1
    let mode: Tree.Mode = isExecutable ? .executable : .file
    var node =
      try contents.size > ChunkedFile.threshold
      ? chunkedFile(contents, mode) : wholeFile(contents, mode)
    node.isOfOneMoment = contents.isOfOneMoment
    nodes.append(node)
    return node
  }

  private mutating func wholeFile(_ contents: FileContents, _ mode: Tree.Mode) throws -> Node {
    let bytes = try contents.read()
    held += bytes.count
    let id =
      held > Self.mostHeld
      ? try addPart(bytes[...], of: contents, at: 0) : add(GitObject(.blob, bytes))
    return Node(mode: mode, id: id, digest: ContentDigest(of: bytes))
  }

  private mutating func chunkedFile(_ contents: FileContents, _ mode: Tree.Mode) throws -> Node {
    let hasher = ConcurrentHasher()
    var trees = ChunkTreeBuilder(mode: mode)
    var cuts: ChunkCuts?
    // The bytes that were read and not cut yet, and their offset in the file.
    var rest: [UInt8] = []
    var offset = 0
    func cut(whileMoreThan least: Int, _ builder: inout ContentBuilder) throws {
      let known = cuts ?? ChunkCuts(ofFileWith: rest, size: contents.size)
      cuts = known
      var start = 0
      while rest.count - start > least {
        let end = start + known.firstCut(in: rest[start...])
        let id = try builder.addChunk(rest[start..<end], of: contents, at: offset)
        if let group = try trees.add(id, isLast: known.isGroupEnd(id)) { builder.add(group) }
        offset += end - start
        start = end
      }
      rest.removeFirst(start)
    }
    try contents.forEachPiece { piece in
      hasher.add(piece)
      rest += piece
      try cut(whileMoreThan: Chunker.longest, &self)
    }
    try cut(whileMoreThan: 0, &self)
    var id: ObjectID?
    for tree in try trees.finish() { id = add(tree) }
    guard let id else { throw GitError.malformed("a file in chunks has no tree") }
    return Node(mode: mode, id: id, digest: hasher.digest(), isChunked: true)
  }

  /// Adds a chunk, without computing its id if that is known.
  private mutating func addChunk(
    _ bytes: ArraySlice<UInt8>, of contents: FileContents, at offset: Int
  ) throws -> ObjectID {
    var chunks = self.chunks.take() ?? readChunks()
    defer { self.chunks = chunks }
    let digest = ContentDigest(of: bytes)
    if let id = chunks.see(digest), let reread = contents.rereading {
      let range = offset..<offset + bytes.count
      return add(GitObject(.blob, id: id, size: bytes.count) { try reread(range) })
    }
    let id = try addPart(bytes, of: contents, at: offset)
    chunks.add(id, for: digest)
    return id
  }

  /// Adds a part of a file, which is read again when it is written, if that is possible.
  private mutating func addPart(
    _ bytes: ArraySlice<UInt8>, of contents: FileContents, at offset: Int
  ) throws -> ObjectID {
    guard let reread = contents.rereading else { return add(GitObject(.blob, Array(bytes))) }
    let range = offset..<offset + bytes.count
    return add(
      GitObject(.blob, id: try ObjectID(refusingForgeryOf: .blob, Array(bytes)), size: bytes.count)
      {
        try reread(range)
      })
  }

  mutating func symbolicLink(target: [UInt8]) throws -> Node {
    files += 1
    let node = Node(
      mode: .symbolicLink, id: add(GitObject(.blob, target)),
      digest: ContentDigest(of: target))
    nodes.append(node)
    return node
  }

  mutating func folder(_ members: [(name: [UInt8], node: Node)]) throws -> Node {
    let digest = ContentDigest(
      ofMembers: members.map { ($0.node.mode.rawValue, $0.name, $0.node.digest) })
    let tree = Tree(members.map { $0.node.entry(named: $0.name) })
    let node = Node(mode: .folder, id: add(tree.encoded()), digest: digest)
    nodes.append(node)
    return node
  }

  mutating func folder(
    _ members: [(name: [UInt8], node: Node)], listedAs listing: ItemListing
  ) throws -> Node {
    let node = try folder(members)
    readFolders.append(ReadFolder(listing: listing, members: members.map(\.node), node: node))
    return node
  }

  /// Returns the content of the whole document, after its node is built.
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
      return try file(contents, isExecutable: isExecutable)
    case .symbolicLink(let target):
      return try symbolicLink(target: target)
    case .folder(let members):
      var nodes: [(name: [UInt8], node: Node)] = []
      for (name, member) in try members() { nodes.append((name, try build(member))) }
      return try folder(nodes)
    case .replacing(_, let item), .attributed(_, let item), .unchangedIf(_, let item):
      return try build(item)
    case .unchanged:
      throw GitError.malformed("a new document has a member without contents")
    }
  }

  @discardableResult
  private mutating func add(_ object: GitObject) -> ObjectID {
    if keepsObjects, added.insert(object.id).inserted { objects.append(object) }
    return object.id
  }
}

extension DocumentContent {
  /// Returns the content of a document that is one file, and the objects that store it.
  package static func ofFile(
    _ bytes: [UInt8], isExecutable: Bool, named name: [UInt8]
  ) throws -> (content: DocumentContent, objects: [GitObject]) {
    var builder = ContentBuilder()
    let node = try builder.file(FileContents(bytes), isExecutable: isExecutable)
    return (try builder.content(of: node, named: name), builder.objects)
  }
}
