internal import DocumentGit

/// Decides where to cut a large file into chunks: by its bytes, or between the pages of an SQLite database.
///
/// A database changes page by page, and its pages stay where they are, so a version stores the changed pages
/// and the short groups around them.
struct ChunkCuts {
  /// The length of each chunk of a database; nil if the bytes determine the cuts.
  private let pages: Int?

  /// - Parameters:
  ///   - beginning: the first bytes of the file, at least 100.
  ///   - size: its size in bytes.
  init(ofFileWith beginning: some RandomAccessCollection<UInt8>, size: Int) {
    pages = Self.pageSize(in: Array(beginning.prefix(18))).map {
      // The trees of a very large database would grow by more than its pages.
      max($0, size > 256 << 20 ? 4 * Chunker.shortest : Chunker.shortest)
    }
  }

  /// Returns the length of the first chunk of some bytes, as ``Chunker/firstCut(in:)`` does.
  func firstCut(in bytes: ArraySlice<UInt8>) -> Int {
    pages.map { min($0, bytes.count) } ?? Chunker.firstCut(in: bytes)
  }

  /// Returns whether a group of chunks ends at one of them.
  func isGroupEnd(_ chunk: ObjectID) -> Bool {
    guard pages != nil else { return ChunkedFile.isGroupEnd(chunk) }
    return (chunk.bytes.last ?? 0) & 0x1F == 0
  }

  /// Returns the size of a database's pages, as its header has it; nil for anything else.
  private static func pageSize(in header: [UInt8]) -> Int? {
    guard header.count == 18, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      return nil
    }
    let recorded = Int(header[16]) << 8 | Int(header[17])
    let size = recorded == 1 ? 1 << 16 : recorded
    return (512...1 << 16).contains(size) && size.nonzeroBitCount == 1 ? size : nil
  }
}
