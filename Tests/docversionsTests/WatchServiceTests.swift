import DocumentTestSupport
import Foundation
import Testing

/// What a watcher says of itself, and how it becomes a service.
@Suite("Watching folders as a service")
struct WatchServiceTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// Puts a program of the system in a folder of this test; it writes its arguments to `calls`.
  private func replace(_ name: String, exitCode: Int = 0) throws -> [String: String] {
    try Script.write(
      "echo \"$*\" >> '\(program.folder["calls"].path)'\nexit \(exitCode)\n",
      to: program.folder["bin/\(name)"])
    return [
      "PATH": "\(program.folder["bin"].path):/usr/bin:/bin",
      "XDG_CONFIG_HOME": program.folder["settings"].path,
    ]
  }

  @Test("Status says what a watcher has done and waits for, and that there is none")
  func status() throws {
    try program.write("a\nb\n", to: "notes/a.md")
    let none = try program.run("watch", "--status", "notes")
    #expect(none.exitCode == 3)
    #expect(none.output.contains("Nothing keeps notes."), "\(none)")
    let watcher = try Watcher(program, ["notes"])
    #expect(try watcher.waits(for: "Saved notes/a.md"))
    let copy = "notes/a.sync-conflict-20260112-003022-FUKIKK4.md"
    try program.write("another\ntext\n", to: copy)
    #expect(try watcher.waits(for: "FUKIKK4.md stays"))
    #expect(
      try eventually {
        let status = try program.run("watch", "--status", "notes")
        return status.exitCode == 0 && status.output.contains("1 version made, the latest")
          && status.output.contains("A copy takes a decision:  docversions adopt --ask")
      })
    let watchers = try program.json("watch", "--status", "notes")["watchers"] as? [[String: Any]]
    let answer = try #require(watchers?.first)
    #expect(answer["kept"] as? Bool == true)
    #expect(answer["versions"] as? Int == 1)
    #expect((answer["copies"] as? [String])?.count == 1)
    #expect(answer["process"] is Int)
    // One that was killed says nothing, and keeps no other from starting.
    try watcher.kill()
    #expect(try program.run("watch", "--status", "notes").exitCode == 3)
    let next = try Watcher(program, ["notes"])
    #expect(try next.waits(for: "Keeping"))
    #expect(try eventually { try program.run("watch", "--status", "notes").exitCode == 0 })
    #expect(try next.stop() == 0)
    #expect(try program.run("watch", "--status", "notes").exitCode == 3)
    #expect(try program.run("watch", "--status", "--once").exitCode == 2)
  }

  @Test("A service is written and started, and removed again")
  func service() throws {
    let environment = try replace("systemctl")
    try program.write("a", to: "My 100% $notes/a.md")
    let installed = try program.run(
      "watch", "--install", "--every", "10s", "My 100% $notes", environment: environment)
    #expect(installed.exitCode == 0, "\(installed)")
    let units = program.folder["settings/systemd/user"]
    let names = try FileManager.default.contentsOfDirectory(atPath: units.path)
    let name = try #require(names.first)
    #expect(names.count == 1 && name.hasPrefix("docversions-My-100---notes-"))
    let unit = try String(contentsOf: units.appending(path: name), encoding: .utf8)
    #expect(unit.contains(#""watch" "--every" "10s""#), "\(unit)")
    #expect(unit.contains(#"/My 100%% $$notes""#), "\(unit)")
    #expect(try program.read("calls").contains("--user --quiet enable --now \(name)"))
    try verify(units.appending(path: name))
    let removed = try program.run(
      "watch", "--uninstall", "My 100% $notes", environment: environment)
    #expect(removed.exitCode == 0, "\(removed)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: units.path).isEmpty)
    #expect(try program.read("calls").contains("--user --quiet disable --now \(name)"))
    let again = try program.run("watch", "--uninstall", "My 100% $notes", environment: environment)
    #expect(again.exitCode == 3, "\(again)")
  }

  /// Lets systemd itself read a unit, where it is there.
  private func verify(_ unit: URL) throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
    try program.write("", to: "run/.keep")
    let result = try Command.run(
      "systemd-analyze", ["verify", "--user", unit.path], in: program.folder.url,
      environment: ["XDG_RUNTIME_DIR": program.folder["run"].path])
    #expect(result.exitCode == 0 && result.errorOutput.isEmpty, "\(result)")
  }

  @Test("The journal gets no times, which it has, and failures as warnings")
  func journal() throws {
    let text = try program.shell(
      """
      echo text > a.md; echo text > $'x\\377.md'; exec >log
      JOURNAL_STREAM=$(stat -c %d:%i log) '\(Program.path)' watch --once
      """)
    // A name that nothing can be done about does not make every run of cron fail.
    #expect(text.exitCode == 0, "\(text)")
    let lines = try program.read("log").split(separator: "\n")
    #expect(lines.first?.hasPrefix("Keeping ") == true, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("<4>The name of ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Saved a.md · ") }, "\(lines)")
  }

  @Test("Where systemd runs no services, nothing is written, and the reason said")
  func noService() throws {
    let environment = try replace("systemctl", exitCode: 1)
    let result = try program.run("watch", "--install", environment: environment)
    #expect(result.exitCode == 5)
    #expect(result.errorOutput.contains("Systemd runs no services for you here"), "\(result)")
    #expect(result.errorOutput.contains("docversions watch --once"), "\(result)")
    #expect(!program.exists("settings"))
  }

  @Test("A new question is shown on the desktop where that is wanted", arguments: [false, true])
  func notice(isWanted: Bool) throws {
    let environment = try replace("notify-send")
    try program.write("a\nb\n", to: "a.md")
    let watcher = try Watcher(
      program, isWanted ? ["--notify"] : [], environment: environment)
    #expect(try watcher.waits(for: "Saved a.md"))
    try program.write("another\ntext\n", to: "a.sync-conflict-20260112-003022-FUKIKK4.md")
    #expect(try watcher.waits(for: "FUKIKK4.md stays"))
    #expect(try watcher.stop() == 0)
    #expect(program.exists("calls") == isWanted)
    if isWanted { #expect(try program.read("calls").contains("a.md has a conflicted copy")) }
  }
}
