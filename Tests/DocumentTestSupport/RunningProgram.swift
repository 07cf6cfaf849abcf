public import Foundation
internal import Synchronization

/// A program that runs beside the test, with only the given environment.
///
/// It is killed with its last reference.
public final class RunningProgram: Sendable {
  private let child: ChildProcess
  private let files: ScratchFolder
  private let start: ContinuousClock.Instant
  private let result = Mutex<Command.Result?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the program's path, or a name that `env` finds.
  ///   - arguments: its arguments.
  ///   - folder: the folder in which it runs; nil for that of the tests.
  ///   - environment: added to a fixed `PATH` and a home folder that does not exist.
  ///   - input: its standard input.
  ///   - descriptors: the further files that it has open, as 3 and the following numbers.
  public init(
    _ program: String, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:], input: String = "", descriptors: [Int32] = []
  ) throws {
    files = try ScratchFolder(isInMemory: true)
    for name in ["out", "err"] { try files.write("", to: name) }
    try files.write(input, to: "in")
    start = .now
    child = try ChildProcess(
      program.contains("/") ? program : "/usr/bin/env",
      program.contains("/") ? arguments : [program] + arguments, in: folder,
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C",
      ].merging(environment) { $1 },
      files: ChildProcess.Files(
        input: files["in"], output: files["out"], errorOutput: files["err"]),
      descriptors: descriptors)
  }

  deinit {
    guard result.withLock({ $0 == nil }) else { return }
    child.kill()
    _ = child.wait()
  }

  /// The process's number.
  public var identifier: pid_t { child.identifier }

  /// Its standard output so far.
  public var output: String {
    get throws { try files.read("out") }
  }

  /// Sends a signal.
  public func signal(_ number: Int32) { child.signal(number) }

  /// Ends it at once.
  public func kill() { child.signal(SIGKILL) }

  /// True once it has ended.
  public var hasEnded: Bool { result.withLock { $0 != nil } || child.hasEnded }

  /// Waits until it has ended; returns false if it is still running after that time.
  public func hasEnded(within limit: Duration) -> Bool {
    eventually(within: limit) { hasEnded }
  }

  /// Waits for the end.
  ///
  /// - Parameter limit: a program that takes longer is killed; nil for none.
  public func wait(atMost limit: Duration? = nil) throws -> Command.Result {
    if let limit, !hasEnded(within: limit) { kill() }
    return try result.withLock { result in
      if let result { return result }
      let (exitCode, needs) = child.wait()
      let new = Command.Result(
        exitCode: exitCode, bytes: try Data(contentsOf: files["out"]),
        errorBytes: try Data(contentsOf: files["err"]), processorTime: needs.processorTime,
        duration: ContinuousClock.now - start - needs.queueing)
      result = new
      return new
    }
  }
}
