internal import DocumentFiles
package import DocumentGit

/// A package built from members of versions in conflict, and from new members.
///
/// Members of versions are neither held in memory nor stored again.
package struct MergedPackage {
  package let content: DocumentContent
  /// The objects that may not be stored yet; each follows those that it names.
  package let objects: [GitObject]

  /// Creates a package.
  ///
  /// - Parameters:
  ///   - entries: its files, links and empty folders.
  ///   - versions: the versions whose members are used, which must stay stored as long as the package.
  ///   - present: the document on disk, which isn't read again.
  package init(
    _ entries: [PackageEntry], of versions: [Record], knowing present: WorkingCopy?,
    in reader: StoreReader
  ) throws {
    var folder = MergedFolder()
    for entry in entries { folder.add(entry.kind, at: entry.path[...]) }
    var members = Members(reader)
    for version in versions { try members.addFiles(of: version) }
    for node in present?.nodes ?? [] { members.digests[node.id] = node.digest }
    content = try folder.node(of: &members).packageContent
    objects = members.builder.objects
  }

  /// A folder built from the paths of its items.
  private struct MergedFolder {
    private var folders: [[UInt8]: MergedFolder] = [:]
    private var others: [[UInt8]: PackageEntry.Kind] = [:]

    mutating func add(_ kind: PackageEntry.Kind, at path: ArraySlice<[UInt8]>) {
      guard let name = path.first else { return }
      switch kind {
      case .file where path.count == 1, .symbolicLink where path.count == 1: others[name] = kind
      default: folders[name, default: MergedFolder()].add(kind, at: path.dropFirst())
      }
    }

    func node(of members: inout Members) throws -> MemberNode {
      var nodes: [(name: [UInt8], node: MemberNode)] = []
      for (name, kind) in others { nodes.append((name, try members.node(of: kind))) }
      for (name, folder) in folders { nodes.append((name, try folder.node(of: &members))) }
      return try MemberNode(folder: MemberNode.ordered(nodes), with: &members.builder)
    }
  }

  /// The nodes of members.
  private struct Members {
    var builder = ContentBuilder()
    var digests: [ObjectID: ContentDigest] = [:]
    private var stored: [ObjectID: ComparedMember] = [:]
    private let reader: StoreReader

    init(_ reader: StoreReader) { self.reader = reader }

    /// Adds the files of a version whose contents are on this device.
    mutating func addFiles(of version: Record) throws {
      guard let content = version.content, content.isPackage else { return }
      if try reader.chain.content(of: version.id) != nil { try addFiles(below: content.tree) }
    }

    private mutating func addFiles(below tree: ObjectID) throws {
      for member in try reader.objects.repository.tree(tree).entries.map(ComparedMember.init) {
        if member.isFolder {
          try addFiles(below: member.id)
        } else if member.isFile {
          stored[member.id] = member
        }
      }
    }

    mutating func node(of kind: PackageEntry.Kind) throws -> MemberNode {
      switch kind {
      case .folder: try MemberNode(folder: [], with: &builder)
      case .symbolicLink(let target):
        MemberNode(try builder.symbolicLink(target: target), size: target.count)
      case .file(let identity, let isExecutable, let size, let read):
        MemberNode(
          try storedFile(identity, isExecutable: isExecutable)
            ?? builder.file(FileContents(read()), isExecutable: isExecutable), size: size)
      }
    }

    /// Returns a file of a version; `nil` if no version has it.
    private func storedFile(
      _ identity: String, isExecutable: Bool
    ) throws -> ContentBuilder.Node? {
      guard let member = ObjectID(hexadecimal: identity).flatMap({ stored[$0] }),
        try reader.objects.repository.contains(member.id)
      else { return nil }
      var node = try reader.contents.node(
        of: member, digests[member.id] ?? reader.contents.digest(of: member))
      let mode: Tree.Mode = isExecutable ? .executable : .file
      // A file in chunks has its mode in its own tree.
      guard node.mode == mode || !node.isChunked else { return nil }
      node.mode = mode
      return node
    }
  }
}
