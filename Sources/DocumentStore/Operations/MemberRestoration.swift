internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A package on disk with one member restored from a version.
///
/// All other members stay unchanged, as do the parts of the member that are already the same.
struct MemberRestoration {
  /// The resulting content of the package.
  private(set) var content: DocumentContent
  /// The item to write.
  private(set) var item: DocumentItem
  /// The trees of the folders in the member's path.
  private(set) var objects: [GitObject] = []

  private let reader: StoreReader
  /// The number of bytes that the member may still have.
  private var rest: Int

  /// The resulting member.
  private typealias Restored = (node: MemberNode, item: DocumentItem)

  /// Builds the package without writing anything.
  ///
  /// - Parameters:
  ///   - member: the member in its version.
  ///   - record: the version.
  ///   - root: the package as it is on disk.
  ///   - reader: a reader of the package's store.
  /// - Throws: ``FileError`` with code `unsupportedKind` if another kind of item is in place of a folder in
  ///   the path.
  init(
    _ member: (entry: Tree.Entry, path: [UInt8]), of record: Record, into root: MemberNode,
    in reader: StoreReader
  ) throws {
    self.reader = reader
    content = root.packageContent
    item = .unchanged
    rest = record.content?.bytes ?? 0
    if try ComparedMember(member.entry).isFolder {
      _ = try reader.contents.trees(below: member.entry.id)
    }
    var folders = ContentBuilder()
    let names = member.path.split(separator: UInt8(ascii: "/")).map { Array($0) }
    let restored = try put(member.entry, at: names[...], into: root, under: [], &folders)
    content = restored.node.packageContent
    item = restored.item
    objects = folders.objects
  }

  /// Builds a folder that contains the member at the end of a path.
  private mutating func put(
    _ entry: Tree.Entry, at path: ArraySlice<[UInt8]>, into folder: MemberNode?,
    under parents: [[UInt8]],
    _ folders: inout ContentBuilder
  ) throws -> Restored {
    guard let name = path.first else { return try restored(entry, replacing: folder) }
    if let folder, folder.members == nil { throw noFolder(parents, is: folder) }
    let others = (folder?.members ?? []).filter { $0.name != name }
    let inner = try put(
      entry, at: path.dropFirst(), into: folder?[name], under: parents + [name], &folders)
    let nodes = MemberNode.ordered(others + [(name, inner.node)])
    let items = nodes.map {
      (name: $0.name, item: $0.name == name ? inner.item : DocumentItem.unchanged)
    }
    return (try MemberNode(folder: nodes, with: &folders), .folder { items })
  }

  /// Returns the member's former state, in place of the present item.
  private mutating func restored(
    _ entry: Tree.Entry, replacing present: MemberNode?
  ) throws -> Restored {
    let member = try ComparedMember(entry)
    if let present, ComparedMember(name: member.name, present).isSame(as: member) {
      return (present, .unchanged)
    }
    var builder = ContentBuilder(keepsObjects: false)
    if member.isFolder {
      var members: [(name: [UInt8], node: MemberNode)] = []
      var items: [(name: [UInt8], item: DocumentItem)] = []
      let present = Dictionary(
        (present?.members ?? []).map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first }
      )
      for entry in try reader.objects.repository.tree(entry.id).entries {
        let name = try ComparedMember(entry).name
        let inner = try restored(entry, replacing: present[name])
        members.append((name, inner.node))
        items.append((name, inner.item))
      }
      return (
        try MemberNode(folder: MemberNode.ordered(members), with: &builder), .folder { items }
      )
    }
    guard member.mode != .symbolicLink else {
      let target = try reader.contents.linkTarget(of: entry)
      return (
        MemberNode(try builder.symbolicLink(target: target), size: target.count),
        .symbolicLink(target: target)
      )
    }
    let (isExecutable, contents) = try reader.contents.contents(
      of: entry, isChunked: member.isChunked, limit: rest)
    rest -= contents.size
    reader.meter.expect(contents.size)
    // The digest includes the bytes; their objects are already stored.
    var object = try builder.file(contents, isExecutable: isExecutable)
    (object.id, object.isChunked) = (entry.id, member.isChunked)
    return (
      MemberNode(object, size: contents.size),
      .file(isExecutable: isExecutable, contents: contents)
    )
  }

  /// Returns the error for putting a member into an item that isn't a folder.
  private func noFolder(_ path: [[UInt8]], is present: MemberNode) -> FileError {
    let place = path.reduce(reader.location.document) { $0.appending(bytes: $1) }
    let kind = present.object.mode == .symbolicLink ? "a link" : "a file"
    return FileError(
      .unsupportedKind, path: place,
      message: """
        “\(place.printable)” is \(kind) now, so no member can be restored into it; move it away first.
        """)
  }
}
