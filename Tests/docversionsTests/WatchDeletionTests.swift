import DocumentTestSupport
import Foundation
import Testing

/// Documents whose files go while a watcher keeps their folder.
@Suite("Watching folders from which files go", .blocks)
struct WatchDeletionTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: program.folder[name])
  }

  /// Returns whether the watcher has seen a change that it hasn't saved.
  private func seesChange() throws -> Bool {
    try program.run("watch", "--status").output.contains("; 1 document to save")
  }

  @Test("What is deleted is deleted on every device, and undoing that brings it back")
  func deleted() throws {
    let desks = try TwoDesks(program)
    let tom = desks.tom
    for name in ["n.md", "other.md", "sub/deep.md"] { try program.write("text", to: name) }
    try program.run("save", "--all")
    for desk in [program, tom] { #expect(try desk.run("sync").exitCode == 0) }
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try remove("n.md")
    try remove("sub")
    #expect(try watcher.waits(for: "Recorded that n.md was deleted"))
    #expect(try watcher.waits(for: "Recorded that sub/deep.md was deleted"))
    #expect(try watcher.waits(for: "Synced with origin: sent 2"))
    #expect(try program.run("watch", "--status").output.contains("2 deletions recorded"))
    #expect(try tom.run("sync").exitCode == 0)
    #expect(!tom.exists("n.md") && !tom.exists("sub/deep.md") && tom.exists("other.md"))
    #expect(try watcher.text.contains("docversions undo n.md"))
    #expect(try program.run("undo", "n.md").exitCode == 0)
    #expect(try program.read("n.md") == "text")
    #expect(try watcher.stop() == 0)
    for desk in [program, tom] { #expect(try desk.run("sync").exitCode == 0) }
    #expect(try tom.read("n.md") == "text")
    #expect(try watcher.text.components(separatedBy: "Recorded").count == 3)
  }

  @Test("The line about a deleted folder names the command that brings all of it back")
  func folder() throws {
    for number in 0..<60 { try program.write("\(number)", to: "kept/\(number).md") }
    for number in 0..<30 { try program.write("\(number)", to: "X/in/\(number).md") }
    try program.write("old", to: "X/old.md")
    try program.run("save", "--all")
    try program.run("delete", "X/old.md")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try remove("X")
    #expect(try watcher.waits(for: "Recorded that 30 documents in X/in were deleted; back:  "))
    let text = try watcher.text
    let start = try #require(text.range(of: "docversions restore X/in ")).lowerBound
    let command = try #require(text[start...].split(separator: "\n").first)
    #expect(try program.shell(String(command)).exitCode == 0)
    for number in 0..<30 { #expect(try program.read("X/in/\(number).md") == "\(number)") }
    #expect(!program.exists("X/old.md"))
    #expect(try watcher.stop() == 0)
  }

  @Test("What was missing at the start, what is moved, and most documents at once are not deleted")
  func kept() throws {
    for number in 0..<40 { try program.write("\(number)", to: "a/\(number).md") }
    for name in ["before.md", "moved.md", "copied.md"] { try program.write(name, to: name) }
    try program.run("save", "--all")
    try remove("before.md")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "43 documents, 1 missing."))
    // As rclone leaves what both devices changed.
    for name in ["copied.md..path1", "copied.md..path2"] { try program.write(name, to: name) }
    try remove("copied.md")
    try remove("a")
    try FileManager.default.createDirectory(
      at: program.folder["sub"], withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: program.folder["moved.md"], to: program.folder["sub/moved.md"])
    #expect(try watcher.waits(for: "Saved sub/moved.md · "))
    #expect(try watcher.waits(for: " (renamed from moved.md)"))
    #expect(try watcher.waits(for: "40 documents have gone from "))
    #expect(try watcher.stop() == 0)
    #expect(try !watcher.text.contains("Recorded"))
    let status = try program.json("status")["documents"] as? [[String: Any]] ?? []
    #expect(status.count { $0["state"] as? String == "missing" } == 42)
  }

  @Test(
    "A document that was moved is the same one, also where an editor replaces it before it is saved",
    arguments: ["sub/n.md", "renamed.md"])
  func movedAndReplaced(place: String) throws {
    try program.write("text", to: "n.md")
    try program.write("other", to: "sub/other.md")
    try program.run("save", "--all")
    let watcher = try Watcher(program, every: "5s")
    #expect(try watcher.waits(for: "Keeping"))
    try FileManager.default.moveItem(at: program.folder["n.md"], to: program.folder[place])
    #expect(try watcher.waits(for: " (renamed from n.md)"))
    try program.write("edited", to: "new.tmp")
    #expect(rename(program.folder["new.tmp"].path, program.folder[place].path) == 0)
    #expect(try watcher.waits(for: "Saved \(place) · ", times: 2))
    #expect(try watcher.stop() == 0)
    #expect(try program.versions(of: place).count == 3)
  }

  @Test(
    "A document that an editor replaces and a person moves before it is saved is the same one",
    arguments: ["renamed.md", "sub/n.md", "sub/renamed.md"])
  func replacedAndMoved(place: String) throws {
    try program.write("text", to: "n.md")
    try program.write("other", to: "sub/other.md")
    try program.run("save", "--all")
    let watcher = try Watcher(program, every: "8s")
    #expect(try watcher.waits(for: "Keeping"))
    try program.write("edited", to: "new.tmp")
    #expect(rename(program.folder["new.tmp"].path, program.folder["n.md"].path) == 0)
    #expect(try eventually { try seesChange() })
    try FileManager.default.moveItem(at: program.folder["n.md"], to: program.folder[place])
    #expect(try watcher.waits(for: "Saved \(place) · "))
    #expect(try watcher.stop() == 0)
    #expect(try watcher.text.contains(" (renamed from n.md)"))
    #expect(try !watcher.text.contains("deleted"))
    #expect(try program.versions(of: place).count == 2)
  }

  @Test("A new file in the place of a deleted edited document is another one")
  func deletedAndNew() throws {
    try program.write("text", to: "n.md")
    try program.run("save", "--all")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try program.write("edited", to: "new.tmp")
    #expect(rename(program.folder["new.tmp"].path, program.folder["n.md"].path) == 0)
    #expect(try eventually { try seesChange() })
    try remove("n.md")
    // Some file systems give it the same number.
    try program.write("something else", to: "m.md")
    #expect(try watcher.waits(for: "Recorded that n.md was deleted"))
    #expect(try watcher.stop() == 0)
    #expect(try program.versions(of: "m.md").count == 1)
  }

  @Test("What a watcher saw go is recorded by the next one, if it was killed before")
  func killed() throws {
    for name in ["gone.md", "moved.md", "back.md"] { try program.write(name, to: name) }
    try program.run("save", "--all")
    let killed = try Watcher(program)
    #expect(try killed.waits(for: "Keeping"))
    for name in ["gone.md", "back.md"] { try remove(name) }
    try FileManager.default.moveItem(
      at: program.folder["moved.md"], to: program.folder["there.md"])
    #expect(try killed.waits(for: "Saved there.md"))
    #expect(
      try eventually {
        try program.exists(".docversions/watch-deletions")
          && program.read(".docversions/watch-deletions").contains("back.md")
      })
    try killed.kill()
    try program.write("back.md", to: "back.md")
    let next = try Watcher(program)
    #expect(try next.waits(for: "Recorded that gone.md was deleted"))
    #expect(try eventually { try program.read(".docversions/watch-deletions").isEmpty })
    #expect(try next.stop() == 0)
    #expect(try next.text.components(separatedBy: "Recorded").count == 2)
    #expect(try program.run("status").output.contains("deleted"))
  }

  @Test("A watcher starts also where the list of what went is none")
  func damagedList() throws {
    try program.write("text", to: "n.md")
    try program.run("save", "n.md")
    try FileManager.default.createDirectory(
      at: program.folder[".docversions/watch-deletions"], withIntermediateDirectories: false)
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "watch-deletions” is not a file"))
    try program.write("more", to: "n.md")
    #expect(try watcher.waits(for: "Saved n.md"))
    #expect(try watcher.stop() == 0)
    try remove(".docversions/watch-deletions")
    let name = String(repeating: "x", count: 300)
    try program.write("\(name)\0../other.md\0gone.md", to: ".docversions/watch-deletions")
    let next = try Watcher(program)
    #expect(try next.waits(for: "Keeping"))
    try remove("n.md")
    #expect(try next.waits(for: "Recorded that n.md was deleted"))
    #expect(try !next.text.contains("Can’t"))
    #expect(try next.stop() == 0)
  }

  @Test("What can’t be kept of files that go is said once, and forgotten by no running watcher")
  func notKept() throws {
    for name in ["gone.md", "later.md", "n.md"] { try program.write(name, to: name) }
    try program.run("save", "--all")
    let watcher = try Watcher(program)
    // By then the list of the watcher before was read.
    try program.write("first", to: "n.md")
    #expect(try watcher.waits(for: "Saved n.md"))
    // As on a full disk, nothing can be written there.
    let list = ".docversions/watch-deletions"
    try FileManager.default.createDirectory(
      at: program.folder["\(list)/full"], withIntermediateDirectories: true)
    try remove("gone.md")
    #expect(try watcher.waits(for: "Recorded that gone.md was deleted"))
    try program.write("more", to: "n.md")
    #expect(try watcher.waits(for: "Saved n.md", times: 2))
    #expect(try watcher.text.components(separatedBy: "watch-deletions").count == 2)
    try remove(list)
    try remove("later.md")
    #expect(
      try eventually { try program.exists(list) && program.read(list).contains("later.md") })
    #expect(try watcher.waits(for: "Recorded that later.md was deleted"))
    #expect(try watcher.stop() == 0)
    #expect(try watcher.text.components(separatedBy: "watch-deletions").count == 2)
  }

  @Test("A folder that a tool renames file by file is followed")
  func renamedByATool() throws {
    let text = (1...9).map { "line \($0)\n" }.joined()
    try program.write(text, to: "old/deep/n.md")
    try program.run("save", "--all")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try program.write(text, to: "new/deep/n.md")
    try remove("old/deep/n.md")
    try remove("old/deep")
    try remove("old")
    #expect(try watcher.waits(for: "Saved new/deep/n.md"))
    // By then what has gone was judged.
    letPass(.seconds(11), because: "a deletion would be recorded by now")
    try program.write("text", to: "x.md")
    #expect(try watcher.waits(for: "Saved x.md"))
    #expect(try watcher.stop() == 0)
    #expect(try !watcher.text.contains("Can’t find"))
    #expect(try program.versions(of: "new/deep/n.md").count == 2)
  }

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(at: program.folder[name], to: program.folder[other])
  }

  @Test(
    "Folders that take each other’s places are watched further, and documents keep their versions")
  func exchangedFolders() throws {
    let names = ["x/n.md", "x/deep/d.md", "y/n.md", "y/m.md"]
    for name in names { try program.write("text of \(name)", to: name) }
    try program.run("save", "--all")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try move("x", to: "z")
    try move("y", to: "x")
    try move("z", to: "y")
    for name in names {
      let place = (name.hasPrefix("x") ? "y" : "x") + name.dropFirst()
      #expect(try watcher.waits(for: "Saved \(place) · "))
      #expect(try watcher.waits(for: " (renamed from \(name))"))
      try program.write("edited", to: place)
      #expect(try watcher.waits(for: "Saved \(place) · ", times: 2))
      #expect(try program.versions(of: place).count == 3)
    }
    #expect(try watcher.stop() == 0)
    #expect(try !watcher.text.contains("Recorded"))
  }

  /// The items that can be in the place of a folder that was moved away.
  enum Successor: CaseIterable { case folder, file, link }

  @Test(
    "The place of a folder that goes is watched, whatever is there", arguments: Successor.allCases)
  func replacedFolder(successor: Successor) throws {
    for name in ["x/n.md", "x/deep/only.md", "a.md"] { try program.write("text", to: name) }
    try program.run("save", "--all")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    let out = try ScratchFolder()
    watcher.signal(SIGSTOP)
    try FileManager.default.moveItem(at: program.folder["x"], to: out["x"])
    switch successor {
    case .folder: try program.write("edited", to: "x/n.md")
    case .file: try program.write("a file", to: "x")
    case .link:
      try FileManager.default.createSymbolicLink(
        at: program.folder["x"], withDestinationURL: out["x"])
    }
    watcher.signal(SIGCONT)
    switch successor {
    case .folder:
      #expect(try watcher.waits(for: "Saved x/n.md · "))
      #expect(try watcher.waits(for: "Recorded that x/deep/only.md was deleted"))
      try program.write("edited again", to: "x/n.md")
      #expect(try watcher.waits(for: "Saved x/n.md · ", times: 2))
    case .file:
      #expect(try watcher.waits(for: "Saved x · "))
      for name in ["x/n.md", "x/deep/only.md"] {
        #expect(try watcher.waits(for: "Recorded that \(name) was deleted"))
      }
    case .link: break
    }
    try program.write("edited", to: "a.md")
    #expect(try watcher.waits(for: "Saved a.md · "))
    #expect(try watcher.stop() == 0)
    #expect(try out.url.appending(path: "x/n.md").checkResourceIsReachable())
  }

  @Test(
    "Of a folder with equal files that a tool moves, each document keeps its versions",
    arguments: ["", "text"])
  func equalFiles(text: String) throws {
    let names = (0..<12).map { "\($0).md" }
    for name in names { try program.write(text, to: "old/\(name)") }
    try program.write("text", to: "other.md")
    #expect(try program.run(["save", "other.md"] + names.map { "old/\($0)" }).exitCode == 0)
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    // So that it finds all of them at once, however long this takes.
    watcher.signal(SIGSTOP)
    for (name, other) in zip(names, names.dropFirst(5) + names.prefix(5)) {
      // As Syncthing does: any file with the bytes is taken.
      try FileManager.default.createDirectory(
        at: program.folder["new"], withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: program.folder["old/\(name)"], to: program.folder["new/\(other)"])
    }
    try remove("old")
    watcher.signal(SIGCONT)
    for name in names {
      #expect(try watcher.waits(for: "Saved new/\(name) · "))
      #expect(try watcher.waits(for: " (renamed from old/\(name))"))
    }
    letPass(.seconds(11), because: "a deletion would be recorded by now")
    #expect(try watcher.stop() == 0)
    #expect(try !watcher.text.contains("Recorded"))
    for name in names { #expect(try program.versions(of: "new/\(name)").count == 2) }
  }

  @Test("A file that may be one of several documents is saved once it shows which, or is edited")
  func open() throws {
    for name in ["a/one.md", "a/two.md"] { try program.write("text", to: name) }
    try program.run("save", "--all")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try remove("a/one.md")
    try remove("a/two.md")
    try program.write("text", to: "b/three.md")
    letPass(.seconds(11), because: "it would be saved, and a deletion recorded by now")
    try program.write("text", to: "c/one.md")
    #expect(try watcher.waits(for: "Saved c/one.md · "))
    #expect(try watcher.waits(for: " (renamed from a/one.md)"))
    #expect(try !watcher.text.contains("Recorded"))
    #expect(try watcher.stop() == 0)
  }

  @Test("Of many documents that are saved at once the log has one line, of a few one for each")
  func summed() throws {
    for number in 0..<50 {
      try program.write("\(number)", to: "a/b/\(number).md")
      // All have settled when the watcher starts.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)],
        ofItemAtPath: program.folder["a/b/\(number).md"].path)
    }
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Saved 50 documents in a/b (new)"))
    for number in 0..<3 { try program.write("edited \(number)", to: "a/b/\(number).md") }
    for number in 0..<3 { #expect(try watcher.waits(for: "Saved a/b/\(number).md · ")) }
    #expect(try watcher.stop() == 0)
    #expect(try watcher.text.components(separatedBy: "Saved ").count == 5)
  }
}
