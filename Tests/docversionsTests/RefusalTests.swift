internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Mistyped commands, which must not affect other documents.
@Suite(.blocks)
struct RefusalTests {
  private let program: Program

  init() throws { program = try Program() }

  /// A package with two versions.
  private func savePackage() throws {
    for text in ["1", "2"] {
      try program.write(text, to: "t.imagenotes/a")
      #expect(try program.run("save", "t.imagenotes").exitCode == 0)
    }
  }

  @Test func `a version of a package takes the place of no other folder`() throws {
    try savePackage()
    try program.write("precious", to: "Desktop/thesis.txt")
    for force in [[], ["--force"]] {
      let result = try program.run(
        ["restore", "t.imagenotes", "~1", "--to", "Desktop"] + force)
      #expect(result.exitCode == 5)
      #expect(result.errorOutput.contains("--to Desktop/t.imagenotes"))
      #expect(try program.read("Desktop/thesis.txt") == "precious")
    }
    let pasted = try program.run("restore", "t.imagenotes", "~1", "--to", "Desktop/t.imagenotes")
    #expect(pasted.exitCode == 0)
    #expect(try program.read("Desktop/t.imagenotes/a") == "1")
    // A package of that kind is intended.
    #expect(
      try program.run(
        "restore", "t.imagenotes", "current", "--to", "Desktop/t.imagenotes", "--force"
      ).exitCode == 0)
    #expect(try program.read("Desktop/t.imagenotes/a") == "2")
  }

  @Test func `a folder of documents is no repository to clone`() throws {
    try program.write("one", to: "notes/a.txt")
    #expect(try program.run("save", "--all", "notes").exitCode == 0)
    let refused = try program.run("clone", "notes", "copy")
    #expect(refused.exitCode == 2)
    let error = refused.errorOutput
    #expect(error.contains("is a folder of documents, not a repository"), "\(error)")
    #expect(error.contains("Add a third folder to it as a remote"))
    #expect(!program.exists("copy"))
  }

  @Test func `a folder with versions of documents is no document`() throws {
    try program.write("one", to: "a.txt")
    #expect(try program.run("save", "a.txt").exitCode == 0)
    let result = try program.run("save", "--package", ".")
    #expect(result.exitCode != 0)
    #expect(result.errorOutput.contains("keeps the versions of its documents"))
    #expect(!program.exists("../.docversions"))
  }

  @Test(arguments: [["save", "Trip.notes"], ["save", "--package", "Trip.notes"]])
  func `a folder whose documents have versions is not saved as one`(save: [String]) throws {
    try program.write("one", to: "Trip.notes/pages/a.md")
    #expect(try program.run("save", "--all", ".").exitCode == 0)
    let refused = try program.run(save)
    #expect(refused.exitCode != 0)
    #expect(refused.errorOutput.contains("contains documents with versions of their own"))
    #expect(refused.errorOutput.contains("docversions save --all Trip.notes"))
    #expect(try program.run("status").output.hasPrefix("Trip.notes/pages/a.md  unchanged"))
    // Once they are gone, it is like any other folder.
    #expect(try program.run("delete", "Trip.notes/pages/a.md").exitCode == 0)
    try program.write("two", to: "Trip.notes/pages/b.md")
    #expect(try program.run("save", "Trip.notes").exitCode == 0)
  }

  @Test func `what is of another kind, or has versions in it, is imported as no copy`() throws {
    try program.write("one", to: "a.txt")
    #expect(try program.run("save", "a.txt").exitCode == 0)
    try savePackage()
    try program.write("x", to: "Pictures/x")
    for copy in [".", "Pictures"] {
      let result = try program.run("import-copies", "--any-name", "a.txt", copy)
      #expect(result.exitCode != 0)
      #expect(result.errorOutput.contains("is a folder, and so no copy of “a.txt”"))
    }
    #expect(try program.run("import-copies", "t.imagenotes", "a.txt").exitCode != 0)
    #expect(try program.run("import-copies", "t.imagenotes", ".").exitCode != 0)
    #expect(try program.run("conflicts").output.contains("No conflicts"))
  }

  @Test func `undo after an import says what it was, and what helps`() throws {
    try program.write("one", to: "a.txt")
    #expect(try program.run("save", "a.txt").exitCode == 0)
    try program.write("two", to: "a (conflicted copy).txt")
    #expect(try program.run("import-copies", "a.txt", "a (conflicted copy).txt").exitCode <= 1)
    let result = try program.run("undo", "a.txt")
    #expect(result.exitCode != 0)
    #expect(result.errorOutput.contains("was the import of a copy"))
    let hint = try #require(result.errorOutput.split(separator: "\n").last)
    let command = hint.drop { $0 != ":" }.drop { [":", " "].contains($0) }
    #expect(command.hasPrefix("docversions mark-resolved a.txt "))
    #expect(try program.shell(String(command)).exitCode == 0)
  }

  @Test func `doctor takes nothing from a folder that is none for exchange`() throws {
    try program.write("one", to: "a.txt")
    #expect(try program.run("save", "a.txt").exitCode == 0)
    try program.write("x", to: "stick/x")
    let result = try program.run("doctor", "--from", "stick")
    #expect(result.exitCode != 0 && result.exitCode != 6)
    #expect(result.errorOutput.contains("stick” isn’t an exchange folder"))
  }

  @Test func `a path that leads up from a link names what the system finds there`() throws {
    try program.write("there\n", to: "elsewhere/x.md")
    try program.write("", to: "elsewhere/sub/.keep")
    try program.write("here\n", to: "x.md")
    try FileManager.default.createSymbolicLink(
      at: program.folder["link"], withDestinationURL: program.folder["elsewhere/sub"])
    #expect(try program.run("save", "link/../x.md", "x.md").exitCode == 0)
    #expect(try program.run("show", "elsewhere/x.md", "current").output == "there\n")
    #expect(try program.run("show", "x.md", "current").output == "here\n")
  }

  @Test(
    "A name that begins with a tilde is one, as the shell has handed it over",
    arguments: ["~", "~/x.md", "~root/x.md"])
  func tilde(name: String) throws {
    let program = try Program()
    try FileManager.default.createDirectory(
      at: program.folder.url.appending(path: name).deletingLastPathComponent(),
      withIntermediateDirectories: true)
    try program.write("text\n", to: "./" + name)
    #expect(try program.run("save", name).exitCode == 0)
    #expect(try program.versions(of: name).count == 1)
    #expect(try program.run("delete", name).exitCode == 0)
    #expect(!program.exists("./" + name))
  }
}
