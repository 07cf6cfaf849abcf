internal import DocumentFiles
internal import DocumentLifecycle
internal import DocumentStore
internal import Foundation
internal import GRDB
internal import Synchronization
internal import SystemPackage

/// Reads a package with a database into a working database, and writes it as a package with a copy of that
/// database.
///
/// Each access to the document has a separate format, so its contents can be written again even if the
/// database has changed since.
final class DatabaseFormat: DocumentFileFormat {
  /// Passes the databases that were read to the document.
  final class Opened: Sendable {
    private let databases = Mutex<WorkingDatabase?>(nil)

    func put(_ database: WorkingDatabase) { databases.withLock { $0 = database } }

    func take() -> WorkingDatabase? {
      databases.withLock { database in
        defer { database = nil }
        return database
      }
    }
  }

  private let settings: DatabaseSettings
  /// The database to write the first time; nil before there is one.
  private let working: WorkingDatabase?
  private let opened: Opened
  /// A working folder left by another process, which is taken over in place of the document's database.
  private let left: WorkingFolder?
  /// The database that was read or written.
  private let copy = Mutex<DatabaseCopy?>(nil)

  init(
    _ settings: DatabaseSettings, _ working: WorkingDatabase?, _ opened: Opened,
    resuming left: WorkingFolder?
  ) {
    self.settings = settings
    self.working = working
    self.opened = opened
    self.left = left
  }

  func read(
    from url: URL, ofType type: String, progress: OperationProgress
  ) throws -> DocumentContents {
    let members = try DocumentWrapper(url: url)
    guard members.isDirectory else {
      throw FileError(
        .wrongKind, path: try url.filePath,
        message: """
          “\(Printable.text(url.lastPathComponent))” is a file. A document with a database is a package, a folder with \
          “\(DatabaseDocument.databaseName)” in it.
          """)
    }
    for name in DatabaseDocument.databaseNames {
      if let member = try members.fileWrappers[name] { try members.removeFileWrapper(member) }
    }
    try members.readContents()
    let folder = try left ?? WorkingFolder(for: url)
    do {
      try Self.refuseOpen(url)
      if left == nil { try WorkingDatabase.copyFiles(from: url.databaseFile, to: folder, progress) }
      let database = try WorkingDatabase(in: folder, settings) {
        // The copy is made before the migrations, whose changes aren't contents of the document yet.
        let file = try DatabaseCopy.file(folder.database, in: folder.path)
        copy.withLock { $0 = file }
      }
      opened.put(database)
    } catch {
      throw DatabaseCopy.naming(url, in: error)
    }
    return .package(try members.snapshot())
  }

  func write(
    _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
    progress: OperationProgress
  ) throws {
    guard case .package(let members) = contents else { return }
    var file = copy.withLock { $0 }
    if file == nil, let working {
      let made = try working.copy()
      copy.withLock { $0 = made }
      file = made
    }
    if let originalContentsURL { try Self.refuseOpen(originalContentsURL) }
    try members.wrapper().write(to: url, originalContentsURL: originalContentsURL)
    try file?.write(to: url.databaseFile, progress)
  }
}

extension DatabaseFormat {
  /// Throws an error for a document whose database another program has open, because that program's next
  /// changes would be in no document.
  private static func refuseOpen(_ document: URL) throws {
    guard try LiveDatabase.isOpenElsewhere(document.databaseFile) else { return }
    let name = Printable.text(document.lastPathComponent)
    throw FileError(
      .busy, path: try document.databaseFile,
      message: "Another program has the database of “\(name)” open. Close that program.")
  }
}

extension DocumentWrapper {
  /// Reads the bytes of all files, because another program may replace them.
  fileprivate func readContents() throws {
    guard isDirectory else {
      if isRegularFile { _ = try regularFileContents }
      return
    }
    for member in try fileWrappers.values { try member.readContents() }
  }
}
