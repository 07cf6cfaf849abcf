package import DocumentFiles
internal import DocumentGit

extension DocumentLocation {
  /// Waits for the store's lock; gives a resting document a store.
  ///
  /// Only its holder changes or moves the store. Any other item in place of the lock is damage.
  ///
  /// - Parameters:
  ///   - seconds: the longest time to wait.
  ///   - meter: stops the wait when the operation is canceled.
  /// - Throws: the errors of ``FileLock``.
  package func lockStore(
    waitingAtMost seconds: Double, meter: ProgressMeter = ProgressMeter(nil)
  ) throws -> FileLock {
    try RestingActivation.run(self)
    let path = StoreFile.lock.path(in: store)
    do {
      let lock = try FileLock(path, waitingAtMost: seconds) { try meter.advance(0) }
      try RestingActivation.finish(self)
      return lock
    } catch let error as FileError {
      guard let kind = try FileStatus.of(path)?.kind, kind != .file else { throw error }
      throw GitError.malformed("its “lock” is invalid")
    }
  }
}
