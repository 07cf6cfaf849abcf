#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A folder of files: lists them, opens, reads and removes them; links are never followed.
struct FileFolder: Sendable {
  /// The path, as a C string.
  private let path: [CChar]

  init(_ path: [CChar]) {
    self.path = path
  }

  /// Lists the names in the folder, except hidden ones; none if the folder doesn't exist.
  func names() throws(GitError) -> [String] {
    guard let stream = unsafe opendir(path) else {
      if errno == ENOENT { return [] }
      throw .fromSystem("list \(folderName)", errno)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    // With an incomplete list, needed files would look unneeded.
    guard errno == 0 else { throw .fromSystem("list \(folderName)", errno) }
    return names
  }

  /// Reads a file; `nil` if it doesn't exist.
  ///
  /// - Parameter most: the maximum size in bytes; a larger file is an error.
  func readIfThere(_ name: String, upTo most: Int) throws(GitError) -> [UInt8]? {
    guard let file = try openIfThere(name) else { return nil }
    defer { close(file.descriptor) }
    guard file.size <= most else {
      throw .malformed("“\(name)” has \(file.size) bytes, more than it may have")
    }
    let bytes = try readPart(0..<file.size, of: file.descriptor, "read \(name)")
    guard bytes.count == file.size else { throw .malformed("“\(name)” was cut while it was read") }
    return bytes
  }

  /// An open file, which the caller closes.
  struct File {
    let descriptor: Int32
    /// The size in bytes.
    let size: Int
    /// The modification time, in nanoseconds since 1970.
    let modified: Int
  }

  /// Opens a file; `nil` if it doesn't exist.
  func openIfThere(_ name: String) throws(GitError) -> File? {
    let descriptor = unsafe open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .fromSystem("read \(name)", errno) }
    var status = stat()
    let cause = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
    guard cause == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw cause == 0 ? .malformed("“\(name)” is not a file") : .fromSystem("read \(name)", cause)
    }
    return File(
      descriptor: descriptor, size: Int(status.st_size), modified: status.modifiedNanoseconds)
  }

  /// Removes a file, if it exists.
  func remove(_ name: String) throws(GitError) {
    guard unsafe unlink(file(name)) != 0, errno != ENOENT else { return }
    throw .fromSystem("remove \(name)", errno)
  }

  /// Returns the size of a file; `nil` if it doesn't exist.
  func size(of name: String) throws(GitError) -> Int? {
    try status(of: name).map { Int($0.st_size) }
  }

  /// Returns the status of a file; `nil` if it doesn't exist.
  func status(of name: String) throws(GitError) -> stat? {
    var status = stat()
    if unsafe lstat(file(name), &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw .fromSystem("read the status of \(name)", errno)
  }

  /// Returns whether a process holds a lock on a file, or the file was renamed; see ``NewFile/hold()``.
  func isHeld(_ name: String) -> Bool {
    let descriptor = unsafe open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private func file(_ name: String) -> [CChar] {
    path.appending("/\(name)")
  }

  /// The folder's name, for messages.
  private var folderName: String {
    let bytes = path.dropLast().map(UInt8.init(bitPattern:))
    return String(decoding: bytes.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }
}

extension stat {
  /// The modification time, in seconds since 1970.
  var modified: Int { modificationTime.tv_sec }

  /// The modification time in nanoseconds, without overflow for a damaged value.
  fileprivate var modifiedNanoseconds: Int {
    modificationTime.tv_sec &* 1_000_000_000 &+ modificationTime.tv_nsec
  }

  private var modificationTime: timespec {
    #if canImport(Darwin)
    st_mtimespec
    #else
    st_mtim
    #endif
  }
}
