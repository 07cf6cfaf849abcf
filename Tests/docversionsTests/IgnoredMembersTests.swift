import DocumentTestSupport
import Foundation
import Testing

/// Files of editors, systems and sync tools in a package, which aren't members of it.
@Suite("Files of programs in packages", .blocks)
struct IgnoredMembersTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("a", to: "p.notes/1.md")
    try program.write("b", to: "p.notes/sub/2.md")
  }

  private static let own = [
    ".DS_Store", "1.md~", "#1.md#", ".1.md.swp", "sub/.~lock.2.odt#", "sub/.syncthing.2.md.tmp",
  ]

  private func addOwnFiles() throws {
    for name in Self.own { try program.write("of a program", to: "p.notes/\(name)") }
    try FileManager.default.createSymbolicLink(
      atPath: program.folder["p.notes/.#1.md"].path, withDestinationPath: "mira@laptop.12:1")
  }

  private func expectOwnFiles() {
    for name in Self.own { #expect(program.exists("p.notes/\(name)"), "\(name)") }
    #expect(
      FileManager.default.isLink(program.folder["p.notes/.#1.md"]), "the lock of Emacs has gone")
  }

  @Test("They are in no version, make no edit, and stay where they are")
  func leftOut() throws {
    try program.run("save", "p.notes")
    try addOwnFiles()
    #expect(try program.state("p.notes") == "unchanged")
    #expect(try program.run("diff", "p.notes").output.isEmpty)
    try program.write("more", to: "p.notes/1.md")
    try program.run("save", "p.notes")
    let members = try program.run("show", "p.notes").output
    #expect(!members.contains("DS_Store") && !members.contains("swp"), "\(members)")
    #expect(try program.run("restore", "p.notes", "~1").exitCode == 0)
    #expect(try program.read("p.notes/1.md") == "a")
    expectOwnFiles()
    #expect(try program.state("p.notes") == "unchanged")
    // Several members change at once, so the whole package is replaced.
    try program.write("x", to: "p.notes/1.md")
    try program.write("y", to: "p.notes/sub/2.md")
    try program.write("z", to: "p.notes/3.md")
    try program.run("save", "p.notes")
    #expect(try program.run("restore", "p.notes", "~1").exitCode == 0)
    #expect(!program.exists("p.notes/3.md"))
    expectOwnFiles()
    #expect(try program.run("verify", "p.notes").exitCode == 0)
  }

  @Test("A version that holds one keeps it, and so does what is saved after it")
  func older() throws {
    // As it was saved before there were rules.
    try program.write("!.DS_Store\n", to: ".docversionsignore")
    try program.write("old", to: "p.notes/.DS_Store")
    try program.run("save", "p.notes")
    try FileManager.default.removeItem(at: program.folder[".docversionsignore"])
    #expect(try program.state("p.notes") == "unchanged")
    try program.write("more", to: "p.notes/1.md")
    try program.run("save", "p.notes")
    #expect(try program.run("show", "p.notes").output.contains(".DS_Store"))
    try FileManager.default.removeItem(at: program.folder["p.notes/.DS_Store"])
    #expect(try program.state("p.notes") == "edited")
    try program.run("save", "p.notes")
    try program.write("of Finder", to: "p.notes/.DS_Store")
    #expect(try program.state("p.notes") == "unchanged")
    #expect(try program.run("restore", "p.notes", "~1").exitCode == 0)
    #expect(try program.read("p.notes/.DS_Store") == "old")
    #expect(try program.state("p.notes") == "unchanged")
  }

  @Test("A container says what else is none, and what is one all the same")
  func lists() throws {
    try program.write("*.cache\n!.DS_Store\n**/sub/scratch/\n", to: ".docversionsignore")
    for name in ["1.cache", ".DS_Store", "sub/scratch/x", ".1.md.swp"] {
      try program.write(name, to: "p.notes/\(name)")
    }
    try program.run("save", "p.notes")
    let members = try program.run("show", "p.notes").output
    #expect(members.contains(".DS_Store") && members.contains("sub/2.md"), "\(members)")
    for name in ["cache", "scratch", "swp"] { #expect(!members.contains(name), "\(members)") }
    let status = try program.run("status", "--ignored").output
    #expect(status.contains("p.notes/1.cache"), "\(status)")
    #expect(status.contains("“*.cache” in .docversionsignore"), "\(status)")
    #expect(status.contains("“.*.sw[a-p]” by default"), "\(status)")
    let ignored = try program.json("status", "--ignored")["ignored"] as? [[String: Any]]
    let rules = ignored?.compactMap { $0["rule"] as? String } ?? []
    #expect(rules.contains("**/sub/scratch/"), "\(rules)")
  }

  @Test("New files follow the same lists")
  func newFiles() throws {
    try program.run("save", "p.notes")
    try program.write("drafts/\n!.profile\n", to: ".docversionsignore")
    for name in ["drafts/x.md", ".profile", "n.md", "n.md.bak", "cache/CACHEDIR.TAG", "cache/y.md"]
    {
      try program.write("x", to: name)
    }
    let new = try program.json("status")["new"] as? [String] ?? []
    #expect(
      new.map { URL(filePath: $0).lastPathComponent } == [".docversionsignore", ".profile", "n.md"])
    let status = try program.run("status", "--ignored").output
    #expect(status.contains("a folder that programs fill"), "\(status)")
    #expect(status.contains("“*.bak” by default"), "\(status)")
  }

  @Test("Two people who only have pages open merge without a question")
  func exchanged() throws {
    let other = try Program()
    let peer = try ScratchFolder()
    func exchange(_ program: Program) throws { try program.run("exchange", peer.url.path) }
    try program.run("save", "p.notes")
    try exchange(program)
    try other.run("container", "init", ".")
    try exchange(other)
    for (desk, name) in [(program, "1.md"), (other, "sub/2.md")] {
      try desk.write("of \(name)", to: "p.notes/.DS_Store")
      try desk.write("edited", to: "p.notes/\(name)")
      try desk.run("save", "p.notes")
      try exchange(desk)
    }
    #expect(try other.run("resolve", "--merge", "p.notes").exitCode == 0)
    #expect(try other.read("p.notes/.DS_Store") == "of sub/2.md")
    try exchange(other)
    try exchange(program)
    #expect(try program.read("p.notes/sub/2.md") == "edited")
    #expect(try program.read("p.notes/.DS_Store") == "of 1.md")
  }
}

extension FileManager {
  fileprivate func isLink(_ url: URL) -> Bool {
    do {
      return try attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        == .typeSymbolicLink
    } catch {
      return false
    }
  }
}

extension Program {
  fileprivate func state(_ file: String) throws -> String? {
    let documents = try json("status", file)["documents"] as? [[String: Any]]
    return documents?.first?["state"] as? String
  }
}
