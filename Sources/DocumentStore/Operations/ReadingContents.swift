internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// Reads the contents of versions.
struct ReadingContents {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Returns the bytes of a version; see ``FileVersion/contents(ofMember:)``.
  func contents(of version: FileVersion, member: String?) throws -> Data {
    var data = Data()
    try read(version, member: member) { data += $0 }
    return data
  }

  /// Passes the bytes of a version on in pieces; see ``VersionStore/read(_:member:_:)``.
  func read(
    _ version: FileVersion, member: String?, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try environment.reading(version.documentURL) { reader in
      switch try reader.contents.item(of: reader.localRecord(version), member: member) {
      case .file(_, let contents):
        reader.meter.expect(contents.size)
        try contents.forEachPiece { piece in
          try reader.meter.advance(piece.count)
          try body(piece)
        }
      case .symbolicLink(let target): try body(target[...])
      default:
        throw VersionError(
          .noSuchMember, document: reader.location.printable,
          message: """
            “\(Printable.text(member ?? reader.location.printable))” is a folder; name one of its members.
            """)
      }
    }
  }

  /// Returns the members of a version that is a package; see ``FileVersion/members(in:)``.
  func members(of version: FileVersion, in folder: String?) throws -> [PackageMemberInfo] {
    try environment.reading(version.documentURL) { reader in
      let record = try reader.localRecord(version)
      let found = try folder.map { try reader.contents.member($0, of: record) }
      guard record.content?.isPackage == true, let tree = record.content?.tree else { return [] }
      _ = try reader.contents.item(of: record)
      guard let found else { return try reader.contents.members(of: tree, prefix: "") }
      guard try ComparedMember(found.entry).isFolder else { return [] }
      return try reader.contents.members(
        of: found.entry.id, prefix: Printable.text(found.path) + "/")
    }
  }

  /// Returns one member of a version; see ``FileVersion/member(_:)``.
  func member(_ path: String, of version: FileVersion) throws -> PackageMemberInfo {
    try environment.reading(version.documentURL) { reader in
      let found = try reader.contents.member(path, of: reader.localRecord(version))
      return try ComparedSide(reader).info(of: ComparedMember(found.entry), at: found.path)
    }
  }
}
