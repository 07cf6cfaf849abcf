internal import DocumentFiles
internal import SystemPackage

/// The lock of the one watcher of a container.
final class WatchLock {
  private let lock: FileLock

  init(_ file: FilePath) throws { lock = try FileLock(file, waitingAtMost: 0) }

  /// Keeps the lock at least until this call.
  func keep() {}
}
