internal import DocumentFiles
internal import SystemPackage

/// Databases in SQLite's format that a program has open.
extension DatabaseCopy {
  /// Runs a closure that reads documents, and reports a database that can't be copied as an error of the
  /// document.
  static func reportingRefusals<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let refusal as Refusal {
      throw refusal.error
    }
  }
}

extension DatabaseCopy.Refusal {
  fileprivate var error: VersionError {
    let name = Printable.text(database.lastName)
    let (reason, hint): (String, String) =
      switch failure {
      case .noLibrary:
        (
          "is a database that a program has open, and libsqlite3, which reads such a one, is not on this system",
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
  /// Throws an error for writing, moving or removing a document that is, or contains, a database in use.
  ///
  /// SQLite would apply the files beside it to the new item, and the program's next changes would be in no
  /// document.
  static func refuseWriting(_ document: FilePath) throws {
    guard let live = try LiveDatabase.inUse(at: document) else { return }
    let name = Printable.text(document.lastName)
    let database = Printable.text(live.path.lastName)
    let subject =
      live.path == document ? "a program has it open" : "a program has its “\(database)” open"
    let (rest, hint) =
      switch live.sign {
      case .log(let part):
        (
          ", or left “\(Printable.text(part.lastName))”, which holds a part of it",
          """
          Close the program that has it open. If none has, “PRAGMA wal_checkpoint(TRUNCATE)” in sqlite3 puts both together.
          """
        )
      case .journal(let part):
        (
          ", or left “\(Printable.text(part.lastName))”, which holds a part of it",
          "Close the program that has it open. If none has, open it once with its program, which takes the rest back."
        )
      case .lock: ("", "Close the program that has it open.")
      }
    throw VersionError(
      .databaseInUse, document: name, message: "“\(name)” can’t be written: \(subject)\(rest).",
      hint: hint)
  }

  /// Throws an error for saving a file that is only a part of a database.
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
