package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A document that is a small file, with its bytes, to be written to a path without an item.
package struct NewDocumentFile: Sendable {
  package let bytes: [UInt8]
  fileprivate let place: FilePath
  fileprivate let mark: String
  fileprivate let isExecutable: Bool
  fileprivate let attributes: ItemAttributes

  /// - Parameters:
  ///   - item: the document.
  ///   - place: the destination, whose folder must exist.
  ///   - mark: the mark of its temporary item; see ``TemporaryItems``.
  ///   - modified: its modification time, in nanoseconds since 1970; `nil` for the present time.
  /// - Returns: `nil` for a folder, a link, or a file that is not read at once.
  package init?(
    _ item: DocumentItem, at place: FilePath, mark: String, modified: Int64?
  ) throws {
    var (content, attributes) = (item, ItemAttributes())
    while case .attributed(let own, let inner) = content {
      (content, attributes) = (inner, own.completed(by: attributes))
    }
    guard case .file(let isExecutable, let contents) = content,
      contents.size <= FileContents.pieceSize
    else { return nil }
    bytes = try contents.read()
    attributes.modified = attributes.modified ?? modified
    (self.place, self.mark) = (place, mark)
    (self.isExecutable, self.attributes) = (isExecutable, attributes)
  }

  /// True if the file begins like a database in SQLite's format.
  package var isDatabase: Bool { LiveDatabase.begins(bytes) }
}

extension DeferredWait {
  /// Writes files beside their destinations, several at the same time.
  ///
  /// - Returns: the items and their statuses, in the order of the files.
  package borrowing func stage(
    _ files: [NewDocumentFile]
  ) -> [Result<(item: DocumentWriter.StagedItem, status: FileStatus), any Error>] {
    // This is safe because each index is given to one thread, which only reads that item’s place, and this
    // waits for all threads.
    nonisolated(unsafe) let items = files.map {
      DocumentWriter.StagedItem($0.place, displacing: nil, mark: $0.mark)
    }
    return zip(items, map(files.count) { try files[$0].write(to: items[$0].location) })
      .map { item, result in result.map { (item, $0) } }
  }
}

extension NewDocumentFile {
  /// Writes the file in the same way as ``ItemBuilder`` builds one that replaces none.
  fileprivate func write(to path: FilePath) throws(FileError) -> FileStatus {
    let isOpen = attributes.permissions == nil
    let bits = isOpen ? 0o666 & (attributes.most ?? 0o666) | 0o400 : 0o600
    let file = try UnfinishedFile(
      .create(path, permissions: bits), bytes, isExecutable: isExecutable, like: nil,
      attributes: attributes, onFile: nil
    ).finish()
    try file.descriptor.beginSynchronizing()
    try file.descriptor.synchronize()
    return try file.descriptor.status()
  }
}
