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
///
/// Made with `posix_spawn`, because Foundation's `Process` notices an end late while others run.
final class RunningProgram: Sendable {
  /// How a program ended.
  struct End: Sendable {
    /// The exit code; negative for a signal.
    let code: Int32
    let output: String
    let errorOutput: String
  }

  let process: pid_t
  private let scratch: ScratchFolder

  /// Starts a program with nothing in its environment but what is given.
  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    scratch = try ScratchFolder(isInMemory: true)
    let all = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C", "TZ": "UTC",
    ].merging(environment) { $1 }
    process = try Self.spawn(
      [program] + arguments, all.map { "\($0)=\($1)" }, output: scratch["out"].path,
      errorOutput: scratch["err"].path)
  }

  /// The built `docversions`, beside the tests.
  static let docversions: String = {
    let test = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    // On macOS the tests are inside a bundle.
    var folder = test.deletingLastPathComponent()
    while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
    return folder.appending(path: "docversions").path
  }()

  private static func spawn(
    _ arguments: [String], _ environment: [String], output: String, errorOutput: String
  ) throws -> pid_t {
    #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
    #else
    var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorOutput, O_WRONLY | O_CREAT, 0o600)
    let strings = (arguments + environment).map { strdup($0) }
    defer { for string in strings { free(string) } }
    var process: pid_t = 0
    let code = posix_spawn(
      &process, arguments[0], &actions, nil, strings.prefix(arguments.count) + [nil],
      strings.suffix(environment.count) + [nil])
    guard code == 0 else { throw CocoaError(.executableLoad) }
    return process
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// Waits for the end; a program that takes longer is killed, and that is a failure of the test.
  func wait(atMost seconds: Double = 60) throws -> End {
    var status: Int32 = 0
    let start = ContinuousClock.now
    while waitpid(process, &status, WNOHANG) == 0 {
      if ContinuousClock.now - start > .seconds(seconds) {
        Issue.record("A program ran for more than \(seconds) s and was killed")
        signal(SIGCONT)
        signal(SIGKILL)
        waitpid(process, &status, 0)
        break
      }
      usleep(500)
    }
    let signalled = status & 0x7f
    return End(
      code: signalled == 0 ? (status >> 8) & 0xff : -signalled,
      output: try scratch.read("out"), errorOutput: try scratch.read("err"))
  }
}
