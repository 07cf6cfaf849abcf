package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What is made of a document while it is read, member by member, from the inside out.
///
/// A store makes objects, a comparison makes hashes: the reader knows the file system, the visitor what
/// the bytes are for.
package protocol DocumentVisitor {
  /// What stands for a member once it was visited.
  associatedtype Node

  /// A regular file; one that need not fit into memory is read piece by piece.
  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> Node
  /// A symbolic link, kept as a link: its target is never looked at.
  mutating func symbolicLink(target: [UInt8]) throws -> Node
  /// A folder whose members were visited before, in byte order of their names.
  mutating func folder(_ members: [(name: [UInt8], node: Node)]) throws -> Node
}

/// How much a document may hold before reading it is refused.
package struct DocumentLimits: Sendable {
  /// Bytes of one file.
  package var fileSize = 10 << 30
  /// Bytes of all files together.
  package var totalSize = 10 << 30
  /// Files, links and folders together.
  package var members = 200_000
  /// Folders inside one another.
  package var depth = 1_000

  package init() {}
}

/// What the reader saw on the way.
package struct DocumentFacts: Sendable {
  /// The document's own status.
  package var status: FileStatus
  /// Whether it is a folder.
  package var isPackage: Bool { status.kind == .folder }
  /// Bytes of all files.
  package var bytes = 0
  /// Files and links; 1 for a document that is a file.
  package var files = 0
  /// When any member was modified last, in nanoseconds since 1970.
  package var modified: Int64
  /// The status of every member, in the order of reading: equal as long as nothing was changed.
  package var fingerprint: [FileStatus] = []

  init(status: FileStatus) {
    self.status = status
    modified = status.modified
  }

  /// Bytes of all files, by their status.
  package var size: Int {
    fingerprint.reduce(0) { sum, member in
      guard member.kind == .file else { return sum }
      let (sum, isTooMuch) = sum.addingReportingOverflow(member.size)
      return isTooMuch ? .max : sum
    }
  }

  /// Whether the other reading saw the same files, unchanged since.
  package func isSameContent(as other: DocumentFacts) -> Bool {
    fingerprint.count == other.fingerprint.count
      && zip(fingerprint, other.fingerprint).allSatisfy { $0.isSameContent(as: $1) }
  }
}

/// Reads documents: regular files, folders and links, and nothing else.
package enum DocumentReader {
  /// Reads a document that does not change meanwhile.
  ///
  /// Each file's status is compared before and after its bytes are read, and each folder's names and
  /// status likewise; a document that keeps changing is refused after three attempts.
  ///
  /// - Parameters:
  ///   - path: a regular file or a folder; a link is refused.
  ///   - limits: what is refused before it is read.
  ///   - expect: called once with the number of bytes that there are to read.
  ///   - progress: called with the number of bytes just read; what it throws ends the reading.
  ///   - makeVisitor: a fresh visitor for every attempt.
  /// - Returns: the visitor after the reading that held, its node for the document, and the facts.
  package static func read<Visitor: DocumentVisitor>(
    _ path: FilePath, limits: DocumentLimits = DocumentLimits(),
    expect: (Int) -> Void = { _ in },
    progress: @escaping (Int) throws -> Void = { _ in }, makeVisitor: () throws -> Visitor
  ) throws -> (visitor: Visitor, node: Visitor.Node, facts: DocumentFacts) {
    for attempt in 1...3 {
      let folder = try OpenFolder(path.parentFolder)
      guard let status = try folder.status(of: path.lastName) else { throw notFound(path) }
      if status.kind == .symbolicLink {
        throw FileError(
          .unsupportedKind, path: path, message: "“\(path.printable)” is a symbolic link.")
      }
      var pass = ReadingPass(
        visitor: try makeVisitor(), facts: DocumentFacts(status: status), limits: limits,
        folder: folder, progress: progress)
      do {
        let size = try pass.check(path.lastName)
        if attempt == 1 { expect(size) }
        let node = try pass.read(path.lastName, depth: 0)
        return (pass.visitor, node, pass.facts)
      } catch let error as FileError where error.code == .changing {
        usleep(20_000)
      }
    }
    throw FileError(.changing, path: path, message: "“\(path.printable)” keeps changing.")
  }

  /// The status of every member, without reading a byte.
  package static func facts(of path: FilePath) throws -> DocumentFacts {
    guard try FileStatus.of(path) != nil else { throw notFound(path) }
    let folder = try OpenFolder(path.parentFolder)
    guard let status = try folder.status(of: path.lastName) else { throw notFound(path) }
    var facts = DocumentFacts(status: status)
    try collect(path.lastName, status, in: folder, into: &facts)
    return facts
  }

  private static func collect(
    _ name: [UInt8], _ status: FileStatus, in folder: OpenFolder, into facts: inout DocumentFacts
  ) throws {
    facts.fingerprint.append(status)
    facts.modified = max(facts.modified, status.modified)
    guard status.kind == .folder else { return }
    try folder.enter(name)
    for name in try folder.names() {
      if let status = try folder.status(of: name) {
        try collect(name, status, in: folder, into: &facts)
      }
    }
    try folder.leave()
  }

  private static func notFound(_ path: FilePath) -> FileError {
    FileError(.notFound, path: path, message: "There is no file “\(path.printable)”.")
  }
}
