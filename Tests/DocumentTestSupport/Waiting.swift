internal import DocumentFiles
package import Foundation

extension Duration {
  /// How long tests wait for an event that must come: far longer than it takes on a machine with other work, as only a
  /// test that fails waits so long.
  public static let generous = Duration.seconds(300)
}

/// Waits until a condition holds.
///
/// For what gives no other sign; where there is a semaphore or a continuation, tests wait for that.
///
/// - Parameters:
///   - limit: how long to wait.
///   - pause: how long to wait before the condition is asked again.
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
/// - Returns: false where the condition does not hold in time, or the task was cancelled.
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

/// Waits in a task until a condition holds that is itself asked for in a task, on the caller's actor.
///
/// - Returns: false where the condition does not hold in time.
/// - Throws: the condition's error, and `CancellationError`.
package func comesTrue(
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

/// Does something, and tells how long it takes this thread, but for the time in which it waits for a processor: on a busy machine about as
/// long as on a quiet one.
package func measured<Value>(
  _ body: () throws -> Value
) rethrows -> (result: Value, time: Duration) {
  let (start, queued) = (ContinuousClock.now, Queueing.ofThisThread)
  let result = try body()
  return (result, ContinuousClock.now - start - (Queueing.ofThisThread - queued))
}

/// The time for which a thread was ready to run, and no processor was free.
enum Queueing {
  /// That of this thread.
  static var ofThisThread: Duration { read("/proc/thread-self/schedstat") }

  /// That of a process’s first thread, also where the process has ended and nothing has waited for it yet.
  static func of(_ process: pid_t) -> Duration { read("/proc/\(process)/schedstat") }

  /// Zero where the system does not tell.
  private static func read(_ path: String) -> Duration {
    let fields =
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }?
      .split(separator: " ") ?? []
    return .nanoseconds(fields.count > 1 ? Int64(fields[1]) ?? 0 : 0)
  }
}

/// Lets time pass on this thread, in a test that is about time.
///
/// - Parameter reason: why there is no event that the test could wait for.
package func letPass(_ duration: Duration, because reason: StaticString) {
  sleep(for: duration)
}

private func sleep(for duration: Duration) {
  Thread.sleep(forTimeInterval: duration / .seconds(1))
}

/// Waits until changes get later times than those before: most file systems stamp them by a clock that moves in steps.
///
/// - Parameter folder: a folder on the file system in question.
package func waitForLaterTimes(in folder: URL) throws -> Bool {
  let probe = folder.appending(path: ".probe-\(UUID().uuidString)")
  func time() throws -> Int64? {
    // Emptying an empty file changes nothing, so it holds something.
    try Data("probe".utf8).write(to: probe)
    return try FileStatus.of(probe.filePath)?.changed
  }
  let before = try time()
  let isLater = try eventually { try time() != before }
  try FileManager.default.removeItem(at: probe)
  return isLater
}
