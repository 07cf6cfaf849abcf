internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A document on disk, member by member: the objects that would stand for them, and what they hold together.
struct MemberNode {
  /// The object, and its digest.
  let object: ContentBuilder.Node
  /// Bytes of the file, or of the link's target; 0 for a folder.
  let size: Int
  /// Bytes of all files in it.
  let bytes: Int
  /// Files and links in it.
  let files: Int
  /// In byte order of their names; nil for what is no folder.
  let members: [(name: [UInt8], node: MemberNode)]?

  /// A file or a link.
  init(_ object: ContentBuilder.Node, size: Int) {
    self.object = object
    self.size = size
    bytes = object.mode == .symbolicLink ? 0 : size
    files = 1
    members = nil
  }

  /// A folder, whose tree the builder makes.
  init(folder members: [(name: [UInt8], node: MemberNode)], with builder: inout ContentBuilder)
    throws
  {
    object = try builder.folder(members.map { ($0.name, $0.node.object) })
    size = 0
    bytes = members.reduce(0) { $0 + $1.node.bytes }
    files = members.reduce(0) { $0 + $1.node.files }
    self.members = members
  }

  /// The member of a name.
  subscript(_ name: [UInt8]) -> MemberNode? {
    members?.first { $0.name == name }?.node
  }

  /// The content of a package that has these members.
  var packageContent: DocumentContent {
    DocumentContent(
      tree: object.id, digest: object.digest.description, bytes: bytes, files: files,
      isPackage: true, isExecutable: false)
  }
}

/// Makes the nodes of a document while it is read.
struct MemberNodeReader: DocumentVisitor {
  private(set) var builder: ContentBuilder

  /// - Parameter keepsObjects: false where the document is only looked at.
  init(keepsObjects: Bool) {
    builder = ContentBuilder(keepsObjects: keepsObjects)
  }

  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> MemberNode {
    MemberNode(try builder.file(contents, isExecutable: isExecutable), size: contents.size)
  }

  mutating func symbolicLink(target: [UInt8]) throws -> MemberNode {
    MemberNode(try builder.symbolicLink(target: target), size: target.count)
  }

  mutating func folder(_ members: [(name: [UInt8], node: MemberNode)]) throws -> MemberNode {
    try MemberNode(folder: members, with: &builder)
  }
}

extension WorkingCopy {
  /// Reads a package to be stored, with its members; nil when there is no document.
  static func readMembers(
    _ location: DocumentLocation, meter: ProgressMeter
  ) throws -> (copy: WorkingCopy, root: MemberNode)? {
    guard try FileStatus.of(location.document) != nil else { return nil }
    var (reader, root, facts) = try DocumentReader.read(
      location.document, expect: meter.expect, progress: meter.advance
    ) { MemberNodeReader(keepsObjects: true) }
    let content = try reader.content(
      of: root, named: Array(ContainerPath.name(of: location.path).utf8))
    return (WorkingCopy(facts: facts, content: content, objects: reader.builder.objects), root)
  }
}

extension MemberNodeReader {
  fileprivate mutating func content(
    of root: MemberNode, named name: [UInt8]
  ) throws -> DocumentContent {
    try builder.content(of: root.object, named: name)
  }
}
