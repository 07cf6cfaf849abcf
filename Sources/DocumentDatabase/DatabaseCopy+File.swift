internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import GRDB
internal import SystemPackage

/// Copies of databases as self-contained files.
extension DatabaseCopy {
  /// Copies a database, including a log beside it, to a file that needs no log.
  static func file(_ database: FilePath, in folder: FilePath) throws -> DatabaseCopy {
    let copy: DatabaseCopy
    do {
      copy = try DatabaseCopy(of: database, in: folder)
    } catch let failure as Failure {
      throw failure.error(on: database)
    }
    try copy.forgetLog()
    return copy
  }

  /// Writes the file to a path without an item.
  func write(to place: FilePath, _ progress: OperationProgress) throws {
    try NewFile.copy(path, to: place) { try progress.checkCancellation() }
  }

  /// Returns the error with the document in place of the files of its database.
  static func naming(_ document: URL, in error: any Error) -> any Error {
    let name = Printable.text(document.lastPathComponent)
    func damage(_ reason: String) -> FileError {
      FileError(
        .damaged, path: FilePath(document.path),
        message: """
          The database of “\(name)” can’t be read: \(reason). It is damaged or encrypted; an older version can be restored.
          """, cause: error)
    }
    switch error {
    case let error as FileError where error.code == .damaged: return damage(error.message)
    case let error as DatabaseError
    where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode.primaryResultCode):
      return damage(error.message ?? "it is no database")
    case let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_FULL:
      return FileError(
        .noSpace, path: FilePath(document.path),
        message: "There is no room for a working copy of “\(name)”.", cause: error)
    case let error as FileError where error.code == .notFound:
      return FileError(
        .notFound, path: FilePath(document.path),
        message: "“\(name)” has no “\(DatabaseDocument.databaseName)”.", cause: error)
    default: return error
    }
  }
}

extension DatabaseCopy.Failure {
  fileprivate func error(on database: FilePath) -> FileError {
    let name = database.printable
    return switch self {
    case .noLibrary:
      FileError(.system, path: database, message: "libsqlite3 is not on this system.")
    case .locked, .openHere:
      FileError(
        .busy, path: database,
        message: "Another program keeps the database “\(name)” locked. Close that program.")
    case .refused(let reason): FileError(.damaged, path: database, message: reason)
    }
  }
}
