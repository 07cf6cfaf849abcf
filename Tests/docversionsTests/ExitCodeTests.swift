internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import Testing

@testable internal import docversions

/// The exit codes in the table that can be provoked.
@Suite(.blocks)
struct ExitCodeTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("a tent\n", to: "trip.md")
    try program.write("b", to: "folder/b.txt")
  }

  @Test(arguments: [
    [], ["--help"], ["help", "save"], ["--version"], ["resolve", "--help"], ["diff", "trip.md"],
  ])
  func `done is 0`(_ arguments: [String]) throws {
    try program.run("save", "trip.md")
    #expect(try exitCode(arguments) == 0)
  }

  @Test(arguments: [
    ["nonsense"], ["help", "nonsense"], ["save"], ["save", "trip.md", "--nonsense"], ["log", ""],
    ["resolve", "trip.md"], ["resolve", "trip.md", "--merge", "--latest"],
    ["resolve", "trip.md", "--latest", "--else", "ask"], ["resolve", "trip.md", "--ask", "--json"],
    ["resolve", "trip.md", "trip.md", "--keep", "current"],
    ["restore", "trip.md", "~1", "--force"], ["restore", "trip.md", ""],
    ["remove", "trip.md"], ["remove", "trip.md", "1234", "--others"],
    ["merge", "trip.md", "trip.md"],
    ["exchange", "https://localhost/x.git"], ["exchange", "me@host:x.git"],
  ])
  func `wrong usage is 2`(_ arguments: [String]) throws {
    #expect(try exitCode(arguments) == 2)
  }

  @Test(arguments: [
    ["save", "missing.md"], ["log", "missing.md"], ["log", "folder/b.txt"],
    ["show", "trip.md", "99999"],
    ["show", "trip.md", "~7"], ["diff", "trip.md", "conflict/1"], ["show", "trip.md", ":member"],
    ["restore", "trip.md", "current:a"], ["diff", "trip.md", "current:a"],
    ["merge", "missing", "trip.md", "trip.md"], ["status", "missing.md"], ["delete", "missing.md"],
  ])
  func `what is not there is 3`(_ arguments: [String]) throws {
    try program.run("save", "trip.md")
    #expect(try exitCode(arguments) == 3)
  }

  @Test(arguments: [
    (VersionError.Code.ambiguousVersion, docversions.ExitStatus.notFound),
    (.contentsNotLocal, .notFound),
    (.currentVersion, .usage), (.unresolvedConflict, .conflictsRemain),
    (.changedMeanwhile, .tryAgain), (.notArrived, .tryAgain), (.damagedExchange, .damaged),
    (.bringsRepository, .refused), (.foreignContainer, .refused), (.databaseInUse, .tryAgain),
    (.onlyHere, .refused), (.system, .refused), (.damaged, .damaged),
  ])
  func `what cannot be provoked here has its code too`(
    _ code: VersionError.Code, _ status: docversions.ExitStatus
  ) {
    #expect(CommandFailure(VersionError(code, document: "", message: "")).status == status)
  }

  @Test(arguments: [
    ["save", "folder"], ["merge", "folder", "trip.md", "trip.md"],
    ["restore", "trip.md", "current", "--to", "/sys/out.md"], ["save", "fifo"],
    ["merge", "fifo", "trip.md", "trip.md"], ["tour", "--in", "trip.md"],
    ["tour", "--in", "/proc/nowhere"],
  ])
  func `what the file system refuses is 5, at once`(_ arguments: [String]) throws {
    try program.run("save", "trip.md")
    try #require(try program.shell("mkfifo fifo").exitCode == 0)
    let result = try program.run(arguments)
    #expect(result.exitCode == 5)
    #expect(result.duration < .seconds(5))
  }

  @Test func `status says what cannot be a document, and does not suggest to save it`() throws {
    try program.run("save", "trip.md")
    try #require(program.shell("mkfifo fifo").exitCode == 0)
    let result = try program.run("status", "fifo", "trip.md")
    #expect(result.exitCode == 5)
    #expect(result.errorOutput.hasSuffix("/fifo” is a FIFO, and can’t be a document.\n"))
    #expect(result.output == "trip.md  unchanged  1 version\n")
  }

  @Test func `a time that is none is 2`() throws {
    try program.run("save", "trip.md")
    #expect(try exitCode(["show", "trip.md", "@{soon}"]) == 2)
    let result = try program.run("log", "trip.md", environment: ["DOCVERSIONS_NOW": "soon"])
    #expect(result.exitCode == 2)
  }

  @Test func `a name that is too long, or not UTF-8, is 5`() throws {
    #expect(try exitCode(["save", String(repeating: "x", count: 300)]) == 5)
    let result = try program.shell("docversions save $'caf\\xe9.md'")
    #expect(result.exitCode == 5)
    #expect(
      result.errorOutput == "error: The name “caf\\xE9.md” is not valid UTF-8; rename it first.\n")
  }

  @Test(arguments: ["-m ", "--message ", "--message="])
  func `a note that is not UTF-8 is wrong usage, and reported as a note`(_ option: String) throws {
    let result = try program.shell("docversions save trip.md \(option)$'caf\\xe9'")
    #expect(result.exitCode == 2)
    #expect(result.errorOutput == "error: The note “caf\\xE9” is not valid UTF-8.\n")
    #expect(try program.run("log", "trip.md").exitCode == 3)
  }

  @Test(arguments: ["show trip.md", "restore trip.md current --to out.md", "diff trip.md"])
  func `a damaged store is 6`(_ line: String) throws {
    try program.run("save", "trip.md")
    let objects = FileManager.default.enumerator(
      at: program.folder[".docversions"], includingPropertiesForKeys: nil)
    for case let file as URL in objects ?? FileManager.DirectoryEnumerator()
    where file.path.contains("/objects/") {
      guard !file.hasDirectoryPath else { continue }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
      try Data("damaged".utf8).write(to: file)
    }
    let result = try program.shell("docversions \(line)")
    #expect(result.exitCode == 6)
    #expect(result.errorOutput.contains("damaged"))
    #expect(try program.read("trip.md") == "a tent\n")
  }

  @Test func `an interrupted question is 130`() throws {
    let program = try ConflictedDocument.withQuestion()
    let result = try program.shell(
      """
      mkfifo answers; exec 3<>answers
      '\(Program.path)' resolve --ask trip.md <&3 >out & program=$!
      \(Program.question); kill -INT $program; wait $program
      """
    )
    #expect(result.exitCode == 130)
  }

  @Test func `errors in JSON are one object on standard error`() throws {
    let missing = try program.run("log", "no such.md", "--json")
    let error = try #require(Program.object(missing.errorOutput)["error"] as? [String: Any])
    #expect(error.keys.sorted() == ["code", "hint", "message", "path"])
    #expect(error["code"] as? String == "not-found")
    #expect(missing.output.isEmpty)
  }

  @Test func `hints can be pasted whatever the name is`() throws {
    let name = "it’s a 'plan' $x.md"
    try program.write("x", to: name)
    try program.run("save", name)
    let result = try program.run("show", name, "99999")
    let hint = try #require(result.errorOutput.split(separator: "List them:  ").last)
    #expect(try program.shell(String(hint)).exitCode == 0)
  }

  @Test(arguments: ["notes", "-m", "it’s 'mine', $x"])
  func `hints name a document as it was typed`(_ folder: String) throws {
    func paste(_ arguments: String..., behind words: String) throws {
      let result = try program.run(arguments)
      let hint = try #require(result.errorOutput.components(separatedBy: "  \(words):  ").last)
      #expect(hint.hasPrefix("docversions "), "\(result.errorOutput)")
      let pasted = try program.shell(hint)
      #expect(pasted.exitCode == 0, "\(hint) \(pasted.errorOutput)")
    }
    let name = "\(folder.hasPrefix("-") ? "./" : "")\(folder)/a trip"
    try program.write("1", to: "\(name)/day")
    try paste("save", name, behind: "To keep it as one document")
    let first = try #require(try program.versions(of: name).first)
    try program.write("2", to: "\(name)/day")
    try program.run("save", name)
    try paste("undo", name, behind: "Go back to the version before it")
    try program.run("pin", name, first)
    try paste("remove", name, first, behind: "Unpin first")
    for day in 1...8 { try program.write("x", to: "\(name)/\(day)") }
    try program.run("save", name)
    try paste("show", name, ":nowhere", behind: "List them")
  }

  private func exitCode(_ arguments: [String]) throws -> Int32 {
    try Command.run(Program.path, arguments, in: program.folder.url).exitCode
  }

  @Test(
    "What a person was to read and did not get is a failure",
    arguments: ["log a.md", "status", "verify", "conflicts", "diff --stat a.md"])
  func fullOutput(command: String) throws {
    let program = try Program()
    try program.folder.write("1", to: "a.md")
    try program.run("save", "a.md")
    try program.folder.write("2", to: "a.md")
    let result = try program.shell("docversions \(command) >/dev/full")
    #expect(result.exitCode == 5)
    #expect(result.errorOutput.contains("Standard output can’t be written"))
  }

  @Test(
    "A time that no version can have is refused",
    arguments: ["1e300", "-1e20", "10000-01-01T00:00:00Z"])
  func impossibleTime(time: String) throws {
    let program = try Program()
    try program.folder.write("1", to: "a.md")
    let result = try program.run("save", "a.md", environment: ["DOCVERSIONS_NOW": time])
    #expect(result.exitCode == 2)
    #expect(try program.run("log", "a.md").exitCode == 3)
  }

  @Test("A file that may not get larger is a failure like a full disk")
  func fileSizeLimit() throws {
    let program = try Program()
    try program.folder.write(
      String(repeating: "noise \(Int.random(in: 0...9))", count: 1_000), to: "a.md")
    let result = try program.shell("ulimit -f 1; docversions save a.md")
    #expect(result.exitCode == 5)
    #expect(!result.errorOutput.isEmpty)
    #expect(try program.run("save", "a.md").exitCode == 0)
  }

  @Test("A store of more packs than a process may have open files is listed, exchanged and folded")
  func openFileLimit() throws {
    let store = SynchronousStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    for number in 0..<80 {
      try program.write("tent \(number)\n", to: "trip.md")
      try store.save(program.folder["trip.md"])
    }
    let folder = program.folder[".docversions/documents/trip.md.git"]
    try GitPacks.scatter(folder)
    #expect(try GitPacks.names(in: folder).count > 300)
    let log = try program.shell("ulimit -n 256; docversions log trip.md")
    #expect(log.exitCode == 0, "\(log.errorOutput)")
    #expect(log.output.split(separator: "\n").count == 80)
    let exchange = try program.shell("ulimit -n 256; docversions exchange cloud .")
    #expect(exchange.exitCode == 0, "\(exchange.errorOutput)")
    #expect(exchange.output.contains("80 sent"))
    let save = try program.shell(
      "ulimit -n 256; echo rope > trip.md; docversions save trip.md && docversions log trip.md")
    #expect(save.exitCode == 0, "\(save.errorOutput)")
    #expect(try GitPacks.names(in: folder).count < 50)
  }

  @Test("The log of a store without versions says that there are none")
  func emptyStore() throws {
    try program.run("save", "trip.md")
    let result = try program.shell(
      """
      set -e; cd .docversions/documents/trip.md.git
      for name in *; do if [ $name != config ]; then rm -r $name; fi; done
      mkdir -p objects/pack refs/heads; echo 'ref: refs/heads/main' > HEAD
      """)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    for arguments in [["log"], ["log", "-n", "1"], ["log", "--json"]] {
      let log = try program.run(arguments + ["trip.md"])
      #expect(log.exitCode == 3)
      #expect(log.output.isEmpty)
      #expect(log.errorOutput.contains("no versions here"))
    }
    #expect(try program.run("save", "trip.md").exitCode == 0)
    #expect(try program.run("log", "trip.md").exitCode == 0)
  }
}
