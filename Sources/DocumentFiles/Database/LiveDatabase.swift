package import SystemPackage

/// A database in SQLite's format that a program has open, or left unfinished when it was killed.
///
/// Its file alone may be incomplete, and a program may still be writing it.
package struct LiveDatabase: Equatable, Sendable {
  /// A sign that the database is in use.
  package enum Sign: Equatable, Sendable {
    /// A write-ahead log with changes that are not in the database's file yet.
    case log(FilePath)
    /// A journal for rolling back an unfinished change.
    case journal(FilePath)
    /// A lock of another process.
    case lock
  }

  /// The file of the database.
  package let path: FilePath
  /// The sign that the database is in use.
  package let sign: Sign

  /// The suffixes of files that are parts of a database.
  package static let suffixes = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

  /// Finds a part of the database at a path, even if the database's file doesn't exist; `nil` if no file
  /// beside it counts as a part.
  ///
  /// - Parameter path: the path of a document.
  package init?(withPartAt path: FilePath) throws(FileError) {
    // The name is too long for a part, so SQLite can't have the database open.
    guard path.lastName.count <= 255 - 8 else { return nil }
    let (journal, log) = (path.appendingToName("-journal"), path.appendingToName("-wal"))
    if try Self.isHot(journal) {
      self.init(path: path, sign: .journal(journal))
    } else if try Self.hasFrames(log) {
      self.init(path: path, sign: .log(log))
    } else {
      return nil
    }
  }

  init(path: FilePath, sign: Sign) {
    (self.path, self.sign) = (path, sign)
  }

  /// Returns whether a database is locked, or open in this process.
  static func isLocked(_ path: FilePath) throws(FileError) -> Bool {
    guard let status = try FileStatus.of(path), status.mayBeDatabase, try isDatabase(path) else {
      return false
    }
    // Closing the file would release the process's own locks.
    if try OpenFiles.descriptor(of: status) != nil { return true }
    return try isOpenElsewhere(path)
  }

  /// Returns whether a file is a database that this process has open, and so must be read only through
  /// SQLite.
  static func isOpenHere(_ path: FilePath) throws(FileError) -> Bool {
    guard let status = try FileStatus.of(path), status.kind == .file,
      try OpenFiles.descriptor(of: status) != nil
    else { return false }
    return try isDatabase(path)
  }

  /// Returns the database that a file is a part of; `nil` for any other file.
  ///
  /// - Parameter path: a path that may have the suffix of a part.
  package static func database(withPart path: FilePath) throws(FileError) -> FilePath? {
    let name = path.lastName
    guard let suffix = suffix(of: name) else { return nil }
    let database = path.parentFolder.appending(bytes: Array(name.dropLast(suffix.count)))
    return try isDatabase(database) ? database : nil
  }

  /// Returns the suffix of a name if it is that of a database's part; `nil` for any other.
  static func suffix(of name: [UInt8]) -> [UInt8]? {
    suffixes.first { name.count > $0.count && name.suffix($0.count) == $0[...] }
  }

  // MARK: Locks

  /// Returns whether another process currently has a database locked, or has it open with a write-ahead log.
  ///
  /// - Parameter path: the file of a database that this process doesn't have open; the file need not exist.
  package static func isOpenElsewhere(_ path: FilePath) throws(FileError) -> Bool {
    guard try FileStatus.of(path)?.kind == .file else { return false }
    return try Descriptor.open(reading: path).hasLocks(in: DatabaseLocks.all, exclusive: false)
  }

  // MARK: Formats

  /// Returns whether a file begins like a database.
  package static func isDatabase(_ path: FilePath) throws(FileError) -> Bool {
    guard let status = try FileStatus.of(path), status.kind == .file else { return false }
    if let start = try OpenFiles.read(0..<16, of: status, at: path) { return start == magic }
    return try Descriptor.open(reading: path).isDatabase()
  }

  /// Returns whether bytes begin like a database.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  fileprivate static let magic = Array("SQLite format 3\0".utf8)

  /// Returns whether a journal has a header; an invalidated journal has none.
  static func isHot(_ journal: FilePath) throws(FileError) -> Bool {
    try bytes(of: journal, 0..<8) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  }

  /// Returns whether a write-ahead log has a frame that belongs to its header.
  private static func hasFrames(_ log: FilePath) throws(FileError) -> Bool {
    guard let start = try bytes(of: log, 0..<56), start.count == 56,
      start.starts(with: [0x37, 0x7F, 0x06]), start[3] & 0xFE == 0x82
    else { return false }
    // The salt of the header, and the salt of the first frame.
    return start[16..<24] == start[40..<48]
  }

  /// Returns the header of a write-ahead log, which changes when the log is restarted; `nil` if there is
  /// none.
  static func start(ofLog log: FilePath) throws(FileError) -> [UInt8]? {
    guard let start = try bytes(of: log, 0..<32), start.count == 32 else { return nil }
    return start
  }

  /// Returns the first bytes of a part, which its program may remove at any moment; `nil` if it doesn't
  /// exist.
  private static func bytes(of path: FilePath, _ range: Range<Int>) throws(FileError) -> [UInt8]? {
    guard try FileStatus.of(path)?.kind == .file else { return nil }
    return try Descriptor.open(ifThere: path)?.read(range)
  }
}

extension FileStatus {
  /// True if a file has a size that a database can have.
  var mayBeDatabase: Bool { kind == .file && size > 0 && size % 512 == 0 }
}

extension Descriptor {
  /// Returns whether the file begins like a database.
  func isDatabase() throws(FileError) -> Bool { try read(0..<16) == LiveDatabase.magic }
}
