internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Whoever writes wrappers, versions or plain files into a folder, of which no store knows: they don't keep one another
/// from writing, but each can tell whether it is alone.
///
/// All hold a shared lock on the folder itself, which ends with their process. Whoever gets it for itself removes
/// what killed ones left, and shares it only then: nobody else has begun to write meanwhile.
struct FolderWriters: ~Copyable {
  /// Whose leftovers they are.
  private static let mark = "wrapper"
  /// Leftovers are removed in less, unless there are very many.
  private static let patience = 1.0

  private let folder: Descriptor
  /// What this one marks its items with; nil where somebody else has the folder for itself, or it can't be locked:
  /// then nobody comes for what is left of them, and nobody takes away what is being built.
  let mark: String?

  /// Becomes one of them.
  ///
  /// What was displaced by a killed one at the very last may hold somebody's edit, and stays.
  init(_ path: FilePath) throws(FileError) {
    folder = try Descriptor.open(folder: path)
    if folder.lock(LOCK_EX, waitingAtMost: 0) == nil {
      do {
        _ = try Leftovers.removeUnfinished(mark: Self.mark, in: path)
      } catch {
        // What can't go stays, and keeps nobody from writing.
      }
    }
    let isShared = folder.lock(LOCK_SH, waitingAtMost: Self.patience) == nil
    mark = isShared ? Self.mark : nil
  }

  /// Ceases to be one of them.
  consuming func finish() {}

  deinit {
    folder.unlock()
  }
}
