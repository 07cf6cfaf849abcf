internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A package with a list of the members that changed since the version that it shows; only these are read.
struct PartialCopy: SavedCopy {
  private(set) var content: DocumentContent
  var objects: [GitObject] { builder.objects }
  private(set) var storedFolders: Set<ObjectID> = []
  private(set) var modified: Int64
  private(set) var readership = Readership.everyone

  private let reader: StoreReader
  private let base: Record
  /// The freshness at the time when reading began.
  private let freshness: Freshness
  /// The device that the document is on.
  private let device: UInt64
  private let known: StatCache?
  private var builder: ContentBuilder
  /// The members that were read.
  private var listings: [(path: [[UInt8]], listing: ItemListing)] = []
  private let filter: MemberFilter
  /// The present state of folders in which members changed.
  private var folders: [CachedFolder] = []

  /// Reads the changed members.
  ///
  /// - Parameters:
  ///   - members: the members that changed since `base`, as paths in the package: files, links and folders,
  ///     including removed and new ones.
  ///   - base: the version that the document shows apart from these changes.
  ///   - known: the cached entries of its members.
  ///   - freshness: the freshness at the time when reading began.
  init(
    _ members: [String], of base: Record, content: DocumentContent, knowing known: StatCache?,
    _ freshness: Freshness, in reader: StoreReader
  ) throws {
    self.content = content
    self.reader = reader
    self.base = base
    self.freshness = freshness
    device = try FileStatus.of(reader.location.document)?.device ?? 0
    self.known = known?.device == device ? known : nil
    modified = base.facts.modified
    let former = FormerMembers(of: content, in: reader.contents)
    filter = MemberFilter(try IgnoreRules(forMembersOf: reader.location)) { path, _ in
      try former.hasMember(path)
    }
    builder = ContentBuilder(readChunks: { [location = reader.location] in
      CachedChunks(in: location.store)
    })
    var changes = ChangedMembers()
    for member in members { try changes.add(member, in: reader.location) }
    let root = try folder(content.tree, changes, path: [])
    self.content.tree = root.id
    self.content.digest = root.digest.description
  }

  var permissions: RecordedPermissions? { base.facts.permissions?.updating(listings) }

  func recordMembers(with writer: borrowing StoreWriter) throws {
    writer.recordChunks(builder.chunks, of: content)
    let read = builder.readFolders.map {
      CachedFolder($0.listing, $0.node, members: $0.members, freshness)
    }
    tidyUp {
      try StatCache.write(
        folders + read, of: content.tree, on: device, after: known, keeping: { _ in true },
        in: reader.location.store)
    }
  }

  // MARK: Reading

  /// Returns a folder that is unchanged except for some members.
  private mutating func folder(
    _ tree: ObjectID, _ changes: ChangedMembers, path: [[UInt8]]
  ) throws -> ContentBuilder.Node {
    let before = try reader.objects.repository.tree(tree).entries.map(ComparedMember.init)
    var names = MemberLookup.Names(before.map(\.name))
    let typed = Dictionary(
      changes.members.map {
        (names.meant(by: String(decoding: $0, as: UTF8.self)) ?? $0, $1)
      },
      uniquingKeysWith: { $0.joined(with: $1) })
    // A version of an older program may have a part of a database as a member.
    let parts = try before.filter { member in
      try LiveDatabase.database(withPart: place(of: path + [member.name])).map {
        typed[$0.lastName] != nil
      } ?? false
    }
    for part in parts { try remove(part) }
    let left = Set(parts.map(\.name))
    let untouched = before.filter { typed[$0.name] == nil && !left.contains($0.name) }
    let touched = Dictionary(
      before.filter { typed[$0.name] != nil }.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let status = try FileStatus.of(place(of: path))
    let recorded = status.flatMap { known?.folder($0.inode) }.flatMap {
      $0.node.id == tree ? $0 : nil
    }
    let digests = recorded?.digests ?? [:]
    var nodes: [(name: [UInt8], node: ContentBuilder.Node)] = []
    var members: [[UInt8]: CachedFolder.Member] = [:]
    for member in untouched {
      let digest = try digests[member.id] ?? reader.contents.digest(of: member)
      if member.isFolder { storedFolders.insert(member.id) }
      nodes.append((member.name, try reader.contents.node(of: member, digest)))
    }
    for (name, change) in typed {
      let former = touched[name]
      let inner = path + [name]
      if former == nil, try isIgnored(inner) { continue }
      if !change.isWhole {
        let kind = try FileStatus.of(place(of: inner))?.kind
        if let former, former.isFolder, kind != .file {
          nodes.append((name, try folder(former.id, change, path: inner)))
          continue
        }
        // A file or a link has nothing below it, now or before.
        guard kind == .folder || former?.isFolder != false else {
          throw noSuchMember(
            inner + [change.members.keys.min { $0.lexicographicallyPrecedes($1) } ?? []],
            among: before.map(\.name), in: path)
        }
      }
      let read = try read(inner)
      if let read {
        nodes.append((name, read.node))
        listings.append((inner, read.listing))
        readership = readership.intersection(read.listing.readership)
        members[name] = .init(read.listing, read.node, in: device, freshness)
      }
      if let former { try remove(former) }
      guard former != nil || read != nil else {
        throw noSuchMember(inner, among: before.map(\.name), in: path)
      }
    }
    let node = try builder.folder(nodes)
    if let status {
      folders.append(CachedFolder(status.inode, node, nodes, after: recorded, reading: members))
    }
    return node
  }

  /// Returns which files are executable, if the file system doesn't know it.
  private var isExecutable: (([[UInt8]]) throws -> Bool)? {
    get throws {
      let (location, support) = (reader.location, reader.document.support)
      guard
        try !support.areBitsKept(in: location.document.parentFolder, trying: location.store)
      else { return nil }
      let former = try reader.document.formerMembers()
      return { try former?.mayBeRun($0) ?? false }
    }
  }

  /// Returns whether an item that the version doesn't have is excluded now, too.
  private func isIgnored(_ path: [[UInt8]]) throws -> Bool {
    let isFolder = try FileStatus.of(place(of: path))?.kind == .folder
    return filter.rules.rule(for: path, isFolder: isFolder) != nil
  }

  private func place(of path: [[UInt8]]) -> FilePath {
    path.reduce(reader.location.document) { $0.appending(bytes: $1) }
  }

  private func noSuchMember(
    _ path: [[UInt8]], among names: [[UInt8]], in folder: [[UInt8]]
  ) -> VersionError {
    let slash = [UInt8(ascii: "/")]
    return reader.contents.noSuchMember(
      Printable.text(path.joined(separator: slash)), of: base, among: names,
      in: Array(folder.joined(separator: slash)))
  }

  /// Reads a member as it is on disk; `nil` if it is gone.
  private mutating func read(
    _ path: [[UInt8]]
  ) throws -> (node: ContentBuilder.Node, listing: ItemListing)? {
    do {
      // Each attempt continues from the state that was read before.
      let (read, node, listing) = try DatabaseCopy.reportingRefusals {
        try DocumentReader.read(
          reader.location.document, member: path, clock: reader.environment.fileClock,
          leavingOut: filter, isExecutable: isExecutable, copyingTo: reader.location.store,
          progress: reader.meter.advance
        ) { [builder] in builder }
      }
      content.bytes += read.bytes - builder.bytes
      builder = read
      content.files += listing.files
      modified = max(modified, listing.modified / 1_000_000)
      return (node, listing)
    } catch let error as FileError where error.code == .notFound {
      guard try isGone(path) else { throw error }
      modified = max(modified, reader.milliseconds)
      return nil
    }
  }

  /// Returns whether a member, or a folder in its path, is gone; false if another kind of item is in its
  /// path.
  private func isGone(_ path: [[UInt8]]) throws -> Bool {
    var place = reader.location.document
    for name in path {
      place = place.appending(bytes: name)
      guard let status = try FileStatus.of(place) else { return true }
      guard status.kind == .folder else { return false }
    }
    return false
  }

  /// Subtracts a member of the previous version from the totals.
  private mutating func remove(_ member: ComparedMember) throws {
    if member.isFolder {
      for entry in try reader.objects.repository.tree(member.id).entries {
        try remove(ComparedMember(entry))
      }
    } else {
      content.files -= 1
      if member.isFile { content.bytes -= try size(of: member) }
    }
  }

  // MARK: Stored members

  private func size(of member: ComparedMember) throws -> Int {
    member.isChunked
      ? try ChunkList(member.id, in: reader.objects.repository).size
      : try reader.objects.repository.size(of: member.id)
  }
}

/// The changed members of a package, as a tree of names.
private struct ChangedMembers {
  private(set) var members: [[UInt8]: ChangedMembers] = [:]
  /// True if the whole member changed.
  private(set) var isWhole = false

  /// Adds a member; a file that is a part of a database represents the database.
  mutating func add(_ path: String, in location: DocumentLocation) throws {
    let names = path.pathNames()
    guard !names.isEmpty, path.utf8.first != UInt8(ascii: "/"), !names.contains("."),
      !names.contains("..")
    else {
      throw VersionError(
        .invalidArgument, document: location.printable,
        message: "“\(Printable.text(path))” isn’t the path of a member.")
    }
    var member = names.map { Array($0.utf8) }
    let place = member.reduce(location.document) { $0.appending(bytes: $1) }
    if let database = try LiveDatabase.database(withPart: place) {
      member[member.count - 1] = database.lastName
    }
    add(member[...])
  }

  private mutating func add(_ names: ArraySlice<[UInt8]>) {
    guard let first = names.first else { return isWhole = true }
    members[first, default: ChangedMembers()].add(names.dropFirst())
  }

  /// Returns the changes of both, for two spellings of one name.
  func joined(with other: ChangedMembers) -> ChangedMembers {
    var joined = self
    joined.isWhole = isWhole || other.isWhole
    joined.members.merge(other.members) { $0.joined(with: $1) }
    return joined
  }
}
