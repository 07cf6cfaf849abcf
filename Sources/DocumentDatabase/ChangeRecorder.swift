internal import CSQLite
internal import GRDB
internal import Synchronization

/// Records the changes of each transaction in a database, and how to undo them.
final class ChangeRecorder: TransactionObserver, Sendable {
  /// The known facts about a transaction.
  struct Commit: Sendable {
    /// The transaction's changes; nil if they can't be undone.
    let changeset: Changeset?
  }

  private struct State {
    /// SQLite's session; nil if there is none.
    ///
    /// It is `nonisolated(unsafe)` because pointers aren't sendable. This is safe because the state is
    /// accessed under its lock, and the session is used only on its connection's queue.
    nonisolated(unsafe) var session: UnsafeMutableRawPointer?
    /// The number of rows changed by the connection, and of schema changes.
    var moment = Moment()
    /// The tables whose rows were changed in this transaction.
    var tables: Set<String> = []
    var isReplaying = false
    var pending: [Commit] = []
    var count = 0
    var isEdited = false
    var onCommit: (@Sendable () -> Void)?
  }

  private struct Moment: Equatable {
    var changes = 0
    var schema = 0

    init() {}

    init(of database: Database) throws {
      changes = database.totalChangesCount
      schema = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
    }
  }

  private let state = Mutex(State())
  private let setEdited: @Sendable (Bool) throws -> Void

  /// - Parameter setEdited: records whether the database has changes that aren't in the document.
  init(_ setEdited: @escaping @Sendable (Bool) throws -> Void) { self.setEdited = setEdited }

  /// Sets the closure that is called on the database's queue after each transaction that changed something.
  func setOnCommit(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onCommit = action } }

  /// True if there are transactions that ``takeCommits()`` has not returned yet.
  var hasCommits: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Returns the transactions since the last call.
  func takeCommits() -> [Commit] {
    state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
  }

  /// The number of transactions so far.
  var count: Int { state.withLock { $0.count } }

  /// Records that the changes are in the document, unless there were more transactions than a number.
  func clearEdited(after count: Int) throws {
    try state.withLock { state in
      guard state.count == count, state.isEdited else { return }
      try setEdited(false)
      state.isEdited = false
    }
  }

  // MARK: On the database's queue

  /// Starts recording; called on the database's queue.
  func begin(in database: Database) throws {
    let moment = try Moment(of: database)
    state.withLock { $0.moment = moment }
    renewSession(of: database)
  }

  /// Stops recording; called on the database's queue before it is closed.
  func end() {
    state.withLock { state in
      if let session = state.session { docversions_session_end(session) }
      state.session = nil
    }
  }

  /// Applies or reverts a change, which doesn't count as a new change.
  func replay(_ changeset: Changeset, in database: Database) throws {
    state.withLock { $0.isReplaying = true }
    defer { state.withLock { $0.isReplaying = false } }
    try changeset.apply(to: database)
  }

  private func renewSession(of database: Database) {
    end()
    let connection = database.sqliteConnection.map { UInt(bitPattern: $0) } ?? 0
    state.withLock { state in
      state.session = UnsafeMutableRawPointer(bitPattern: connection)
        .flatMap { docversions_session_begin($0) }
      state.tables = []
    }
  }

  // MARK: TransactionObserver

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }

  func databaseDidChange(with event: DatabaseEvent) {
    state.withLock { state in
      if !state.tables.contains(event.tableName) { state.tables.insert(event.tableName) }
    }
  }

  func databaseDidCommit(_ database: Database) {
    var commit = Commit(changeset: nil)
    do {
      let (former, tables) = state.withLock { ($0.moment, $0.tables) }
      let moment = try Moment(of: database)
      guard moment != former else { return }
      state.withLock { $0.moment = moment }
      // Sessions record neither schema changes nor rows without a key. The tables in which a virtual table
      // keeps its data can't be changed separately.
      if moment.schema == former.schema,
        try tables.allSatisfy({ try $0.hasKey(in: database) && !$0.isShadow(in: database) })
      {
        let (isRecorded, changeset) = state.withLock { state in
          (state.session != nil, state.session.flatMap { Changeset(recordedBy: $0) })
        }
        // Everything was reverted inside the transaction.
        if isRecorded, changeset == nil { return renewSession(of: database) }
        commit = Commit(changeset: changeset)
      }
    } catch {
      // It then counts as a change that can't be undone.
    }
    renewSession(of: database)
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      state.count += 1
      if !state.isEdited {
        do {
          try setEdited(true)
          state.isEdited = true
        } catch {
          // The next transaction tries it again; the change itself is on disk.
        }
      }
      guard !state.isReplaying else { return nil }
      state.pending.append(commit)
      return state.onCommit
    }
    action?()
  }

  func databaseDidRollback(_ database: Database) {
    do {
      let moment = try Moment(of: database)
      state.withLock { $0.moment = moment }
    } catch {
      // The next transaction counts as a change in any case.
    }
    renewSession(of: database)
  }
}

extension String {
  /// Returns whether the table with this name has a primary key.
  fileprivate func hasKey(in database: Database) throws -> Bool {
    try database.columns(in: self).contains { $0.primaryKeyIndex > 0 }
  }

  /// Returns whether the table with this name is part of a virtual table, such as the index of a text search.
  fileprivate func isShadow(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT type = 'shadow' FROM pragma_table_list WHERE name = ?",
      arguments: [self]) ?? false
  }
}
