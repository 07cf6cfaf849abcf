internal import DocumentFiles
internal import DocumentGit
internal import Synchronization

/// The conflict of one document while it is resolved: its store is opened once, and locked only while something changes.
///
/// Between the two changes, keeping the edits on disk and settling, any code may decide for as long as it likes: other
/// processes work on the document meanwhile, and what they changed is found when the store is locked again.
package final class ConflictSession: Sendable {
  /// The conflict as it was when the session began.
  package let state: ConflictState
  /// Used by one thread after the other, in turn.
  ///
  /// Safe because every use holds ``turn``, and the reader is handed to nothing that outlives the use.
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

  /// Lends the reader, in turn.
  func using<Result: Sendable>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try turn.withLock { _ in
      try reader.environment.reportingErrors(of: reader.location) { try body(reader) }
    }
  }
}
