internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Whoever writes wrappers into a folder: they don't keep one another from writing, but each can tell whether it is
/// alone.
///
/// All hold a shared lock on the folder itself, which ends with their process. Whoever gets it for itself removes
/// what killed ones left, and shares it only then: nobody else has begun to write meanwhile.
struct FolderWriters: ~Copyable {
  /// Whose leftovers they are.
  static let mark = "wrapper"

  private let folder: Descriptor

  /// Becomes one of them.
  ///
  /// What was displaced by a killed one at the very last may hold somebody's edit, and stays.
  ///
  /// - Throws: ``FileError`` with code `busy` when somebody has been removing leftovers for ten seconds.
  init(_ path: FilePath) throws {
    let folder = try Descriptor.open(folder: path)
    if folder.lock(LOCK_EX, waitingAtMost: 0) == nil {
      do {
        _ = try Leftovers.removeUnfinished(mark: Self.mark, in: path)
      } catch is FileError {
        // What can't go stays, and keeps nobody from writing.
      }
    }
    // Where a folder can't be locked, leftovers stay: then nobody has it for itself.
    if folder.lock(LOCK_SH, waitingAtMost: 10) == .wouldBlock {
      throw FileError(
        .busy, path: path,
        message: "Another process is tidying up “\(path.printable)”; waited 10 s.")
    }
    self.folder = folder
  }

  /// Ceases to be one of them.
  consuming func finish() {}
}
