package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Folder {
  /// A name in a folder, and what it is: as the folder itself knows, so that nothing is looked at one by one.
  package struct Member: Sendable {
    package let name: [UInt8]
    package let kind: FileStatus.Kind
  }

  /// What a folder holds, in no order; a link in its place is refused.
  ///
  /// - Parameter most: a folder with more is refused.
  package static func members(
    of path: FilePath, atMost most: Int = .max
  ) throws(FileError) -> [Member] {
    let number = path.withPlatformString {
      open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard number >= 0 else { throw .failed(to: "list", path, .current) }
    guard let stream = fdopendir(number) else {
      let cause = Errno.current
      close(number)
      throw .failed(to: "list", path, cause)
    }
    defer { closedir(stream) }
    var members: [Member] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = bytes(of: entry)
      if name == dot || name == dotDot { continue }
      guard members.count < most else {
        throw FileError(
          .tooLarge, path: path,
          message: "“\(path.printable)” holds more than \(most) items, which is too many.")
      }
      // Gone meanwhile, where nil.
      guard let kind = try kind(entry.pointee.d_type, name, in: path) else { continue }
      members.append(Member(name: name, kind: kind))
    }
    guard errno == 0 else { throw .failed(to: "list", path, .current) }
    return members
  }

  /// The kind that a folder's entry tells; some file systems tell none, and then nil where it is not there any more.
  private static func kind(
    _ type: UInt8, _ name: [UInt8], in folder: FilePath
  ) throws(FileError) -> FileStatus.Kind? {
    switch Int(type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .folder
    case Int(DT_LNK): return .symbolicLink
    default: return try FileStatus.of(folder.appending(bytes: name))?.kind
    }
  }
}
