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
    let process = Process()
    process.executableURL = URL(filePath: program.contains("/") ? program : "/usr/bin/env")
    process.arguments = program.contains("/") ? arguments : [program] + arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C",
    ]
    .merging(environment) { $1 }
    let scratch = try ScratchFolder()
    for name in ["out", "err"] { try scratch.write("", to: name) }
    try scratch.write(input, to: "in")
    process.standardInput = try FileHandle(forReadingFrom: scratch["in"])
    process.standardOutput = try FileHandle(forWritingTo: scratch["out"])
    process.standardError = try FileHandle(forWritingTo: scratch["err"])
    try process.run()
    process.waitUntilExit()
    let code = process.terminationStatus
    return Result(
      exitCode: process.terminationReason == .exit ? code : -code,
      output: try scratch.read("out"), errorOutput: try scratch.read("err"))
  }
}
