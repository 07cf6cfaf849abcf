package import SystemPackage

/// Processes a document while it is read, member by member, from the inside out.
///
/// For example, a store creates objects, and a comparison computes hashes. The reader handles the file
/// system, the visitor the bytes.
package protocol DocumentVisitor {
  /// The value that represents a visited member.
  associatedtype Node

  /// Returns the node of a regular file with this status if its bytes are already known; then the file isn't
  /// read.
  mutating func knownFile(_ status: FileStatus) throws -> Node?
  /// Visits a regular file; a file that may not fit into memory is read in pieces.
  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> Node
  /// Visits a symbolic link, which stays a link; its target is never read.
  mutating func symbolicLink(target: [UInt8]) throws -> Node
  /// Returns the node of a folder that is known to be unchanged; then nothing in it is read.
  mutating func knownFolder(_ listing: ItemListing) throws -> Node?
  /// Visits a folder whose members were visited before, in byte order of their names.
  mutating func folder(_ members: [(name: [UInt8], node: Node)]) throws -> Node
  /// Visits a folder with its listing; by default, the listing is ignored.
  mutating func folder(
    _ members: [(name: [UInt8], node: Node)], listedAs listing: ItemListing
  ) throws -> Node
}

/// The limits beyond which a document isn't read.
package struct DocumentLimits: Sendable {
  /// The greatest size of one file, in bytes.
  package var fileSize = 10 << 30
  /// The greatest size of all files together, in bytes.
  package var totalSize = 10 << 30
  /// The greatest number of files, links and folders together.
  package var members = 200_000
  /// The greatest depth of nested folders.
  package var depth = 1_000

  package init() {}
}

/// Reads documents: regular files, folders and links, and nothing else.
package enum DocumentReader {
  /// Reads a document that doesn't change in the meantime.
  ///
  /// Each file's status is compared before and after its bytes are read, and each folder's names and status
  /// likewise; a document that keeps changing is an error after three attempts.
  ///
  /// A database in SQLite's format that a program has open is read from a copy of one moment; the files
  /// beside it that are parts of it are not members.
  ///
  /// - Parameters:
  ///   - path: a regular file or a folder; a link is an error.
  ///   - member: the names in the path of a member, which is read alone and may be a link; empty for the
  ///     whole document.
  ///   - limits: the limits, which are checked before reading.
  ///   - clock: determines which changes are too recent for the status to show the next one.
  ///   - filter: excludes items from the members, which aren't read; `nil` to exclude none.
  ///   - isExecutable: returns which files are executable, by their paths in the document; `nil` to use the
  ///     file system.
  ///   - room: the folder for copies of databases; by default the document's folder.
  ///   - expect: called once with the number of bytes to read.
  ///   - progress: called with the number of bytes just read; an error that it throws ends the reading.
  ///   - makeVisitor: creates a visitor for every attempt.
  /// - Returns: the visitor after the successful attempt, its node for the document, and the document's
  ///   listing.
  package static func read<Visitor: DocumentVisitor>(
    _ path: FilePath, member: [[UInt8]] = [], limits: DocumentLimits = DocumentLimits(),
    clock: FileClock = .system, leavingOut filter: MemberFilter? = nil,
    isExecutable: (([[UInt8]]) throws -> Bool)? = nil, copyingTo room: FilePath? = nil,
    expect: (Int) -> Void = { _ in },
    progress: @escaping (Int) throws -> Void = { _ in }, makeVisitor: () throws -> Visitor
  ) throws -> (visitor: Visitor, node: Visitor.Node, listing: ItemListing) {
    for attempt in 1...3 {
      let folder = try OpenFolder(path.parentFolder)
      let names = [path.lastName] + member
      for name in names.dropLast() { try folder.enter(name) }
      let name = names[names.count - 1]
      let place = folder.path(of: name)
      guard let status = try folder.status(of: name) else {
        throw FileError(
          .notFound, path: place, message: "There is no file “\(place.printable)”.")
      }
      if status.kind == .symbolicLink, member.isEmpty {
        throw FileError(
          .unsupportedKind, path: place, message: "“\(place.printable)” is a symbolic link.")
      }
      do {
        // Checked before anything is read.
        var listing = try ItemListing(
          name, in: folder, limits: limits, clock: clock, at: member, leavingOut: filter?.rules)
        if let filter { listing = try listing.restoring(filter, at: member) }
        listing = try listing.settingDatabasePartsAside(at: folder.place(of: name)) ?? listing
        if attempt == 1 { expect(listing.bytes) }
        var pass = ReadingPass(
          visitor: try makeVisitor(), in: folder, clock: clock, at: member,
          isExecutable: isExecutable, copyingTo: room ?? path.parentFolder,
          copiesDatabases: attempt > 1, progress: progress)
        let node = try pass.read(listing)
        return (pass.visitor, node, listing)
      } catch let error as FileError where error.code == .changing {
        clock.wait(nanoseconds: 20_000_000)
      }
    }
    throw FileError(.changing, path: path, message: "“\(path.printable)” keeps changing.")
  }
}

/// Determines which items in a package are not members.
package struct MemberFilter {
  /// The rules that exclude items.
  package let rules: IgnoreRules
  /// Returns whether an item is a member although the rules exclude it, given the names in its path and
  /// whether it is a folder.
  package let isMember: ([[UInt8]], Bool) throws -> Bool

  package init(
    _ rules: IgnoreRules,
    isMember: @escaping ([[UInt8]], Bool) throws -> Bool = { _, _ in false }
  ) {
    self.rules = rules
    self.isMember = isMember
  }
}

extension DocumentVisitor {
  package func knownFile(_ status: FileStatus) -> Node? { nil }

  package func knownFolder(_ listing: ItemListing) -> Node? { nil }

  package mutating func folder(
    _ members: [(name: [UInt8], node: Node)], listedAs listing: ItemListing
  ) throws -> Node {
    try folder(members)
  }
}
