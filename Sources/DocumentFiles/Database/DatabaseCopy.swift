internal import CSQLite
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A copy of a database as it was in one moment; removed with the last reference.
///
/// A program may have the database open, or have been killed: the copy holds what was committed, and nothing of what
/// was not. The files of the database are only read.
package final class DatabaseCopy: Sendable {
  /// The file of the copy, which needs no other beside it.
  package let path: FilePath
  private let room: TemporaryRoom

  /// Why a database can't be copied.
  package enum Failure: Error {
    /// SQLite is not on this system.
    case noLibrary
    /// A program keeps it locked.
    case locked
    /// Its process has it open through another SQLite than the system's, whose locks it would lose.
    case openHere
    /// SQLite refuses it, and says why.
    case refused(String)
  }

  /// Why a certain database can't be copied.
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
  ///   - check: called for each piece; ends copying when it throws.
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

  /// Says in the header of the copy that it has no log: a reader expects none, and makes none.
  package func forgetLog() throws {
    let file = try Descriptor.open(path, flags: O_RDWR | O_NOFOLLOW | O_CLOEXEC, action: "write")
    guard try file.read(Self.modes) == [2, 2] else { return }
    try file.overwrite([1, 1], at: Self.modes.lowerBound)
  }

  /// Where the header says how its readers and writers keep it whole.
  private static let modes = 18..<20

  // MARK: A database of another process

  /// Copies the files of a database while its own file can't be written, and lets SQLite put the copies together.
  ///
  /// A program with a write-ahead log goes on writing that, but does not bring it into the file. The log is copied last; it
  /// goes on from where the file is, unless it began anew meanwhile.
  private func copyFiles(of database: FilePath, _ check: () throws -> Void) throws {
    let file = try Descriptor.open(reading: database)
    guard try file.lockDatabase(waitingAtMost: Self.patience) else { throw Failure.locked }
    let index = try Self.open(database.appendingToName("-shm"))
    // Without this lock, it only takes more attempts.
    _ = try index?.lockCheckpoints(waitingAtMost: Self.patience)
    try copyFiles(of: database, locked: file, index, check)
  }

  /// - Parameters:
  ///   - file: the database, which is locked.
  ///   - index: the index of its log, which is locked too.
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

  /// Copies a file beside a database; returns false if it isn't there, or is gone meanwhile.
  private static func copyPart(
    _ part: FilePath, to path: FilePath, _ check: () throws -> Void
  ) throws -> Bool {
    guard let file = try open(part), try file.status().size > 0 else { return false }
    try file.copy(to: path, check)
    return true
  }

  /// Opens a file beside a database; `nil` if it isn't there.
  private static func open(_ part: FilePath) throws(FileError) -> Descriptor? {
    guard try FileStatus.of(part)?.kind == .file else { return nil }
    do {
      return try Descriptor.open(reading: part)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  private func recover() throws {
    try report { message, size in
      path.withPlatformString { docversions_sqlite_recover($0, message, size) }
    }
  }

  private static let mostAttempts = 10
  /// In seconds: a program may need this long to commit.
  private static let patience = 2.0

  // MARK: A database of this process

  /// Copies a database that this process has open: by SQLite itself, which alone may open and close the file.
  private func backUp(_ database: FilePath) throws {
    guard docversions_sqlite_is_shared() != 0 else { throw Failure.openHere }
    // SQLite would create it for everybody.
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
