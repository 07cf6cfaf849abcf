public import Foundation

/// Conflicts.
extension VersionStore {
  /// Lists the documents below a folder that are in conflict, in the order of their paths.
  ///
  /// This is fast: for other documents, it reads only the reference and the ledger, and not even these if they haven't
  /// changed since the last search. If the same store, or a copy of it, searches the folder again, it reads only the
  /// documents that the system reports as changed. The list includes documents whose versions can't be read; their
  /// history throws the error.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: the documents; `nil` if the folder isn't in a container.
  public func documentsInConflict(below folder: URL) async throws -> [URL]? {
    try await perform { try $0.documentsInConflict(below: folder) }
  }
}
