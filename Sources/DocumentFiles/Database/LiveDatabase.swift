internal import CSQLite
package import SystemPackage

/// A database in SQLite's format of which another file beside it holds a part, because a program has it open or was
/// killed: the file alone is not the database.
package struct LiveDatabase: Equatable, Sendable {
  /// The kind of file beside the database.
  package enum Part: Equatable, Sendable {
    /// A write-ahead log with changes that are not in the database's file yet.
    case log(FilePath)
    /// A journal by which an unfinished change is to be taken back.
    case journal(FilePath)

    /// Its path.
    package var path: FilePath {
      switch self {
      case .log(let path), .journal(let path): path
      }
    }
  }

  /// The file of the database.
  package let path: FilePath
  /// The file beside the database.
  package let part: Part

  /// The ends of the names of files that are parts of a database.
  package static let suffixes = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

  /// Finds a part of the database at a path, whether or not its file is there; `nil` if nothing lies beside it that
  /// counts.
  ///
  /// - Parameter path: the path of a document.
  package init?(at path: FilePath) throws(FileError) {
    self.path = path
    let name = path.lastName
    // No file can have the name of its part, and so SQLite can't have it open.
    guard name.count <= 255 - 8 else { return nil }
    func beside(_ suffix: String) -> FilePath {
      path.parentFolder.appending(bytes: name + Array(suffix.utf8))
    }
    if try Self.isHot(beside("-journal")) {
      part = .journal(beside("-journal"))
    } else if try Self.hasFrames(beside("-wal")) {
      part = .log(beside("-wal"))
    } else {
      return nil
    }
  }

  /// The database that a file is a part of; `nil` for any other file.
  ///
  /// - Parameter path: a path that may end like a part's.
  package static func database(withPart path: FilePath) throws(FileError) -> FilePath? {
    let name = path.lastName
    for suffix in suffixes
    where name.count > suffix.count && name.suffix(suffix.count) == suffix[...] {
      let database = path.parentFolder.appending(bytes: Array(name.dropLast(suffix.count)))
      if try isDatabase(database) { return database }
    }
    return nil
  }

  /// Returns whether another process has a database open and locked just now, or has it open with a write-ahead log.
  ///
  /// - Parameter path: the file of a database that this process does not have open; nothing there is fine.
  package static func isOpenElsewhere(_ path: FilePath) throws(FileError) -> Bool {
    guard try FileStatus.of(path)?.kind == .file else { return false }
    return try Descriptor.open(reading: path).hasLocks(in: 0x4000_0000..<0x4000_0200)
  }

  // MARK: Formats

  /// Returns whether a file begins like a database.
  package static func isDatabase(_ path: FilePath) throws(FileError) -> Bool {
    guard let status = try FileStatus.of(path), status.kind == .file else { return false }
    let start: [UInt8]
    if let read = try OpenFiles.read(0..<16, of: status, at: path) {
      start = read
    } else {
      start = try bytes(of: path, 0..<16)
    }
    return start == Array("SQLite format 3\0".utf8)
  }

  /// Returns whether a journal has a header: one that was put out of use has none.
  private static func isHot(_ journal: FilePath) throws(FileError) -> Bool {
    guard try FileStatus.of(journal)?.kind == .file else { return false }
    return try bytes(of: journal, 0..<8) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  }

  /// Returns whether a write-ahead log has a frame that belongs to its header.
  private static func hasFrames(_ log: FilePath) throws(FileError) -> Bool {
    guard let status = try FileStatus.of(log), status.kind == .file, status.size >= 56 else {
      return false
    }
    let start = try bytes(of: log, 0..<56)
    guard start.count == 56, start.starts(with: [0x37, 0x7F, 0x06]), start[3] & 0xFE == 0x82 else {
      return false
    }
    // The salt of the header, and the one of the first frame.
    return start[16..<24] == start[40..<48]
  }

  private static func bytes(of path: FilePath, _ range: Range<Int>) throws(FileError) -> [UInt8] {
    try Descriptor.open(reading: path).read(range)
  }
}
