internal import Synchronization
internal import SystemPackage

/// The file of a document that was read last, kept open for another look.
///
/// One at a time: a document may have more files than a process can hold open.
final class LastFile: Sendable {
  private let opened = Mutex<OpenedFile?>(nil)

  private struct OpenedFile: ~Copyable {
    let file: Descriptor
    /// Which file it is.
    let item: FileStatus
  }

  /// Takes an open file, and lets the one before go.
  ///
  /// - Parameter status: what it is.
  func keep(_ file: consuming sending Descriptor, _ status: FileStatus) {
    var file: OpenedFile? = OpenedFile(file: file, item: status)
    opened.withLock { swap(&$0, &file) }
  }

  /// Reads a part of a file, which is opened again if another one was read since.
  ///
  /// - Parameters:
  ///   - range: the part; it must be there as a whole.
  ///   - place: the file.
  ///   - status: what it was when it was read first.
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

  /// Whether the file is as it was, and not longer than it says.
  func isUnchanged(since status: FileStatus) throws -> Bool {
    try opened.withLock { opened in
      guard let after = try opened?.file.status(), after == status else { return false }
      return try opened?.file.read(status.size..<status.size + 1).isEmpty ?? false
    }
  }

  private static func changing(_ path: FilePath) -> FileError {
    FileError(.changing, path: path, message: "“\(path.printable)” changes while it is read.")
  }
}
