public import Foundation
internal import SystemPackage

extension DocumentWrapper {
  /// Reads the item at a URL: its kind, names and attributes, and the contents of a folder.
  ///
  /// Links stay links, anywhere in the tree. This blocks.
  ///
  /// - Parameters:
  ///   - url: a file URL.
  ///   - options: whether the bytes of files are read at once or on first use.
  /// - Throws: ``FileError``: `not-found`, `not-permitted`, `unsupported-kind`, `too-large`, `changing`.
  public convenience init(url: URL, options: ReadingOptions = []) throws {
    self.init(.file(nil))
    try read(from: url, options: options)
    preferredFilename = filename
  }

  /// Updates the tree from the item at a URL; members that still exist stay the same nodes.
  ///
  /// The kind may change. If reading fails, nothing changes.
  ///
  /// - Throws: the errors of ``init(url:options:)``.
  public func read(from url: URL, options: ReadingOptions = []) throws {
    let path = try url.filePath
    let listing = try Self.listing(of: path, options)
    revisions = KnownRevisions(try take(listing, at: .at(path)))
  }

  private static func listing(of path: FilePath, _ options: ReadingOptions) throws -> ItemListing {
    guard options.contains(.immediate), try FileStatus.of(path)?.kind != .symbolicLink else {
      return try ItemListing(path)
    }
    return try ItemListing(reading: path)
  }

  /// Returns whether the item at a URL is unchanged since the last read or write.
  ///
  /// Files are compared by date, permissions, size and inode, never by their bytes; folders by their members; links by
  /// their targets.
  ///
  /// A node that is only in memory matches nothing.
  ///
  /// - Throws: ``FileError`` if the item can't be compared.
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
      guard let listed = listing.members, listed.count == members.byKey.count else { return false }
      let byName = Dictionary(
        listed.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      return members.nodes.allSatisfy { member in
        member.storedName.flatMap { byName[$0] }.map(member.matches) ?? false
      }
    }
  }

  // MARK: Applying listings

  /// Becomes the listed item.
  ///
  /// - Returns: the present revision on disk.
  private func take(_ listing: ItemListing, at place: ItemPath) throws(FileError) -> Revision {
    record(listing, at: place)
    var former: [[UInt8]: DocumentWrapper] = [:]
    if case .folder(let members) = content {
      for member in members.nodes {
        former[member.storedName ?? []] = member
        member.parents.remove(self)
      }
    }
    var revisions: [Revision] = []
    if let listed = listing.members {
      content = .folder(WrapperMembers())
      for member in listed {
        let node = former[member.name] ?? DocumentWrapper(.file(nil))
        revisions.append(try node.take(member, at: place.member(member.name)))
        try insert(node, named: member.name)
      }
    } else {
      content =
        listing.linkTarget.map { .symbolicLink(target: $0) }
        ?? .file(listing.contents.map { Data($0) })
    }
    let revision = Revision(of: listing, members: revisions)
    self.revisions = KnownRevisions(revision)
    return revision
  }

  /// Adds a member that was read; its key is its name if the name can be a key.
  private func insert(_ node: DocumentWrapper, named bytes: [UInt8]) throws(FileError) {
    let name = String(decoding: bytes, as: UTF8.self)
    node.preferredFilename = node.preferredFilename ?? name
    let key = try members.freeKey(for: name)
    try insert(node, forKey: key, nameOnDisk: Array(key.utf8) == bytes ? nil : bytes)
  }

  /// Records the place at which this was read or written, and its name and attributes there.
  private func record(_ listing: ItemListing, at place: ItemPath) {
    storedName = listing.name
    stored = Stored(place: place, status: listing.status)
    attributes = WrapperAttributes(listing.status)
  }

  /// Records the places of the whole tree after writing; the contents stay those in memory.
  ///
  /// - Returns: the present revision on disk.
  @discardableResult
  func recordWritten(_ listing: ItemListing, at place: ItemPath) -> Revision {
    record(listing, at: place)
    var revisions: [Revision] = []
    if let listed = listing.members, case .folder(let members) = content {
      let byName = Dictionary(members.byName, uniquingKeysWith: { _, last in last })
      for member in listed {
        let place = place.member(member.name)
        revisions.append(
          byName[member.name]?.recordWritten(member, at: place) ?? member.revision)
      }
    }
    let revision = Revision(of: listing, members: revisions)
    self.revisions = KnownRevisions(revision)
    return revision
  }
}
