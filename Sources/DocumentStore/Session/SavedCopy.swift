package import DocumentFiles
package import DocumentGit

/// The parts of a document on disk that a save needs.
package protocol SavedCopy {
  var content: DocumentContent { get }
  /// The objects that would store it, each after those it names.
  var objects: [GitObject] { get }
  /// Trees of folders that are stored with all they hold.
  var storedFolders: Set<ObjectID> { get }
  /// When the document was modified, in milliseconds since 1970.
  var modified: Int64 { get }
  /// The permission bits.
  var permissions: RecordedPermissions? { get }
  /// The classes of users who can read all of it.
  var readership: Readership { get }

  /// Records what need not be read the next time.
  func recordMembers(with writer: borrowing StoreWriter) throws
}

extension WorkingCopy: SavedCopy {
  package func recordMembers(with writer: borrowing StoreWriter) throws {
    try writer.recordMembers(of: self)
  }
}
