import DocumentTestSupport
import Foundation
import Testing

/// A document in programs with event loops of their own, each a real process.
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
}
