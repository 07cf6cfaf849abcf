package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Lists, creates, removes and synchronizes folders, with names as bytes.
package enum Folder {
  /// Lists the names in a folder, as bytes, in byte order, without "." and "..".
  ///
  /// - Parameter start: the beginning of the names to list.
  package static func names(
    in path: FilePath, beginningWith start: [UInt8] = []
  ) throws(FileError) -> [[UInt8]] {
    guard let stream = path.withPlatformString({ opendir($0) }) else {
      throw .failed(to: "list", path, .current)
    }
    return try names(in: stream, of: .at(path), beginningWith: start)
  }

  /// Lists the names in an open folder.
  static func names(in folder: borrowing Descriptor) throws(FileError) -> [[UInt8]] {
    // The listing closes its own descriptor, and has its own position.
    let own = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw .failed(to: "list", folder.path, .current) }
    guard let stream = fdopendir(own) else {
      let cause = Errno.current
      close(own)
      throw .failed(to: "list", folder.path, cause)
    }
    return try names(in: stream, of: folder.place)
  }

  #if canImport(Glibc)
  private typealias Stream = OpaquePointer
  #else
  private typealias Stream = UnsafeMutablePointer<DIR>
  #endif

  private static func names(
    in stream: Stream, of place: ItemPath, beginningWith start: [UInt8] = []
  ) throws(FileError) -> [[UInt8]] {
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      // Few names of a large folder are needed; the others take no memory.
      guard withUnsafeBytes(of: &entry.pointee.d_name, { $0.starts(with: start) }) else { continue }
      let name = bytes(of: entry)
      if name != dot && name != dotDot { names.append(name) }
    }
    guard errno == 0 else { throw .failed(to: "list", place.path, .current) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the name in a folder's entry.
  static func bytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
      Array(buffer[..<(buffer.firstIndex(of: 0) ?? buffer.count)])
    }
  }

  /// Creates the folder and the missing outer ones; each new name is durable on return.
  ///
  /// - Parameter isDurable: false for a folder that is renamed when it is complete, so that its present name
  ///   may be lost.
  package static func create(
    _ path: FilePath, permissions: UInt32 = 0o777, isDurable: Bool = true
  ) throws(FileError) {
    try create(path, permissions: permissions, isDurable: isDurable, isAgain: false)
  }

  /// - Parameter isAgain: whether the outer folders exist, so that a failure is final.
  private static func create(
    _ path: FilePath, permissions: UInt32, isDurable: Bool, isAgain: Bool
  ) throws(FileError) {
    if path.withPlatformString({ mkdir($0, mode_t(permissions)) }) == 0 {
      if isDurable { try synchronize(path.removingLastComponent()) }
      return
    }
    let cause = Errno.current
    switch cause {
    case .fileExists:
      guard try FileStatus.of(path)?.kind == .folder else {
        throw .failed(to: "create", path, cause)
      }
    case .noSuchFileOrDirectory where !isAgain && !path.removingLastComponent().isEmpty:
      try create(path.removingLastComponent(), permissions: permissions)
      try create(path, permissions: permissions, isDurable: isDurable, isAgain: true)
    default:
      throw .failed(to: "create", path, cause)
    }
  }

  /// Creates a folder and the missing outer ones; users who can't read a folder's parent can't read the
  /// folder.
  package static func createInside(_ path: FilePath) throws(FileError) {
    guard try FileStatus.of(path) == nil else { return try create(path) }
    let parent = path.removingLastComponent()
    if try FileStatus.of(parent) == nil { try createInside(parent) }
    try create(path, permissions: 0o777 & Readership.inside(parent).mask)
  }

  /// Reads the target of a link, as stored.
  package static func linkTarget(of path: FilePath) throws(FileError) -> [UInt8] {
    try OpenFolder(path.parentFolder).linkTarget(of: path.lastName)
  }

  /// Returns whether the user may list a folder, and create and remove items in it.
  package static func isWritable(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, R_OK | W_OK | X_OK) == 0 }
  }

  /// Returns whether every change of an item in a folder shows in the status at once, if the status was read
  /// before.
  package static func stampsEachChange(_ path: FilePath) throws(FileError) -> Bool {
    try Descriptor.open(folder: path).stampsEachChange
  }

  /// Waits until the folder's names are on disk.
  package static func synchronize(_ path: FilePath) throws(FileError) {
    try Descriptor.open(folder: path.isEmpty ? "." : path).synchronize()
  }

  /// Removes an item with everything in it; links are removed, never followed.
  ///
  /// A missing item is not an error.
  package static func removeTree(_ path: FilePath) throws(FileError) {
    guard try FileStatus.of(path) != nil else { return }
    try OpenFolder(path.parentFolder).removeTree(path.lastName)
  }

  /// Removes a file or a link; a missing one is not an error.
  package static func removeFile(_ path: FilePath) throws(FileError) {
    guard path.withPlatformString({ unlink($0) }) != 0 else { return }
    let cause = Errno.current
    guard cause == .noSuchFileOrDirectory else { throw .failed(to: "remove", path, cause) }
  }

  /// Removes a folder if it is empty.
  ///
  /// - Returns: whether it was removed.
  package static func removeIfEmpty(_ path: FilePath) -> Bool {
    path.withPlatformString { rmdir($0) } == 0
  }

  /// Returns the size of all files in a folder, at any depth, in bytes.
  package static func size(of path: FilePath) throws(FileError) -> Int {
    var size = 0
    for name in try names(in: path) {
      let member = path.appending(bytes: name)
      guard let status = try FileStatus.of(member) else { continue }
      size += status.kind == .folder ? try self.size(of: member) : status.size
    }
    return size
  }

  static let dot = [UInt8(ascii: ".")]
  static let dotDot = dot + dot
}
