internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Whoever writes wrappers into a folder: nobody waits for the others, but each can tell whether it is alone.
///
/// All hold a shared lock on the folder itself, which ends with their process. Whoever could have it for itself
/// removes what killed ones left.
struct FolderWriters: ~Copyable {
  /// Whose leftovers they are.
  static let mark = "wrapper"

  private let folder: Descriptor
  private let isAlone: Bool

  /// Becomes one of them.
  init(_ path: FilePath) throws(FileError) {
    folder = try Descriptor.open(folder: path)
    isAlone = flock(folder.number, LOCK_EX | LOCK_NB) == 0
    // Where a folder can't be locked, leftovers stay.
    flock(folder.number, LOCK_SH | LOCK_NB)
  }

  /// Removes what those left who were killed while they wrote.
  ///
  /// What was displaced by one of them at the very last may hold somebody's edit, and stays.
  func removeLeftovers() throws {
    guard isAlone else { return }
    _ = try Leftovers.removeUnfinished(mark: Self.mark, in: folder.path)
  }

  /// Ceases to be one of them.
  consuming func finish() {}
}
