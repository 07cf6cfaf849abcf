internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What a process that was killed while it replaced the document left beside it.
extension OpenStore {
  /// Removes what was never completed, and what versions hold anyway.
  ///
  /// What was displaced with an edit of the last instant becomes a version beside the others first. Only
  /// under the store's lock: nobody else is replacing this document then.
  ///
  /// - Parameter listings: what is known of folders.
  func clearLeftovers(knowing listings: TemporaryItems.Listings?) throws {
    let folder = location.document.parentFolder
    guard try FileStatus.of(folder) != nil else { return }
    let leftovers = try TemporaryItems.removeUnfinished(
      mark: documentIdentifier, in: folder, knowing: listings)
    for displaced in leftovers {
      do {
        try clear(displaced)
      } catch is FileError {
        // What can't be read, or can't go, stays where it is, and keeps nobody from working.
      }
    }
  }

  private func clear(_ displaced: TemporaryItems.Displaced) throws {
    let name = displaced.member.last.map { String(decoding: $0, as: UTF8.self) }
    let copy = try WorkingCopy.read(
      displaced.path, named: name ?? ContainerPath.name(of: location.path))
    // Without a version there is nothing that it could be kept beside.
    guard try !allHeads().isEmpty else { return }
    if displaced.member.isEmpty {
      try keep(copy)
    } else if try !keep(copy, asMember: displaced.member) {
      return
    }
    if try copy.isCurrent(at: displaced.path) { try Folder.removeTree(displaced.path) }
  }

  /// Keeps a document, unless a version is it already.
  private func keep(_ copy: WorkingCopy) throws {
    let isKnown = try rail().keys.contains { try copy.content.isSame(as: record($0).content) }
    if !isKnown { _ = try attach(copy) }
  }

  /// Keeps a member, unless a version has it already: as a version with the document as it is now, but for this member.
  ///
  /// - Parameter way: leads to it.
  /// - Returns: false where the document is no package with the folder that it was in.
  private func keep(_ copy: WorkingCopy, asMember way: [[UInt8]]) throws -> Bool {
    let node = copy.root
    let member = ComparedMember(name: [], node)
    let isKnown = try rail().keys.contains { version in
      guard let content = try record(version).content, try repository.contains(content.tree) else {
        return false
      }
      return try self.member(at: way, of: content)?.isSame(as: member) == true
    }
    if isKnown { return true }
    guard let present = try workingCopy(), present.content.isPackage else { return false }
    var folders = ContentBuilder()
    guard let root = try present.root.replacing(way[...], with: node, &folders) else {
      return false
    }
    try attach(
      root.packageContent, modified: max(present.modified, copy.modified),
      objects: present.objects + copy.objects + folders.objects)
    return true
  }
}
