internal import DocumentTestSupport
internal import Foundation

/// One run of the program, to its end.
struct Run: Sendable {
  /// How it ended.
  enum Ending: Sendable, Equatable {
    case ended(ChildProcess.Ending)
    /// It was still running when it was killed because it took too long.
    case hung
  }

  let ending: Ending
  /// What it wrote to standard output.
  let output: Data
  /// What it wrote to standard error.
  let errorOutput: String
  /// How long it took, in seconds.
  let duration: Double
  /// The calls that were logged.
  let calls: [Call]

  /// The standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The exit code; nil when it was killed.
  var exitCode: Int32? {
    if case .ended(.exit(let code)) = ending { code } else { nil }
  }

  /// Runs a program and waits for it, at most for half a minute.
  init(
    _ program: URL, _ arguments: [String], in folder: URL, environment: [String: String],
    scratch: ScratchFolder, log: URL, killDelay: Double?
  ) throws {
    for name in ["out", "err"] { try scratch.write("", to: name) }
    let start = ContinuousClock.now
    let process = try ChildProcess(
      program.path, arguments, in: folder, environment: environment,
      files: ChildProcess.Files(
        input: URL(filePath: "/dev/null"), output: scratch["out"], errorOutput: scratch["err"]))
    if let ending = process.wait(atMost: killDelay ?? 30) {
      self.ending = .ended(ending)
    } else {
      process.kill()
      let ending = process.wait()
      self.ending = killDelay == nil ? .hung : .ended(ending)
    }
    duration = (ContinuousClock.now - start) / .seconds(1)
    output = try Data(contentsOf: scratch["out"])
    errorOutput = try scratch.read("err")
    let isLogged = FileManager.default.fileExists(atPath: log.path)
    calls = isLogged ? Call.parse(String(decoding: try Data(contentsOf: log), as: UTF8.self)) : []
  }
}

/// Where cases run: on threads of their own, so that other tests go on, and a few at a time.
enum Workers {
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 3
    return queue
  }()

  /// Does something on one of the threads.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result { try body() }) }
    }
  }
}
