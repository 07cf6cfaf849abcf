internal import DocumentVersions
internal import Foundation

/// A user's systemd service that watches one folder.
struct WatchService {
  private let folder: DocumentArgument

  init(of folder: DocumentArgument) {
    self.folder = folder
  }

  /// The name of its unit: the folder's name, and a number that is unique to its path.
  var name: String {
    let path = folder.absolutePath
    let allowed = path.split(separator: "/").last.map(String.init) ?? "root"
    let shown = String(
      allowed.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "-" }.prefix(40))
    var hash: UInt32 = 2_166_136_261
    for byte in path.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return "docversions-\(shown)-\(String(hash, radix: 16)).service"
  }

  /// Returns the file of its unit.
  private func file() throws -> URL {
    let settings =
      Settings.variable("XDG_CONFIG_HOME") ?? Settings.variable("HOME").map { $0 + "/.config" }
    guard let settings else {
      throw CommandFailure(
        .refused, code: "no-home", "There is no home folder in which a unit could be written.")
    }
    return URL(filePath: settings).appending(path: "systemd/user").appending(path: name)
  }

  // MARK: Installing

  /// Writes the unit, and starts it, now and at each log-in.
  ///
  /// - Parameter options: the options of the command that it runs.
  func install(_ options: [String]) throws -> [String] {
    let file = try file()
    try control("daemon-reload")
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let command = ([program, "watch"] + options + ["--", folder.absolutePath]).map(Self.word)
    let text = """
      [Unit]
      Description=Keep the documents of \(Self.line(folder.absolutePath))

      [Service]
      ExecStart=\(command.joined(separator: " "))
      Restart=on-failure
      RestartSec=30

      [Install]
      WantedBy=default.target

      """
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let former = FileManager.default.contents(atPath: file.path)
    try Data(text.utf8).write(to: file, options: .atomic)
    do {
      try control("daemon-reload")
      try control("enable", "--now", name)
      // The service may have been running with other options.
      try control("restart", name)
    } catch {
      if let former {
        try former.write(to: file, options: .atomic)
      } else {
        try FileManager.default.removeItem(at: file)
      }
      throw error
    }
    return [
      "\(folder.shown) is kept from now on, whenever you are logged in.",
      "  its log:  journalctl --user -u \(name)",
      "  its state:  docversions watch --status \(folder.word)",
    ]
  }

  /// Ends the service, and removes its unit.
  func uninstall() throws -> [String] {
    let file = try file()
    guard file.isThere else {
      throw CommandFailure(
        .notFound, code: "no-service", "No service keeps \(folder.shown).",
        hint: "docversions watch --install \(folder.word)", path: folder.path)
    }
    try control("disable", "--now", name)
    try FileManager.default.removeItem(at: file)
    try control("daemon-reload")
    return ["The service that kept \(folder.shown) is removed; its documents and versions stay."]
  }

  /// Runs systemctl.
  private func control(_ arguments: String...) throws {
    let child = ChildProcess(
      ["systemctl", "--user", "--quiet"] + arguments,
      environment: ProcessInfo.processInfo.environment)
    let reason: String
    do {
      let code = ChildProcess.exitCode(of: try child.start())
      if code == 0 { return }
      let call = "systemctl --user \(arguments.joined(separator: " "))"
      reason = code.map { "\(call) ended with \($0)" } ?? "\(call) was ended by a signal"
    } catch {
      reason = "systemctl can’t be started: \(error.reason)"
    }
    throw CommandFailure(
      .refused, code: "no-systemd", "Systemd runs no services for you here: \(reason).",
      hint: "From cron, every minute:  docversions watch --once \(folder.word)", path: folder.path)
  }

  // MARK: Texts of units

  /// Returns a word of a command in systemd's syntax.
  private static func word(_ text: String) -> String {
    var word = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": word += "\\\(character)"
      case "%": word += "%%"
      case "$": word += "$$"
      case "\n": word += "\\n"
      default: word.unicodeScalars.append(character)
      }
    }
    return word + "\""
  }

  /// Text in one line.
  private static func line(_ text: String) -> String {
    Printable.text(text).split(separator: "%", omittingEmptySubsequences: false)
      .joined(separator: "%%")
  }
}

/// Notices on the desktop, if the program that shows them is installed.
struct DesktopNotice {
  /// Shows that a decision is needed.
  ///
  /// Nothing depends on it; if it can't be shown, the log still has the line.
  static func show(_ title: String, _ text: String) {
    var child = ChildProcess(
      ["notify-send", "--app-name=docversions", "--", title, text],
      environment: ProcessInfo.processInfo.environment)
    child.files = [1: ("/dev/null", O_WRONLY), 2: ("/dev/null", O_WRONLY)]
    do {
      _ = ChildProcess.exitCode(of: try child.start())
    } catch {
      return
    }
  }
}
