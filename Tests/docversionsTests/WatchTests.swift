import DocumentTestSupport
import Foundation
import Synchronization
import Testing

/// A folder that a watcher keeps up to date.
@Suite("Watching folders", .blocks)
struct WatchTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("What is edited and what is new is saved when it has settled, and a signal ends it cleanly")
  func saves() throws {
    try program.write("one", to: "old.md")
    try program.run("save", "old.md")
    try program.write("edited before", to: "old.md")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Saved old.md"))
    try program.write("new", to: "sub/deep/new.md")
    #expect(try watcher.waits(for: "Saved sub/deep/new.md"))
    try FileManager.default.moveItem(
      at: program.folder["sub/deep/new.md"], to: program.folder["sub/moved.md"])
    #expect(try watcher.waits(for: "Saved sub/moved.md"))
    #expect(
      try watcher.text.contains(/sub\/moved\.md · [0-9a-f]+ \(renamed from sub\/deep\/new\.md\)/))
    for text in ["two", "three"] {
      let count = try program.versions(of: "old.md").count
      try program.write(text, to: "old.md")
      #expect(try watcher.waits(for: "Saved old.md", times: count))
    }
    for name in [".#old.md", "old.md~", "x.tmp", ".syncthing.old.md.tmp"] {
      try program.write("of a program", to: name)
    }
    try program.write("last", to: "last.md")
    #expect(try watcher.waits(for: "Saved last.md"))
    #expect(try watcher.stop() == 0)
    #expect(try watcher.text.contains("Stopped."))
    #expect(try program.versions(of: "old.md").count == 4)
    let log = try program.run("log", "old.md", "--json").output
    // Those between what the person saved and the newest one.
    #expect(log.components(separatedBy: "\"discardable\":true").count == 3, "\(log)")
    let status = try program.json("status")
    #expect((status["new"] as? [String])?.isEmpty == true)
    #expect((status["documents"] as? [Any])?.count == 3)
  }

  @Test("What is edited becomes a version while a server takes its time")
  func silentServer() throws {
    let asked = Mutex(false)
    let server = try LoopbackServer { connection in
      while !connection.receive().isEmpty { asked.withLock { $0 = true } }
    }
    try program.write("text", to: "a.md")
    try program.run("save", "a.md")
    try program.run("remote", "add", "origin", "git://127.0.0.1:\(server.port)/notes.git")
    let watcher = try Watcher(program)
    #expect(eventually { asked.withLock { $0 } })
    try program.write("edited", to: "a.md")
    #expect(try watcher.waits(for: "Saved a.md"))
    // A file without versions can't have arrived while nothing is received.
    try program.write("new", to: "b.md")
    #expect(try watcher.waits(for: "Saved b.md"))
    #expect(try !watcher.text.contains("origin: "), "the server was given up before")
    #expect(try watcher.stop() == 0)
    #expect(try program.versions(of: "a.md").count == 2)
  }

  @Test("A file whose name is no text is reported, once")
  func unnameable() throws {
    let bytes: [UInt8] = Array(program.folder.url.path.utf8) + Array("/x".utf8) + [0xff]
    try Data("text".utf8).write(to: program.folder["plain.md"])
    #expect(rename(program.folder["plain.md"].path, bytes.map { CChar(bitPattern: $0) } + [0]) == 0)
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "is not valid UTF-8; rename it first"))
    try program.write("text", to: "a.md")
    #expect(try watcher.waits(for: "Saved a.md"))
    #expect(try watcher.stop() == 0)
    #expect(try watcher.text.components(separatedBy: "UTF-8").count == 2)
  }

  @Test("A document in whose place a link is put is reported, and what it leads to stays as it is")
  func link() throws {
    for name in ["a.md", "b.md"] {
      try program.write("text", to: name)
      try program.run("save", name)
    }
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try program.write("elsewhere", to: "out/.hidden.md")
    try FileManager.default.removeItem(at: program.folder["a.md"])
    try FileManager.default.createSymbolicLink(
      atPath: program.folder["a.md"].path, withDestinationPath: "out/.hidden.md")
    #expect(try watcher.waits(for: "“a.md” is a link to “out/.hidden.md” now"))
    try program.write("edited", to: "b.md")
    #expect(try watcher.waits(for: "Saved b.md"))
    #expect(try watcher.stop() == 0)
    #expect(try watcher.text.components(separatedBy: "is a link to").count == 2)
    #expect(try program.read("out/.hidden.md") == "elsewhere")
  }

  @Test("A file that can be no document keeps no other one from being saved")
  func longName() throws {
    try program.write("long", to: String(repeating: "n", count: 252) + ".md")
    try program.write("text", to: "a.md")
    let once = try program.run("watch", "--once")
    #expect(once.output.contains("Saved a.md"), "\(once)")
    #expect((once.output + once.errorOutput).contains("a document’s may have 251"), "\(once)")
  }

  @Test("A package of no declared type that was moved is saved as one", arguments: [true, false])
  func movedPackage(isOnce: Bool) throws {
    // A watcher leaves out new files of such types.
    for number in 1...3 { try program.write("\(number)\0", to: "p.imagenotes/in/\(number).bin") }
    try program.write("a", to: "a.md")
    try program.run("save", "a.md", "p.imagenotes")
    let watcher = isOnce ? nil : try Watcher(program)
    #expect(try watcher?.waits(for: "Keeping") != false)
    try FileManager.default.createDirectory(
      at: program.folder["f"], withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      at: program.folder["p.imagenotes"], to: program.folder["f/q.imagenotes"])
    try program.write("more\0", to: "f/q.imagenotes/in/1.bin")
    if let watcher {
      #expect(try watcher.waits(for: "Saved f/q.imagenotes"))
      #expect(try watcher.stop() == 0)
      #expect(try !watcher.text.contains("is a member of"))
    } else {
      let once = try program.run("watch", "--once")
      #expect(once.exitCode == 0, "\(once)")
      #expect(once.output.contains("Saved f/q.imagenotes"), "\(once)")
      #expect(!(once.output + once.errorOutput).contains("is a member of"), "\(once)")
      #expect(!once.output.contains("Left out"), "\(once)")
    }
    #expect(try program.versions(of: "f/q.imagenotes").count >= 2)
  }

  @Test("A file that a program has open for writing is never saved")
  func open() throws {
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try program.write("", to: "long.md")
    let file = try FileHandle(forWritingTo: program.folder["long.md"])
    try file.write(contentsOf: Data("first half ".utf8))
    // Another file settles later: by then this one would have been saved.
    try program.write("x", to: "short.md")
    #expect(try watcher.waits(for: "Saved short.md"))
    try program.write("y", to: "short.md")
    #expect(try watcher.waits(for: "Saved short.md", times: 2))
    #expect(try !watcher.text.contains("long.md"))
    try file.write(contentsOf: Data("second half".utf8))
    try file.close()
    #expect(try watcher.waits(for: "Saved long.md"))
    #expect(try watcher.stop() == 0)
    #expect(try program.run("show", "long.md").output == "first half second half")
    #expect(try program.versions(of: "long.md").count == 1)
  }

  @Test("A conflicted copy is taken in, and one that takes a decision stays")
  func copies() throws {
    for text in ["one\ntwo\nthree\nfour\n", "one\ntwo\nthree\nfour\nfive\n"] {
      try program.write(text, to: "n.md")
      try program.run("save", "n.md")
    }
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    let copy = "n.sync-conflict-20260112-003022-FUKIKK4.md"
    try program.write("ONE\ntwo\nthree\nfour\nfive\n", to: copy)
    #expect(try watcher.waits(for: "Adopted \(copy) into n.md"))
    #expect(try program.read("n.md") == "ONE\ntwo\nthree\nfour\nfive\n")
    #expect(!program.exists(copy))
    try program.write("ONE\ntwo\n", to: "other.sync-conflict-20260112-003022-FUKIKK4.md")
    #expect(try watcher.waits(for: "FUKIKK4.md stays"))
    #expect(try watcher.stop() == 0)
  }

  @Test(
    "What a tool puts in the place of a saved text is no successor of it", arguments: [false, true])
  func replaced(clashes: Bool) throws {
    for text in ["one\ntwo\nthree\nfour\n", "one\ntwo\nthree\nfour, by Mira\n"] {
      try program.write(text, to: "n.md")
      try program.run("save", "n.md")
    }
    // Before the watcher starts, and long ago: the document would be due at once.
    let copy = "n.sync-conflict-20260112-003023-FUKIKK4.md"
    try FileManager.default.moveItem(at: program.folder["n.md"], to: program.folder[copy])
    let theirs = clashes ? "one\ntwo\nthree\nfour, by Tom\n" : "one, by Tom\ntwo\nthree\nfour\n"
    try program.write(theirs, to: "n.md")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -600)],
      ofItemAtPath: program.folder["n.md"].path)
    let watcher = try Watcher(program)
    if clashes {
      #expect(try watcher.waits(for: "\(copy) stays"))
      #expect(try program.read(copy) == "one\ntwo\nthree\nfour, by Mira\n")
      #expect(try program.read("n.md") == theirs)
      #expect(try program.run("conflicts", "--exit-code").exitCode == 1)
    } else {
      #expect(try watcher.waits(for: "Adopted \(copy) into n.md"))
      #expect(try program.read("n.md") == "one, by Tom\ntwo\nthree\nfour, by Mira\n")
      #expect(!program.exists(copy))
    }
    #expect(try watcher.stop() == 0)
  }

  @Test("Versions of today stay when a watcher starts again")
  func restarted() throws {
    var texts: [String] = []
    for run in 1...3 {
      let watcher = try Watcher(program)
      for number in 1...2 {
        texts.insert("\(run) \(number)", at: 0)
        try program.write(texts[0], to: "n.md")
        #expect(try watcher.waits(for: "Saved n.md", times: number))
      }
      #expect(try watcher.stop() == 0)
    }
    let saved = try program.versions(of: "n.md").map { try program.run("show", "n.md", $0).output }
    #expect(saved == texts)
  }

  @Test("A second watcher of the same folder says so")
  func second() throws {
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    let other = try program.run("watch")
    #expect(other.exitCode == 4, "\(other)")
    #expect(other.errorOutput.contains("Another watcher already keeps"), "\(other.errorOutput)")
    #expect(try watcher.stop() == 0)
  }

  @Test("Once does what there is to do; a dry run only says it")
  func once() throws {
    try program.write("text", to: "a.md")
    try program.write("\u{0}\u{1}", to: "b.unknown")
    try program.write("text", to: "node_modules/c.md")
    for name in ["a.md", "b.unknown"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)],
        ofItemAtPath: program.folder[name].path)
    }
    let plan = try program.run("watch", "--dry-run")
    #expect(plan.exitCode == 0)
    #expect(plan.output.contains("Would save a.md"), "\(plan)")
    #expect(plan.output.contains("of no known type (save takes them):  b.unknown"), "\(plan)")
    #expect(!program.exists(".docversions"))
    let done = try program.run("watch", "--once")
    #expect(done.exitCode == 0)
    #expect(done.output.contains("Saved a.md"), "\(done)")
    #expect(try program.versions(of: "a.md").count == 1)
    #expect(try !program.run("watch", "--once").output.contains("Saved"))
    #expect(try program.run("watch", "nowhere").exitCode == 3)
    #expect(try program.run("watch", "--every", "0s").exitCode == 2)
  }

  @Test("Two watched folders sync through a repository")
  func synced() throws {
    let desks = try TwoDesks(program)
    let tom = desks.tom
    try program.write("from Mira", to: "n.md")
    let mira = try Watcher(program)
    #expect(try mira.waits(for: "Synced with origin: sent 1"))
    let toms = try Watcher(tom)
    #expect(try toms.waits(for: "received 1: n.md"))
    #expect(try eventually { try tom.exists("n.md") && tom.read("n.md") == "from Mira" })
    #expect(try mira.stop() == 0)
    #expect(try toms.stop() == 0)
  }

  /// Two desks with documents of four lines, of which each desk has saved another text.
  private func editedDesks(
    _ names: [String], here: String, there: [String]
  ) throws -> TwoDesks {
    let desks = try TwoDesks(program)
    for name in names { try program.write("one\ntwo\nthree\nfour\n", to: name) }
    try program.run("save", "--all")
    for desk in [program, desks.tom] { #expect(try desk.run("sync").exitCode == 0) }
    for (name, text) in zip(names, there) {
      try program.write(here, to: name)
      try desks.tom.write(text, to: name)
    }
    for desk in [program, desks.tom] { try desk.run("save", "--all") }
    #expect(try program.run("sync").exitCode == 0)
    return desks
  }

  @Test("Watchers merge what two devices have edited if no question is left, and name the rest")
  func merged() throws {
    let desks = try editedDesks(
      ["n.md", "m.md"], here: "ONE\ntwo\nthree\nfour\n",
      there: ["one\ntwo\nthree\nFOUR\n", "1\ntwo\nthree\nfour\n"])
    let tom = desks.tom
    let mira = try Watcher(program)
    let toms = try Watcher(tom)
    #expect(try toms.waits(for: "Merged n.md"))
    #expect(try toms.waits(for: "m.md is in conflict: it takes a decision."))
    let merged = "ONE\ntwo\nthree\nFOUR\n"
    #expect(
      try eventually { try tom.read("n.md") == merged && program.read("n.md") == merged })
    #expect(try tom.run("conflicts", "n.md").output == "No conflicts.\n")
    #expect(try tom.run("conflicts", "m.md").output.contains("1 question"))
    #expect(try mira.stop() == 0)
    #expect(try toms.stop() == 0)
  }

  @Test("A watcher merges what was in conflict when it started; a dry run only says so")
  func mergedAtTheStart() throws {
    let desks = try editedDesks(
      ["n.md"], here: "ONE\ntwo\nthree\nfour\n", there: ["one\ntwo\nthree\nFOUR\n"])
    let tom = desks.tom
    #expect(try tom.run("sync").exitCode == 0)
    let plan = try tom.run("watch", "--dry-run")
    #expect(plan.output.contains("Would merge n.md; no question was left."), "\(plan)")
    #expect(try tom.run("conflicts").output.contains("merges cleanly"))
    let done = try tom.run("watch", "--once")
    #expect(done.output.contains("Merged n.md"), "\(done)")
    #expect(try program.run("sync").exitCode == 0)
    for desk in [program, tom] {
      #expect(try desk.read("n.md") == "ONE\ntwo\nthree\nFOUR\n")
      #expect(try desk.run("conflicts").output == "No conflicts.\n")
    }
  }

  @Test(
    "What a program has open is not replaced by what a sync brings", arguments: [true, false])
  func openElsewhere(inOffice: Bool) throws {
    let desks = try TwoDesks(program)
    let tom = desks.tom
    try program.write("one", to: "n.md")
    try program.run("save", "n.md")
    for desk in [program, tom] { #expect(try desk.run("sync").exitCode == 0) }
    let lock = program.folder[".~lock.n.md#"]
    let other = Foundation.open(program.folder["n.md"].path, O_WRONLY | O_CLOEXEC)
    if inOffice {
      Foundation.close(other)
      try program.write(",mira,pc", to: lock.lastPathComponent)
    }
    try tom.write("two", to: "n.md")
    try tom.run("save", "n.md")
    #expect(try tom.run("sync").exitCode == 0)
    let watcher = try Watcher(program)
    try program.write("x", to: "x.md")
    #expect(try watcher.waits(for: "Synced with origin: sent 1"))
    #expect(try program.read("n.md") == "one")
    if inOffice { try FileManager.default.removeItem(at: lock) } else { Foundation.close(other) }
    try program.write("y", to: "x.md")
    #expect(try eventually { try program.read("n.md") == "two" })
    #expect(try watcher.stop() == 0)
  }

  @Test("A folder that is moved away is waited for, and nothing is made in its place")
  func missing() throws {
    try program.write("a", to: "notes/a.md")
    let watcher = try Watcher(program, ["notes"])
    #expect(try watcher.waits(for: "Saved notes/a.md"))
    let files = FileManager.default
    try files.moveItem(at: program.folder["notes"], to: program.folder["away"])
    try program.write("b", to: "away/a.md")
    #expect(try watcher.waits(for: "is not there; waiting"))
    #expect(!program.exists("notes"))
    try files.moveItem(at: program.folder["away"], to: program.folder["notes"])
    #expect(try watcher.waits(for: "Saved notes/a.md", times: 2))
    #expect(try watcher.stop() == 0)
  }

  @Test("What the lists of patterns of two devices leave out is saved on neither")
  func twoLists() throws {
    let desks = try TwoDesks(program)
    try program.write("/private/\n", to: ".docversionsignore")
    try program.write("secret", to: "private/s.md")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Saved .docversionsignore"))
    #expect(try watcher.waits(for: "Synced with origin: sent 1"))
    try desks.tom.write("*.log\n", to: ".docversionsignore")
    try desks.tom.run("save", "--all")
    #expect(try desks.tom.run("sync").exitCode == 0)
    for number in 1...2 {
      try program.write("\(number)", to: "n.md")
      #expect(try watcher.waits(for: "Saved n.md", times: number))
      #expect(try watcher.waits(for: "Merged .docversionsignore"))
    }
    #expect(try watcher.stop() == 0)
    #expect(try !watcher.text.contains("private/s.md"))
    for desk in [program, desks.tom] { #expect(try desk.run("sync").exitCode == 0) }
    for desk in [program, desks.tom] {
      #expect(try desk.read(".docversionsignore") == "*.log\n/private/\n")
      #expect(!desk.exists(".docversionsignore 2"))
    }
  }
}
