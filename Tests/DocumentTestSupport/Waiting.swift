internal import DocumentFiles
package import Foundation

/// Waits until a condition holds.
///
/// For what gives no other sign; where there is a semaphore or a continuation, tests wait for that.
///
/// - Parameters:
///   - limit: how long to wait.
///   - pause: how long to wait before the condition is asked again.
/// - Returns: false where the condition does not hold in time.
package func eventually(
  within limit: Duration = .seconds(60), every pause: Duration = .microseconds(500),
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
  within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(1),
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
  within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(2),
  _ condition: () async throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    if ContinuousClock.now >= end { return false }
    try await Task.sleep(for: pause)
  }
  return true
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
