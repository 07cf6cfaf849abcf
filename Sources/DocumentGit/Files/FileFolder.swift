internal import DocumentFiles
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A folder of files: lists them, opens, reads and removes them; links are never followed.
struct FileFolder: Sendable {
  private let path: FilePath

  init(_ path: FilePath) {
    self.path = path
  }

  /// Lists the names in the folder in order, except hidden ones; none if the folder doesn't exist.
  func names() throws(GitError) -> [String] {
    do {
      return try Folder.names(in: path).filter { $0.first != UInt8(ascii: ".") }
        .map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error.systemError == ENOENT { return [] }
      throw .fromSystem("list \(path.name)", error)
    }
  }

  /// Opens a file; `nil` if it doesn't exist.
  func openIfThere(_ name: String) throws(GitError) -> OpenFile? {
    try OpenFile(path.appending(name), named: name)
  }

  /// Reads a file; `nil` if it doesn't exist.
  ///
  /// - Parameter most: the maximum size in bytes; a larger file is an error.
  func readIfThere(_ name: String, upTo most: Int) throws(GitError) -> [UInt8]? {
    guard let file = try openIfThere(name) else { return nil }
    guard file.size <= most else {
      throw .malformed("“\(name)” has \(file.size) bytes, more than it may have")
    }
    let bytes = try file.read(0..<file.size, "read \(name)")
    guard bytes.count == file.size else { throw .malformed("“\(name)” was cut while it was read") }
    return bytes
  }

  /// Removes a file, if it exists.
  func remove(_ name: String) throws(GitError) {
    do { try Folder.removeFile(path.appending(name)) } catch {
      throw .fromSystem("remove \(name)", error)
    }
  }

  /// Gives a file another name, replacing the file that has it.
  func move(_ name: String, over other: String) throws(GitError) {
    do { try path.appending(name).move(over: path.appending(other)) } catch {
      throw .fromSystem("rename \(name)", error)
    }
  }

  /// Returns the status of a file; `nil` if it doesn't exist.
  func status(of name: String) throws(GitError) -> FileStatus? {
    do { return try FileStatus.of(path.appending(name)) } catch {
      throw .fromSystem("read the status of \(name)", error)
    }
  }

  /// Returns whether a process holds a lock on a file, or the file was renamed; see ``UnplacedFile/hold()``.
  func isHeld(_ name: String) -> Bool {
    do {
      guard let file = try Descriptor.open(ifThere: path.appending(name)) else { return true }
      return file.lock(LOCK_SH, waitingAtMost: 0) == .wouldBlock
    } catch {
      return false
    }
  }
}

extension FileStatus {
  /// The time since the modification, in whole seconds.
  var age: Int { time(nil) - Int(modified / 1_000_000_000) }
}

extension FilePath {
  /// The name of the item, for messages.
  var name: String { lastComponent?.string ?? "" }
}
