internal import DocumentFiles
internal import SystemPackage

/// The lock of the one watcher of a container.
final class WatchLock {
  private let lock: FileLock

  init(_ file: FilePath) throws { lock = try FileLock(file, waitingAtMost: 0) }

  /// Keeps it until here.
  func keep() {}
}
