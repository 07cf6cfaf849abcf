internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// One of two compared contents, with access to its members.
///
/// It counts the members that it returns, so that a few trees that contain one another repeatedly can't
/// become billions of members.
final class ComparedSide {
  let reader: StoreReader
  /// The document, if the members are on disk.
  private let document: FilePath?
  private var visited = 0

  init(_ reader: StoreReader, onDisk document: FilePath? = nil) {
    self.reader = reader
    self.document = document
  }

  /// Returns the members of a folder, in byte order of their names.
  func members(of folder: ComparedMember, depth: Int) throws -> [ComparedMember] {
    if let members = folder.node?.members {
      return members.map { ComparedMember(name: $0.name, $0.node) }
    }
    try reader.meter.advance(0)
    let members = try reader.objects.repository.tree(folder.id).entries.map(ComparedMember.init)
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    let limits = DocumentLimits()
    visited += members.count
    guard visited <= limits.members, depth < limits.depth else {
      throw GitError.malformed("a package has more members than a document may have")
    }
    guard zip(members, members.dropFirst()).allSatisfy({ $0.name != $1.name }) else {
      throw GitError.malformed("a package has a member with a doubled name")
    }
    return members
  }

  /// Returns the size of a file or a link's target, in bytes; 0 for a folder.
  func size(of member: ComparedMember) throws -> Int {
    if let node = member.node { return node.size }
    if member.isChunked { return try ChunkList(member.id, in: reader.objects.repository).size }
    return member.isFolder ? 0 : try reader.objects.repository.size(of: member.id)
  }

  /// Returns the member as listings show it.
  func info(of member: ComparedMember, at path: [UInt8]) throws -> PackageMemberInfo {
    var (mode, size) = (member.mode, 0)
    if let node = member.node {
      (mode, size) = (node.object.mode, node.size)
    } else if member.isChunked {
      let chunks = try ChunkList(member.id, in: reader.objects.repository)
      (mode, size) = (chunks.mode, chunks.size)
    } else {
      size = try self.size(of: member)
    }
    return PackageMemberInfo(
      path: Printable.text(path), kind: mode.memberKind, bytes: size,
      identity: member.id.description)
  }

  /// Returns the sizes of the chunks of a file in chunks.
  func chunks(of member: ComparedMember, at path: [UInt8]) throws -> [ObjectID: Int] {
    if let document, member.node != nil {
      let reader = try read(member, at: document.appending(member: path)) {
        RereadFile(keepsBytes: false)
      }
      return Dictionary(
        reader.builder.objects.filter { $0.kind == .blob }.map { ($0.id, $0.size) },
        uniquingKeysWith: { first, _ in first })
    }
    let list = try ChunkList(member.id, in: reader.objects.repository)
    return Dictionary(
      list.chunks(of: 0..<list.size).map { ($0.id, $0.part.count) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the bytes of a file or of a link's target; `nil` for a folder, and for more bytes than the
  /// limit.
  func bytes(of member: ComparedMember, at path: [UInt8], upTo limit: Int) throws -> [UInt8]? {
    // A long operation can be stopped before each member.
    try reader.meter.advance(0)
    guard try !member.isFolder && size(of: member) <= limit else { return nil }
    if let document, member.node != nil {
      let place = document.appending(member: path)
      guard member.mode == .symbolicLink else {
        return try read(member, at: place) { RereadFile(keepsBytes: true) }.bytes
      }
      let target = try ItemListing(place, clock: reader.environment.fileClock).linkTarget ?? []
      guard ObjectID(of: .blob, target) == member.id else { throw changing(place) }
      return target
    }
    guard member.isChunked else {
      return try reader.objects.repository.read(member.id, as: .blob, upTo: limit)
    }
    let chunks = try ChunkList(member.id, in: reader.objects.repository, limit: limit)
    return try reader.objects.repository.read(0..<chunks.size, of: chunks)
  }

  /// Reads a file of the document on disk again.
  ///
  /// - Throws: ``FileError`` with code `changing` if it has changed since it was compared.
  private func read(
    _ member: ComparedMember, at place: FilePath, with reader: () -> RereadFile
  ) throws -> RereadFile {
    let (visitor, node, _) = try DatabaseCopy.reportingRefusals {
      try DocumentReader.read(
        place, clock: self.reader.environment.fileClock, copyingTo: self.reader.location.room
      ) { reader() }
    }
    guard node?.id == member.id, node?.isChunked == member.isChunked else { throw changing(place) }
    return visitor
  }

  private func changing(_ place: FilePath) -> FileError {
    FileError(
      .changing, path: place, message: "“\(place.printable)” changed while it was being compared.")
  }
}

/// Reads a file again: its object, and its bytes or those of its chunks.
private struct RereadFile: DocumentVisitor {
  private(set) var builder: ContentBuilder
  private(set) var bytes: [UInt8] = []
  private let keepsBytes: Bool

  init(keepsBytes: Bool) {
    self.keepsBytes = keepsBytes
    builder = ContentBuilder(keepsObjects: !keepsBytes)
  }

  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> ContentBuilder.Node? {
    guard keepsBytes else { return try builder.file(contents, isExecutable: isExecutable) }
    bytes = try contents.read()
    return try builder.file(FileContents(bytes), isExecutable: isExecutable)
  }

  func symbolicLink(target: [UInt8]) -> ContentBuilder.Node? { nil }

  func folder(_ members: [(name: [UInt8], node: ContentBuilder.Node?)]) -> ContentBuilder.Node? {
    nil
  }
}

/// A member and its location.
struct LocatedMember {
  let member: ComparedMember
  /// The path in the package, with "/" between folders; empty for the document itself.
  let path: [UInt8]
  let side: ComparedSide

  /// Returns a folder's member with its location.
  func inner(_ member: ComparedMember) -> LocatedMember {
    LocatedMember(
      member: member,
      path: path.isEmpty ? member.name : path + [UInt8(ascii: "/")] + member.name, side: side)
  }

  /// Returns the members of a folder, in byte order.
  func members() throws -> [LocatedMember] {
    try side.members(of: member, depth: path.count { $0 == UInt8(ascii: "/") }).map(inner)
  }

  /// The last name of the path.
  var lastName: ArraySlice<UInt8> {
    path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
  }

  func info() throws -> PackageMemberInfo { try side.info(of: member, at: path) }

  func size() throws -> Int { try side.size(of: member) }

  func bytes(upTo limit: Int) throws -> [UInt8]? {
    try side.bytes(of: member, at: path, upTo: limit)
  }

  func chunks() throws -> [ObjectID: Int] { try side.chunks(of: member, at: path) }
}

extension FilePath {
  /// Returns the path of a document's member.
  func appending(member path: [UInt8]) -> FilePath {
    path.split(separator: UInt8(ascii: "/")).reduce(self) { $0.appending(bytes: Array($1)) }
  }
}
