internal import DocumentFiles
internal import DocumentGit
internal import Synchronization

/// The conflict of one document while it is being resolved; its store is opened once, and locked only for
/// changes.
///
/// There are two changes: keeping the edits on disk, and settling. Between them, the caller may take as long
/// as it likes to decide. Other processes work on the document in the meantime, and their changes are found
/// when the store is locked again.
package final class ConflictSession: Sendable {
  /// The conflict at the beginning of the session.
  package let state: ConflictState
  /// The reader, which threads use in turn.
  ///
  /// This is safe because every use holds ``turn``, and nothing that outlives the use receives the reader.
  private nonisolated(unsafe) let reader: StoreReader
  private let turn = Mutex(())

  init(_ state: ConflictState, _ reader: StoreReader) {
    self.state = state
    self.reader = reader
  }

  /// Reads the versions of the conflict.
  package func reading<Result: Sendable>(_ body: (VersionReader) throws -> Result) throws -> Result
  {
    try using { try body(VersionReader($0)) }
  }

  /// Passes the reader to one closure at a time.
  func using<Result: Sendable>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try turn.withLock { _ in
      try reader.environment.reportingErrors(of: reader.location) { try body(reader) }
    }
  }
}
