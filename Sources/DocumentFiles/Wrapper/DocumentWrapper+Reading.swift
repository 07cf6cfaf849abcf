public import Foundation
internal import SystemPackage

extension DocumentWrapper {
  /// Reads the item at a URL (FW5): its kind, names and attributes, and of a folder all it holds.
  ///
  /// A link is kept as a link, wherever in the tree it is. Blocks while it reads.
  ///
  /// - Parameters:
  ///   - url: a file URL.
  ///   - options: whether the bytes of files are read now or when they are asked for.
  /// - Throws: ``FileError``: `not-found`, `not-permitted`, `unsupported-kind`, `too-large`, `changing`.
  public convenience init(url: URL, options: ReadingOptions = []) throws {
    self.init(.file(nil))
    try read(from: url, options: options)
    preferredFilename = filename
  }

  /// Reads the item at a URL again (FW16): members come and go as on disk, those that stay are the same nodes.
  ///
  /// The kind may change. Where it fails, all is as before.
  ///
  /// - Throws: as ``init(url:options:)``.
  public func read(from url: URL, options: ReadingOptions = []) throws {
    let path = try url.filePath
    let listing = try Self.listing(of: path, options)
    try adopt(listing, at: .at(path), takingContents: true)
  }

  private static func listing(of path: FilePath, _ options: ReadingOptions) throws -> ItemListing {
    guard options.contains(.immediate), try FileStatus.of(path)?.kind != .symbolicLink else {
      return try ItemListing(path)
    }
    return try ItemListing(reading: path)
  }

  /// Whether the item at a URL is what was read or written last (FW15): files by date, permissions, size and
  /// inode, never by their bytes; folders by what they hold; links by where they lead.
  ///
  /// What is in memory only matches nothing.
  ///
  /// - Throws: ``FileError`` where that cannot be found out.
  public func matchesContents(of url: URL) throws(FileError) -> Bool {
    do {
      return matches(try ItemListing(url.filePath))
    } catch  where [.notFound, .unsupportedKind, .changing].contains(error.code) {
      return false
    }
  }

  private func matches(_ listing: ItemListing) -> Bool {
    switch content {
    case .file:
      return stored.map {
        $0.status.isSameContent(as: listing.status)
          && $0.status.permissions == listing.status.permissions
      } ?? false
    case .symbolicLink(let target): return listing.linkTarget == target
    case .folder(let members):
      guard let listed = listing.members, listed.count == members.count else { return false }
      let byName = Dictionary(
        listed.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      return members.values.allSatisfy { member in
        member.storedName.flatMap { byName[$0] }.map(member.matches) ?? false
      }
    }
  }

  // MARK: Taking over

  /// Becomes what is listed.
  ///
  /// - Parameter takingContents: false where the contents are those here, and only names and status are noted.
  /// - Returns: what it is now, on disk.
  @discardableResult
  func adopt(
    _ listing: ItemListing, at place: ItemPath, takingContents: Bool
  ) throws(FileError) -> Revision {
    storedName = listing.name
    stored = Stored(place: place, status: listing.status)
    fileAttributes = Self.attributes(of: listing.status)
    modified = listing.status.modified
    var members: [Revision] = []
    if let listed = listing.members {
      members = try adopt(listed, at: place, takingContents: takingContents)
    } else if takingContents {
      leaveMembers()
      content =
        listing.linkTarget.map { .symbolicLink(target: $0) }
        ?? .file(listing.contents.map { Data($0) })
    }
    let revision = Revision(of: listing, members: members)
    revisions = [revision]
    return revision
  }

  private func adopt(
    _ listed: [ItemListing], at place: ItemPath, takingContents: Bool
  ) throws(FileError) -> [Revision] {
    var former: [[UInt8]: DocumentWrapper] = [:]
    if case .folder(let members) = content {
      // Just written, a member has its key for its name.
      for (key, member) in members {
        former[takingContents ? member.storedName ?? [] : nameToWrite(of: member, as: key)] = member
      }
    }
    if takingContents {
      leaveMembers()
      content = .folder([:])
    }
    var names: [String: [UInt8]] = [:]
    var revisions: [Revision] = []
    for member in listed {
      let node = former[member.name] ?? DocumentWrapper(.file(nil))
      revisions.append(
        try node.adopt(member, at: place.member(member.name), takingContents: takingContents))
      guard takingContents else { continue }
      let name = String(decoding: member.name, as: UTF8.self)
      node.preferredFilename = node.preferredFilename ?? name
      let key = try freeKey(for: name)
      try insert(node, forKey: key)
      if Array(key.utf8) != member.name { names[key] = member.name }
    }
    if takingContents { namesOnDisk = names }
    return revisions
  }

  private func leaveMembers() {
    guard case .folder(let members) = content else { return }
    for member in members.values { member.leave(self) }
    namesOnDisk = [:]
  }

  private static func attributes(of status: FileStatus) -> [FileAttributeKey: Any] {
    let type: FileAttributeType =
      switch status.kind {
      case .folder: .typeDirectory
      case .symbolicLink: .typeSymbolicLink
      case .file, .other: .typeRegular
      }
    return [
      .type: type, .size: status.size, .posixPermissions: Int(status.permissions),
      .modificationDate: Date(timeIntervalSince1970: Double(status.modified) / 1e9),
    ]
  }
}
