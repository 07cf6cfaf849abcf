internal import DocumentFiles
internal import SystemPackage

/// What a store notes of its document on disk.
///
/// It may be lost; then the document is known by its content.
struct WorkingFileNote: Equatable {
  /// Which file the document is: what stays the same when it is renamed.
  var mark: String
  /// The path in the container where the document was last saved or put.
  var path: String

  init(mark: String, path: String) {
    self.mark = mark
    self.path = path
  }

  /// The note of a store; nil when it has none.
  init?(in store: FilePath) throws {
    guard let bytes = try SmallFile.read(Self.file(in: store)) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
      .map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == 2 else { return nil }
    self.init(mark: lines[0], path: lines[1])
  }

  /// Replaces the note of a store, where it says something else.
  func write(in store: FilePath) throws {
    guard try WorkingFileNote(in: store) != self else { return }
    try SmallFile.replaceCache(Self.file(in: store), Array("\(mark)\n\(path)".utf8))
  }

  /// The mark of the item at a path; nil when nothing is there.
  static func mark(of path: FilePath) throws -> String? {
    guard let status = try FileStatus.of(path) else { return nil }
    return "\(status.device) \(status.inode) \(FileStatus.birthTime(of: path))"
  }

  private static func file(in store: FilePath) -> FilePath {
    store.appending("working-file")
  }
}
