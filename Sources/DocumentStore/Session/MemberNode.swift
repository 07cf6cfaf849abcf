internal import DocumentFiles
internal import DocumentGit

/// A document on disk, member by member: the objects that would represent the members, and their total sizes.
struct MemberNode {
  /// The object, and its digest.
  let object: ContentBuilder.Node
  /// The size of the file or of the link's target, in bytes; 0 for a folder.
  let size: Int
  /// The size of all files in it, in bytes.
  let bytes: Int
  /// The number of files and links in it.
  let files: Int
  /// The members in byte order of their names; `nil` if this isn't a folder.
  let members: [(name: [UInt8], node: MemberNode)]?

  /// Creates a file or a link.
  init(_ object: ContentBuilder.Node, size: Int) {
    self.object = object
    self.size = size
    bytes = object.mode == .symbolicLink ? 0 : size
    files = 1
    members = nil
  }

  /// Creates a node for a listed item.
  ///
  /// - Parameter nodes: its node, after the nodes of its members.
  fileprivate init(_ item: ItemListing, _ nodes: inout ArraySlice<ContentBuilder.Node>) {
    let members = item.members?.map { (name: $0.name, node: MemberNode($0, &nodes)) }
    // Every item has a node, because both come from the same reading.
    let object = nodes.removeFirst()
    if let members {
      self.init(object, members: members)
    } else {
      self.init(object, size: item.linkTarget?.count ?? item.status.size)
    }
  }

  /// Creates a folder, whose tree the builder builds.
  init(folder members: [(name: [UInt8], node: MemberNode)], with builder: inout ContentBuilder)
    throws
  {
    self.init(try builder.folder(members.map { ($0.name, $0.node.object) }), members: members)
  }

  private init(_ object: ContentBuilder.Node, members: [(name: [UInt8], node: MemberNode)]) {
    self.object = object
    size = 0
    bytes = members.reduce(0) { $0 + $1.node.bytes }
    files = members.reduce(0) { $0 + $1.node.files }
    self.members = members
  }

  /// Returns the member with a name.
  subscript(_ name: [UInt8]) -> MemberNode? {
    members?.first { $0.name == name }?.node
  }

  /// Returns the member at the end of a path; `nil` if there is none.
  func member(at path: [[UInt8]]) -> MemberNode? {
    path.reduce(Optional(self)) { $0?[$1] }
  }

  /// Returns the folder with another member at the end of a path; `nil` if a folder in the path is missing.
  ///
  /// - Parameter builder: builds the trees of the folders in the path.
  func replacing(
    _ path: ArraySlice<[UInt8]>, with member: MemberNode, _ builder: inout ContentBuilder
  ) throws -> MemberNode? {
    guard let name = path.first else { return member }
    guard let members,
      let inner = path.count == 1
        ? member : try self[name]?.replacing(path.dropFirst(), with: member, &builder)
    else { return nil }
    let others = members.filter { $0.name != name }
    return try MemberNode(folder: Self.ordered(others + [(name, inner)]), with: &builder)
  }

  /// Returns members in byte order of their names.
  static func ordered(
    _ members: [(name: [UInt8], node: MemberNode)]
  ) -> [(name: [UInt8], node: MemberNode)] {
    members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// The content of a package with these members.
  var packageContent: DocumentContent {
    DocumentContent(
      tree: object.id, digest: object.digest.description, bytes: bytes, files: files,
      isPackage: true, isExecutable: false)
  }
}

extension WorkingCopy {
  /// The document, member by member.
  var root: MemberNode {
    var nodes = nodes[...]
    return MemberNode(listing, &nodes)
  }
}
