#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Threads of the operating system, the basis of ``BlockingPool`` and ``ForkJoin``.
///
/// Dispatch isn't suitable: on Linux, its queues share their threads, one for each core, with Swift's tasks,
/// and wait forever if the system has no thread left.
package enum Threads {
  /// Runs work on a separate thread without waiting for it.
  ///
  /// - Returns: false if no thread is available; then the work isn't run.
  package static func detach(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = start(work) else { return false }
    pthread_detach(thread)
    return true
  }

  /// Starts a thread that must be joined; `nil` if the system has none left.
  static func start(_ work: @escaping @Sendable () -> Void) -> pthread_t? {
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

  /// Makes this thread sleep.
  package static func sleep(seconds: Double) {
    var rest = timespec(
      tv_sec: time_t(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
    var left = timespec()
    while nanosleep(&rest, &left) != 0 && errno == EINTR { rest = left }
  }

  /// The work of a thread.
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The usual stack size of the first thread, in bytes: folders may be a thousand deep, and some systems
  /// give other threads little.
  private static let stackSize = 8 << 20

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}
