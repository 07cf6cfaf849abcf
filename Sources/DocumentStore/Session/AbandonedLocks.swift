internal import DocumentFiles
internal import Foundation
internal import SystemPackage

/// The `*.lock` files with which git guards a reference while it moves: a process that is killed then
/// leaves one behind, and every later change would be refused.
enum AbandonedLocks {
  /// The age, in seconds, from which a lock counts as abandoned, if no process is known to have been killed: git
  /// itself waits one second at most for a lock of its own.
  static let patience = 1.7

  /// The end of their names.
  static let suffix = Array(StoreFile.lockSuffix.utf8)

  /// Removes them from a document’s store, and from nothing that a link leads to.
  ///
  /// - Parameters:
  ///   - isLeftBehind: whether a process was killed that held the store's own lock.
  ///   - clock: the clock that counts the age of a lock, and by which a fresh one is waited for.
  static func remove(fromStore store: FilePath, isLeftBehind: Bool, clock: FileClock) throws {
    var folders = [store]
    if try isFolder(StoreFile.references.path(in: store)) {
      folders += try [StoreFile.heads, .trash].map { $0.path(in: store) }.filter(isFolder)
    }
    try remove(from: folders, patience: isLeftBehind ? 0.3 : patience, clock: clock)
  }

  private static func isFolder(_ path: FilePath) throws -> Bool {
    try FileStatus.of(path)?.kind == .folder
  }

  /// Removes them from folders of a repository.
  ///
  /// The caller holds the repository's own lock, so none of them is in use by us. Stock git may be at
  /// work beside us: a lock of its is there for some milliseconds, so a fresh one is waited for.
  ///
  /// - Parameters:
  ///   - patience: from what age, in seconds, a lock is taken for left behind.
  ///   - clock: the clock that counts the age of a lock, and by which a fresh one is waited for.
  static func remove(from folders: [FilePath], patience: Double, clock: FileClock) throws {
    for folder in folders where try FileStatus.of(folder) != nil {
      for name in try Folder.names(in: folder) where name.suffix(suffix.count) == suffix[...] {
        try remove(folder.appending(bytes: name), patience: patience, clock: clock)
      }
    }
  }

  private static func remove(_ lock: FilePath, patience: Double, clock: FileClock) throws {
    // Counted, too, because the time of a file may lie in the future.
    var waited = 0.0
    while let status = try FileStatus.of(lock) {
      let age = clock.age(of: status)
      if max(age, waited) >= patience { return try Folder.removeTree(lock) }
      clock.wait(nanoseconds: 20_000_000)
      waited += 0.02
    }
  }
}
