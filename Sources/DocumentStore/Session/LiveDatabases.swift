internal import DocumentFiles
internal import SystemPackage

/// Databases in SQLite's format that a program has open.
extension DatabaseCopy {
  /// Copies a document that is a database of which a part is in another file, or that this process has open; `nil` for
  /// all others, which are read as they are.
  ///
  /// - Parameters:
  ///   - path: the document.
  ///   - store: its store, in which the copy is made where it is there.
  static func ofLiveDatabase(_ path: FilePath, in store: FilePath?) throws -> DatabaseCopy? {
    let live = try LiveDatabase(at: path)
    guard try live != nil || DocumentReader.isDatabaseOpenHere(path) else { return nil }
    guard try LiveDatabase.isDatabase(path) else { return nil }
    if let live, case .journal = live.part { throw live.refusal(ofTask: "saved") }
    let folder = try store.flatMap { try FileStatus.of($0) != nil ? $0 : nil } ?? path.parentFolder
    do {
      return try DatabaseCopy(of: path, in: folder)
    } catch let failure as Failure {
      throw failure.error(on: path)
    }
  }
}

extension DatabaseCopy.Failure {
  fileprivate func error(on path: FilePath) -> VersionError {
    let name = Printable.text(path.lastName)
    let (reason, hint): (String, String) =
      switch self {
      case .noLibrary:
        (
          "is a database that a program has open, and libsqlite3, which copies such a one, is not on this system",
          "Close the program, or install libsqlite3."
        )
      case .locked: ("is a database that a program keeps locked", "Close the program.")
      case .openHere:
        (
          "is a database that this program has open through an SQLite of its own",
          "Close the database first."
        )
      case .refused(let reason): ("is a database that SQLite refuses: \(reason)", "Check it.")
      }
    return VersionError(
      .databaseInUse, document: name, message: "“\(name)” \(reason).", hint: hint)
  }
}

extension LiveDatabase {
  /// The refusal to do something with the document while a part of it is in another file.
  ///
  /// - Parameter task: a participle: "saved", "replaced".
  func refusal(ofTask task: String) -> VersionError {
    let name = Printable.text(path.lastName)
    let way =
      switch part {
      case .log:
        """
        Close the program that has it open. If none has, “PRAGMA wal_checkpoint(TRUNCATE)” in sqlite3 puts both together.
        """
      case .journal:
        "Close the program that has it open. If none has, open it once with its program, which takes the rest back."
      }
    return VersionError(
      .databaseInUse, document: name,
      message: """
        “\(name)” can’t be \(task): a program has it open, or left “\(Printable.text(part.path.lastName))”, which holds a part of it.
        """,
      hint: way)
  }
}

extension LiveDatabase {
  /// Refuses to write, move or remove a document while a part of it is in another file: SQLite would put that part into
  /// what is there then.
  static func refuseWriting(_ path: FilePath) throws {
    if let live = try LiveDatabase(at: path) { throw live.refusal(ofTask: "written") }
  }

  /// Refuses to save a file that is only a part of a database.
  static func refusePart(_ path: FilePath) throws {
    guard let database = try LiveDatabase.database(withPart: path) else { return }
    throw FileError(
      .unsupportedKind, path: path,
      message: """
        “\(Printable.text(path.lastName))” is a part of the database “\(Printable.text(database.lastName))”, and no \
        document; save the database.
        """)
  }
}
