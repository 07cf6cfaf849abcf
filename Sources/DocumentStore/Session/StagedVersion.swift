package import DocumentFiles
package import DocumentGit
internal import Synchronization

/// A version's document, or one member of it, staged beside its place, with the facts that were found while
/// it was written.
package struct StagedVersion {
  package let item: DocumentWriter.StagedItem
  /// The document to replace.
  let present: WorkingCopy?
  /// The listing of its members; `nil` if they are not recorded.
  ///
  /// They aren't recorded for a file, which is read quickly, and if the listing wouldn't show every later
  /// change.
  private let listing: ItemListing?
  /// The written member, if only one is replaced; `nil` also if the member is removed.
  let memberStatus: FileStatus?
  private let written: WrittenMembers

  /// Writes a document beside its place.
  ///
  /// - Parameters:
  ///   - item: the document.
  ///   - isPackage: whether it is a folder.
  ///   - present: the document to replace.
  ///   - modified: the modification time of the written items, in nanoseconds since 1970; `nil` for the
  ///     present time.
  init(
    _ item: DocumentItem, isPackage: Bool, replacing present: WorkingCopy?,
    modified: Int64? = nil, in reader: StoreReader
  ) throws {
    self.present = present
    let document = reader.location.document
    let isRecorded = try isPackage && Folder.stampsEachChange(document.parentFolder)
    let written = WrittenMembers()
    self.written = written
    let record: WrittenFileHandler = { written.add($0, $1) }
    self.item = try DocumentWriter.stage(
      document, item, displacing: present?.listing, mark: reader.documentIdentifier.description,
      modified: modified, onFile: isRecorded ? record : nil, progress: reader.meter.advance)
    // Before any other process knows its name.
    let isWhole = self.item.member.isEmpty
    listing =
      isRecorded && isWhole
      ? try ItemListing(self.item.location, limits: nil, clock: reader.environment.fileClock) : nil
    memberStatus = isWhole ? nil : try FileStatus.of(self.item.location)
  }

  /// Records the files of a version that was put in place, so that they aren't read again.
  ///
  /// - Parameter tree: the version's tree.
  package func recordMembers(of tree: ObjectID, in reader: StoreReader) throws {
    guard item.member.isEmpty else { return try recordMember(of: tree, in: reader) }
    guard let listing else { return }
    // The nodes of the present document's items, by their objects.
    let former = Dictionary(
      present?.nodes.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    var folders: [CachedFolder] = []
    _ = try node(of: listing, tree, after: former, in: reader.objects.repository, &folders)
    try StatCache.write(
      folders, of: tree, on: listing.status.device, after: nil, keeping: { _ in false },
      in: reader.location.store)
  }

  /// Returns the node of a folder; `nil` if one of its members is not known.
  private func node(
    of listing: ItemListing, _ tree: ObjectID, after former: [ObjectID: ContentBuilder.Node],
    in repository: borrowing Repository, _ folders: inout [CachedFolder]
  ) throws -> ContentBuilder.Node? {
    let entries = Dictionary(
      try repository.tree(tree).entries.map(ComparedMember.init).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    // Items that the package keeps in addition to its members don't belong to the version.
    let items = (listing.members ?? []).filter { entries[$0.name] != nil }
    guard listing.status.kind == .folder, items.count == entries.count else { return nil }
    var members: [CachedFolder.Member] = []
    members.reserveCapacity(items.count)
    for item in items {
      guard let entry = entries[item.name] else { return nil }
      if entry.isFolder {
        guard
          let node = try node(of: item, entry.id, after: former, in: repository, &folders)
        else { return nil }
        members.append(.init(name: item.name[...], stamp: nil, node: node))
      } else {
        guard let member = written.member(item, entry, after: former[entry.id]) else { return nil }
        members.append(member)
      }
    }
    let digest = ContentDigest(
      ofMembers: members.map { ($0.node.mode.rawValue, Array($0.name), $0.node.digest) })
    let node = ContentBuilder.Node(mode: .folder, id: tree, digest: digest, isStored: true)
    folders.append(CachedFolder(inode: listing.status.inode, node: node, members: members))
    return node
  }
}

/// The files of a document that is being written.
private final class WrittenMembers: Sendable {
  /// The files, by their inodes.
  private let files = Mutex<[UInt64: (status: FileStatus, digest: ContentDigest)]>([:])

  /// Adds a written file; callable on any thread.
  func add(_ bytes: [UInt8], _ status: FileStatus) {
    let digest = ContentDigest(of: bytes)
    files.withLock { $0[status.inode] = (status, digest) }
  }

  /// Returns the node of a file or link; `nil` if its digest is not known.
  ///
  /// - Parameter former: the node in the present document, if it has one.
  func member(
    _ item: ItemListing, _ entry: ComparedMember, after former: ContentBuilder.Node?
  ) -> CachedFolder.Member? {
    let status = item.status
    let file = files.withLock { $0[status.inode] }
    let known = former?.digest
    let written = item.linkTarget.map { ContentDigest(of: $0) } ?? file?.digest
    // Items that were taken over from the disk may have changed in the meantime.
    guard let digest = written ?? known, known == nil || known == digest else { return nil }
    let mode: Tree.Mode =
      item.linkTarget != nil ? .symbolicLink : status.isExecutable ? .executable : .file
    guard mode == (entry.isChunked ? former?.mode : entry.mode) else { return nil }
    let node = ContentBuilder.Node(
      mode: mode, id: entry.id, digest: digest, isChunked: entry.isChunked, isStored: true)
    // A file that was modified in the meantime is read again.
    let stamp = file?.status == status ? FileStamp(status) : nil
    return .init(name: item.name[...], stamp: stamp, node: node)
  }
}
