package import DocumentFiles
package import SystemPackage

/// A folder of stores that get their names once they are complete.
///
/// Nothing reads it. It is locked while it is in use, so that it can be removed after a crash.
package final class UnnamedStores {
  package let folder: FilePath
  private let lock: FileLock

  /// - Throws: ``FileError`` whose code `isOfAnotherMaker` if another process took the folder for an abandoned one.
  package init(in container: FilePath, clock: FileClock) throws {
    let documents = Layout.documents(of: container)
    try Layout.makeFolder(around: documents)
    try Folder.create(documents)
    try StoreCreation.removeTemporaryFiles(in: documents, clock: clock)
    folder = documents.appending(Layout.temporaryName())
    try Folder.create(folder, isDurable: false)
    lock = try FileLock(folder.appending("lock"), waitingAtMost: 0)
  }

  deinit { remove() }

  /// Removes the stores without names; those that can't be removed now are removed as after a crash.
  package func remove() {
    tidyUp { try Folder.removeTree(folder) }
  }
}
