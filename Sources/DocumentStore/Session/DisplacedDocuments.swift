internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The documents that a killed process displaced while it replaced this one, and that it left beside it.
struct DisplacedDocuments {
  private let reader: StoreReader

  init(of reader: StoreReader) {
    self.reader = reader
  }

  /// Removes the displaced items that are incomplete, or whose contents are already in versions.
  ///
  /// An item with an edit from the last instant first becomes a version beside the others. While the store's
  /// lock is held, no other process replaces this document.
  ///
  /// - Parameter listings: the known listings of temporary files in folders.
  func keep(
    with writer: borrowing StoreWriter, knowing listings: TemporaryItems.Listings?
  ) throws {
    let folder = reader.location.document.parentFolder
    guard try FileStatus.of(folder) != nil else { return }
    let displaced = try TemporaryItems.removeUnfinished(
      mark: reader.documentIdentifier.description, in: folder, knowing: listings)
    for item in displaced {
      do {
        try keep(item, with: writer)
      } catch is FileError {
        // An item that can't be read or removed stays in its place, and doesn't make the operation fail.
      }
    }
  }

  private func keep(
    _ displaced: TemporaryItems.Displaced, with writer: borrowing StoreWriter
  ) throws {
    // A program that opened it under its former name may still write to it.
    guard try !FileUse.hasWriters(displaced.path) else { return }
    let name = displaced.member.last.map { String(decoding: $0, as: UTF8.self) }
    let copy = try WorkingCopy.read(
      displaced.path, named: name ?? ContainerPath.name(of: reader.location.path),
      after: displaced.member.isEmpty ? reader.document.formerMembers() : nil,
      leavingOut: displaced.member.isEmpty ? IgnoreRules(forMembersOf: reader.location) : nil,
      support: reader.document.support, clock: reader.environment.fileClock)
    // Without a version, there is none to keep it beside.
    guard try !reader.heads.all().isEmpty else { return }
    if displaced.member.isEmpty {
      try keep(copy, with: writer)
    } else if try !keep(copy, asMember: displaced.member, with: writer) {
      return
    }
    if try copy.isCurrent(at: displaced.path) { try Folder.removeTree(displaced.path) }
  }

  /// Keeps a document as a version, unless one already has its contents.
  private func keep(_ copy: WorkingCopy, with writer: borrowing StoreWriter) throws {
    let isKnown = try reader.chain.contents().keys.contains {
      try copy.content.isSame(as: reader.record($0).content)
    }
    if !isKnown {
      try StoreReadership(of: writer.location).narrow(to: copy.readership)
      try writer.attach(
        copy.content, modified: copy.modified, objects: copy.objects)
    }
  }

  /// Keeps a member, unless a version already has it, as a version of the present document with this member.
  ///
  /// - Parameter path: the path of the member.
  /// - Returns: false if the document is not a package with the folder that the member was in.
  private func keep(
    _ copy: WorkingCopy, asMember path: [[UInt8]], with writer: borrowing StoreWriter
  ) throws -> Bool {
    let node = copy.root
    let member = ComparedMember(name: [], node)
    let isKnown = try reader.chain.contents().keys.contains { version in
      guard let content = try reader.record(version).content,
        try reader.objects.repository.contains(content.tree)
      else { return false }
      return try reader.contents.member(at: path, of: content)?.isSame(as: member) == true
    }
    if isKnown { return true }
    guard let present = try reader.document.copy(), present.content.isPackage else { return false }
    var folders = ContentBuilder()
    guard let root = try present.root.replacing(path[...], with: node, &folders) else {
      return false
    }
    try writer.attach(
      root.packageContent, modified: max(present.modified, copy.modified),
      objects: present.objects + copy.objects + folders.objects)
    return true
  }
}
