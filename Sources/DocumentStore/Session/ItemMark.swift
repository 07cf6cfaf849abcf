package import DocumentFiles
package import SystemPackage

/// The facts about an item on disk that stay the same when it is renamed.
package struct ItemMark: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let isFolder: Bool
  /// The time when the item was created, because another item may have received its inode since; 0 if the
  /// file system doesn't know it.
  private let birth: Int64

  /// Creates the mark of an item with a status; blocks.
  package init(_ status: FileStatus, at path: FilePath) {
    (device, inode, isFolder) = (status.device, status.inode, status.kind == .folder)
    birth = FileStatus.birthTime(of: path)
  }

  /// Finds the item under another name in its folder; `nil` if it isn't there.
  ///
  /// This blocks. A program that moves the item aside for a moment doesn't rename it.
  package func newPlace(of former: FilePath) throws -> FilePath? {
    let folder = former.parentFolder
    guard try FileStatus.of(folder)?.kind == .folder else { return nil }
    let formerName = String(decoding: former.lastName, as: UTF8.self)
    return try Folder.names(in: folder).first { name in
      try isMark(of: folder.appending(bytes: name))
        && !PutAsideName.isPutAside(String(decoding: name, as: UTF8.self), from: formerName)
    }.map { folder.appending(bytes: $0) }
  }

  /// Returns whether the item at a path has this mark; blocks.
  package func isMark(of path: FilePath) throws -> Bool {
    try FileStatus.of(path).map { ItemMark($0, at: path) == self } ?? false
  }
}
