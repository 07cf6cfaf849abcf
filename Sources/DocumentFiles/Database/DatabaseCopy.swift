internal import CSQLite
package import SystemPackage

/// A copy of a database as it was in one moment, made by SQLite itself; removed with the last reference.
package final class DatabaseCopy: Sendable {
  /// The file of the copy.
  package let path: FilePath

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

  /// Copies a database; the original is opened for reading only, and no checkpoint is made.
  ///
  /// - Parameters:
  ///   - database: the file of the database.
  ///   - folder: the folder for the copy.
  /// - Throws: ``Failure``, or ``FileError``.
  package init(of database: FilePath, in folder: FilePath) throws {
    path = folder.appending(TemporaryName(mark: "database").new)
    guard let status = try FileStatus.of(database) else {
      throw FileError(
        .notFound, path: database, message: "There is no file “\(database.printable)”.")
    }
    guard
      try OpenFiles.descriptor(of: status) == nil || docversions_sqlite_is_shared() != 0
    else { throw Failure.openHere }
    // SQLite would create it for everybody.
    _ = try Descriptor.create(path, permissions: 0o600)
    var message = [CChar](repeating: 0, count: 256)
    let result = database.withPlatformString { database in
      path.withPlatformString { docversions_sqlite_copy(database, $0, &message, 256) }
    }
    switch result {
    case DOCVERSIONS_SQLITE_COPIED: return
    case DOCVERSIONS_SQLITE_MISSING: throw Failure.noLibrary
    case DOCVERSIONS_SQLITE_BUSY: throw Failure.locked
    default:
      throw Failure.refused(
        Printable.text(message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }))
    }
  }

  deinit {
    // A copy that can't be removed goes with the other temporary files.
    do { try Folder.removeTree(path) } catch {}
  }
}

/// Reading files of databases that the process itself may have open.
extension DocumentReader {
  /// Returns whether a document is a database that this process has open: then it is read only through SQLite.
  package static func isDatabaseOpenHere(_ path: FilePath) throws(FileError) -> Bool {
    guard let status = try FileStatus.of(path), status.kind == .file,
      try OpenFiles.descriptor(of: status) != nil
    else { return false }
    return try LiveDatabase.isDatabase(path)
  }
}
