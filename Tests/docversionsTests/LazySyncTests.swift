import DocumentTestSupport
import Foundation
import Testing

/// A device that lists the documents in an exchange folder, and has only some of them.
@Suite("sync --lazy through a folder", .blocks)
struct LazySyncTests {
  private let program: Program

  init() throws {
    program = try Program()
    try FileManager.default.createDirectory(
      at: program.folder["mira"], withIntermediateDirectories: true)
    try mira("container", "init")
    for name in ["a.md", "b.md"] { try program.write("\(name)\n", to: "mira/\(name)") }
    try mira("save", "--all")
    try mira("remote", "add", "stick", address)
    try mira("sync")
    try program.run("clone", "--lazy", address, "tom")
  }

  private var address: String { "file://\(program.folder["stick"].path)" }

  @discardableResult
  private func mira(_ arguments: String...) throws -> Command.Result {
    try run(arguments, as: "mira")
  }

  @discardableResult
  private func tom(_ arguments: String...) throws -> Command.Result {
    try run(arguments, as: "tom")
  }

  private func run(_ arguments: [String], as name: String) throws -> Command.Result {
    var program = program
    (program.author, program.device, program.place) = (name.capitalized, "\(name)-laptop", name)
    return try program.run(arguments)
  }

  @Test("What was downloaded leaves the device again, and comes again")
  func eviction() throws {
    #expect(try tom("find", "--not-downloaded").output == "a.md\nb.md\n")
    #expect(try tom("download", "a.md").exitCode == 0)
    let gone = try tom("evict", "a.md")
    #expect(gone.exitCode == 0, "\(gone.errorOutput)")
    #expect(!program.exists("tom/a.md"))
    try tom("download", "a.md")
    #expect(try program.read("tom/a.md") == "a.md\n")
    try program.write("by Tom\n", to: "tom/a.md")
    #expect(try tom("evict", "a.md").exitCode != 0)
    try tom("save", "a.md")
    // It is sent first.
    #expect(try tom("evict", "a.md").exitCode == 0)
    try mira("sync")
    #expect(try program.read("mira/a.md") == "by Tom\n")
    try tom("download", "a.md")
    #expect(try program.read("tom/a.md") == "by Tom\n")
  }

  @Test("A remote that is removed takes the documents along that only it has, and names them")
  func twoRemotes() throws {
    let other = "file://\(program.folder["other"].path)"
    try mira("remote", "add", "other", other)
    try mira("sync", "other")
    try program.write("c.md\n", to: "mira/c.md")
    try mira("save", "c.md")
    try mira("sync", "stick")
    try tom("remote", "add", "other", other)
    try tom("sync", "origin")
    try tom("sync", "other")
    #expect(try tom("find", "--not-downloaded").output == "a.md\nb.md\nc.md\n")
    // Both have a.md, each under the same list entry.
    #expect(try tom("download", "a.md").exitCode == 0)
    let removed = try tom("remote", "remove", "origin")
    #expect(removed.exitCode == 0, "\(removed.errorOutput)")
    #expect(
      removed.output.contains("1 document that is not downloaded left the list with it:\n  c.md"))
    #expect(try tom("find", "--not-downloaded").output == "b.md\n")
    #expect(try tom("download", "b.md").exitCode == 0)
    #expect(try program.read("tom/b.md") == "b.md\n")
    let last = try tom("remote", "remove", "other", "--json")
    #expect(last.output.contains(#""unlisted""#), "\(last.output)")
    #expect(try tom("status").exitCode == 0)
  }

  @Test("A folder that has lost contents lets nothing leave the device")
  func lostContents() throws {
    try tom("download", "a.md", "b.md")
    let packs = program.folder["stick/objects"]
    try FileManager.default.removeItem(at: packs)
    try FileManager.default.createDirectory(
      at: packs.appending(path: "pack"), withIntermediateDirectories: true)
    #expect(try tom("evict", "a.md").exitCode != 0)
    #expect(try program.read("tom/a.md") == "a.md\n")
  }

  @Test(
    "A folder that is missing or empty takes no listed document away",
    arguments: ["missing", "empty"])
  func emptied(_ how: String) throws {
    let (stick, aside) = (program.folder["stick"], program.folder["aside"])
    try FileManager.default.moveItem(at: stick, to: aside)
    if how == "empty" {
      try FileManager.default.createDirectory(at: stick, withIntermediateDirectories: true)
    }
    for arguments in [["sync"], ["download", "a.md"]] {
      let result = try run(arguments, as: "tom")
      #expect(result.exitCode != 0)
      #expect(result.errorOutput.contains("is empty now"), "\(result.errorOutput)")
    }
    #expect(try tom("find", "--not-downloaded").output == "a.md\nb.md\n")
    if program.exists("stick") { try FileManager.default.removeItem(at: stick) }
    try FileManager.default.moveItem(at: aside, to: stick)
    #expect(try tom("download", "a.md").exitCode == 0)
    #expect(try program.read("tom/a.md") == "a.md\n")
  }
}
