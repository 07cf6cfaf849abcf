internal import DocumentFiles
internal import DocumentGit
internal import Synchronization

/// A version's document that waits beside its place, with what was learned while it was written.
struct StagedVersion {
  let item: DocumentWriter.StagedItem
  /// What it is made of; nil where that is not noted: of a file, which is quickly read again, and where a later change
  /// might not show.
  private let listing: ItemListing?
  private let written: WrittenMembers

  /// Writes a document beside its place.
  ///
  /// - Parameters:
  ///   - item: the document.
  ///   - isPackage: whether it is a folder.
  ///   - present: the document that it shall replace.
  init(
    _ item: DocumentItem, isPackage: Bool, replacing present: WorkingCopy?, in store: OpenStore
  ) throws {
    let document = store.location.document
    let isNoted = try isPackage && Folder.stampsEachChange(document.parentFolder)
    let written = WrittenMembers(after: isNoted ? present : nil)
    self.written = written
    let note: WrittenFileNote = { written.add($0, $1) }
    self.item = try DocumentWriter.stage(
      document, item, displacing: present?.listing, mark: store.documentIdentifier,
      noting: isNoted ? note : nil, progress: store.meter.advance)
    // Before anybody else knows where it is.
    listing = isNoted ? try ItemListing(self.item.location, limits: nil) : nil
  }

  /// Its folders of which all is known, once it is in its place.
  ///
  /// - Parameters:
  ///   - tree: the version's tree.
  ///   - repository: where that is.
  func knownFolders(of tree: ObjectID, in repository: borrowing Repository) throws -> [KnownFolder]
  {
    var folders: [KnownFolder] = []
    if let listing { _ = try node(of: listing, tree, in: repository, &folders) }
    return folders
  }

  /// Where its files are, for ``KnownMembers``.
  var device: UInt64? { listing?.status.device }

  /// What stands for a folder; nil where that is not known of something in it.
  private func node(
    of listing: ItemListing, _ tree: ObjectID, in repository: borrowing Repository,
    _ folders: inout [KnownFolder]
  ) throws -> ContentBuilder.Node? {
    let entries = Dictionary(
      try repository.tree(tree).entries.map(ComparedMember.init).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let items = listing.members ?? []
    guard listing.status.kind == .folder, items.count == entries.count else { return nil }
    var members: [KnownFolder.Member] = []
    members.reserveCapacity(items.count)
    for item in items {
      guard let entry = entries[item.name] else { return nil }
      if entry.isFolder {
        guard let node = try node(of: item, entry.id, in: repository, &folders) else { return nil }
        members.append(.init(name: item.name[...], stamp: nil, node: node))
      } else {
        guard let member = written.member(item, entry) else { return nil }
        members.append(member)
      }
    }
    let digest = ContentDigest(
      ofMembers: members.map { ($0.node.mode.rawValue, Array($0.name), $0.node.digest) })
    let node = ContentBuilder.Node(mode: .folder, id: tree, digest: digest, isStored: true)
    folders.append(KnownFolder(inode: listing.status.inode, node: node, members: members))
    return node
  }
}

/// The files of a document that is being written, and those that are taken over from the present one.
private final class WrittenMembers: Sendable {
  /// By their inodes.
  private let files = Mutex<[UInt64: (status: FileStatus, digest: ContentDigest)]>([:])
  /// What stands for what the present document holds, by their objects.
  private let present: [ObjectID: ContentBuilder.Node]

  init(after present: WorkingCopy?) {
    self.present = Dictionary(
      present?.nodes.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
  }

  /// Takes a file that was written, on any thread.
  func add(_ bytes: [UInt8], _ status: FileStatus) {
    let digest = ContentDigest(of: bytes)
    files.withLock { $0[status.inode] = (status, digest) }
  }

  /// What a file or link is noted as; nil where its digest is not known.
  func member(_ item: ItemListing, _ entry: ComparedMember) -> KnownFolder.Member? {
    let status = item.status
    let file = files.withLock { $0[status.inode] }
    let known = present[entry.id]?.digest
    let written = item.linkTarget.map { ContentDigest(of: $0) } ?? file?.digest
    // What was taken over from the disk may have changed meanwhile.
    guard let digest = written ?? known, known == nil || known == digest else { return nil }
    let mode: Tree.Mode =
      item.linkTarget != nil ? .symbolicLink : status.isExecutable ? .executable : .file
    guard mode == (entry.isChunked ? present[entry.id]?.mode : entry.mode) else { return nil }
    let node = ContentBuilder.Node(
      mode: mode, id: entry.id, digest: digest, isChunked: entry.isChunked, isStored: true)
    // A file that somebody has touched meanwhile is read again.
    let stamp = file?.status == status ? FileStamp(status) : nil
    return .init(name: item.name[...], stamp: stamp, node: node)
  }
}
