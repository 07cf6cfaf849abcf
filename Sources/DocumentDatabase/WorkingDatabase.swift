internal import DocumentFiles
internal import Foundation
internal import GRDB
internal import Synchronization
internal import SystemPackage

/// The database of an open document, which the app reads and writes.
///
/// It isn't the file in the document's package: each save replaces that file as a whole, and it never has a
/// write-ahead log beside it.
final class WorkingDatabase: Sendable {
  let folder: WorkingFolder
  let queue: DatabaseQueue
  let recorder: ChangeRecorder
  /// True if a newer app has changed the schema.
  let isFromNewerApp: Bool
  private let isEnded = Mutex(false)

  /// Opens the database in a folder, and brings its schema up to date.
  ///
  /// - Parameter onOpen: called before the schema is updated.
  init(
    in folder: WorkingFolder, _ settings: DatabaseSettings, onOpen: () throws -> Void = {}
  ) throws {
    self.folder = folder
    recorder = ChangeRecorder { [weak folder] in try folder?.setEdited($0) }
    queue = try DatabaseQueue(
      path: folder.database.string, configuration: settings.configurationWithLog)
    let problem = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    if let problem, problem != "ok" {
      throw FileError(.damaged, path: folder.database, message: problem)
    }
    try onOpen()
    let migrator = settings.migrator
    // An app without migrations doesn't show which ones it knows.
    isFromNewerApp =
      try !migrator.migrations.isEmpty && queue.read { try migrator.hasBeenSuperseded($0) }
    if !isFromNewerApp { try migrator.migrate(queue) }
    queue.add(transactionObserver: recorder, extent: .databaseLifetime)
    let recorder = recorder
    try queue.writeWithoutTransaction { try recorder.begin(in: $0) }
  }

  deinit { end() }

  /// Copies the database of a document, including the files beside it, which SQLite combines in the copy.
  ///
  /// Nothing is locked; afterward, the caller compares the files with their former state.
  static func copyFiles(
    from database: FilePath, to folder: WorkingFolder, _ progress: OperationProgress
  ) throws {
    for suffix in ["", "-wal", "-journal"] {
      let file = FilePath(database.string + suffix)
      guard try suffix.isEmpty || FileStatus.of(file) != nil else { continue }
      try NewFile.copy(file, to: FilePath(folder.database.string + suffix)) {
        try progress.checkCancellation()
      }
    }
  }

  /// Copies the database in its state after all accesses that have begun.
  func copy() throws -> DatabaseCopy {
    try queue.read { _ in }
    return try DatabaseCopy.file(folder.database, in: folder.path)
  }

  /// Ends the database after the accesses that have begun; later ones fail.
  ///
  /// - Returns: whether there are changes that ``ChangeRecorder/takeCommits()`` has not returned.
  func retire() throws -> Bool {
    let recorder = recorder
    return try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA query_only = ON")
      return recorder.hasCommits
    }
  }

  /// Stops recording changes.
  ///
  /// The connection closes with the last access, because an app may still have the queue and be about to
  /// read.
  func end() {
    let isFirst = isEnded.withLock { isEnded in
      defer { isEnded = true }
      return !isEnded
    }
    guard isFirst else { return }
    let recorder = recorder
    queue.writeWithoutTransaction { _ in recorder.end() }
  }

  /// Closes a database that nothing else uses.
  func close() throws {
    end()
    try queue.close()
  }
}

/// The settings with which an app opens the databases of a document class.
struct DatabaseSettings: Sendable {
  var configuration: Configuration
  var migrator: DatabaseMigrator

  /// The configuration with a write-ahead log, so that others can read during a write.
  fileprivate var configurationWithLog: Configuration {
    var configuration = configuration
    configuration.journalMode = .wal
    return configuration
  }
}
