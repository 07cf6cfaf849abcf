import DocumentTestSupport
import Foundation
import Testing

/// `docversions open`, from the terminal.
@Suite("Page: docversions open", .blocks)
struct OpenCommandTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("one\n", to: "notes/Note.md")
  }

  @Test("It becomes the page's program, which ends with Ctrl-C")
  func opens() throws {
    let program = try RunningProgram(
      BuiltProgram.url.path, ["open", "--no-browser", "notes"], in: folder.url)
    #expect(try eventually { try program.output.contains("Ctrl-C") || program.hasEnded })
    #expect(try program.output.contains("notes is open at http://127.0.0.1:"))
    program.signal(SIGINT)
    #expect(try program.wait(atMost: .generous).exitCode == 0)
  }

  @Test(
    "What can't be opened gets a sentence",
    arguments: [
      (["nowhere"], 3, "There is no folder “nowhere”."),
      (["notes/Note.md"], 3, "There is no folder “notes/Note.md”."),
      (["--port", "70000"], 2, "--port is from 0 to 65535."), (["a", "b"], 2, "b"),
    ])
  func refusals(arguments: [String], exitCode: Int32, message: String) throws {
    let result = try Command.run(BuiltProgram.url.path, ["open"] + arguments, in: folder.url)
    #expect(result.exitCode == exitCode)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  @Test("A port that another program has is said to be taken")
  func takenPort() throws {
    let first = try PageProgram(folder["notes"])
    let result = try Command.run(
      BuiltProgram.url.path, ["open", "--no-browser", "--port", String(first.port), "notes"],
      in: folder.url)
    #expect(result.exitCode == 4)
    #expect(result.errorOutput.contains("Port \(first.port) is taken by another program."))
    try first.end()
  }

  @Test("Where the page's program is missing, it says so")
  func missingProgram() throws {
    // Another program writes the file, because a file that this process has open for writing while it starts
    // a process can't be run.
    _ = try Command.run(
      "/bin/cp", [BuiltProgram.url.path, folder["docversions"].path], in: folder.url)
    let result = try Command.run(folder["docversions"].path, ["open", "notes"], in: folder.url)
    #expect(result.exitCode == 3)
    #expect(result.errorOutput.contains("docversions-page is missing"), "\(result.errorOutput)")
  }
}
