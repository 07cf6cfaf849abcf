import DocumentTestSupport
import Foundation
import Testing

/// The program that runs another one as another user.
private let setpriv = "/usr/bin/setpriv"

/// A container in which two users save documents.
@Suite(
  "A container of several users",
  .enabled(
    if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv)))
struct SharedContainerTests {
  private let scratch: ScratchFolder

  /// Saves two documents as one user, and one as another user, whose files only that user can read.
  init() throws {
    scratch = try ScratchFolder()
    try scratch.write("a\n", to: "notes/a.md")
    try scratch.write("b\n", to: "notes/b.md")
    _ = try Command.run("chown", ["-R", "65534:65534", scratch.url.path])
    #expect(try run("save", "a.md", "b.md").exitCode == 0)
    _ = try Command.run("chmod", ["-R", "a+rwX", scratch.url.path])
    try scratch.write("x\n", to: "notes/x.md")
    for (program, mode) in [("chown", "1:1"), ("chmod", "600")] {
      _ = try Command.run(program, [mode, scratch["notes/x.md"].path])
    }
    #expect(try run("save", "x.md", as: "1").exitCode == 0)
    _ = try Command.run(
      "chmod", ["-R", "go-rwx", scratch["notes/.docversions/documents/x.md.git"].path])
  }

  private func run(_ arguments: String..., as user: String = "65534") throws -> Command.Result {
    try Command.run(
      setpriv,
      ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", Program.path] + arguments,
      in: scratch["notes"],
      environment: ["DOCVERSIONS_CONTAINER": scratch["notes"].path, "DOCVERSIONS_DEVICE": "desk"])
  }

  @Test(
    "A document that another user has saved stops no other one, and is named with its owner",
    arguments: [["status"], ["log"], ["verify"], ["collect"], ["save", "--all"]])
  func unreadable(line: [String]) throws {
    let owner = try Command.run("id", ["-un", "1"]).output.trimmingCharacters(in: .newlines)
    try scratch.write("a and more\n", to: "notes/a.md")
    let result = try Command.run(
      setpriv,
      ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path] + line,
      in: scratch["notes"], environment: ["DOCVERSIONS_DEVICE": "desk"])
    #expect(result.errorOutput.contains("x.md"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("“\(owner)”"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains(".docversions/"), "\(result.errorOutput)")
    #expect(result.output.contains(line.first == "log" ? "b.md" : "a.md"), "\(result.output)")
    #expect(result.exitCode == (line == ["verify"] ? 2 : 5))
  }

  @Test("A watcher saves what it can read beside a document that it can't")
  func watcher() throws {
    let files = FileManager.default
    for (name, text) in [("a.md", "a and more\n"), ("new.md", "new\n")] {
      try scratch.write(text, to: "notes/\(name)")
      // What has just changed is left for the next time.
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)],
        ofItemAtPath: scratch["notes/\(name)"].path)
    }
    _ = try Command.run(
      "chown", ["65534:65534", scratch["notes/a.md"].path, scratch["notes/new.md"].path])
    let result = try run("watch", "--once")
    #expect(result.output.contains("Saved a.md"), "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("Saved new.md"), "\(result.output)\(result.errorOutput)")
    #expect(result.exitCode == 5)
  }
}
