public import Foundation

/// Runs a program and waits for it.
public struct Command: Sendable {
  /// What a program did.
  public struct Result: Sendable {
    /// The exit code; negative for a signal.
    public let exitCode: Int32
    /// What it wrote to standard output.
    public let bytes: Data
    /// What it wrote to standard error.
    public let errorBytes: Data
    /// How long a processor worked for it, and for those that it started and waited for.
    public let processorTime: Duration
    /// How long it took, but for the time in which it waited for a processor.
    public let duration: Duration

    /// What it wrote to standard output, as text.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
    /// What it wrote to standard error, as text.
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
