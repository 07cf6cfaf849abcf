package import SystemPackage

/// Programs that are at work on a document without a word to this library.
///
/// What they write next would go to a file that has no name any more if the document was replaced or removed meanwhile.
package enum FileUse {
  /// The error for a document that an office program has open, or any program for writing; nil for others, where the
  /// system does not say, and for a database in use: of that the versions arrive, and it is shown once it is closed.
  package static func refusal(of document: FilePath) throws(FileError) -> FileError? {
    if let lock = try OfficeLock.of(document) {
      return FileError(
        .busy, path: document,
        message: """
          An office program has “\(document.printable)” open: it is not replaced before “\(lock.printable)” is gone.
          """)
    }
    guard try LiveDatabase.inUse(at: document) == nil, try FileWriters.have(open: document) else {
      return nil
    }
    return FileError(
      .busy, path: document,
      message:
        "A program has “\(document.printable)” open for writing: it is not replaced meanwhile.")
  }

  /// Fails for a document that has a ``refusal(of:)``.
  package static func check(_ document: FilePath) throws(FileError) {
    if let refusal = try refusal(of: document) { throw refusal }
  }
}
