public import Foundation

/// Runs a program and waits for it.
public struct Command: Sendable {
  /// What a program did.
  public struct Result: Sendable {
    /// The exit code; negative for a signal.
    public let exitCode: Int32
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error.
    public let errorOutput: String
    /// How long a processor worked for it.
    public let processorTime: Duration
  }

  /// Runs a program with nothing in its environment but what is given.
  ///
  /// - Parameters:
  ///   - program: the program's path, or a name that `env` finds.
  ///   - arguments: its arguments.
  ///   - folder: where it runs.
  ///   - environment: added to a fixed `PATH` and a home folder that does not exist.
  ///   - input: its standard input.
  public static func run(
    _ program: String, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:], input: String = ""
  ) throws -> Result {
    let scratch = try ScratchFolder(isInMemory: true)
    for name in ["out", "err"] { try scratch.write("", to: name) }
    try scratch.write(input, to: "in")
    let process = try ChildProcess(
      program.contains("/") ? program : "/usr/bin/env",
      program.contains("/") ? arguments : [program] + arguments,
      in: folder,
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C",
      ]
      .merging(environment) { $1 },
      files: ChildProcess.Files(
        input: scratch["in"], output: scratch["out"], errorOutput: scratch["err"]))
    let (ending, processorTime) = process.waitMeasuring()
    return Result(
      exitCode: ending.code, output: try scratch.read("out"), errorOutput: try scratch.read("err"),
      processorTime: processorTime)
  }
}

extension ChildProcess.Ending {
  /// The exit code; negative for a signal.
  fileprivate var code: Int32 {
    switch self {
    case .exit(let code): code
    case .signal(let number): -number
    }
  }
}
