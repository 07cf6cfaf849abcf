internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// One of the writers of a folder: of wrappers, versions or plain files outside a store.
///
/// Writers do not exclude one another, but each finds out whether it is alone. All hold a shared lock on the folder
/// itself, which ends with their process. A writer that gets an exclusive lock first removes the temporary items of
/// killed ones, and then shares it: no other writer has begun meanwhile.
struct FolderWriters: ~Copyable {
  /// The mark of the temporary items of all such writers.
  private static let mark = "wrapper"
  /// In seconds: removing temporary items takes less, unless there are very many.
  private static let patience = 1.0

  private let folder: Descriptor
  /// The mark of the items of this writer; `nil` if another program has an exclusive lock, or the folder can't be
  /// locked.
  ///
  /// Other writers never remove items without a mark.
  let mark: String?

  /// Becomes a writer of a folder.
  ///
  /// An item that a killed writer displaced at the very last may hold an edit, and stays.
  init(_ path: FilePath) throws(FileError) {
    folder = try Descriptor.open(folder: path)
    if folder.lock(LOCK_EX, waitingAtMost: 0) == nil {
      do {
        _ = try TemporaryItems.removeUnfinished(mark: Self.mark, in: path)
      } catch {
        // An item that can't be removed stays, and hinders no writer.
      }
    }
    let isShared = folder.lock(LOCK_SH, waitingAtMost: Self.patience) == nil
    mark = isShared ? Self.mark : nil
  }

  /// Ends being a writer, no earlier than here.
  consuming func finish() {}

  deinit {
    folder.unlock()
  }
}
