internal import Foundation
public import Testing

/// Runs tests on separate threads, because they block their threads while they wait for programs, servers and
/// locks.
///
/// All other tests share as many threads as there are processors, and would have to wait, too.
public struct ThreadsOfTheirOwn: SuiteTrait, TestTrait, TestScoping {
  /// True, because the tests of a suite have the trait, too.
  public var isRecursive: Bool { true }

  /// Runs a test.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockableThreads.shared) { try await function() }
  }
}

extension Trait where Self == ThreadsOfTheirOwn {
  /// The trait of tests that block their thread while they wait.
  public static var blocks: Self { Self() }
}

/// A few threads, any of which may be blocked.
private final class BlockableThreads: TaskExecutor {
  static let shared = BlockableThreads()

  private let queue: OperationQueue

  private init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4 * ProcessInfo.processInfo.activeProcessorCount
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
