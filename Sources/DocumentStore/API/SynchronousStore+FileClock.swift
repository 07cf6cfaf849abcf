package import DocumentFiles

extension SynchronousStore {
  /// The clock that files' times are compared with; tests move one of their own instead of waiting.
  package var fileClock: FileClock {
    get { environment.fileClock }
    set { environment.fileClock = newValue }
  }
}
