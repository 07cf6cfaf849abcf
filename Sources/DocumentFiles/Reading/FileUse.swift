package import SystemPackage

/// Programs that are at work on a document without a word to this library.
///
/// What they write next would go to a file that has no name any more if the document was replaced or removed meanwhile. Of
/// a database in use the versions arrive, and it is shown once it is closed: nothing is refused here.
package enum FileUse {
  /// Returns whether an office program has a document open, or any program for writing; false where the system does not
  /// say, and for a database in use.
  package static func isInUse(_ document: FilePath) throws(FileError) -> Bool {
    if try OfficeLock.of(document) != nil { return true }
    return try isOpenForWriting(document)
  }

  private static func isOpenForWriting(_ document: FilePath) throws(FileError) -> Bool {
    if try LiveDatabase.inUse(at: document) != nil { return false }
    return try FileWriters.have(open: document)
  }

  /// Fails for a document that is in use; blocks for a moment if a program is just writing it.
  package static func check(_ document: FilePath) throws(FileError) {
    let name = Printable.text(document.lastName)
    if let lock = try OfficeLock.of(document) {
      throw FileError(
        .busy, path: document,
        message: """
          An office program has “\(name)” open: it is not replaced before “\(Printable.text(lock.lastName))” is gone.
          """)
    }
    for _ in 1...mostLooks {
      guard try isOpenForWriting(document) else { return }
      Threads.sleep(seconds: 0.02)
    }
    throw FileError(
      .busy, path: document,
      message: "A program has “\(name)” open for writing: it is not replaced meanwhile.")
  }

  private static let mostLooks = 25
}
