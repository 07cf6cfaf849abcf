internal import Foundation

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A running program, started and awaited with the system's own calls.
///
/// Many threads may do so at the same time, which sometimes makes Foundation's `Process` crash (Swift 6.3.1
/// on Linux).
struct ChildProcess: Sendable {
  /// The source of a program's input, and the destinations of its output; the files for output must exist.
  struct Files: Sendable {
    let input, output, errorOutput: URL
  }

  /// The resources that a program needed, which hardly depend on how busy the machine is.
  struct Needs: Sendable {
    /// The processor time of the program, and of those that it started and waited for.
    let processorTime: Duration
    /// The time for which it waited for a processor, which the program itself doesn't need.
    let queueing: Duration
  }

  /// The process's number.
  let identifier: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the program's path.
  ///   - arguments: its arguments, without its name.
  ///   - folder: the folder in which it runs; nil for that of the tests.
  ///   - environment: all of its environment.
  ///   - files: its standard input and outputs.
  ///   - descriptors: the further files that it has open, as 3 and the following numbers; each is above
  ///     those.
  init(
    _ program: String, _ arguments: [String], in folder: URL?, environment: [String: String],
    files: Files, descriptors: [Int32] = []
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
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + number))
    }
    Self.closeOthers(&actions, from: Int32(3 + descriptors.count))
    if let folder { Self.enter(folder.path, &actions) }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    defer { for text in arguments + variables { free(text) } }
    arguments.append(nil)
    variables.append(nil)
    var identifier: pid_t = 0
    let error = posix_spawn(&identifier, program, &actions, nil, arguments, variables)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    self.identifier = identifier
  }

  #if canImport(Glibc)
  /// Closes the files of other tests in the program, which would otherwise hold them as long as it runs.
  private static func closeOthers(
    _ actions: inout posix_spawn_file_actions_t, from first: Int32
  ) {
    typealias Call =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    // Swift does not see this call.
    guard let call = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
    _ = unsafeBitCast(call, to: Call.self)(&actions, first)
  }

  /// Starts the program in a folder.
  private static func enter(_ folder: String, _ actions: inout posix_spawn_file_actions_t) {
    typealias Call =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
      ) -> Int32
    // Swift does not see this call, either.
    guard let call = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return }
    _ = unsafeBitCast(call, to: Call.self)(&actions, folder)
  }
  #else
  private static func closeOthers(_ actions: inout posix_spawn_file_actions_t?, from: Int32) {}

  private static func enter(_ folder: String, _ actions: inout posix_spawn_file_actions_t?) {
    posix_spawn_file_actions_addchdir_np(&actions, folder)
  }
  #endif

  /// Waits for the end.
  ///
  /// - Returns: the exit code, negative for a signal, and the resources that the program needed.
  func wait() -> (exitCode: Int32, needs: Needs) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    // This is read now, because the system forgets an ended process once it was waited for.
    let queueing = Queueing.of(identifier)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    let processorTime = [usage.ru_utime, usage.ru_stime].reduce(Duration.zero) {
      $0 + .seconds(Int($1.tv_sec)) + .microseconds(Int($1.tv_usec))
    }
    let signal = status & 0x7F
    return (
      signal == 0 ? status >> 8 & 0xFF : -signal,
      Needs(processorTime: processorTime, queueing: queueing)
    )
  }

  /// True once the program has ended, even if nothing has waited for it yet.
  var hasEnded: Bool {
    var information = siginfo_t()
    let result = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    return result != 0 || information.si_signo != 0
  }

  /// Ends the program at once.
  func kill() {
    signal(SIGKILL)
  }

  /// Sends a signal.
  func signal(_ number: Int32) {
    #if canImport(Glibc)
    _ = Glibc.kill(identifier, number)
    #else
    _ = Darwin.kill(identifier, number)
    #endif
  }
}
