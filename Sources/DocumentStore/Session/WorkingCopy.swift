package import DocumentFiles
package import DocumentGit
package import SystemPackage

/// The document as it is on disk: its content, and the objects that would store it.
package struct WorkingCopy {
  /// True if the file system keeps permission bits.
  private let hasPermissions: Bool
  package let listing: ItemListing
  package let content: DocumentContent
  package let objects: [GitObject]
  /// The nodes of the document and its members, a folder after its members.
  let nodes: [ContentBuilder.Node]
  /// The number of files that had to be read.
  let readFiles: Int
  /// The cached entries of its members.
  private let known: StatCache?
  /// The document's unchanged folders, by their inodes.
  private let knownFolders: Set<UInt64>
  /// The document's other folders.
  private let readFolders: [ContentBuilder.ReadFolder]
  /// The chunks of large files that were read; `nil` if there were none.
  let chunks: CachedChunks?
  /// When reading began, in nanoseconds since 1970.
  let start: Int64

  /// The trees of folders that are stored with all their contents.
  package var storedFolders: Set<ObjectID> {
    Set(nodes.lazy.filter { $0.mode == .folder && $0.isStored }.map(\.id))
  }

  /// The document's modification date in milliseconds since 1970.
  package var modified: Int64 { listing.modified / 1_000_000 }

  /// The permissions; `nil` if the file system has none.
  package var permissions: RecordedPermissions? {
    hasPermissions ? RecordedPermissions(listing) : nil
  }

  package var readership: Readership { listing.readership }

  /// Reads the document; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - known: the files that need not be read, because they are stored unchanged.
  ///   - former: the members of the version that the document shows.
  ///   - support: reports whether file systems keep permission bits.
  ///   - clock: the clock to compare file times with.
  package static func read(
    _ location: DocumentLocation, knowing known: StatCache? = nil,
    after former: FormerMembers? = nil, support: PermissionSupport = .system,
    clock: FileClock, meter: ProgressMeter = ProgressMeter(nil)
  ) throws -> WorkingCopy? {
    guard let status = try FileStatus.of(location.document) else { return nil }
    if status.kind == .symbolicLink {
      let target = Printable.text(try Folder.linkTarget(of: location.document))
      throw FileError(
        .unsupportedKind, path: location.document,
        message: """
          “\(location.printable)” is a link to “\(target)” now, and no document; its versions are kept. Move the \
          link away to restore one of them.
          """)
    }
    return try read(
      location.document, named: ContainerPath.name(of: location.path), knowing: known,
      after: former, leavingOut: status.kind == .folder ? IgnoreRules(forMembersOf: location) : nil,
      support: support, trying: location.store,
      readChunks: { CachedChunks(in: location.store) }, clock: clock, meter: meter)
  }

  /// Reads a document at any path, to be stored under a name.
  ///
  /// - Parameter rules: exclude items from the members of a package, unless `former` has them; `nil` to
  ///   exclude none.
  package static func read(
    _ path: FilePath, named name: String, knowing known: StatCache? = nil,
    after former: FormerMembers? = nil, leavingOut rules: IgnoreRules? = nil,
    support: PermissionSupport = .system, trying store: FilePath? = nil,
    readChunks: @escaping () -> CachedChunks = { CachedChunks() }, clock: FileClock,
    meter: ProgressMeter = ProgressMeter(nil)
  ) throws -> WorkingCopy {
    let start = clock.now
    let folder = path.parentFolder
    let hasPermissions = try support.areBitsKept(in: folder, trying: store ?? folder)
    let room = try store.map { try DocumentLocation.room(in: $0, or: folder) } ?? folder
    var (builder, node, listing) = try DatabaseCopy.reportingRefusals {
      try DocumentReader.read(
        path, clock: clock,
        leavingOut: rules.map { rules in
          MemberFilter(rules) { path, _ in try former?.hasMember(path) ?? false }
        },
        isExecutable: hasPermissions ? nil : { try former?.mayBeRun($0) ?? false },
        copyingTo: room, expect: meter.expect, progress: meter.advance
      ) { ContentBuilder(knowing: known, readChunks: readChunks) }
    }
    let nodes = builder.nodes
    let content = try builder.content(of: node, named: Array(name.utf8))
    return WorkingCopy(
      hasPermissions: hasPermissions, listing: listing, content: content,
      objects: builder.objects, nodes: nodes, readFiles: builder.readFiles, known: known,
      knownFolders: builder.knownFolders,
      readFolders: builder.readFolders, chunks: builder.chunks, start: start)
  }

  /// Reads a document without a version that determines its members; if there are items that rules exclude,
  /// it also reads the document with these.
  package static func possible(at location: DocumentLocation, clock: FileClock) throws
    -> [WorkingCopy]
  {
    guard let copy = try read(location, clock: clock) else { return [] }
    guard copy.listing.hasIgnored else { return [copy] }
    return [
      copy,
      try read(location.document, named: ContainerPath.name(of: location.path), clock: clock),
    ]
  }

  /// True if all members were cached, so that there is nothing to record.
  var isKnown: Bool { readFiles == 0 && known?.tree == content.tree }

  /// Records the members that need not be read the next time.
  ///
  /// - Parameter leastAge: the time for which files must have been left alone, in nanoseconds.
  func recordMembers(in store: FilePath, leastAge: Int64) throws {
    let freshness = Freshness(readSince: start, leastAge: leastAge)
    let device = listing.status.device
    var folders = readFolders.map {
      CachedFolder($0.listing, $0.node, members: $0.members, freshness)
    }
    if !listing.isPackage, let node = nodes.last {
      let member = CachedFolder.Member(listing, node, in: device, freshness)
      folders = [CachedFolder(inode: CachedFolder.ofFile, node: node, members: [member])]
    }
    try StatCache.write(
      folders, of: content.tree, on: device, after: known, keeping: knownFolders.contains,
      in: store)
  }

  /// Returns whether the document is unchanged since it was read.
  package func isCurrent(at location: DocumentLocation) throws -> Bool {
    try isCurrent(at: location.document)
  }

  /// Returns whether the item at a path is unchanged since it was read.
  package func isCurrent(at path: FilePath) throws -> Bool {
    try listing.isUnchanged(at: path)
  }
}

extension DocumentLocation {
  /// The folder for temporary copies of the document.
  var room: FilePath {
    get throws { try Self.room(in: store, or: document.parentFolder) }
  }

  /// - Parameter folder: the folder to use if there is no store.
  fileprivate static func room(in store: FilePath, or folder: FilePath) throws -> FilePath {
    try FileStatus.of(store) == nil ? folder : store
  }
}
