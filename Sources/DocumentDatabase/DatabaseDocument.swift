@_exported public import DocumentVersions
internal import DocumentFiles
internal import DocumentLifecycle
internal import DocumentStore
public import Foundation
public import GRDB
internal import SystemPackage

/// A document of an app that keeps its contents in an SQLite database, with GRDB.
///
/// The document is a package with `database.sqlite`, and other members in its ``Document/wrapper``. A
/// subclass defines the schema; reading, writing and observing use GRDB.
///
/// ```swift
/// final class Contacts: DatabaseDocument {
///   override var migrator: DatabaseMigrator {
///     var migrator = DatabaseMigrator()
///     migrator.registerMigration("contacts") { db in
///       try db.create(table: "contact") { table in
///         table.autoIncrementedPrimaryKey("id")
///         table.column("name", .text).notNull()
///       }
///     }
///     return migrator
///   }
/// }
///
/// try await contacts.write("Add Contact") { db in
///   try db.execute(sql: "INSERT INTO contact (name) VALUES (?)", arguments: ["Mira"])
/// }
/// ```
///
/// Changes are on disk at once, in a working database on this device, so a crash loses nothing, and writing
/// takes time only for the changes. The package gets a copy of the whole database when the document is saved:
/// automatically after a pause in editing, before other programs read or write it, and on closing. So any
/// tool may copy or sync the package at any time.
///
/// When the document is reverted, resolved, or changed elsewhere, it continues with another database: values
/// that ``observe(_:)`` observes are read again, and ``databaseDidChange(because:)`` is called.
@MainActor
open class DatabaseDocument: Document {
  /// The name of the database in the package.
  public nonisolated static let databaseName = "database.sqlite"

  private var working: WorkingDatabase?
  private let opened = DatabaseFormat.Opened()
  /// The working database of a process that ended, while the document is being opened.
  private var left: WorkingFolder?
  private var isOfNewerApp = false
  private var observations: [Int: ObservedValue] = [:]
  private var observationCount = 0
  private var retiring: [Task<Void, Never>] = []

  /// Creates the object without reading the document.
  ///
  /// - Parameters:
  ///   - fileURL: the document, which need not exist: ``Document/open()`` reads it, and ``Document/create()``
  ///     creates it.
  ///   - environment: its store, autosave policy and clock. By default, the package is written after half a
  ///     minute without a change, and after ten minutes of editing at the latest.
  public override init(
    fileURL: URL, environment: DocumentEnvironment = DocumentEnvironment()
  ) {
    var environment = environment
    if environment.autosave == AutosavePolicy() { environment.autosave = Self.autosave }
    super.init(fileURL: fileURL, environment: environment)
    onClose = { [weak self] in self?.replaceWorkingDatabase(with: nil) }
  }

  private static let autosave = AutosavePolicy(
    idleTime: .seconds(30), longestDelay: .seconds(600))

  // MARK: For subclasses

  /// The migrations that create and update the schema of the database; none by default.
  ///
  /// A document with a schema from a newer version of the app is read-only.
  open var migrator: DatabaseMigrator { DatabaseMigrator() }

  /// The settings of the connection; the journal mode is the document's own.
  open var configuration: Configuration { Configuration() }

  /// Called when the document has another database, because it was opened, reverted, resolved, or changed
  /// elsewhere.
  open func databaseDidChange(because reason: LoadReason) {}

  // MARK: Reading and writing

  /// The database, for direct use of GRDB; it is another one after each ``databaseDidChange(because:)``.
  ///
  /// - Throws: ``DocumentError`` if the document is closed.
  public var database: DatabaseQueue {
    get throws {
      guard let working else { throw DocumentError.isClosed(fileURL) }
      return working.queue
    }
  }

  /// Reads from the database on a separate thread.
  ///
  /// - Throws: ``DocumentError`` if the document is closed; the errors of `value`.
  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await database.read(value)
  }

  /// Writes to the database in one transaction on a separate thread; the transaction is undone as one change.
  ///
  /// Changes of the schema, of tables without a primary key, and of tables with a text search index can't be
  /// undone, nor can the changes before them.
  ///
  /// - Parameters:
  ///   - name: the name of the change, for a menu.
  ///   - updates: makes the changes; if it throws, nothing changes.
  /// - Throws: ``DocumentError`` if the document is closed or read-only; the errors of `updates`.
  @discardableResult
  public func write<Value: Sendable>(
    _ name: String? = nil, _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard !isUnchangeable else { throw DocumentError.isReadOnly(fileURL, named: localizedName) }
    let value = try await database.write(updates)
    collectChanges()
    if let name { undoManager?.setActionName(name) }
    return value
  }

  /// Reads a value now, and again whenever it may have changed, as long as the document is open.
  ///
  /// - Parameter value: reads the value, on a separate thread.
  /// - Returns: the values, as a sequence that ends when the document is closed.
  public func observe<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    let queue = DispatchQueue(label: "DatabaseDocument.observe")
    let observation = ObservedValue(
      start: { database in
        ValueObservation.tracking(value).start(
          in: database, scheduling: .async(onQueue: queue),
          onError: { continuation.finish(throwing: $0) }, onChange: { continuation.yield($0) })
      }, finish: { continuation.finish() })
    guard let working else {
      continuation.finish(throwing: DocumentError.isClosed(fileURL))
      return stream
    }
    observationCount += 1
    let number = observationCount
    observations[number] = observation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.observations[number] = nil }
    }
    observation.begin(in: working.queue)
    return stream
  }

  // MARK: Changes

  /// True if there are changes that aren't in the package.
  open override var hasUnsavedChanges: Bool {
    super.hasUnsavedChanges || working?.recorder.hasCommits == true
  }

  /// Counts changes since the last call, so that they are saved and can be undone.
  private func collectChanges() {
    let commits = working?.recorder.takeCommits() ?? []
    if !commits.isEmpty, isUnchangeable {
      // The app wrote it with GRDB's own calls; no document will have it.
      return handle(DocumentError.isReadOnly(fileURL, named: localizedName))
    }
    for commit in commits {
      guard let changeset = commit.changeset, let undoManager, undoManager.isUndoRegistrationEnabled
      else {
        updateChangeCount(.done)
        knownUndoManager?.removeAllActions()
        continue
      }
      // A transaction is one change, unless the app has opened a group.
      let isAlone = undoManager.groupingLevel == 0
      undoManager.registerUndo(withTarget: self) { $0.replay(changeset, isInverse: true) }
      if isAlone { undoManager.endEvent() }
    }
  }

  private func replay(_ changeset: Changeset, isInverse: Bool) {
    undoManager?.registerUndo(withTarget: self) { $0.replay(changeset, isInverse: !isInverse) }
    guard let working else { return }
    let recorder = working.recorder
    working.queue.asyncWriteWithoutTransaction { [weak self] database in
      do {
        try recorder.replay(isInverse ? changeset.inverted() : changeset, in: database)
      } catch {
        Task { @MainActor in
          self?.knownUndoManager?.removeAllActions()
          self?.updateChangeCount(.done)
          self?.handle(error)
        }
      }
    }
  }

  // MARK: The document

  /// Returns the members other than the database.
  open override func contents(forType type: String) throws -> DocumentContents {
    let members = try wrapper ?? DocumentWrapper(directoryWithFileWrappers: [:])
    return .package(try members.snapshot())
  }

  /// Continues with the database that was read; an override calls the superclass first.
  open override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    guard case .package(let members) = contents, let next = opened.take() else { return }
    wrapper = members.wrapper()
    replaceWorkingDatabase(with: next)
    if next.isFromNewerApp != isOfNewerApp {
      (isOfNewerApp, isReadOnly) = (next.isFromNewerApp, next.isFromNewerApp)
    }
    databaseDidChange(because: reason)
  }

  public override final var fileFormat: (any DocumentFileFormat)? {
    DatabaseFormat(settings, working, opened, resuming: left)
  }

  private var settings: DatabaseSettings {
    DatabaseSettings(configuration: configuration, migrator: migrator)
  }

  /// Opens the document, with the changes that a killed process had written to its database.
  open override func open() async throws {
    guard !isOpen else { return try await super.open() }
    left = try await LeftDatabases(of: fileURL, settings, environment.store).settle()
    defer { left = nil }
    try await super.open()
    if let left {
      left.release()
      updateChangeCount(.done)
    }
    await recordOrigin()
  }

  open override func save(to url: URL, for operation: SaveOperation) async throws {
    if working == nil, operation == .creating {
      let settings = settings
      replaceWorkingDatabase(
        with: try await BlockingPool.shared.run {
          try WorkingDatabase(in: WorkingFolder(for: url), settings)
        })
    }
    collectChanges()
    try await super.save(to: url, for: operation)
    await recordOrigin()
  }

  open override func revert(to version: FileVersion? = nil) async throws {
    try await super.revert(to: version)
    await recordOrigin()
  }

  /// Records the origin of the working database, in case of a crash.
  private func recordOrigin() async {
    guard let working, isOpen else { return }
    let (url, base) = (fileURL, baseVersion?.persistentIdentifier)
    let saved = hasUnsavedChanges ? nil : working.recorder.count
    do {
      try await BlockingPool.shared.run {
        try working.folder.write(
          .init(document: url.filePath.string, base: base, file: .init(of: url.databaseFile)))
        if let saved { try working.recorder.clearEdited(after: saved) }
      }
    } catch {
      handle(error)
    }
  }

  // MARK: The working database

  private func replaceWorkingDatabase(with next: WorkingDatabase?) {
    let former = working
    working = next
    next?.recorder.setOnCommit { [weak self, weak next] in
      Task { @MainActor in
        if let self, self.working === next { self.collectChanges() }
      }
    }
    for observation in observations.values {
      if let next { observation.begin(in: next.queue) } else { observation.finish() }
    }
    if next == nil { observations = [:] }
    guard let former else { return }
    former.recorder.setOnCommit(nil)
    retire(former)
  }

  /// Ends a database; changes by accesses that had already begun become a version, in conflict with the
  /// document.
  private func retire(_ former: WorkingDatabase) {
    let (url, store, base, settings) = (fileURL, environment.store, baseVersion, settings)
    let members = wrapper
    do {
      let members = try members?.snapshot()
      retiring.append(
        Task { [weak self] in
          do {
            try await BlockingPool.shared.run {
              guard try former.retire() else { return former.end() }
              let format = DatabaseFormat(settings, former, .init(), resuming: nil)
              try LeftDatabases.keep(
                members, format, of: url, base: base, in: store.synchronous)
              former.end()
            }
          } catch {
            // It is found the next time the document is opened.
            former.folder.keep()
            self?.handle(error)
          }
        })
    } catch {
      former.folder.keep()
      handle(error)
    }
  }

  /// Waits until the changes in former databases are versions.
  package func settleDatabases() async {
    while let task = retiring.popLast() { await task.value }
  }

  /// The names of the database, and of the files that SQLite creates beside it.
  nonisolated static let databaseNames =
    [databaseName]
    + LiveDatabase.suffixes.map { databaseName + String(decoding: $0, as: UTF8.self) }
}

/// A value that an app observes, in any database of the document.
@MainActor
private final class ObservedValue {
  private let start: @Sendable (DatabaseQueue) -> AnyDatabaseCancellable
  let finish: @Sendable () -> Void
  private var present: AnyDatabaseCancellable?

  init(
    start: @escaping @Sendable (DatabaseQueue) -> AnyDatabaseCancellable,
    finish: @escaping @Sendable () -> Void
  ) {
    self.start = start
    self.finish = finish
  }

  func begin(in database: DatabaseQueue) {
    present?.cancel()
    present = start(database)
  }
}
