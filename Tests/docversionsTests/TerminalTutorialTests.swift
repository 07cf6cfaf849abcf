internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The article “Getting started at the terminal”, typed into a shell line by line.
@Suite(.blocks)
struct TerminalTutorialTests {
  /// A line that a reader types, and the lines that follow it in the article.
  private struct Typed {
    let command: String
    var output: [String] = []
  }

  private static func lines(ofArticle name: String) throws -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/DocumentVersions/DocumentVersions.docc/\(name).md")
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  private static func article() throws -> [Typed] {
    var typed: [Typed] = []
    var isShown = false
    for line in try lines(ofArticle: "GettingStartedAtTheTerminal") {
      if line.hasPrefix("```") {
        isShown = line == "```console"
      } else if isShown, line.hasPrefix("$ ") {
        typed.append(Typed(command: String(line.dropFirst(2))))
      } else if isShown, !typed.isEmpty {
        typed[typed.count - 1].output.append(line)
      }
    }
    return typed
  }

  /// The text without what differs from one run to the next: identifiers, times, and sizes of packs.
  private static func comparable(_ line: String) -> String {
    line.replacing(/[0-9a-f]{7}\b/, with: "ID").replacing(
      /today \d\d:\d\d|\d{4}-\d\d-\d\d/, with: "TIME"
    )
    .replacing(/[ ]{3,}/, with: "  ")
    .replacing(/\([0-9.]+ (kB|bytes)\)/, with: "(SIZE)")
  }

  @Test func `the changelog begins with the version of the program`() throws {
    let newest = try Self.lines(ofArticle: "Changelog").first { $0.hasPrefix("## ") }
    #expect(newest == "## " + (try Program().run("--version").output.dropLast()))
  }

  @Test func `every line of the tutorial prints what the article shows`() throws {
    let program = try Program()
    let typed = try Self.article()
    #expect(typed.count > 30)
    try FileManager.default.createDirectory(
      at: program.folder["desk"], withIntermediateDirectories: false)
    // Each run of the program is a minute later, so that versions have an order.
    var script = """
      docversions() {
        echo >>"$OLDTICKS"
        DOCVERSIONS_NOW="2031-01-01 10:$(printf '%02d' "$(wc -l <"$OLDTICKS")")" "\(Program.path)" "$@"
      }
      OLDTICKS=\(program.folder["ticks"].path)

      """
    for line in typed { script += "\(line.command)\nprintf '\\n== %s\\n' \"$?\"\n" }
    try program.write(script, to: "typed")
    // At a terminal of any width, whose colours the article can’t show.
    let result = try Command.run(
      "/usr/bin/script", ["-qec", "/bin/bash ../typed 2>../errors", "/dev/null"],
      in: program.folder["desk"],
      environment: ["TZ": "UTC", "NO_COLOR": "1", "TERM": "xterm", "GIT_PAGER": "cat"])
    let output = result.output.replacing("\r\n", with: "\n")
    let printed = output.components(separatedBy: "\n== ")
    try #require(printed.count == typed.count + 1, "\(result.errorOutput)")
    for (number, line) in typed.enumerated() {
      var lines = printed[number].components(separatedBy: "\n")
      // The rest of the line with the exit code of the command before.
      if number > 0 { lines.removeFirst() }
      while lines.last?.isEmpty == true { lines.removeLast() }
      #expect(
        lines.map(Self.comparable) == line.output.map(Self.comparable), "\(line.command)")
    }
    #expect(try program.read("errors").isEmpty)
  }
}
