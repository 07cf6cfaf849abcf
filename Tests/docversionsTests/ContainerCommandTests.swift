internal import DocumentTestSupport
internal import Testing

/// `container`, as a person uses it.
@Suite(.blocks)
struct ContainerCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test(arguments: ["new", "new/inside it"])
  func `a folder that is not there yet is made`(folder: String) throws {
    let made = try program.run("container", "init", folder)
    #expect(made.exitCode == 0, "\(made.errorOutput)")
    try program.write("text", to: folder + "/note.md")
    try program.run("save", folder + "/note.md")
    #expect(program.exists(folder + "/.docversions"))
    #expect(!program.exists(".docversions"))
  }

  @Test func `a file in the place of the folder is refused and stays`() throws {
    try program.write("text", to: "note.md")
    let refused = try program.run("container", "init", "note.md")
    #expect(refused.exitCode != 0)
    #expect(refused.errorOutput.contains("“note.md” is not a folder."))
    let inside = try program.run("container", "init", "note.md/folder")
    #expect(inside.exitCode != 0)
    #expect(inside.errorOutput.contains("note.md"))
    #expect(try program.read("note.md") == "text")
  }
}
