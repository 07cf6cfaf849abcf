import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Replacing files")
struct WriterTests {
  @Test(
    "Permissions stay; only the executable bit follows the version",
    arguments: [
      (0o600, false, 0o600), (0o640, false, 0o640), (0o644, false, 0o644), (0o400, false, 0o400),
      (0o755, true, 0o755), (0o600, true, 0o700), (0o644, true, 0o755), (0o440, true, 0o550),
      (0o755, false, 0o644), (0o711, false, 0o600),
    ] as [(UInt32, Bool, UInt32)])
  func permissions(before: UInt32, isExecutable: Bool, after: UInt32) throws {
    let place = try Place()
    try place.write("old", to: "a.txt", permissions: before)
    try place.replace("a.txt", with: .text("new", isExecutable: isExecutable))
    #expect(try place.text(of: "a.txt") == "new")
    #expect(try place.permissions(of: "a.txt") == after)
    #expect(try place.names() == ["a.txt"])
  }

  @Test("A new file gets the permissions that any program's would")
  func newFile() throws {
    let place = try Place()
    try #require(try Command.run("touch", [place["model"].string]).exitCode == 0)
    try DocumentWriter.replace(place["a"], with: .text("x"), displacing: nil)
    #expect(try place.permissions(of: "a") == place.permissions(of: "model"))
    try DocumentWriter.replace(place["b"], with: .text("x", isExecutable: true), displacing: nil)
    #expect(try place.permissions(of: "b") & 0o100 == 0o100)
  }

  @Test("A private document is private at every moment, whatever it becomes")
  func neverReadable() throws {
    let place = try Place()
    let seen = Seen()
    func look() throws {
      for name in try place.names() where name.hasPrefix(".docversions-") {
        try seen.add(name, place.permissions(of: name))
        let isFolder = try place.status(of: name).kind == .folder
        for member in isFolder ? try place.names(in: name) : [] {
          try seen.add(member, place.permissions(of: "\(name)/\(member)"))
        }
      }
    }
    try place.write("x", to: "Diary.pack/day", permissions: 0o600)
    try place.setPermissions(0o700, of: "Diary.pack")
    try place.replace(
      "Diary.pack",
      with: .package([
        ("day", .text("y", after: look)), ("night", .text("z", after: look)),
        ("notes", .package([("inner", .text("i", after: look))])),
      ]))
    // New members may be readable for others, but not their folder.
    let closed = seen.permissions.filter { $0.key != "night" && $0.key != "notes" }
    #expect(closed.count == 2)
    #expect(closed.values.allSatisfy { $0 & 0o077 == 0 })

    try place.replace("Diary.pack", with: .text("flat"))
    #expect(try place.permissions(of: "Diary.pack") == 0o600)
    try place.replace("Diary.pack", with: .package([("day", .text("y"))]))
    #expect(try place.permissions(of: "Diary.pack") == 0o700)
  }

  /// The findings of a check of unfinished items.
  private final class Seen {
    var permissions: [String: UInt32] = [:]
    func add(_ name: String, _ value: UInt32) { permissions[name] = value }
  }

  @Test("A private file is never readable to others while it is replaced")
  func neverReadableInPassing() throws {
    let place = try Place()
    try place.write("old", to: "secret", permissions: 0o600)
    let watch = Meanwhile { _ in
      for name in try Folder.names(in: place.root) {
        let status = try FileStatus.of(place.root.appending(bytes: name))
        try #require(status == nil || status?.permissions == 0o600)
      }
    }
    for number in 0..<50 {
      try place.replace("secret", with: .text(String(repeating: "\(number)", count: 10_000)))
    }
    try watch.stop()
  }

  @Test(
    "Extended attributes stay",
    .enabled(
      if: ExtendedAttributes.areSupported, "this folder or machine can’t set user.* attributes"))
  func extendedAttributes() throws {
    let place = try Place()
    try place.write("old", to: "a.txt")
    try place.write("old", to: "P.pack/member")
    for name in ["a.txt", "P.pack", "P.pack/member"] {
      try ExtendedAttributes.set("user.origin", "https://example.org/\(name)", of: place[name])
    }
    try place.replace("a.txt", with: .text("new"))
    try place.replace("P.pack", with: .package([("member", .text("new"))]))
    for name in ["a.txt", "P.pack", "P.pack/member"] {
      #expect(
        try ExtendedAttributes.get("user.origin", of: place[name]) == "https://example.org/\(name)")
    }
    #expect(try place.text(of: "P.pack/member") == "new")
  }

  @Test("Owner and group stay", .enabled(if: geteuid() == 0, "only root can give files away"))
  func ownership() throws {
    let place = try Place()
    for name in ["a.txt", "P.pack/member"] { try place.write("old", to: name) }
    for name in ["a.txt", "P.pack", "P.pack/member"] {
      try #require(chown(place[name].string, 12_345, 54_321) == 0)
    }
    try place.setPermissions(0o640, of: "a.txt")
    try place.replace("a.txt", with: .text("new"))
    try place.replace("P.pack", with: .package([("member", .text("new"))]))
    for name in ["a.txt", "P.pack", "P.pack/member"] {
      let status = try place.status(of: name)
      #expect(status.owner == 12_345)
      #expect(status.group == 54_321)
    }
    #expect(try place.permissions(of: "a.txt") == 0o640)
  }

  @Test(
    "Where the group can't stay, it gets no more rights than others",
    .enabled(if: geteuid() == 0, "only root can make a file of another group"))
  func foreignGroup() async throws {
    let place = try Place()
    try place.write("old", to: "a.txt", permissions: 0o2664)
    try place.setPermissions(0o777, of: "")
    let root = place.root.string
    await #expect(processExitsWith: .success) { [root = root as String] in
      Nobody.become()
      let path = FilePath(root).appending("a.txt")
      try DocumentWriter.replace(
        path, with: .text("new"), displacing: ItemListing(path, limits: nil))
      #expect(try FileStatus.of(path)?.permissions == 0o644)
    }
    #expect(try place.text(of: "a.txt") == "new")
  }

  @Test("A reader never finds half a file, and never none")
  func wholeAtEveryMoment() throws {
    let place = try Place()
    let texts = ["a", "b"].map { String(repeating: $0, count: 200_000) }
    try place.write(texts[0], to: "a.txt")
    let reading = Meanwhile { _ in
      let text = try place.text(of: "a.txt")
      try #require(texts.contains(text))
    }
    for number in 1...40 { try place.replace("a.txt", with: .text(texts[number % 2])) }
    try reading.stop()
  }

  @Test(
    "An edit in the last instant is kept, and reported",
    arguments: LastInstant.allCases)
  func lastInstant(edit: LastInstant) throws {
    let place = try Place()
    try place.write("old", to: "a.txt")
    expectFileError(.changing) {
      try place.replace("a.txt", with: .text("new") { try edit.make(in: place) })
    }
    #expect(try place.names() == (edit == .removed ? [] : ["a.txt"]))
    if edit == .rewritten || edit == .replaced { #expect(try place.text(of: "a.txt") == "edit") }
  }

  /// A change by another process while the replacement of a document is made.
  enum LastInstant: CaseIterable {
    case rewritten, replaced, removed, linked, folder

    func make(in place: Place) throws {
      let path = place["a.txt"].string
      switch self {
      case .rewritten:
        let file = try FileHandle(forWritingTo: place.scratch["a.txt"])
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data("edit".utf8))
      case .replaced: try Data("edit".utf8).write(to: place.scratch["a.txt"], options: .atomic)
      case .removed: try #require(unlink(path) == 0)
      case .linked:
        try #require(unlink(path) == 0)
        try place.makeLink("a.txt", to: "nowhere")
      case .folder:
        try #require(unlink(path) == 0)
        try place.makeFolder("a.txt")
      }
    }
  }

  @Test("A document that was removed stays if it was edited in the last instant")
  func removing() throws {
    let place = try Place()
    try place.write("old", to: "a.txt")
    let facts = try ItemListing(place["a.txt"], limits: nil)
    try place.write("edit", to: "a.txt")
    expectFileError(.changing) { try DocumentWriter.remove(place["a.txt"], displacing: facts) }
    #expect(try place.text(of: "a.txt") == "edit")
    try DocumentWriter.remove(
      place["a.txt"], displacing: ItemListing(place["a.txt"], limits: nil))
    #expect(try place.names().isEmpty)
  }

  @Test("A new document never replaces one that is there", arguments: ["file", "folder", "link"])
  func nothingThere(kind: String) throws {
    let place = try Place()
    switch kind {
    case "file": try place.write("mine", to: "a")
    case "folder": try place.makeFolder("a")
    default: try place.makeLink("a", to: "nowhere")
    }
    let before = try place.status(of: "a")
    expectFileError(.exists) {
      try DocumentWriter.replace(place["a"], with: .text("new"), displacing: nil)
    }
    expectFileError(.exists) {
      try DocumentWriter.move(place.write("other", to: "b"), to: place["a"])
    }
    #expect(try place.status(of: "a") == before)
    #expect(try place.names() == ["a", "b"])
  }

  @Test("Contents that can't be had leave everything as it was", arguments: [false, true])
  func failure(isPackage: Bool) throws {
    struct NoContents: Error {}
    let place = try Place()
    try place.write("old", to: isPackage ? "a/member" : "a")
    let file = DocumentItem.text("new") { throw NoContents() }
    #expect(throws: NoContents.self) {
      try place.replace(
        "a", with: isPackage ? .package([("first", .text("x")), ("member", file)]) : file)
    }
    #expect(try place.text(of: isPackage ? "a/member" : "a") == "old")
    #expect(try place.names() == ["a"])
  }

  @Test("In a folder that can't be written, nothing is permitted and nothing changes")
  func unwritableFolder() async throws {
    let place = try Place()
    try place.write("old", to: "closed/a.txt")
    try place.write("old", to: "closed/P.pack/member")
    try place.setPermissions(0o555, of: "closed")
    let root = place.root.string
    await #expect(processExitsWith: .success) { [root = root as String] in
      Nobody.become()
      for name in ["a.txt", "P.pack"] {
        let path = FilePath(root).appending("closed").appending(name)
        let facts = try ItemListing(path, limits: nil)
        expectFileError(.notPermitted) {
          try DocumentWriter.replace(path, with: .text("new"), displacing: facts)
        }
        expectFileError(.notPermitted) { try DocumentWriter.remove(path, displacing: facts) }
        expectFileError(.notPermitted) {
          try DocumentWriter.move(path, to: path.parentFolder.appending("other"))
        }
      }
    }
    #expect(try place.names(in: "closed") == ["P.pack", "a.txt"])
    #expect(try place.text(of: "closed/a.txt") == "old")
    try place.setPermissions(0o755, of: "closed")
  }

  @Test("A file that can't be read is not permitted, and named in the error")
  func unreadable() async throws {
    let place = try Place()
    try place.write("secret", to: "a.txt", permissions: 0o000)
    let path = place["a.txt"].string
    await #expect(processExitsWith: .success) { [path = path as String] in
      Nobody.become()
      let error = expectFileError(.notPermitted) {
        _ = try DocumentReader.read(FilePath(path)) { Lister() }
      }
      #expect(error?.message.contains("a.txt") == true)
    }
  }
}

/// Extended attributes, which Swift's C library does not show: set and read by Python.
enum ExtendedAttributes {
  static let areSupported: Bool = {
    do {
      let place = try Place()
      try set("user.probe", "1", of: place.write("", to: "probe"))
      return true
    } catch {
      return false
    }
  }()

  static func set(_ name: String, _ value: String, of path: FilePath) throws {
    _ = try python("os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())", path, name, value)
  }

  static func get(_ name: String, of path: FilePath) throws -> String {
    try python("print(os.getxattr(sys.argv[1], sys.argv[2]).decode(), end='')", path, name)
  }

  private static func python(_ script: String, _ path: FilePath, _ rest: String...) throws -> String
  {
    let result = try Command.run(
      "python3", ["-c", "import os, sys; " + script, path.string] + rest)
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    return result.output
  }
}
