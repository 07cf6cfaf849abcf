internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Computes on all cores: splits work into parts, and waits until all are done.
///
/// The calling thread takes part. If the system provides fewer threads, or none, each thread does more parts.
package enum ForkJoin {
  /// Runs work for each index, some of it at the same time, and waits for all of it.
  ///
  /// - Parameter width: the greatest number of indices at the same time.
  package static func perform(
    _ count: Int, atMost width: Int, _ work: @escaping @Sendable (Int) -> Void
  ) {
    let indices = Indices(count)
    // A part that waits for a lock gives up the place of the whole job.
    let place = BlockingPool.place
    let run = { @Sendable in
      BlockingPool.$place.withValue(place) { while let index = indices.next() { work(index) } }
    }
    let threads = (1..<max(1, min(count, width))).compactMap { _ in Threads.start(run) }
    run()
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Runs work for each index, some of it at the same time.
  ///
  /// - Parameter width: the greatest number of indices at the same time.
  /// - Returns: the results in the order of the indices.
  package static func map<Result: Sendable>(
    _ count: Int, atMost width: Int, _ work: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    guard count > 1 else { return (0..<count).map(work) }
    let done = Mutex<[Int: Result]>([:])
    perform(count, atMost: width) { index in
      let result = work(index)
      done.withLock { $0[index] = result }
    }
    return done.withLock { done in (0..<count).compactMap { done[$0] } }
  }

  /// Runs work for ranges of indices on all cores, for work so small that a thread does many consecutive
  /// indices.
  ///
  /// - Parameter size: the greatest number of indices in a range.
  /// - Returns: the results in the order of the ranges.
  package static func mapRanges<Result: Sendable>(
    of count: Int, upTo size: Int, _ work: @escaping @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    map((count + size - 1) / size, atMost: coreCount) { part in
      work(part * size..<min(count, (part + 1) * size))
    }
  }

  /// The number of threads that can compute at the same time.
  package static let coreCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Provides each index once.
  private final class Indices: Sendable {
    private let first = Atomic(0)
    private let count: Int

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
      let index = first.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < count ? index : nil
    }
  }
}
