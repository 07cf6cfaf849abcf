import DocumentTestSupport
import Foundation
import Testing

/// A document in programs with their own event loops, each in a real process.
///
/// The tests themselves run in a program whose main function is `async`.
@Suite("Event loops")
struct LoopTests {
  @Test(
    "A document works in a run loop, in Dispatch’s, and in one that knows nothing of the main queue",
    arguments: ["run-loop", "dispatch", "idle"])
  func loop(name: String) throws {
    let scratch = try ScratchFolder()
    try scratch.write("a tent", to: "desk/Note.md")
    let run = try Command.run(
      BuiltProgram.url(of: "DocumentProgram").path,
      [name, "edit", scratch["desk/Note.md"].path])
    #expect(run.exitCode == 0, "\(run.errorOutput)")
    #expect(
      run.output == """
        opened: a tent
        autosaved: a map
        noticed: a stove
        saved: true
        closed: true

        """)
    #expect(try scratch.read("desk/Note.md") == "a cup")
  }

  // MARK: Permissions, as a user who is not root

  private static let setpriv = "/usr/bin/setpriv"
  private static let canBeUser = FileManager.default.isExecutableFile(atPath: setpriv)

  private func run(_ story: String, in folder: URL, permissions: Int) throws -> String {
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    _ = try Command.run(
      "chown", ["-R", "65534:65534", folder.deletingLastPathComponent().path])
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: folder.path)
    let program = BuiltProgram.url(of: "DocumentProgram").path
    let run = try Command.run(
      Self.setpriv, user + [program, "run-loop", story, folder.appending(path: "Note.md").path])
    #expect(run.exitCode == 0, "\(run.errorOutput)")
    return run.output
  }

  @Test(
    "A document in a folder that can’t be written opens, can’t be changed, and says so",
    .enabled(if: canBeUser))
  func readOnlyFolder() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a tent", to: "desk/Note.md")
    let output = try run("look", in: scratch["desk"], permissions: 0o500)
    #expect(output == "opened: a tent\nread-only: true\nunsaved: false\nread-only\n")
    #expect(try scratch.read("desk/Note.md") == "a tent")
  }

  @Test(
    "A document from a folder that can’t be written can be edited where it is saved next",
    .enabled(if: canBeUser))
  func savedElsewhere() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a tent", to: "desk/Note.md")
    let output = try run("elsewhere", in: scratch["desk"], permissions: 0o500)
    #expect(output == "read-only: true\nnormal: true\n")
    #expect(try scratch.read("Copy.md") == "a map")
    #expect(try scratch.read("desk/Note.md") == "a tent")
  }

  @Test(
    "What is typed while permissions are taken is kept, and saved once they are back",
    .enabled(if: canBeUser))
  func lockedFolder() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a tent", to: "desk/Note.md")
    let output = try run("locked", in: scratch["desk"], permissions: 0o700)
    let note = scratch["desk/Note.md"].path
    #expect(
      output == "unsaved: true\nerror: Can’t create “\(note)”: Permission denied.\nsaved: a map\n")
  }
}
