public import Foundation

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A running program, started and waited for by the system's own calls.
///
/// Many threads may do so at the same time; Foundation’s `Process` crashes then, now and then (Swift 6.3.1 on
/// Linux).
public struct ChildProcess: Sendable {
  /// How a program ended.
  public enum Ending: Sendable, Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// Where a program's input comes from, and where its output goes.
  public struct Files: Sendable {
    let input, output, errorOutput: URL

    /// Three files; those for output must exist.
    public init(input: URL, output: URL, errorOutput: URL) {
      self.input = input
      self.output = output
      self.errorOutput = errorOutput
    }
  }

  /// The process's number.
  public let identifier: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the program's path.
  ///   - arguments: its arguments, without its name.
  ///   - folder: where it runs; nil for where the tests run.
  ///   - environment: all of its environment.
  ///   - files: its standard input and outputs.
  public init(
    _ program: String, _ arguments: [String], in folder: URL?, environment: [String: String],
    files: Files
  ) throws {
    #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
    #else
    var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files.input.path, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files.output.path, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, files.errorOutput.path, O_WRONLY, 0)
    // Swift does not see the call that sets the folder; `env` becomes the program, as the same process.
    let line = folder.map { ["/usr/bin/env", "-C", $0.path, program] } ?? [program]
    var arguments: [UnsafeMutablePointer<CChar>?] = (line + arguments).map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    defer { for text in arguments + variables { free(text) } }
    arguments.append(nil)
    variables.append(nil)
    var identifier: pid_t = 0
    let error = posix_spawn(&identifier, line[0], &actions, nil, arguments, variables)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    self.identifier = identifier
  }

  /// Waits for the end.
  public func wait() -> Ending {
    waitMeasuring().ending
  }

  /// Waits for the end, and tells how long a processor worked for the program and for those that it started and
  /// waited for: about the same however busy the machine is.
  public func waitMeasuring() -> (ending: Ending, processorTime: Duration) {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    let times = [usage.ru_utime, usage.ru_stime]
    let processorTime = times.reduce(Duration.zero) {
      $0 + .seconds(Int($1.tv_sec)) + .microseconds(Int($1.tv_usec))
    }
    return (Self.ending(status), processorTime)
  }

  /// Waits for the end, but not forever.
  ///
  /// - Returns: nil if the program was still running after that many seconds.
  public func wait(atMost seconds: Double) -> Ending? {
    var status: Int32 = 0
    let hasEnded = eventually(within: .seconds(seconds)) {
      waitpid(identifier, &status, WNOHANG) != 0
    }
    return hasEnded ? Self.ending(status) : nil
  }

  /// True once it has ended, also where nothing has waited for it yet.
  public var hasEnded: Bool {
    var information = siginfo_t()
    let result = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    return result != 0 || information.si_signo != 0
  }

  /// Ends the program at once.
  public func kill() {
    signal(SIGKILL)
  }

  /// Sends a signal.
  public func signal(_ number: Int32) {
    #if canImport(Glibc)
    _ = Glibc.kill(identifier, number)
    #else
    _ = Darwin.kill(identifier, number)
    #endif
  }

  private static func ending(_ status: Int32) -> Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }
}
