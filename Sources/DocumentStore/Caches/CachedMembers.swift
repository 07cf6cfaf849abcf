internal import DocumentFiles
internal import DocumentGit

/// Compares a document's folders and files with the stat cache while the document is read.
struct CachedMembers {
  private let cache: StatCache
  /// The unchanged folders, by their inodes.
  private(set) var found: Set<UInt64> = []
  /// The changed folders, by their inodes.
  private var others: Set<UInt64> = []
  /// The files of the changed folders, by their inodes.
  private var files: [UInt64: CachedFolder.Member] = [:]

  init(_ cache: StatCache) {
    self.cache = cache
    cache.readAll()
    if let folder = cache.folder(CachedFolder.ofFile) { addFiles(of: folder) }
  }

  /// Returns the node of an unchanged file in a changed folder; `nil` for any other.
  func file(_ status: FileStatus) -> ContentNode? {
    guard status.device == cache.device, let member = files[status.inode], member.isAs(status)
    else { return nil }
    return member.node
  }

  /// Returns the node of an unchanged folder and everything in it; `nil` for any other.
  ///
  /// - Parameter nodes: receives the nodes of everything in the folder, and of the folder itself.
  mutating func folder(
    _ listing: ItemListing, adding nodes: inout [ContentNode]
  ) -> ContentNode? {
    let inode = listing.status.inode
    guard listing.status.device == cache.device, !others.contains(inode),
      let folder = cache.folder(inode)
    else { return nil }
    let count = nodes.count
    // A database may have changes in a separate file beside it.
    guard !listing.holdsDatabaseParts, holds(folder, listing, &nodes) else {
      nodes.removeLast(nodes.count - count)
      others.insert(inode)
      addFiles(of: folder)
      return nil
    }
    nodes.append(folder.node)
    found.insert(inode)
    return folder.node
  }

  /// Adds the files of a folder in which something else has changed.
  private mutating func addFiles(of folder: CachedFolder) {
    for member in folder.members {
      if let stamp = member.stamp { files[stamp.inode] = member }
    }
  }

  private mutating func holds(
    _ folder: CachedFolder, _ listing: ItemListing, _ nodes: inout [ContentNode]
  ) -> Bool {
    let items = listing.members ?? []
    guard items.count == folder.members.count else { return false }
    for (item, member) in zip(items, folder.members) {
      guard member.name.elementsEqual(item.name) else { return false }
      switch item.status.kind {
      case .file:
        guard item.status.device == cache.device, member.isAs(item.status) else { return false }
        nodes.append(member.node)
      case .symbolicLink:
        guard member.node.mode == .symbolicLink,
          member.node.digest == ContentDigest(of: item.linkTarget ?? [])
        else { return false }
        nodes.append(member.node)
      case .folder:
        guard let inner = self.folder(item, adding: &nodes), inner.id == member.node.id else {
          return false
        }
      case .other: return false
      }
    }
    return true
  }
}
