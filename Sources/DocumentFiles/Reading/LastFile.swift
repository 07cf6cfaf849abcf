internal import Synchronization
internal import SystemPackage

/// Keeps open the file of a document that was read last, so that it can be read again.
///
/// Only one file is kept, because a document may have more files than a process can have open.
final class LastFile: Sendable {
  private let opened = Mutex<OpenedFile?>(nil)

  private struct OpenedFile: ~Copyable {
    let file: Descriptor
    /// The open file's status.
    let item: FileStatus
  }

  /// Takes an open file, and closes the previous one.
  ///
  /// - Parameter status: the status of the file.
  func keep(_ file: consuming sending Descriptor, _ status: FileStatus) {
    var file: OpenedFile? = OpenedFile(file: file, item: status)
    opened.withLock { swap(&$0, &file) }
  }

  /// Reads a part of a file, which is opened again if another one was read since.
  ///
  /// - Parameters:
  ///   - range: the part; all of it must exist.
  ///   - place: the file.
  ///   - status: the file's status when it was first read.
  func read(_ range: Range<Int>, of place: ItemPath, _ status: FileStatus) throws -> [UInt8] {
    try opened.withLock { opened in
      if opened?.item.isSameItem(as: status) != true {
        let file = try Descriptor.open(reading: place.path)
        guard try file.status().isSameContent(as: status) else { throw Self.changing(place.path) }
        opened = OpenedFile(file: file, item: status)
      }
      let bytes = try opened?.file.read(range) ?? []
      guard bytes.count == range.count else { throw Self.changing(place.path) }
      return bytes
    }
  }

  /// Returns whether the file is unchanged, and not longer than its status says.
  func isUnchanged(since status: FileStatus) throws -> Bool {
    try opened.withLock { opened in
      guard let after = try opened?.file.status(), after == status else { return false }
      return try opened?.file.read(status.size..<status.size + 1).isEmpty ?? false
    }
  }

  /// Lets programs open the file for writing again.
  func letWritersIn() { opened.withLock { $0?.file.letWritersIn() } }

  private static func changing(_ path: FilePath) -> FileError {
    FileError(
      .changing, path: path, message: "“\(path.printable)” changed while it was being read.")
  }
}
