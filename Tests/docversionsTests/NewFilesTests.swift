import DocumentTestSupport
import Foundation
import Testing

/// Files that have no versions: they are named, and saved all at once.
@Suite("New files")
struct NewFilesTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("a", to: "a.md")
    try program.run("save", "a.md")
  }

  @Test("Status counts them, and save takes them with what was edited")
  func counted() throws {
    for name in [
      "b.md", "sub/c.md", "sub/Trip.rtfd/TXT.rtf", ".hidden", "sub/.#c.md", "b.md~", "sub/d.tmp",
      "a (Mira's conflicted copy 2026-11-22).md", "code/.git/config", "code/main.c",
      "apart/.docversions/documents/x", "apart/e.md",
    ] {
      try program.write(name, to: name)
    }
    try program.write("edited", to: "a.md")
    let status = try program.run("status").output
    #expect(status.contains("\n3 new: b.md, sub/Trip.rtfd, sub/c.md\n"), "\(status)")
    #expect(status.contains("Save what is new, too:  docversions save --all\n"))
    let answer = try program.json("status")["new"] as? [String]
    #expect(answer?.map { URL(filePath: $0).lastPathComponent } == ["b.md", "Trip.rtfd", "c.md"])
    let plan = try program.run("save", "--all", "--dry-run").output
    #expect(plan.split(separator: "\n").count == 4, "\(plan)")
    let saved = try program.run("save", "--all")
    #expect(saved.exitCode == 0)
    #expect(saved.output.split(separator: "\n").count == 4, "\(saved.output)")
    #expect(try !program.run("status").output.contains("new"))
    #expect(try program.run("save", "--all").output == "Nothing to save.\n")
  }

  @Test("Many are reported in one line, in a folder that becomes one container")
  func many() throws {
    let program = try Program()
    for number in 1...12 { try program.write("\(number)", to: "notes/\(number % 3)/\(number).md") }
    #expect(try program.run("save", "--all", "notes").output == "Saved 12 documents.\n")
    #expect(program.exists("notes/.docversions"))
    #expect(!program.exists("notes/1/.docversions"))
  }

  @Test("What is to be saved is named, or all of it is asked for")
  func usage() throws {
    #expect(try program.run("save").exitCode == 2)
    #expect(try program.run("save", "--all", "--package").exitCode == 2)
  }
}
