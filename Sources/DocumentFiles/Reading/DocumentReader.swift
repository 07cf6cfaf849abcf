package import SystemPackage

/// Makes something of a document while it is read, member by member, from the inside out.
///
/// A store makes objects, a comparison makes hashes: the reader deals with the file system, the visitor with the bytes.
package protocol DocumentVisitor {
  /// The value that stands for a member once it was visited.
  associatedtype Node

  /// The node of a regular file with this status, where its bytes are known already; then it is not read.
  mutating func knownFile(_ status: FileStatus) throws -> Node?
  /// Visits a regular file; one that need not fit into memory is read piece by piece.
  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> Node
  /// Visits a symbolic link, which stays a link: its target is never read.
  mutating func symbolicLink(target: [UInt8]) throws -> Node
  /// The node of a folder that is known to be unchanged; then nothing in it is read.
  mutating func knownFolder(_ listing: ItemListing) throws -> Node?
  /// Visits a folder whose members were visited before, in byte order of their names.
  mutating func folder(_ members: [(name: [UInt8], node: Node)]) throws -> Node
  /// Visits a folder with its listing; by default as without.
  mutating func folder(
    _ members: [(name: [UInt8], node: Node)], listedAs listing: ItemListing
  ) throws -> Node
}

/// The size of a document beyond which it is not read.
package struct DocumentLimits: Sendable {
  /// The bytes of one file.
  package var fileSize = 10 << 30
  /// The bytes of all files together.
  package var totalSize = 10 << 30
  /// Files, links and folders together.
  package var members = 200_000
  /// Folders inside one another.
  package var depth = 1_000

  package init() {}
}

/// Reads documents: regular files, folders and links, and nothing else.
package enum DocumentReader {
  /// Reads a document that does not change meanwhile.
  ///
  /// Each file's status is compared before and after its bytes are read, and each folder's names and
  /// status likewise; a document that keeps changing is refused after three attempts.
  ///
  /// A database in SQLite's format that a program has open is read as it was in one moment, from a copy; the files beside it
  /// that are parts of it are no members.
  ///
  /// - Parameters:
  ///   - path: a regular file or a folder; a link is refused.
  ///   - member: the names that lead to a member of the folder, which is read alone and may be a link; empty for all.
  ///   - limits: what is refused before it is read.
  ///   - clock: says which changes are too recent for the status to show the next one.
  ///   - filter: says what is no member, and not read; `nil` if all is.
  ///   - isExecutable: says which files may be run, by their paths in the document; `nil` if the file system does.
  ///   - room: the folder for copies of databases; by default the one that the document is in.
  ///   - expect: called once with the number of bytes that there are to read.
  ///   - progress: called with the number of bytes just read; what it throws ends the reading.
  ///   - makeVisitor: a fresh visitor for every attempt.
  /// - Returns: the visitor after the reading that held, its node for the document, and what was there.
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
        // Refused before anything is read.
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

/// Says which items in a package are no members of it.
package struct MemberFilter {
  /// The rules that say so.
  package let rules: IgnoreRules
  /// Returns whether an item that the rules name is a member all the same; gets the names that lead to it, and whether it
  /// is a folder.
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
