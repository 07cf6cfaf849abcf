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
    for path in try Leftovers.removeUnfinished(mark: documentIdentifier, in: folder) {
      do {
        try clear(path)
      } catch is FileError {
        // What can't be read, or can't go, stays where it is, and keeps nobody from working.
      }
    }
  }

  private func clear(_ displaced: FilePath) throws {
    let item = try WorkingCopy.read(displaced, named: ContainerPath.name(of: location.path))
    // Without a version there is nothing that it could be kept beside.
    guard try !allHeads().isEmpty else { return }
    let isKnown = try rail().keys.contains { try item.content.isSame(as: record($0).content) }
    if !isKnown { _ = try attach(item) }
    if try item.isCurrent(at: displaced) { try Folder.removeTree(displaced) }
  }
}
