public import Foundation

/// Runs a program and waits for it.
public struct Command: Sendable {
  /// The result of a program.
  public struct Result: Sendable {
    /// The exit code; negative for a signal.
    public let exitCode: Int32
    /// The bytes that it wrote to standard output.
    public let bytes: Data
    /// The bytes that it wrote to standard error.
    public let errorBytes: Data
    /// The processor time of the program, and of those that it started and waited for.
    public let processorTime: Duration
    /// The duration of its run, without the time in which it waited for a processor.
    public let duration: Duration

    /// Its standard output, as text.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
    /// Its standard error, as text.
    public var errorOutput: String { String(decoding: errorBytes, as: UTF8.self) }
  }

  /// Runs a program as ``RunningProgram`` does, and waits for its end.
  public static func run(
    _ program: String, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:], input: String = ""
  ) throws -> Result {
    try RunningProgram(program, arguments, in: folder, environment: environment, input: input)
      .wait()
  }
}
