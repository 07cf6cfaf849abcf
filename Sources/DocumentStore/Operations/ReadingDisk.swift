package import DocumentFiles
internal import DocumentGit
package import Foundation
package import SystemPackage

/// The contents of a file or a package on disk, independent of any store.
package struct ContentsOnDisk: Sendable {
  package let contents: VersionContents
  /// The digest of the contents, as in records.
  package let digest: String
  package let isPackage: Bool
  /// The size in bytes.
  package let size: Int
  /// The modification date of the file, or of the package's contents.
  package let modified: Date
  /// The permission bits.
  package let permissions: UInt32

  /// Reads the contents of a file or a folder; links are not followed.
  ///
  /// - Throws: ``FileError``: `notFound`, `unsupportedKind` for anything else, `changing` for an item that
  ///   changes in the meantime.
  init(reading url: URL, clock: FileClock) throws {
    let path = try url.filePath
    guard let status = try FileStatus.of(path) else {
      throw FileError(.notFound, path: path, message: "There is no “\(path.printable)”.")
    }
    permissions = status.permissions
    if status.kind == .file, status.size <= LargeFile.threshold {
      guard let bytes = try SmallFile.read(path, limit: LargeFile.threshold),
        bytes.count == status.size, try FileStatus.of(path)?.isSameContent(as: status) == true
      else { throw FileError.hasChanged(path) }
      contents = .file(bytes, isExecutable: status.isExecutable)
      digest = ContentDigest(of: bytes).description
      isPackage = false
      size = bytes.count
      modified = Date(milliseconds: status.modified / 1_000_000)
      return
    }
    let copy = try WorkingCopy.read(
      path, named: path.lastComponent?.string ?? "",
      leavingOut: status.kind == .folder
        ? IgnoreRules(forMembersOf: DocumentLocation(of: path)) : nil,
      clock: clock)
    digest = copy.content.digest
    isPackage = copy.content.isPackage
    size = copy.content.bytes
    modified = Date(milliseconds: copy.modified)
    if let large = LargeFile(copy.content) {
      contents = .largeFile(large)
      return
    }
    let trees = Dictionary(
      copy.objects.filter { $0.kind == .tree }.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    contents = .package(try Self.entries(of: copy.content.tree, at: path, below: [], in: trees))
  }

  private static func entries(
    of tree: ObjectID, at folder: FilePath, below prefix: [[UInt8]], in trees: [ObjectID: GitObject]
  ) throws -> [PackageEntry] {
    guard let object = trees[tree] else { throw GitError.malformed("a folder was not read") }
    return try Tree(decoding: object.bytes()).entries.flatMap { entry -> [PackageEntry] in
      let (name, isChunked) = MemberName.decoded(entry.name) ?? (entry.name, false)
      let path = prefix + [name]
      let place = folder.appending(bytes: name)
      if entry.mode == .folder, !isChunked {
        let members = try entries(of: entry.id, at: place, below: path, in: trees)
        return members.isEmpty ? [PackageEntry(path: path, kind: .folder)] : members
      }
      if entry.mode == .symbolicLink {
        return [
          PackageEntry(path: path, kind: .symbolicLink(target: try Folder.linkTarget(of: place)))
        ]
      }
      let status = try FileStatus.of(place)
      return [
        PackageEntry(
          path: path,
          kind: .file(
            identity: entry.id.description,
            isExecutable: isChunked ? status?.isExecutable == true : entry.mode == .executable,
            size: status?.size ?? 0
          ) {
            guard let bytes = try SmallFile.read(place, limit: .max) else {
              throw FileError.hasChanged(place)
            }
            return bytes
          })
      ]
    }
  }
}

extension FileError {
  /// Returns the error for an item that changes while it is read, or before it is removed.
  package static func hasChanged(_ path: FilePath) -> FileError {
    FileError(
      .changing, path: path,
      message: "“\(path.printable)” changed in the meantime; it stays where it is.",
      recovery: .tryAgain)
  }
}
