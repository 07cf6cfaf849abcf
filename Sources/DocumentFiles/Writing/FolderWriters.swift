internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A writer in a folder: of wrappers, versions or plain files outside a store.
///
/// Writers don't exclude one another, but each finds out whether it is the only one. All hold a shared lock
/// on the folder itself, which ends with their process. A writer that first gets an exclusive lock removes
/// the temporary items of killed writers, and then shares the lock; no other writer can have begun in the
/// meantime.
struct FolderWriters: ~Copyable {
  /// The mark of the temporary items of all such writers.
  private static let mark = "wrapper"
  /// The longest wait, in seconds; removing temporary items takes less, unless there are very many.
  private static let patience = 1.0

  private let folder: Descriptor
  /// The mark of this writer's items; `nil` if another program has an exclusive lock, or the folder can't be
  /// locked.
  ///
  /// Other writers never remove items without a mark.
  let mark: String?

  /// Registers a writer of a folder.
  ///
  /// An item that a killed writer displaced last may have an edit, and stays.
  init(_ path: FilePath) throws(FileError) {
    folder = try Descriptor.open(folder: path)
    if folder.lock(LOCK_EX, waitingAtMost: 0) == nil {
      do {
        _ = try TemporaryItems.removeUnfinished(mark: Self.mark, in: path)
      } catch {
        // An item that can't be removed stays, and affects no writer.
      }
    }
    let isShared = folder.lock(LOCK_SH, waitingAtMost: Self.patience) == nil
    mark = isShared ? Self.mark : nil
  }

  /// Keeps the registration until this call, and ends it.
  consuming func finish() {}

  deinit {
    folder.unlock()
  }
}
