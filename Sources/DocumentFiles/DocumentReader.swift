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

  /// A regular file.
  mutating func file(_ bytes: [UInt8], isExecutable: Bool) throws -> Node
  /// A symbolic link, kept as a link: its target is never looked at.
  mutating func symbolicLink(target: [UInt8]) throws -> Node
  /// A folder whose members were visited before, in byte order of their names.
  mutating func folder(_ members: [(name: [UInt8], node: Node)]) throws -> Node
}

/// How much a document may hold before reading it is refused.
package struct DocumentLimits: Sendable {
  /// Bytes of one file.
  package var fileSize = 2 << 30
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
  /// Files, links and folders.
  var members = 0
  /// When any member was modified last, in nanoseconds since 1970.
  package var modified: Int64
  /// The status of every member, in the order of reading: equal as long as nothing was changed.
  package var fingerprint: [FileStatus] = []

  init(status: FileStatus) {
    self.status = status
    modified = status.modified
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
  ///   - makeVisitor: a fresh visitor for every attempt.
  /// - Returns: the visitor after the reading that held, its node for the document, and the facts.
  package static func read<Visitor: DocumentVisitor>(
    _ path: FilePath, limits: DocumentLimits = DocumentLimits(), makeVisitor: () throws -> Visitor
  ) throws -> (visitor: Visitor, node: Visitor.Node, facts: DocumentFacts) {
    for _ in 1...3 {
      guard let status = try FileStatus.of(path) else {
        throw FileError(.notFound, path: path, message: "There is no file “\(path.printable)”.")
      }
      if status.kind == .symbolicLink {
        throw FileError(
          .unsupportedKind, path: path, message: "“\(path.printable)” is a symbolic link.")
      }
      var pass = ReadingPass(
        visitor: try makeVisitor(), facts: DocumentFacts(status: status), limits: limits)
      do {
        let node = try pass.read(path, depth: 0)
        return (pass.visitor, node, pass.facts)
      } catch let error as FileError where error.code == .changing {
        usleep(20_000)
      }
    }
    throw FileError(.changing, path: path, message: "“\(path.printable)” keeps changing.")
  }

  /// The status of every member, without reading a byte.
  package static func facts(of path: FilePath) throws -> DocumentFacts {
    guard let status = try FileStatus.of(path) else {
      throw FileError(.notFound, path: path, message: "There is no file “\(path.printable)”.")
    }
    var facts = DocumentFacts(status: status)
    try collect(path, status, into: &facts)
    return facts
  }

  private static func collect(
    _ path: FilePath, _ status: FileStatus, into facts: inout DocumentFacts
  ) throws {
    facts.fingerprint.append(status)
    facts.modified = max(facts.modified, status.modified)
    guard status.kind == .folder else { return }
    for name in try Folder.names(in: path) {
      let member = path.appending(bytes: name)
      if let status = try FileStatus.of(member) { try collect(member, status, into: &facts) }
    }
  }
}

/// One attempt at reading a document.
private struct ReadingPass<Visitor: DocumentVisitor> {
  var visitor: Visitor
  var facts: DocumentFacts
  let limits: DocumentLimits

  mutating func read(_ path: FilePath, depth: Int) throws -> Visitor.Node {
    guard let before = try FileStatus.of(path) else { throw changing(path) }
    facts.members += 1
    if depth > limits.depth || facts.members > limits.members {
      throw FileError(
        .tooLarge, path: path,
        message: """
          “\(path.printable)” is beyond the limit of \(limits.members) members and \(limits.depth) \
          nested folders.
          """)
    }
    facts.fingerprint.append(before)
    facts.modified = max(facts.modified, before.modified)
    switch before.kind {
    case .file: return try readFile(path, before)
    case .folder: return try readFolder(path, before, depth: depth)
    case .symbolicLink: return try readLink(path)
    case .other(let kind):
      throw FileError(
        .unsupportedKind, path: path,
        message: "“\(path.printable)” is \(kind); only files, folders and links can be saved.")
    }
  }

  private mutating func readFile(_ path: FilePath, _ seen: FileStatus) throws -> Visitor.Node {
    let file = try Descriptor.open(reading: path)
    let before = try file.status()
    guard before == seen else { throw changing(path) }
    facts.files += 1
    if before.size > limits.fileSize || before.size > limits.totalSize - facts.bytes {
      throw FileError(
        .tooLarge, path: path,
        message: "“\(path.printable)” has \(before.size) bytes, more than can be saved.")
    }
    facts.bytes += before.size
    before.waitUntilNewChangesShow()
    file.waitForWrites()
    let bytes = try file.readAll(expecting: before.size)
    guard bytes.count == before.size, try file.status() == before else { throw changing(path) }
    return try visitor.file(bytes, isExecutable: before.isExecutable)
  }

  private mutating func readFolder(
    _ path: FilePath, _ before: FileStatus, depth: Int
  ) throws -> Visitor.Node {
    let names = try Folder.names(in: path)
    var members: [(name: [UInt8], node: Visitor.Node)] = []
    for name in names {
      members.append((name, try read(path.appending(bytes: name), depth: depth + 1)))
    }
    guard try FileStatus.of(path) == before, try Folder.names(in: path) == names else {
      throw changing(path)
    }
    return try visitor.folder(members)
  }

  private mutating func readLink(_ path: FilePath) throws -> Visitor.Node {
    facts.files += 1
    return try visitor.symbolicLink(target: SymbolicLink.target(of: path))
  }

  private func changing(_ path: FilePath) -> FileError {
    FileError(.changing, path: path, message: "“\(path.printable)” changes while it is read.")
  }
}

/// Reading and making symbolic links, whose targets are bytes.
package enum SymbolicLink {
  /// The target as it is written in the link.
  package static func target(of path: FilePath) throws(FileError) -> [UInt8] {
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = path.withPlatformString { pointer in
        buffer.withMemoryRebound(to: CChar.self) {
          max(
            0,
            readlink(pointer, $0.baseAddress ?? UnsafeMutablePointer(mutating: pointer), $0.count))
        }
      }
    }
    guard !target.isEmpty else { throw .failed(to: "read the link", path, .current) }
    return target
  }

  static func create(_ path: FilePath, target: [UInt8]) throws(FileError) {
    guard !target.isEmpty, !target.contains(0) else {
      throw FileError(
        .invalidName, path: path, message: "The link “\(path.printable)” has an impossible target.")
    }
    let text = target.map { CChar(bitPattern: $0) } + [0]
    guard path.withPlatformString({ symlink(text, $0) }) == 0 else {
      throw .failed(to: "create the link", path, .current)
    }
  }
}
