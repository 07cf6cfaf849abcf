internal import DocumentFiles
internal import DocumentMerge
internal import Foundation

/// One run of a program within limits, after which no process of it remains.
struct ProgramRun {
  /// The program, followed by its arguments.
  let arguments: [String]
  let environment: [String: String]
  /// The folder for the program's error output.
  let folder: URL
  let timeLimit: Duration
  let memoryLimit: Int?

  private var name: String { arguments.first ?? "" }
  private var complaints: URL { folder.appending(path: "complaints") }

  /// Runs the program to its end.
  /// - Returns: Its exit code, at most 127.
  func exitCode() throws -> Int32 {
    let process = try start()
    // The processes that it started end with it.
    defer { kill(-process, SIGKILL) }
    if let memoryLimit { ProcessLimits.limitMemory(of: process, to: memoryLimit) }
    let deadline = ContinuousClock.now + timeLimit
    var status: Int32 = 0
    var pause: UInt32 = 500
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { break }
      guard ended == 0 || errno == EINTR else { throw failure("can’t be waited for") }
      guard ContinuousClock.now < deadline, !MergeCancellation.isCancelled else {
        kill(-process, SIGKILL)
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        try MergeCancellation.check()
        throw failure("took longer than \(timeLimit), and was ended")
      }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    let signal = status & 0x7F
    guard signal == 0 else { throw failure("was ended by signal \(signal)") }
    let code = status >> 8 & 0xFF
    guard code <= 127 else { throw failure("failed with exit code \(code)") }
    return code
  }

  private func start() throws -> pid_t {
    var child = ChildProcess(arguments, environment: environment)
    child.files = [
      0: ("/dev/null", O_RDONLY), 1: ("/dev/null", O_WRONLY),
      2: (complaints.path, O_WRONLY | O_CREAT | O_TRUNC),
    ]
    // A group of its own, so that all its processes can be ended.
    child.hasOwnGroup = true
    do { return try child.start(name) } catch {
      throw failure("can’t be started: \(error.reason)")
    }
  }

  private func failure(_ what: String) -> MergeError {
    let last = lastComplaint.map { " It says: \($0)" } ?? ""
    return MergeError(.programFailed, "The program “\(name)” \(what).\(last)")
  }

  /// The last line that the program wrote to standard error.
  private var lastComplaint: String? {
    do {
      let end = try AppendOnlyFile.tail(complaints.filePath, limit: 64 << 10)
      return String(decoding: end?.bytes ?? [], as: UTF8.self)
        .split(whereSeparator: \.isNewline).last.map { String($0.prefix(500)) }
    } catch { return nil }
  }
}
