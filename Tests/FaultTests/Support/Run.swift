internal import DocumentTestSupport
internal import Foundation

/// One run of the program, to its end.
struct Run: Sendable {
  /// Its result, even if it was killed because it took too long.
  let result: Command.Result
  /// True if it was still running when it was killed because it took too long.
  let isHung: Bool
  /// The calls that were logged.
  let calls: [Call]

  /// The standard output as text.
  var text: String { result.output }
  /// Its standard error.
  var errorOutput: String { result.errorOutput }

  /// The exit code; nil when it was killed.
  var exitCode: Int32? { result.exitCode < 0 ? nil : result.exitCode }

  /// How it ended, for the message of a failure.
  var ending: String { isHung ? "hung" : "exit code \(result.exitCode)" }

  /// Waits for a program, but not forever.
  ///
  /// - Parameters:
  ///   - killDelay: the time after which it is killed on purpose; nil for never.
  ///   - log: the file with its calls.
  init(_ program: RunningProgram, killDelay: Duration?, log: URL) throws {
    let isInTime = program.hasEnded(within: killDelay ?? .generous)
    if !isInTime { program.kill() }
    result = try program.wait()
    isHung = !isInTime && killDelay == nil
    let isLogged = FileManager.default.fileExists(atPath: log.path)
    calls = isLogged ? Call.parse(String(decoding: try Data(contentsOf: log), as: UTF8.self)) : []
  }
}

/// The threads for cases, which are separate, so that other tests continue, and few.
enum Workers {
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 3
    return queue
  }()

  /// Runs a closure on one of the threads.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result { try body() }) }
    }
  }
}
