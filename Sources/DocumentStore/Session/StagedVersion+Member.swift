internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Replacing one member of a package, while all others stay unchanged.
extension StagedVersion {
  /// Records the folders in the member's path again; the entries of the others stay valid.
  func recordMember(of tree: ObjectID, in reader: StoreReader) throws {
    guard let present,
      let known = StatCache(in: reader.location.store, of: present.content.tree),
      known.device == present.listing.status.device
    else { return }
    var folders: [CachedFolder] = []
    let node = try folder(
      present.listing, tree, at: item.member[...], after: known, in: reader, &folders)
    guard node != nil else { return }
    try StatCache.write(
      folders, of: tree, on: known.device, after: known, keeping: { _ in true },
      in: reader.location.store)
  }

  /// - Parameters:
  ///   - listing: the listed folder.
  ///   - tree: its present tree.
  ///   - path: the member's path from the folder.
  ///   - folders: receives the folder, after its subfolders.
  /// - Returns: its node; `nil` if not all of its members are cached.
  private func folder(
    _ listing: ItemListing, _ tree: ObjectID, at path: ArraySlice<[UInt8]>,
    after known: StatCache, in reader: StoreReader, _ folders: inout [CachedFolder]
  ) throws -> ContentBuilder.Node? {
    guard let former = known.folder(listing.status.inode) else { return nil }
    let recorded = Dictionary(
      former.members.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
    var nodes: [(name: [UInt8], node: ContentBuilder.Node)] = []
    var changed: [[UInt8]: CachedFolder.Member] = [:]
    for member in try reader.objects.repository.tree(tree).entries.map(ComparedMember.init) {
      let node: ContentBuilder.Node?
      if member.name != path.first {
        node = recorded[member.name[...]].flatMap { $0.id == member.id ? $0 : nil }
      } else if let inner = listing.members?.first(where: { $0.name == member.name }),
        path.count > 1, member.isFolder
      {
        node = try folder(
          inner, member.id, at: path.dropFirst(), after: known, in: reader, &folders)
      } else {
        let file = try reader.contents.node(of: member, reader.contents.digest(of: member))
        changed[member.name] = .init(
          name: member.name[...], stamp: try stamp(in: reader), node: file)
        node = file
      }
      guard let node else { return nil }
      nodes.append((member.name, node))
    }
    let digest = ContentDigest(
      ofMembers: nodes.map { ($0.node.mode.rawValue, $0.name, $0.node.digest) })
    let node = ContentBuilder.Node(mode: .folder, id: tree, digest: digest, isStored: true)
    folders.append(
      CachedFolder(listing.status.inode, node, nodes, after: former, reading: changed))
    return node
  }

  /// Returns the stamp of the written member; `nil` if it wouldn't show every change, or the member has
  /// changed in the meantime.
  private func stamp(in reader: StoreReader) throws -> FileStamp? {
    let document = reader.location.document
    guard let written = memberStatus, try Folder.stampsEachChange(document),
      let status = try FileStatus.of(item.member.reduce(document) { $0.appending(bytes: $1) }),
      status.isSameContent(as: written), status.permissions == written.permissions
    else { return nil }
    return FileStamp(status)
  }
}
