internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// The pager for long output at a terminal, from git's settings.
enum Pager {
  /// The pager's process; `nil` if there is none.
  private static let process = Mutex<Int32?>(nil)

  static var isActive: Bool { process.withLock { $0 != nil } }

  /// Sends the following output to the pager, if there is a terminal and a pager.
  ///
  /// Output that fits on one screen is shown directly, because `less` gets git's options.
  static func begin() {
    guard Console.isTerminal, Settings.variable("TERM") ?? "dumb" != "dumb", !isActive, let command
    else { return }
    // The properties of the terminal must be read before the output is redirected.
    _ = (Console.width, Console.hasColours)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in ends { close(end) } }
    var environment = ProcessInfo.processInfo.environment
    environment["LESS"] = environment["LESS"] ?? "FRX"
    // The output is UTF-8, whatever the locale is.
    environment["LESSCHARSET"] = environment["LESSCHARSET"] ?? "utf-8"
    environment["LV"] = environment["LV"] ?? "-c"
    var child = ChildProcess(["sh", "-c", command], environment: environment)
    child.descriptors = [STDIN_FILENO: ends[0]]
    let number: Int32
    // Without a pager, everything is shown at once.
    do { number = try child.start() } catch { return }
    guard dup2(ends[1], STDOUT_FILENO) >= 0 else { return ChildProcess.end(number) }
    process.withLock { $0 = number }
  }

  /// Waits until the person has left the pager.
  static func end() {
    guard let number = process.withLock({ $0 }) else { return }
    close(STDOUT_FILENO)
    _ = ChildProcess.exitCode(of: number)
    process.withLock { $0 = nil }
  }

  /// The pager's command; `nil` if no pager is wanted, or it isn't installed.
  private static var command: String? {
    let git = ChildProcess(
      ["git", "var", "GIT_PAGER"], environment: ProcessInfo.processInfo.environment)
    let named: String?
    do { named = try git.output() } catch { named = nil }
    let command =
      (named ?? Settings.variable("PAGER") ?? "less")
      .split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let program = command.split(separator: " ").first.map(String.init) ?? ""
    guard !program.isEmpty, program != "cat" else { return nil }
    let folders = (Settings.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    let isThere =
      program.utf8.contains(UInt8(ascii: "/"))
      || !program.allSatisfy { $0.isLetter || $0.isNumber || "-_.+".contains($0) }
      || folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    return isThere ? command : nil
  }
}
