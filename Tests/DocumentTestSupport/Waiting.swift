internal import DocumentFiles
package import Foundation

extension Duration {
  /// The time for which tests wait for an event that must come.
  ///
  /// It is far longer than needed on a busy machine, because only a failing test waits that long.
  public static let generous = Duration.seconds(300)
}

/// Waits until a condition holds.
///
/// Use this for conditions without another signal; if there is a semaphore or a continuation, wait for that.
///
/// - Parameters:
///   - limit: the maximum time to wait.
///   - pause: the time between two checks of the condition.
/// - Returns: false where the condition does not hold in time.
package func eventually(
  within limit: Duration = .generous, every pause: Duration = .microseconds(500),
  _ condition: () throws -> Bool
) rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while try !condition() {
    if ContinuousClock.now >= end { return false }
    sleep(for: pause)
  }
  return true
}

/// Waits in a task until a condition holds.
///
/// - Returns: false if the condition doesn't hold in time, or the task was canceled.
package func eventually(
  within limit: Duration = .generous, every pause: Duration = .milliseconds(1),
  _ condition: () throws -> Bool
) async rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while try !condition() {
    if ContinuousClock.now >= end { return false }
    do { try await Task.sleep(for: pause) } catch { return false }
  }
  return true
}

/// Waits in a task until an asynchronous condition holds, which is checked on the caller's actor.
///
/// - Returns: false if the condition doesn't hold in time.
/// - Throws: the condition's error, and `CancellationError`.
public func comesTrue(
  within limit: Duration = .generous, every pause: Duration = .milliseconds(2),
  _ condition: () async throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    if ContinuousClock.now >= end { return false }
    try await Task.sleep(for: pause)
  }
  return true
}

/// Runs a closure, and returns how long it takes this thread without the time in which it waits for a
/// processor, which hardly depends on other work on the machine.
package func measured<Value>(
  _ body: () throws -> Value
) rethrows -> (result: Value, time: Duration) {
  let (start, queued) = (ContinuousClock.now, Queueing.ofThisThread)
  let result = try body()
  return (result, ContinuousClock.now - start - (Queueing.ofThisThread - queued))
}

/// The time for which a thread was ready to run, and no processor was free.
enum Queueing {
  /// The queueing time of this thread.
  static var ofThisThread: Duration { read("/proc/thread-self/schedstat") }

  /// Returns the queueing time of a process's first thread, even if the process has ended and nothing has
  /// waited for it yet.
  static func of(_ process: pid_t) -> Duration { read("/proc/\(process)/schedstat") }

  /// Reads the queueing time; zero if the system doesn't report it.
  private static func read(_ path: String) -> Duration {
    let fields =
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }?
      .split(separator: " ") ?? []
    return .nanoseconds(fields.count > 1 ? Int64(fields[1]) ?? 0 : 0)
  }
}

/// Lets time pass on this thread, in a test that is about time.
///
/// - Parameter reason: the reason why there is no event to wait for.
package func letPass(_ duration: Duration, because reason: StaticString) {
  sleep(for: duration)
}

private func sleep(for duration: Duration) {
  Thread.sleep(forTimeInterval: duration / .seconds(1))
}

/// Waits until changes get later times than earlier ones, because most file systems stamp changes by a clock
/// that moves in steps.
///
/// - Parameter folder: a folder on the file system in question.
package func waitForLaterTimes(in folder: URL) throws -> Bool {
  let probe = folder.appending(path: ".probe-\(UUID().uuidString)")
  func time() throws -> Int64? {
    // The file isn't empty, because emptying an empty file would change nothing.
    try Data("probe".utf8).write(to: probe)
    return try FileStatus.of(probe.filePath)?.changed
  }
  let before = try time()
  let isLater = try eventually { try time() != before }
  try FileManager.default.removeItem(at: probe)
  return isLater
}
