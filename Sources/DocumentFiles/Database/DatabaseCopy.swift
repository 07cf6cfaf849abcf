internal import CSQLite
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A copy of a database at one moment, which is removed with the last reference.
///
/// A program may have the database open, or may have been killed: the copy contains all committed changes,
/// and no others. The files of the database are only read.
package final class DatabaseCopy: Sendable {
  /// The file of the copy, which needs no other file beside it.
  package let path: FilePath
  private let room: TemporaryRoom

  /// The reason why a database can't be copied.
  package enum Failure: Error {
    /// SQLite isn't installed on this system.
    case noLibrary
    /// A program keeps the database locked.
    case locked
    /// This process has the database open through an SQLite other than the system's, whose locks would be
    /// lost.
    case openHere
    /// SQLite rejects the database, with a reason.
    case refused(String)
  }

  /// The error for a database that can't be copied.
  package struct Refusal: Error {
    /// The file of the database.
    package let database: FilePath
    package let failure: Failure
  }

  /// Copies a database.
  ///
  /// - Parameters:
  ///   - database: the file of the database.
  ///   - folder: the folder for the copy.
  ///   - check: called for each piece; an error that it throws ends copying.
  /// - Throws: ``Failure``, or ``FileError``.
  package init(
    of database: FilePath, in folder: FilePath, check: () throws -> Void = {}
  ) throws {
    room = try TemporaryRoom.make(in: folder, mark: "database")
    path = room.path.appending("database")
    guard let status = try FileStatus.of(database) else {
      throw FileError(
        .notFound, path: database, message: "There is no file “\(database.printable)”.")
    }
    do {
      if try OpenFiles.descriptor(of: status) != nil {
        try backUp(database)
      } else {
        try copyFiles(of: database, check)
      }
    } catch let error as FileError {
      throw error.naming(database, insteadOf: path)
    }
  }

  /// Removes the log mode from the copy's header, so that readers expect no log and create none.
  package func forgetLog() throws {
    let file = try Descriptor.open(path, flags: O_RDWR | O_NOFOLLOW | O_CLOEXEC, action: "write")
    guard try file.read(Self.modes) == [2, 2] else { return }
    try file.overwrite([1, 1], at: Self.modes.lowerBound)
  }

  /// The bytes of the header that name the modes for readers and writers.
  private static let modes = 18..<20

  // MARK: Databases of other processes

  /// Copies the files of a database while its own file can't be written, and lets SQLite combine the copies.
  ///
  /// A program with a write-ahead log continues to write the log, but doesn't checkpoint it into the file.
  /// The log is copied last; it continues the state of the file, unless it was restarted in the meantime.
  private func copyFiles(of database: FilePath, _ check: () throws -> Void) throws {
    let file = try Descriptor.open(reading: database)
    guard try file.lockDatabase(waitingAtMost: Self.patience) else { throw Failure.locked }
    let index = try Self.open(database.appendingToName("-shm"))
    // Without this lock, more attempts may be needed.
    _ = try index?.lockCheckpoints(waitingAtMost: Self.patience)
    try copyFiles(of: database, locked: file, index, check)
  }

  /// - Parameters:
  ///   - file: the locked database.
  ///   - index: the index of its log, also locked.
  private func copyFiles(
    of database: FilePath, locked file: borrowing Descriptor, _ index: borrowing Descriptor?,
    _ check: () throws -> Void
  ) throws {
    for _ in 1...Self.mostAttempts {
      let log = database.appendingToName("-wal")
      let before = try (LiveDatabase.start(ofLog: log), file.status())
      before.1.waitUntilNewChangesShow(in: file, by: .system)
      try file.copy(to: path, check)
      var hasPart = try Self.copyPart(log, to: path.appendingToName("-wal"), check)
      let after = try (LiveDatabase.start(ofLog: log), file.status())
      guard before.0 == after.0, before.0 != nil || before.1 == after.1 else {
        try Folder.removeTree(path)
        try Folder.removeTree(path.appendingToName("-wal"))
        continue
      }
      let journal = database.appendingToName("-journal")
      if try LiveDatabase.isHot(journal),
        try Self.copyPart(journal, to: path.appendingToName("-journal"), check)
      {
        hasPart = true
      }
      return hasPart ? try recover() : ()
    }
    throw Failure.locked
  }

  /// Copies a file beside a database; returns false if it doesn't exist, or is removed in the meantime.
  private static func copyPart(
    _ part: FilePath, to path: FilePath, _ check: () throws -> Void
  ) throws -> Bool {
    guard let file = try open(part), try file.status().size > 0 else { return false }
    try file.copy(to: path, check)
    return true
  }

  /// Opens a file beside a database; `nil` if it doesn't exist.
  private static func open(_ part: FilePath) throws(FileError) -> Descriptor? {
    guard try FileStatus.of(part)?.kind == .file else { return nil }
    return try Descriptor.open(ifThere: part)
  }

  private func recover() throws {
    try report { message, size in
      path.withPlatformString { docversions_sqlite_recover($0, message, size) }
    }
  }

  private static let mostAttempts = 10
  /// The longest wait, in seconds; a program may need this long to commit.
  private static let patience = 2.0

  // MARK: Databases of this process

  /// Copies a database that this process has open, through SQLite itself, which alone may open and close the
  /// file.
  private func backUp(_ database: FilePath) throws {
    guard docversions_sqlite_is_shared() != 0 else { throw Failure.openHere }
    // SQLite would create the file readable for all users.
    _ = try Descriptor.create(path, permissions: 0o600)
    try report { message, size in
      database.withPlatformString { database in
        path.withPlatformString { docversions_sqlite_copy(database, $0, message, size) }
      }
    }
  }

  private func report(
    _ call: (UnsafeMutablePointer<CChar>, Int32) -> docversions_sqlite_result
  ) throws {
    var message = [CChar](repeating: 0, count: 256)
    let result = message.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { call($0, Int32(buffer.count)) } ?? DOCVERSIONS_SQLITE_FAILED
    }
    switch result {
    case DOCVERSIONS_SQLITE_COPIED: return
    case DOCVERSIONS_SQLITE_MISSING: throw Failure.noLibrary
    case DOCVERSIONS_SQLITE_BUSY: throw Failure.locked
    case DOCVERSIONS_SQLITE_FULL: throw FileError.failed(to: "write", path, .noSpace)
    default:
      throw Failure.refused(
        Printable.text(message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }))
    }
  }
}
