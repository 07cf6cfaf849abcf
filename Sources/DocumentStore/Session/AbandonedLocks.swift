internal import DocumentFiles
internal import Foundation
internal import SystemPackage

/// The `*.lock` files with which git guards a reference while it moves.
///
/// A killed process leaves such a file behind, which would make every later change fail.
enum AbandonedLocks {
  /// The age, in seconds, from which a lock counts as abandoned if no process is known to have been killed;
  /// git itself waits at most one second for its own locks.
  static let patience = 1.7

  /// The suffix of their names.
  static let suffix = Array(StoreFile.lockSuffix.utf8)

  /// Removes abandoned locks from a document’s store, but not through links.
  ///
  /// - Parameters:
  ///   - isLeftBehind: whether a process was killed while it held the store's own lock.
  ///   - clock: the clock that determines the age of a lock and times the wait for a recent one.
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

  /// Removes abandoned locks from folders of a repository.
  ///
  /// The caller holds the repository's own lock, so docversions uses none of these locks. Stock git may be
  /// running at the same time, and holds a lock for some milliseconds, so this waits for a recent one.
  ///
  /// - Parameters:
  ///   - patience: the age, in seconds, from which a lock counts as abandoned.
  ///   - clock: the clock that determines the age of a lock and times the wait for a recent one.
  static func remove(from folders: [FilePath], patience: Double, clock: FileClock) throws {
    for folder in folders where try FileStatus.of(folder) != nil {
      for name in try Folder.names(in: folder) where name.suffix(suffix.count) == suffix[...] {
        try remove(folder.appending(bytes: name), patience: patience, clock: clock)
      }
    }
  }

  private static func remove(_ lock: FilePath, patience: Double, clock: FileClock) throws {
    // The attempts are also counted, because the time of a file may lie in the future.
    var waited = 0.0
    while let status = try FileStatus.of(lock) {
      let age = clock.age(of: status)
      if max(age, waited) >= patience { return try Folder.removeTree(lock) }
      clock.wait(nanoseconds: 20_000_000)
      waited += 0.02
    }
  }
}
