internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// `container`, as a person uses it.
@Suite(.blocks)
struct ContainerCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  private func run(_ arguments: String..., home: String = "home") throws -> Command.Result {
    try program.run(
      ["container"] + arguments,
      environment: ["HOME": program.folder[home].path, "XDG_DATA_HOME": ""])
  }

  @Test func `a container is made, found and listed`() throws {
    let folder = "home/.local/share/docversions/containers/org.example.notes"
    #expect(try run("list").output.contains("No containers yet"))
    let missing = try run("path", "org.example.notes")
    #expect(missing.exitCode == 3)
    #expect(missing.errorOutput.contains("docversions container create org.example.notes"))
    let made = try run("create", "org.example.notes")
    #expect(made.exitCode == 0, "\(made.errorOutput)")
    #expect(program.exists(folder + "/Documents"))
    #expect(program.exists(folder + "/.docversions"))
    #expect(try run("create", "org.example.notes").output == made.output)
    let path = program.folder[folder].path
    #expect(try run("path", "org.example.notes").output == path + "\n")
    #expect(try run("list").output.hasPrefix("org.example.notes  "))
    let answer = try Program.object(run("path", "org.example.notes", "--json").output)
    #expect(answer["container"] as? String == path)
    #expect(answer["documents"] as? String == path + "/Documents")
    #expect(answer["identifier"] as? String == "org.example.notes")
    let list = try Program.object(run("list", "--json").output)["containers"] as? [[String: Any]]
    #expect(list?.count == 1)
  }

  @Test func `an app declares how its container is shown`() throws {
    let id = "org.example.notes"
    #expect(try run("create", id, "--name", "Notes", "--public").exitCode == 0)
    #expect(try run("create", id).exitCode == 0)
    #expect(try run("list").output.contains(/org.example.notes +Notes +public/))
    let answer = try Program.object(run("path", id, "--json").output)
    #expect(answer["name"] as? String == "Notes")
    #expect(answer["public"] as? Bool == true)
    #expect(answer["folderLevels"] as? String == "None")
    #expect(try run("create", id, "--folder-levels", "any").exitCode == 0)
    #expect(try run("create", id, "--folder-levels", "some").exitCode == 2)
  }

  @Test(arguments: ["", "../a", "a/b", ".", "a b", "ä"])
  func `a bad identifier is refused, and nothing is made`(identifier: String) throws {
    for command in ["create", "path"] {
      let refused = try run(command, "--", identifier)
      #expect(refused.exitCode == 2, "\(refused.errorOutput)")
      #expect(refused.errorOutput.contains("isn’t a valid identifier"))
    }
    #expect(!program.exists("home/.local"))
  }

  @Test func `XDG_DATA_HOME says where, as a path from the root`() throws {
    let data = program.folder["data"].path
    let made = try program.run(
      "container", "create", "a", environment: ["HOME": "/nowhere", "XDG_DATA_HOME": data])
    #expect(made.exitCode == 0, "\(made.errorOutput)")
    #expect(program.exists("data/docversions/containers/a/Documents"))
    let home = program.folder["home"].path
    try program.run(
      "container", "create", "a", environment: ["HOME": home, "XDG_DATA_HOME": "data"])
    #expect(program.exists("home/.local/share/docversions/containers/a/Documents"))
  }

  @Test func `two devices share a container through a remote`() throws {
    for device in ["one", "two"] {
      try #require(run("create", "org.example.notes", home: device).exitCode == 0)
      let path = "\(device)/.local/share/docversions/containers/org.example.notes"
      try program.write("\(device)\n", to: "\(path)/Documents/\(device).md")
      for command in [
        ["remote", "add", "origin", "file://\(program.folder["cloud"].path)", "--in", path],
        ["save", "--all", path], ["sync", "--in", path],
      ] {
        let result = try program.run(command, environment: ["DOCVERSIONS_DEVICE": device])
        #expect(result.exitCode == 0, "\(command): \(result.errorOutput)")
      }
    }
    #expect(
      try program.read(
        "two/.local/share/docversions/containers/org.example.notes/Documents/one.md") == "one\n")
  }

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
