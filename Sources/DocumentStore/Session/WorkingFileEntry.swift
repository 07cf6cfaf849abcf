internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The facts that identify the file of a document, as its store records them.
///
/// It may be lost; then the document is identified by its content.
struct WorkingFileEntry: Equatable {
  /// The identity of the document's file, which a rename doesn't change.
  var mark: String
  /// The path in the container at which the document was last saved or put.
  var path: String

  static func == (left: WorkingFileEntry, right: WorkingFileEntry) -> Bool {
    left.mark == right.mark && left.path.hasBytes(of: right.path)
  }

  init(mark: String, path: String) {
    self.mark = mark
    self.path = path
  }

  /// Reads the entry of a store; `nil` if it has none.
  init?(in store: FilePath) throws {
    guard let bytes = try SmallFile.read(Self.file(in: store)) else { return nil }
    // The mark of a document that is not on disk is empty.
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == 3 else { return nil }
    self.init(mark: lines[1], path: lines[2])
    guard lines[0] == check else { return nil }
  }

  /// Replaces the entry of a store.
  func write(in store: FilePath) throws {
    try SmallFile.replaceCache(Self.file(in: store), Array("\(check)\n\(mark)\n\(path)".utf8))
  }

  /// Records which file a document is, so that it can be found under another name: it may have been found by its
  /// contents, as in a copied or restored folder, and its former file may be another document.
  ///
  /// - Parameters:
  ///   - file: the document's file.
  ///   - store: its store; if the entry there is lost, or the document wasn't on disk, nothing is recorded.
  static func record(_ file: FilePath, in store: FilePath) throws {
    guard var entry = try WorkingFileEntry(in: store), !entry.mark.isEmpty,
      let mark = try mark(of: file), mark != entry.mark
    else { return }
    entry.mark = mark
    try entry.write(in: store)
  }

  /// The check of the entry: writing it doesn't wait for the disk, so a power cut may leave any bytes in its
  /// place.
  private var check: String {
    String(CyclicCheck.crc32(Array("\(mark)\n\(path)".utf8)), radix: 16)
  }

  /// Returns the mark of the item at a path; `nil` if there is none.
  static func mark(of path: FilePath) throws -> String? {
    try FileStatus.of(path).map { mark(of: path, $0) }
  }

  /// Returns the mark of the item at a path with a status.
  static func mark(of path: FilePath, _ status: FileStatus) -> String {
    "\(status.device) \(status.inode) \(FileStatus.birthTime(of: path))"
  }

  /// Returns the time at which the item with a mark was created; `nil` if it is unknown, so that a new item may have
  /// the mark of a deleted one.
  static func birthTime(inMark mark: String) -> Int64? {
    guard let time = mark.split(separator: " ").last.flatMap({ Int64($0) }), time != 0 else {
      return nil
    }
    return time
  }

  private static func file(in store: FilePath) -> FilePath {
    StoreFile.workingFile.path(in: store)
  }
}
