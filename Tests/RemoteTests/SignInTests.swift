import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

/// The program and a web server that requires a name and a password.
@Suite("Signing in from the command line", .blocks)
struct SignInTests {
  private let server: GitServer
  private let device: Device
  private var scratch: ScratchFolder { device.scratch }

  init() throws {
    server = try GitServer(.https)
    let address = try server.makeRepository("docs")
    device = try World().device("mira")
    try device.write("one\n", to: "a.md")
    try expectSuccess(program(["save", "a.md"]))
    try expectSuccess(program(["remote", "add", "origin", address]))
  }

  private static let isTerminalPossible: Bool = {
    do { return try Command.run("script", ["--version"]).exitCode == 0 } catch { return false }
  }()

  private func expectSuccess(
    _ result: Command.Result, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.exitCode == 0, "\(result.errorOutput)", sourceLocation: sourceLocation)
  }

  private var environment: [String: String] {
    ["DOCVERSIONS_CA": server.certificates.path, "GIT_CONFIG_NOSYSTEM": "1"]
  }

  private func program(
    _ arguments: [String], environment more: [String: String] = [:]
  ) throws -> Command.Result {
    try device.run(arguments, environment: environment.merging(more) { $1 })
  }

  /// Syncs at a separate terminal, at which a person answers the questions.
  ///
  /// - Parameter answers: what the person types when a text has appeared so many times.
  /// - Returns: the exit code, and everything that was shown.
  private func syncAtTerminal(
    answering answers: [(question: String, times: Int, answer: String)],
    environment more: [String: String] = [:]
  ) throws -> (code: Int32, shown: String) {
    let shown = scratch["shown"].path
    let steps = answers.map { step in
      """
      n=0
      while [ $(grep -o '\(step.question)' '\(shown)' | wc -l) -lt \(step.times) ] && [ $n -lt 3000 ]; do
        sleep 0.1; n=$((n + 1))
      done
      sleep 0.3
      printf '%s\\n' '\(step.answer)'
      """
    }.joined(separator: "\n")
    try scratch.write("", to: "shown")
    let result = try Command.run(
      "sh",
      [
        "-c",
        """
        ( \(steps) ) | script -q -f -e -c "'\(BuiltProgram.url.path)' sync" '\(shown)' >/dev/null
        """,
      ], in: device.container,
      environment: environment.merging(["TERM": "xterm"]) { $1 }.merging(more) { $1 })
    return (result.exitCode, try scratch.read("shown"))
  }

  @Test(
    "A person types a name and a password, once, and the password is not shown",
    .enabled(if: isTerminalPossible))
  func typed() throws {
    let (code, shown) = try syncAtTerminal(answering: [
      ("Name for", 1, GitServer.user), ("Password or token", 1, GitServer.password),
    ])
    #expect(code == 0, "\(shown)")
    #expect(shown.contains("Sent 1 version"))
    #expect(!shown.contains(GitServer.password))
    // Two connections, and one question.
    #expect(shown.components(separatedBy: "Password or token").count == 2)
    let files = try FileManager.default.subpathsOfDirectory(atPath: scratch["mira"].path)
    for file in files {
      guard let bytes = FileManager.default.contents(atPath: scratch["mira/\(file)"].path) else {
        continue
      }
      #expect(bytes.range(of: Data(GitServer.password.utf8)) == nil, "\(file)")
    }
  }

  @Test("A wrong password is asked for again", .enabled(if: isTerminalPossible))
  func mistyped() throws {
    let (code, shown) = try syncAtTerminal(answering: [
      ("Name for", 1, GitServer.user), ("Password or token", 1, "a guess"),
      ("Name for", 2, GitServer.user), ("Password or token", 2, GitServer.password),
    ])
    #expect(code == 0, "\(shown)")
    #expect(shown.contains("does not take that name and password."))
    #expect(shown.contains("Sent 1 version"))
  }

  @Test("Without git a person is asked as well", .enabled(if: isTerminalPossible))
  func withoutGit() throws {
    // The shell and `script` are found by their paths.
    let folder = scratch["programs"]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["sh", "script", "grep", "wc", "sleep"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: "/usr/bin/\(name)")
    }
    let (code, shown) = try syncAtTerminal(
      answering: [
        ("Name for", 1, GitServer.user), ("Password or token", 1, GitServer.password),
      ], environment: ["PATH": folder.path, "SHELL": "/bin/sh"])
    #expect(code == 0, "\(shown)")
    #expect(shown.contains("Sent 1 version"))
  }

  @Test("Without a terminal it is an error that says what to do")
  func noTerminal() throws {
    let result = try program(["sync"])
    #expect(result.exitCode == 7)
    #expect(result.errorOutput.contains("there is no terminal to ask on"))
    #expect(result.errorOutput.contains("git help credentials"))
    #expect(!result.errorOutput.contains("fatal:"))
  }

  @Test("A credential helper of git answers, and is not asked in vain")
  func helper() throws {
    let helper = """
      !f() { test "$1" = get && printf 'username=\(GitServer.user)\\npassword=\(GitServer.password)\\n'; }; f
      """
    try scratch.write(
      "[credential]\n\thelper = \"\(helper.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\"\n",
      to: "gitconfig")
    let result = try program(
      ["sync"], environment: ["GIT_CONFIG_GLOBAL": scratch["gitconfig"].path])
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    #expect(result.output.contains("Sent 1 version"))
  }
}
