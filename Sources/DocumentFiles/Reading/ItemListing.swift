internal import Foundation
internal import Synchronization
package import SystemPackage

/// An item and all it holds, by names and statuses; with the bytes of its files, where they were read too.
package struct ItemListing: Sendable {
  package let name: [UInt8]
  package let status: FileStatus
  private let detail: Detail

  /// The part that depends on the kind; one value, so that a listing is quickly copied.
  private enum Detail: Sendable {
    case none
    case link(target: [UInt8])
    case folder([ItemListing])
    case file(contents: [UInt8])
  }

  /// The target of a link, as it is written there; nil for everything else.
  package var linkTarget: [UInt8]? {
    if case .link(let target) = detail { target } else { nil }
  }

  /// The members of a folder, in byte order of their names; nil for everything else.
  package var members: [ItemListing]? {
    if case .folder(let members) = detail { members } else { nil }
  }

  /// The bytes of a file that was read; nil for everything else.
  package var contents: [UInt8]? {
    if case .file(let contents) = detail { contents } else { nil }
  }

  /// Lists an item without reading a byte.
  ///
  /// Each folder is listed as it was at one moment.
  ///
  /// - Parameters:
  ///   - limits: beyond which an item is refused; nil where everything is listed, for comparing.
  ///   - clock: says which changes are too recent for the status to show the next one.
  /// - Throws: ``FileError``: `notFound`; `unsupportedKind` for anything but files, folders and links; `tooLarge`;
  ///   `changing` when a folder changes meanwhile.
  package init(
    _ path: FilePath, limits: DocumentLimits? = DocumentLimits(), clock: FileClock = .system
  ) throws(FileError) {
    // Where the folder above is missing, the item is what is not found.
    guard try FileStatus.of(path) != nil else { throw Self.notFound(path) }
    try self.init(path.lastName, in: OpenFolder(path.parentFolder), limits: limits, clock: clock)
  }

  /// Lists an item of an open folder.
  init(
    _ name: [UInt8], in folder: OpenFolder, limits: DocumentLimits?, clock: FileClock = .system
  ) throws(FileError) {
    guard let status = try folder.status(of: name) else {
      throw Self.notFound(folder.path(of: name))
    }
    let walk = Walk(limits, start: clock.now)
    try self.init(name, status, in: folder, depth: 0, walk, isInSlice: false)
  }

  private static func notFound(_ path: FilePath) -> FileError {
    FileError(.notFound, path: path, message: "There is no item “\(path.printable)”.")
  }

  /// A walk through an item: its counts, and when it began.
  private final class Walk: Sendable {
    private let tally: Mutex<DocumentTally?>
    let start: Int64

    init(_ limits: DocumentLimits?, start: Int64) {
      self.start = start
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

  /// - Parameter isInSlice: whether other parts of the document are listed at the same time.
  private init(
    _ name: [UInt8], _ status: FileStatus, in folder: OpenFolder, depth: Int, _ walk: Walk,
    isInSlice: Bool
  ) throws(FileError) {
    try walk.add(status, depth: depth, at: folder.place(of: name))
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
      let members =
        isInSlice || names.count < Self.leastForSlices
        ? try Self.members(names[...], of: folder, depth: depth + 1, walk, isInSlice: isInSlice)
        : try Self.membersInSlices(names, of: folder, depth: depth + 1, walk)
      detail = .folder(members)
      guard try isCurrent(in: folder, since: walk.start) else { throw folder.changing() }
      try folder.leave()
    }
  }

  /// Lists members of the open folder.
  private static func members(
    _ names: ArraySlice<[UInt8]>, of folder: OpenFolder, depth: Int, _ walk: Walk, isInSlice: Bool
  ) throws(FileError) -> [ItemListing] {
    var found: [ItemListing] = []
    found.reserveCapacity(names.count)
    for name in names {
      guard let status = try folder.status(of: name) else { throw folder.changing(name) }
      found.append(
        try ItemListing(name, status, in: folder, depth: depth, walk, isInSlice: isInSlice))
    }
    return found
  }

  /// A folder with fewer members is listed by one thread.
  private static let leastForSlices = 64

  /// Lists the members of a large folder, some of them at the same time: most of it is the system's work.
  private static func membersInSlices(
    _ names: [[UInt8]], of folder: OpenFolder, depth: Int, _ walk: Walk
  ) throws(FileError) -> [ItemListing] {
    let size = max(16, names.count / (4 * ForkJoin.coreCount))
    let slices = stride(from: 0, to: names.count, by: size).map {
      names[$0..<min($0 + size, names.count)]
    }
    let found = try folder.withFolder { folder throws(FileError) in
      let (number, place) = (folder.number, folder.place)
      return ForkJoin.map(slices.count, atMost: ForkJoin.coreCount) { index in
        Result { () throws(FileError) in
          try Self.members(
            slices[index], of: OpenFolder(another: number, at: place), depth: depth, walk,
            isInSlice: true)
        }
      }
    }
    var members: [ItemListing] = []
    members.reserveCapacity(names.count)
    for slice in found { members += try slice.get() }
    return members
  }

  /// Returns whether an open folder still is this one, and holds the same names.
  ///
  /// - Parameter start: some moment before it was listed, in nanoseconds since 1970: names are compared only where
  ///   a change since then would not show in the folder's status; nil to compare them in any case.
  func isCurrent(in folder: OpenFolder, since start: Int64?) throws(FileError) -> Bool {
    let present = try folder.status()
    guard present == status else { return false }
    if let start, status.showsChanges(after: start) { return true }
    return try folder.names() == members?.map(\.name)
  }
}

// MARK: Totals and comparison

extension ItemListing {
  /// True if the document is a folder.
  package var isPackage: Bool { status.kind == .folder }

  /// The bytes of all files.
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

  /// Hands out the status of each file, in the order of reading.
  package func forEachFile(_ body: (FileStatus) -> Void) {
    if status.kind == .file { body(status) }
    for member in members ?? [] { member.forEachFile(body) }
  }

  /// The latest modification of any member, in nanoseconds since 1970.
  package var modified: Int64 {
    (members ?? []).reduce(status.modified) { max($0, $1.modified) }
  }

  /// Returns whether the item at a path is this one, unchanged; wherever it was moved meanwhile.
  package func isUnchanged(at path: FilePath) throws(FileError) -> Bool {
    try ItemPlace.at(path).holds(self)
  }

  /// Returns whether both are of the same files, unchanged between them; whatever name the item itself has.
  package func isSameContent(as other: ItemListing) -> Bool {
    guard status.isSameContent(as: other.status), members?.count == other.members?.count else {
      return false
    }
    return zip(members ?? [], other.members ?? []).allSatisfy {
      $0.name == $1.name && $0.isSameContent(as: $1)
    }
  }
}

extension ItemPlace {
  /// Returns whether the item there is the listed one, unchanged; wherever it was moved meanwhile.
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
  /// Reads an item whole, as it was at one moment.
  ///
  /// - Parameters:
  ///   - expect: called once with the number of bytes that there are to read.
  ///   - progress: called with the number of bytes just read; what it throws ends the reading.
  /// - Throws: ``FileError``, as ``DocumentReader`` does.
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
      detail = .folder(zip(listing.members ?? [], nodes).map { ItemListing($0, $1) })
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
