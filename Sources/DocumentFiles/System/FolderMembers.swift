package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Folder {
  /// A name in a folder, with the kind in the folder's entry; the item's status isn't read.
  package struct Member: Sendable {
    package let name: [UInt8]
    package let kind: FileStatus.Kind

    package init(name: [UInt8], kind: FileStatus.Kind) {
      self.name = name
      self.kind = kind
    }
  }

  /// Lists the members of a folder, in no order; a link in its place is an error.
  ///
  /// - Parameter most: the greatest number of members; more are an error.
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
      // Nil if it is gone in the meantime.
      guard let kind = try kind(entry.pointee.d_type, name, in: path) else { continue }
      members.append(Member(name: name, kind: kind))
    }
    guard errno == 0 else { throw .failed(to: "list", path, .current) }
    return members
  }

  /// Reads the kind from a folder's entry, or from the status if the file system provides none; `nil` if the
  /// item is gone.
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
