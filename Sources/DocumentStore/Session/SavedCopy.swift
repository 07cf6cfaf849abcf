package import DocumentFiles
package import DocumentGit

/// The parts of a document on disk that a save needs.
package protocol SavedCopy {
  var content: DocumentContent { get }
  /// The objects that would store the document, each after those that it names.
  var objects: [GitObject] { get }
  /// The trees of folders that are stored with all their contents.
  var storedFolders: Set<ObjectID> { get }
  /// The time when the document was modified, in milliseconds since 1970.
  var modified: Int64 { get }
  /// The permission bits.
  var permissions: RecordedPermissions? { get }
  /// The classes of users who can read all of the document.
  var readership: Readership { get }

  /// Records the members that need not be read the next time.
  func recordMembers(with writer: borrowing StoreWriter) throws
}

extension WorkingCopy: SavedCopy {
  package func recordMembers(with writer: borrowing StoreWriter) throws {
    try writer.recordMembers(of: self)
  }
}
