internal import Foundation
internal import Synchronization
package import SystemPackage

/// An item with everything in it, by names and statuses; with the bytes of its files, if they were also read.
package struct ItemListing: Sendable {
  package let name: [UInt8]
  package let status: FileStatus
  let detail: Detail
  /// True if there are files in it, at any depth, that are parts of databases beside them.
  package var holdsDatabaseParts: Bool { databases != nil }
  /// The names of the databases in it, if it has parts of any.
  var databases: Set<[UInt8]>?

  /// The facts that depend on the kind; a single value, so that a listing is copied quickly.
  enum Detail: Sendable {
    case none
    case link(target: [UInt8])
    /// The members, and the folder's items that are not members.
    case folder([ItemListing], ignored: [ItemListing])
    case file(contents: [UInt8])
  }

  /// The target of a link, as stored; `nil` for everything else.
  package var linkTarget: [UInt8]? {
    if case .link(let target) = detail { target } else { nil }
  }

  /// The members of a folder, in byte order of their names; `nil` for everything else.
  package var members: [ItemListing]? {
    if case .folder(let members, _) = detail { members } else { nil }
  }

  /// The items in a folder that are not members of the document, in byte order of the names; `nil` for
  /// everything else.
  package var ignored: [ItemListing]? {
    if case .folder(_, let ignored) = detail { ignored } else { nil }
  }

  /// All items in a folder, in byte order of the names; `nil` for everything else.
  var all: [ItemListing]? {
    guard case .folder(let members, let ignored) = detail else { return nil }
    return ignored.isEmpty
      ? members : (members + ignored).sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// The bytes of a file that was read; `nil` for everything else.
  package var contents: [UInt8]? {
    if case .file(let contents) = detail { contents } else { nil }
  }

  /// Lists an item without reading any file.
  ///
  /// The listing of each folder is from one moment.
  ///
  /// - Parameters:
  ///   - limits: the limits of the item; `nil` to list everything, for a comparison.
  ///   - clock: determines which changes are too recent for the status to show the next one.
  ///   - rules: exclude items from the members; `nil` to exclude none.
  /// - Throws: ``FileError``: `notFound`; `unsupportedKind` for anything but files, folders and links;
  ///   `tooLarge`; `changing` if a folder changes in the meantime.
  package init(
    _ path: FilePath, limits: DocumentLimits? = DocumentLimits(), clock: FileClock = .system,
    leavingOut rules: IgnoreRules? = nil
  ) throws(FileError) {
    // If the outer folder is missing, the item counts as not found.
    guard try FileStatus.of(path) != nil else { throw Self.notFound(path) }
    try self.init(
      path.lastName, in: OpenFolder(path.parentFolder), limits: limits, clock: clock,
      leavingOut: rules)
  }

  /// Lists an item of an open folder.
  ///
  /// - Parameter path: the names in its path in the document.
  init(
    _ name: [UInt8], in folder: OpenFolder, limits: DocumentLimits?, clock: FileClock = .system,
    at path: [[UInt8]] = [], leavingOut rules: IgnoreRules? = nil
  ) throws(FileError) {
    guard let status = try folder.status(of: name) else {
      throw Self.notFound(folder.path(of: name))
    }
    let walk = Walk(limits, start: clock.now, rules: rules)
    try self.init(name, status, in: folder, at: Place(path: path), walk, isInSlice: false)
  }

  private static func notFound(_ path: FilePath) -> FileError {
    FileError(.notFound, path: path, message: "There is no item “\(path.printable)”.")
  }

  /// A walk through an item: its counts, and its start time.
  private final class Walk: Sendable {
    private let tally: Mutex<DocumentTally?>
    let start: Int64
    let rules: IgnoreRules?

    init(_ limits: DocumentLimits?, start: Int64, rules: IgnoreRules?) {
      self.start = start
      self.rules = rules
      tally = Mutex(limits.map { DocumentTally(limits: $0) })
    }

    func add(
      _ status: FileStatus, depth: Int, at place: @autoclosure () -> ItemPath
    ) throws(FileError) {
      try tally.withLock { tally throws(FileError) in
        try tally?.add(status.kind, size: status.size, depth: depth, at: place())
      }
    }
  }

  /// The place of an item in the document.
  private struct Place {
    /// The names in its path; not kept if there are no rules.
    var path: [[UInt8]]
    var depth = 0
    /// True if the folder is ignored, so that its items aren't members and have no limits.
    var isIgnored = false

    func member(_ name: [UInt8], _ walk: Walk) -> Place {
      Place(
        path: walk.rules == nil ? path : path + [name], depth: depth + 1, isIgnored: isIgnored)
    }

    /// Returns whether the item itself is ignored.
    func isIgnored(by walk: Walk, _ status: FileStatus) -> Bool {
      !isIgnored && !path.isEmpty
        && walk.rules?.rule(for: path, isFolder: status.kind == .folder) != nil
    }
  }

  /// - Parameter isInSlice: whether other parts of the document are listed at the same time.
  private init(
    _ name: [UInt8], _ status: FileStatus, in folder: OpenFolder, at place: Place, _ walk: Walk,
    isInSlice: Bool
  ) throws(FileError) {
    if !place.isIgnored {
      try walk.add(status, depth: place.depth, at: folder.place(of: name))
    }
    self.name = name
    self.status = status
    switch status.kind {
    case .file, .other: detail = .none
    case .symbolicLink:
      let target = try folder.unlessChanged(name, status) { () throws(FileError) in
        try folder.linkTarget(of: name)
      }
      detail = .link(target: target)
    case .folder:
      try folder.unlessChanged(name, status) { () throws(FileError) in try folder.enter(name) }
      let names = try folder.names()
      let found =
        isInSlice || names.count < Self.leastForSlices
        ? try Self.members(names[...], of: folder, at: place, walk, isInSlice: isInSlice)
        : try Self.membersInSlices(names, of: folder, at: place, walk)
      detail = .folder(found.members, ignored: found.ignored)
      guard try isCurrent(in: folder, since: walk.start) else { throw folder.changing() }
      try folder.leave()
    }
  }

  private typealias Found = (members: [ItemListing], ignored: [ItemListing])

  /// Lists members of the open folder.
  private static func members(
    _ names: ArraySlice<[UInt8]>, of folder: OpenFolder, at place: Place, _ walk: Walk,
    isInSlice: Bool
  ) throws(FileError) -> Found {
    var found: Found = ([], [])
    found.members.reserveCapacity(names.count)
    for name in names {
      guard let status = try folder.status(of: name) else {
        // A program removes a journal with each commit.
        if LiveDatabase.suffix(of: name) != nil { continue }
        throw folder.changing(name)
      }
      var inner = place.member(name, walk)
      let isIgnored = inner.isIgnored(by: walk, status)
      inner.isIgnored = inner.isIgnored || isIgnored
      let item = try ItemListing(name, status, in: folder, at: inner, walk, isInSlice: isInSlice)
      if isIgnored { found.ignored.append(item) } else { found.members.append(item) }
    }
    return found
  }

  /// The fewest members for which a folder is listed by several threads.
  private static let leastForSlices = 64

  /// Lists the members of a large folder, some of them at the same time, because most of the work is the
  /// system's.
  private static func membersInSlices(
    _ names: [[UInt8]], of folder: OpenFolder, at place: Place, _ walk: Walk
  ) throws(FileError) -> Found {
    let size = max(16, names.count / (4 * ForkJoin.coreCount))
    let found = try folder.withFolder { folder throws(FileError) in
      let (number, open) = (folder.number, folder.place)
      return ForkJoin.mapRanges(of: names.count, upTo: size) { range in
        Result { () throws(FileError) in
          try Self.members(
            names[range], of: OpenFolder(another: number, at: open), at: place, walk,
            isInSlice: true)
        }
      }
    }
    var all: Found = ([], [])
    all.members.reserveCapacity(names.count)
    for slice in found {
      let slice = try slice.get()
      all.members += slice.members
      all.ignored += slice.ignored
    }
    return all
  }

  /// Returns whether an open folder is still this one, and has the same names.
  ///
  /// - Parameter start: a moment before it was listed, in nanoseconds since 1970: names are compared only if
  ///   the folder's status might not show a change since then; `nil` to compare them in any case.
  func isCurrent(in folder: OpenFolder, since start: Int64?) throws(FileError) -> Bool {
    if try folder.status() == status {
      if let start, status.showsChanges(after: start) { return true }
      if try folder.names() == all?.map(\.name) { return true }
    }
    return try isCurrentBesidesDatabases(in: folder)
  }
}

// MARK: Members and others

extension ItemListing {
  /// Returns the item with those ignored items as members that are members although the rules exclude them.
  ///
  /// - Parameter path: the names in the item's path in the document.
  func restoring(_ filter: MemberFilter, at path: [[UInt8]]) throws -> ItemListing {
    guard case .folder(var members, let found) = detail, hasIgnored else { return self }
    members = try members.map { try $0.restoring(filter, at: path + [$0.name]) }
    var ignored: [ItemListing] = []
    for item in found {
      let (member, other) = try item.divided(by: filter, at: path + [item.name])
      if let member { members.append(member) }
      if let other { ignored.append(other) }
    }
    members.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return ItemListing(name, status, .folder(members, ignored: ignored))
  }

  /// Divides an ignored item into the part that is a member in spite of the rules, and the rest.
  private func divided(
    by filter: MemberFilter, at path: [[UInt8]]
  ) throws -> (member: ItemListing?, other: ItemListing?) {
    guard try filter.isMember(path, isPackage) else { return (nil, self) }
    guard let all else { return (self, nil) }
    var (members, ignored): ([ItemListing], [ItemListing]) = ([], [])
    for item in all {
      let (member, other) = try item.divided(by: filter, at: path + [item.name])
      if let member { members.append(member) }
      if let other { ignored.append(other) }
    }
    return (ItemListing(name, status, .folder(members, ignored: ignored)), nil)
  }

  init(_ name: [UInt8], _ status: FileStatus, _ detail: Detail) {
    (self.name, self.status, self.detail) = (name, status, detail)
  }

  /// True if the folder has an item, at any depth, that is not a member.
  package var hasIgnored: Bool {
    guard case .folder(let members, let ignored) = detail else { return false }
    return !ignored.isEmpty || members.contains(where: \.hasIgnored)
  }

  /// Passes the items that are not members to a closure, with the names in their paths.
  package func forEachIgnored(
    at path: [[UInt8]] = [], _ body: (_ path: [[UInt8]], _ isFolder: Bool) -> Void
  ) {
    for item in ignored ?? [] { body(path + [item.name], item.isPackage) }
    for member in members ?? [] { member.forEachIgnored(at: path + [member.name], body) }
  }
}

// MARK: Totals and comparison

extension ItemListing {
  /// True if the document is a folder.
  package var isPackage: Bool { status.kind == .folder }

  /// The size of all files, in bytes.
  package var bytes: Int {
    total { item in item.status.kind == .file ? item.status.size : 0 }
  }

  /// The number of files and links; 1 for a document that is a file.
  package var files: Int {
    total { item in item.isPackage ? 0 : 1 }
  }

  private func total(_ count: (ItemListing) -> Int) -> Int {
    (members ?? []).reduce(count(self)) { sum, member in
      let (sum, isTooMuch) = sum.addingReportingOverflow(member.total(count))
      return isTooMuch ? .max : sum
    }
  }

  /// Passes the status of each file to a closure, in the order of reading.
  package func forEachFile(_ body: (FileStatus) -> Void) {
    if status.kind == .file { body(status) }
    for member in members ?? [] { member.forEachFile(body) }
  }

  /// The latest modification time of any member, in nanoseconds since 1970.
  package var modified: Int64 {
    (members ?? []).reduce(status.modified) { max($0, $1.modified) }
  }

  /// Returns whether the item at a path is this one, unchanged; it may have been moved in the meantime.
  package func isUnchanged(at path: FilePath) throws(FileError) -> Bool {
    try ItemPlace.at(path).holds(self)
  }

  /// Returns whether both listings have the same files, unchanged; the item's own name doesn't matter.
  package func isSameContent(as other: ItemListing) -> Bool {
    guard status.isSameContent(as: other.status) else { return false }
    let (own, others) = (all ?? [], other.all ?? [])
    guard own.count == others.count else { return false }
    return zip(own, others).allSatisfy {
      $0.name == $1.name && $0.isSameContent(as: $1)
    }
  }
}

extension ItemPlace {
  /// Returns whether the item at the place is the listed one, unchanged; it may have been moved in the
  /// meantime.
  func holds(_ item: ItemListing) throws(FileError) -> Bool {
    do {
      let present =
        switch self {
        case .at(let path): try ItemListing(path, limits: nil)
        case .member(let name, let folder): try ItemListing(name, in: folder, limits: nil)
        }
      return item.isSameContent(as: present)
    } catch {
      guard error.code == .changing || error.code == .notFound else { throw error }
      return false
    }
  }
}

// MARK: Snapshots

extension ItemListing {
  /// Reads an item completely, in its state at one moment.
  ///
  /// - Parameters:
  ///   - expect: called once with the number of bytes to read.
  ///   - progress: called with the number of bytes just read; an error that it throws ends the reading.
  /// - Throws: ``FileError``, like ``DocumentReader``.
  package init(
    reading path: FilePath, expect: (Int) -> Void = { _ in },
    progress: @escaping (Int) throws -> Void = { _ in }
  ) throws {
    let (_, node, listing) = try DocumentReader.read(path, expect: expect, progress: progress) {
      SnapshotVisitor()
    }
    self.init(listing, node)
  }

  private init(_ listing: ItemListing, _ node: SnapshotVisitor.Node) {
    name = listing.name
    status = listing.status
    switch node {
    case .file(let bytes): detail = .file(contents: bytes)
    case .link: detail = listing.detail
    case .folder(let nodes):
      detail = .folder(
        zip(listing.members ?? [], nodes).map { ItemListing($0, $1) },
        ignored: listing.ignored ?? [])
    }
  }
}

/// Keeps the bytes of all files.
private struct SnapshotVisitor: DocumentVisitor {
  indirect enum Node {
    case file([UInt8])
    case link
    case folder([Node])
  }

  func file(_ contents: FileContents, isExecutable: Bool) throws -> Node {
    .file(try contents.read())
  }

  func symbolicLink(target: [UInt8]) -> Node { .link }

  func folder(_ members: [(name: [UInt8], node: Node)]) -> Node { .folder(members.map(\.node)) }
}
