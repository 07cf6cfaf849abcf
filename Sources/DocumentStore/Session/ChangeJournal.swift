internal import DocumentFiles
package import SystemPackage

/// The documents of a container whose heads have moved, so that an exchange visits only these.
///
/// Each change has one entry: the document's path, and a zero byte. The entry is written before the
/// references move, without waiting for the disk: a superfluous entry does no harm, and after a restart of
/// the system an exchange visits all documents. Only a container whose documents are exchanged has a journal.
package struct ChangeJournal {
  private let path: FilePath

  package init(of container: FilePath) {
    path = SyncFile.changes.path(in: container)
  }

  /// A position in the journal; the entries after it are newer.
  package struct Position: Hashable, Sendable {
    package var inode: UInt64
    package var offset: Int

    package init(inode: UInt64, offset: Int) {
      self.inode = inode
      self.offset = offset
    }
  }

  /// Records that the heads of a document are about to move.
  func record(_ document: String) throws { try record([document]) }

  /// Records that the heads of documents moved, or that documents received heads and can be found now.
  package func record(_ documents: [String]) throws {
    try AppendOnlyFile.append(documents.flatMap { Array($0.utf8) + [0] }, ifThere: path)
  }

  /// Starts a journal if there is none, or if it has become long.
  package func begin() throws {
    if let size = try FileStatus.of(path)?.size, size < Self.longest { return }
    try SmallFile.replaceCache(path, [])
  }

  /// Returns the end of the journal; `nil` if there is no journal.
  package func end() throws -> Position? {
    try FileStatus.of(path).map { Position(inode: $0.inode, offset: $0.size) }
  }

  /// Returns the documents recorded between two positions; `nil` if the journal doesn't go back that far.
  package func documents(from start: Position, to end: Position) throws -> Set<String>? {
    guard start.inode == end.inode, start.offset <= end.offset else { return nil }
    guard start.offset < end.offset else { return [] }
    guard let parts = try AppendOnlyFile.open(path), parts.size >= end.offset else { return nil }
    let bytes = try parts.bytes(start.offset..<end.offset)
    return Set(bytes.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) })
  }

  /// The greatest length of a journal, in bytes.
  private static let longest = 4 << 20
}
