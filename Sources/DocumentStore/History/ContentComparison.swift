internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Compares contents of a document member by member, opening its store once.
///
/// Equal contents aren't read; only the trees above them are.
package struct ContentComparison {
  /// One side of a comparison.
  package enum Content {
    /// An empty document.
    case nothing
    case version(FileVersion)
    /// The document on disk; a missing one counts as empty.
    case disk
  }

  let reader: StoreReader

  /// Returns the first parent of a version; `nil` if its record isn't here.
  package func predecessor(of version: FileVersion) throws -> FileVersion? {
    guard let id = version.parents.first?.objectID, try reader.objects.repository.contains(id)
    else {
      return nil
    }
    return try reader.version(id)
  }

  /// Returns the members that differ, in byte order of their paths.
  ///
  /// - Parameters:
  ///   - old: the older content.
  ///   - new: the newer content.
  ///   - readingContents: whether to find renamed members by their contents, not only by their object ids, which reads
  ///     no file.
  package func differences(
    from old: Content, to new: Content, readingContents: Bool = true
  ) throws -> [MemberDifference] {
    try differences(from: root(of: old), to: root(of: new), readingContents: readingContents)
  }

  /// Returns the differences between one member of each content, which may be a folder.
  ///
  /// If the path is the same on both sides, the member may be missing on one of them.
  package func differences(
    from old: Content, member oldPath: String, to new: Content, member newPath: String
  ) throws -> [MemberDifference] {
    let (before, after) = (try member(oldPath, of: old), try member(newPath, of: new))
    let isOneEnough = oldPath == newPath
    if before == nil, !isOneEnough || after == nil { throw try noSuchMember(oldPath, of: old) }
    if after == nil, !isOneEnough { throw try noSuchMember(newPath, of: new) }
    return try differences(from: before, to: after, readingContents: true)
  }

  private func differences(
    from old: LocatedMember?, to new: LocatedMember?, readingContents: Bool
  ) throws -> [MemberDifference] {
    let walk = try MemberWalk(from: old, to: new)
    let search = try RenameSearch(
      removed: walk.removed, added: walk.added, readingContents: readingContents)
    var found: [MemberDifference] = []
    for (before, after) in walk.changed {
      let kind: MemberChange.Kind = before == nil ? .added : after == nil ? .removed : .changed
      found.append(try MemberDifference(kind, from: before, to: after))
    }
    for (before, after, count) in search.renamed {
      found.append(try MemberDifference(.renamed, from: before, to: after, count: count))
    }
    for index in search.removed.openMembers {
      found.append(try MemberDifference(.removed, from: search.removed.members[index], to: nil))
    }
    for index in search.added.openMembers {
      found.append(try MemberDifference(.added, from: nil, to: search.added.members[index]))
    }
    return found.sorted {
      $0.path.lexicographicallyPrecedes($1.path)
    }
  }

  // MARK: Sides

  /// Returns the document itself; `nil` if there is none.
  private func root(of content: Content) throws -> LocatedMember? {
    switch content {
    case .nothing: return nil
    case .version(let version):
      guard let id = try tree(of: version) else { return nil }
      let root: ComparedMember
      if version.isPackage {
        root = ComparedMember(name: [], mode: .folder, id: id)
      } else {
        let tree = try reader.objects.repository.tree(id)
        guard let entry = tree.entries.first, tree.entries.count == 1 else {
          throw GitError.malformed("the tree of version \(version.id.short) is not one file")
        }
        root = try ComparedMember(entry)
      }
      return LocatedMember(member: root, path: [], side: ComparedSide(reader))
    case .disk:
      let place = reader.location.document
      guard try FileStatus.of(place) != nil else { return nil }
      return try located(place, path: [], in: place)
    }
  }

  /// Returns the tree of a version whose contents are here; `nil` for a deletion.
  private func tree(of version: FileVersion) throws -> ObjectID? {
    guard !version.isDeletion else { return nil }
    return try reader.listedContent(of: version)?.tree ?? storedRecord(version)?.content?.tree
  }

  /// Returns the record of a version whose contents are here; `nil` for a deletion.
  private func storedRecord(_ version: FileVersion) throws -> Record? {
    guard try reader.knownRecord(version).content != nil else { return nil }
    return try reader.localRecord(version)
  }

  /// Reads the item at a place on disk.
  private func located(
    _ place: FilePath, path: [UInt8], in document: FilePath
  ) throws -> LocatedMember {
    let node: MemberNode
    if !path.isEmpty, let target = try linkTarget(at: place) {
      var builder = ContentBuilder(keepsObjects: false)
      node = MemberNode(try builder.symbolicLink(target: target), size: target.count)
    } else if path.isEmpty, let copy = try reader.document.copy() {
      node = copy.root
    } else if try FileStatus.of(place)?.kind == .folder, let copy = try reader.document.copy(),
      let member = copy.root.member(at: path.split(separator: UInt8(ascii: "/")).map { Array($0) })
    {
      // Includes the item's members, but not the items beside it.
      node = member
    } else {
      node = try WorkingCopy.read(
        place, named: "member", clock: reader.environment.fileClock, meter: reader.meter
      ).root
    }
    return LocatedMember(
      member: ComparedMember(name: [], node), path: path,
      side: ComparedSide(reader, onDisk: document))
  }

  private func linkTarget(at place: FilePath) throws -> [UInt8]? {
    guard try FileStatus.of(place)?.kind == .symbolicLink else { return nil }
    return try ItemListing(place, clock: reader.environment.fileClock).linkTarget
  }

  // MARK: One member

  private func member(_ path: String, of content: Content) throws -> LocatedMember? {
    switch content {
    case .nothing: return nil
    case .version(let version):
      guard let record = try storedRecord(version),
        case .found(let entry, let path) = try reader.contents.lookUp(path, in: record)
      else { return nil }
      return LocatedMember(
        member: try ComparedMember(entry), path: path, side: ComparedSide(reader))
    case .disk:
      let document = reader.location.document
      guard let (place, path) = try memberOnDisk(path, of: document) else { return nil }
      return try located(place, path: path, in: document)
    }
  }

  /// Finds a member by listing one folder after the other, which follows no link.
  private func memberOnDisk(
    _ path: String, of document: FilePath
  ) throws -> (place: FilePath, path: [UInt8])? {
    var (place, names): (FilePath, [[UInt8]]) = (document, [])
    for typed in path.pathNames() {
      guard try FileStatus.of(place)?.kind == .folder,
        let name = try MemberLookup.name(typed, among: Folder.names(in: place))
      else { return nil }
      place = place.appending(bytes: name)
      names.append(name)
    }
    return (place, Array(names.joined(separator: [UInt8(ascii: "/")])))
  }

  private func noSuchMember(_ path: String, of content: Content) throws -> any Error {
    var place = "on disk"
    if case .version(let version) = content {
      let record = try reader.knownRecord(version)
      if case .missing(let names, let folder) = try reader.contents.lookUp(path, in: record),
        record.content != nil
      {
        return reader.contents.noSuchMember(path, of: record, among: names, in: folder)
      }
      place = "in \(record.shortName)"
    }
    return VersionError(
      .noSuchMember, document: reader.location.printable,
      message: "“\(reader.location.printable)” has no member “\(Printable.text(path))” \(place).")
  }
}

extension MemberDifference {
  /// Creates a difference from the members on both sides.
  fileprivate init(
    _ kind: MemberChange.Kind, from before: LocatedMember?, to after: LocatedMember?,
    count: Int = 1
  ) throws {
    self.before = before
    self.after = after
    change = MemberChange(
      kind: kind, before: try before?.info(), after: try after?.info(),
      isContentChanged: try Self.isContentChanged(from: before, to: after), memberCount: count)
  }

  fileprivate var path: [UInt8] { (after ?? before)?.path ?? [] }

  private static func isContentChanged(
    from before: LocatedMember?, to after: LocatedMember?
  ) throws -> Bool {
    guard let before, let after, before.member.isFile, after.member.isFile else {
      return before.map { $0.member.key } != after.map { $0.member.key }
    }
    guard before.member.id != after.member.id else { return false }
    // The ids of chunks in trees change with the file's mode.
    let isChunked = before.member.isChunked && after.member.isChunked
    return try !isChunked || before.size() != after.size() || before.chunks() != after.chunks()
  }
}
