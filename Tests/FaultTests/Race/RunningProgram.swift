import DocumentTestSupport
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that runs beside others: its process is known while it runs, so that it can be stopped or
/// killed.
final class RunningProgram: Sendable {
  /// How a program ended.
  struct End: Sendable {
    /// The exit code; negative for a signal.
    let code: Int32
    let output: String
    let errorOutput: String
  }

  private let child: ChildProcess
  private let scratch: ScratchFolder

  /// Starts a program with nothing in its environment but what is given.
  ///
  /// - Parameter folder: the working folder; nil for that of the tests.
  init(
    _ program: String, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws {
    scratch = try ScratchFolder(isInMemory: true)
    for output in ["out", "err"] { try scratch.write("", to: output) }
    let all = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C", "TZ": "UTC",
    ].merging(environment) { $1 }
    child = try ChildProcess(
      program, arguments, in: folder, environment: all,
      files: ChildProcess.Files(
        input: URL(filePath: "/dev/null"), output: scratch["out"], errorOutput: scratch["err"]))
  }

  var process: pid_t { child.identifier }

  func signal(_ number: Int32) { child.signal(number) }

  /// Waits for the end; a program that takes longer is killed, and that is a failure of the test.
  func wait(atMost seconds: Double = 60) throws -> End {
    var ending = child.wait(atMost: seconds)
    if ending == nil {
      Issue.record("A program ran for more than \(seconds) s and was killed")
      signal(SIGCONT)
      child.kill()
      ending = child.wait()
    }
    let code: Int32 =
      switch ending {
      case .exit(let code): code
      case .signal(let number): -number
      case nil: -SIGKILL
      }
    return End(
      code: code, output: try scratch.read("out"), errorOutput: try scratch.read("err"))
  }
}
