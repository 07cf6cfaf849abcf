package import SystemPackage

/// Programs that use a document without coordinating through this library.
///
/// If the document was replaced or removed in the meantime, their next changes would go to a file without a
/// name. A database in use isn't an error here: its versions arrive, and are shown once it is closed.
package enum FileUse {
  /// Returns whether an office program has a document open, or any program has it open for writing; false if
  /// the system doesn't know, and for a database in use.
  package static func isInUse(_ document: FilePath) throws(FileError) -> Bool {
    if try OfficeLock.of(document) != nil { return true }
    return try isOpenForWriting(document)
  }

  private static func isOpenForWriting(_ document: FilePath) throws(FileError) -> Bool {
    if try LiveDatabase.inUse(at: document) != nil { return false }
    return try FileWriters.have(open: document)
  }

  /// Throws an error for a document in use; waits for a moment if a program is just writing it.
  package static func check(_ document: FilePath) throws(FileError) {
    let name = Printable.text(document.lastName)
    if let lock = try OfficeLock.of(document) {
      throw FileError(
        .busy, path: document,
        message: """
          An office program has “\(name)” open: it is not replaced before “\(Printable.text(lock.lastName))” is gone.
          """)
    }
    try waitUntilClosed(document, isOpenForWriting)
  }

  /// Throws an error for an item that a program has open for writing; waits for a moment if a program is just writing
  /// it.
  static func checkWriters(of item: FilePath, in document: FilePath) throws(FileError) {
    try waitUntilClosed(document) { _ throws(FileError) in try hasWriters(item) }
  }

  /// Returns whether a program has an item open for writing.
  ///
  /// This finds each program that opened the item under any of its names, including former ones.
  package static func hasWriters(_ item: FilePath) throws(FileError) -> Bool {
    try FileWriters.have(open: item)
  }

  private static func waitUntilClosed(
    _ document: FilePath, _ isOpen: (FilePath) throws(FileError) -> Bool
  ) throws(FileError) {
    for _ in 1...mostLooks {
      guard try isOpen(document) else { return }
      Threads.sleep(seconds: 0.02)
    }
    throw openForWriting(document)
  }

  private static let mostLooks = 25

  /// Returns the error for a document that a program has open for writing.
  static func openForWriting(_ document: FilePath) -> FileError {
    FileError(
      .busy, path: document,
      message: """
        A program has “\(Printable.text(document.lastName))” open for writing: it is not replaced meanwhile.
        """)
  }
}
