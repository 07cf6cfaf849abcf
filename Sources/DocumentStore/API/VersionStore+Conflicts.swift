public import Foundation

/// Conflicts.
extension VersionStore {
  /// The documents below a folder that are in an unresolved conflict, in the order of their paths.
  ///
  /// Fast: of the others only the reference and the ledger are read, and of those that have not changed since the last
  /// search, not even these. Where the same store, or a copy of it, searches the same folder again, it reads only what the
  /// system reports as changed meanwhile. A document whose versions cannot be read is
  /// in the list: its history says why.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documentsInConflict(below folder: URL) async throws -> [URL]? {
    try await perform { try $0.documentsInConflict(below: folder) }
  }
}
