internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What a process that was killed while it replaced the document left beside it.
extension OpenStore {
  /// Removes what was never completed, and what versions hold anyway.
  ///
  /// What was displaced with an edit of the last instant becomes a version beside the others first. Only
  /// under the store's lock: nobody else is replacing this document then.
  func clearLeftovers() throws {
    let folder = location.document.parentFolder
    guard try FileStatus.of(folder) != nil else { return }
    for displaced in try Leftovers.removeUnfinished(mark: documentIdentifier, in: folder) {
      do {
        try clear(displaced)
      } catch is FileError {
        // What can't be read, or can't go, stays where it is, and keeps nobody from working.
      }
    }
  }

  private func clear(_ displaced: Leftovers.Displaced) throws {
    let isDocument = displaced.member.isEmpty
    let name = isDocument ? ContainerPath.name(of: location.path) : "member"
    let copy = try WorkingCopy.read(displaced.path, named: name)
    // Without a version there is nothing that it could be kept beside.
    guard try !allHeads().isEmpty else { return }
    let isKept = try isDocument ? keep(copy) : keep(copy, asMember: displaced.member)
    if isKept, try copy.isCurrent(at: displaced.path) { try Folder.removeTree(displaced.path) }
  }

  /// Keeps a document that no version is.
  ///
  /// - Returns: whether a version is it now.
  private func keep(_ copy: WorkingCopy) throws -> Bool {
    let isKnown = try rail().keys.contains { try copy.content.isSame(as: record($0).content) }
    if !isKnown { _ = try attach(copy) }
    return true
  }

  /// Keeps a member that no version has: as a version with the document as it is now, but for this member.
  ///
  /// - Parameter way: leads to it.
  /// - Returns: whether a version has it now; false where the document is no package with the folder that it was in.
  private func keep(_ copy: WorkingCopy, asMember way: [[UInt8]]) throws -> Bool {
    guard let name = way.last, let node = copy.nodes.last else { return false }
    let member = ComparedMember(name: name, MemberNode(node, size: copy.content.bytes))
    let isKnown = try rail().keys.contains { version in
      guard let content = try record(version).content, try repository.contains(content.tree) else {
        return false
      }
      return try self.member(at: way, of: content)?.isSame(as: member) == true
    }
    if isKnown { return true }
    guard let present = try workingCopy(), present.content.isPackage else { return false }
    var folders = ContentBuilder()
    guard
      let root = try present.root.replacing(
        way[...], with: MemberNode(node, size: copy.content.bytes), &folders)
    else { return false }
    try attach(
      root.packageContent, modified: max(present.modified, copy.modified),
      objects: present.objects + copy.objects + folders.objects)
    return true
  }
}
