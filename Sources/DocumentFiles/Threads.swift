internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Threads of the system's own, for work that waits rather than computes.
package enum Threads {
  /// Runs the work on a thread of its own, and does not wait for it.
  ///
  /// - Returns: false where no thread is to be had; then nothing is done.
  package static func detach(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = start(work) else { return false }
    pthread_detach(thread)
    return true
  }

  /// Runs the work for each index, some at the same time, and waits for all.
  ///
  /// - Parameter width: how many at the same time, at most.
  package static func perform(
    _ count: Int, atMost width: Int, _ work: @escaping @Sendable (Int) -> Void
  ) {
    let indices = Indices(count)
    let run = { @Sendable in while let index = indices.next() { work(index) } }
    // Where there are fewer threads to be had, each has more to do.
    let threads = (1..<max(1, min(count, width))).compactMap { _ in start(run) }
    run()
    for thread in threads { pthread_join(thread, nil) }
  }

  /// The same, with what the work gives for each index, in their order.
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

  /// The same on all cores for what takes so little that a thread does many in a row: what the work gives for each range
  /// of indices, in their order.
  ///
  /// - Parameter size: how many indices a range has, at most.
  package static func mapRanges<Result: Sendable>(
    of count: Int, upTo size: Int, _ work: @escaping @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    map((count + size - 1) / size, atMost: coreCount) { part in
      work(part * size..<min(count, (part + 1) * size))
    }
  }

  /// How many can compute at the same time.
  package static let coreCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Waits.
  package static func sleep(seconds: Double) {
    var rest = timespec(
      tv_sec: time_t(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
    var left = timespec()
    while nanosleep(&rest, &left) != 0 && errno == EINTR { rest = left }
  }

  /// Hands out each index once.
  private final class Indices: Sendable {
    private let first = Atomic(0)
    private let count: Int

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
      let index = first.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < count ? index : nil
    }
  }

  /// What a thread has to do.
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread; nil where the system has none left.
  private static func start(_ work: @escaping @Sendable () -> Void) -> pthread_t? {
    let argument = Unmanaged.passRetained(Work(work))
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setstacksize(attributes, stackSize)
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let error = pthread_create(&thread, attributes, { Threads.run($0) }, argument.toOpaque())
    guard error == 0 else {
      argument.release()
      return nil
    }
    return thread
  }

  /// What the first thread mostly has, in bytes: folders may be a thousand deep, and some systems have little for others.
  private static let stackSize = 8 << 20

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}

extension Duration {
  /// How long somebody waits at most: any number will do, and what is none is for ever.
  package static func patience(seconds: Double) -> Duration {
    // Neither more nor less can be counted.
    .seconds(max(0, min(1e9, seconds)))
  }
}
