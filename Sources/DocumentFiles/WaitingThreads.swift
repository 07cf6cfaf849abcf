internal import CFileSystem
internal import Synchronization

/// Threads for work that mostly waits for the disk.
///
/// Dispatch has as many threads as there are cores; but one that waits needs no core, and a disk that is asked for
/// much at once needs little longer for it than for one thing.
package enum WaitingThreads {
  /// Calls `body` with every number below `count`, in no order; returns when all calls have.
  ///
  /// - Parameter most: how many calls there may be at the same time.
  package static func perform(
    _ count: Int, atMost most: Int, _ body: @escaping @Sendable (Int) -> Void
  ) {
    let work = Work(count: count, body: body)
    withExtendedLifetime(work) {
      docversions_run_on_threads(
        Int32(clamping: min(count, most)),
        { context in
          if let context { Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().run() }
          return nil
        }, Unmanaged.passUnretained(work).toOpaque())
    }
  }

  /// What the threads do together.
  private final class Work: Sendable {
    private let next = Atomic(0)
    private let count: Int
    private let body: @Sendable (Int) -> Void

    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
      self.count = count
      self.body = body
    }

    func run() {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        body(number)
      }
    }
  }
}
