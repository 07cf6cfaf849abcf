import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Programs that write back the contents that they had before the document was written over.
struct ArrivalTests {
  private let base = "one\ntwo\nthree\nfour\nfive\nsix\n"
  private let arrived = "one\ntwo\nthree\nfour\nfive\nSIX by Mira\n"

  /// Tom’s device, where an operation has written Mira’s text over what his editor shows.
  private func device(after operation: String) throws -> Device {
    if operation == "exchange" {
      let world = try World()
      try world.save(base, as: "a.md", on: "mira")
      try world.exchange("mira", "tom")
      try world.save(arrived, as: "a.md", on: "mira")
      try world.exchange("mira", "tom")
      return try world.device("tom")
    }
    let desk = try Device()
    let isUndo = operation == "undo"
    let first = try desk.save(isUndo ? base : arrived, as: "a.md")
    try desk.save(isUndo ? arrived : base, as: "a.md")
    try desk.store.restore(first)
    desk.clock.advance(bySeconds: 60)
    if operation != "restore" { try desk.store.undo(desk["a.md"]) }
    if operation == "several" { try desk.store.restore(first) }
    return desk
  }

  @Test(
    "What shows nothing of an arrival is saved beside it, and nothing that arrived is lost",
    arguments: ["exchange", "restore", "undo", "several"], ["unchanged", "edited"])
  func stale(operation: String, buffer: String) throws {
    let tom = try device(after: operation)
    #expect(try tom.read("a.md") == arrived)
    let missed = try #require(try tom.history("a.md").current)
    let text = base.replacing("one\n", with: buffer == "edited" ? "ONE by Tom\n" : "one\n")
    tom.clock.advance(bySeconds: 60)
    let outcome = try tom.store.save(tom.write(text, to: "a.md"))
    #expect(outcome.isNew && outcome.missedVersion == missed)
    let history = try tom.history("a.md")
    #expect(
      Set([history.current].compactMap { $0 } + history.unresolvedConflicts)
        == [missed, outcome.version])
    #expect(try tom.store.state(of: tom["a.md"]) == .unchanged)
    // Used up: the same contents, and more edits, are an ordinary save.
    #expect(try !tom.store.save(tom["a.md"]).isNew)
    let next = try tom.store.save(tom.write(text + "more\n", to: "a.md"))
    #expect(next.missedVersion == nil && next.version.parents == [outcome.version.id])
    try tom.expectSound()
  }

  @Test(
    "What shows an arrival, was said to be made from it, or replaces everything, follows it",
    arguments: [
      "one\ntwo\nthree\nfour\nfive\nSIX by Mira\nseven\n", "SIX by Mira\n", "entirely new\n",
      "ONE\ntwo\nthree\nfour\nfive\nSIX by Mira and Tom\n",
    ])
  func fresh(text: String) throws {
    let tom = try device(after: "exchange")
    let received = try #require(try tom.history("a.md").current)
    // A save without changes shows nothing about a program's contents.
    #expect(try !tom.store.save(tom["a.md"]).isNew)
    let outcome = try tom.store.save(tom.write(text, to: "a.md"))
    #expect(outcome.missedVersion == nil)
    #expect(outcome.version.parents == [received.id])
    #expect(try tom.history("a.md").unresolvedConflicts.isEmpty)
    let again = try tom.store.save(tom.write(base, to: "a.md"))
    #expect(again.missedVersion == nil)
  }

  @Test(
    "An edit of what a crash left in the document’s place takes back nothing that this device saved",
    arguments: ["not written", "written", "written, not edited"])
  func interrupted(arrival: String) throws {
    let world = try World()
    let own = base.replacing("one\n", with: "ONE by Mira\n")
    try world.disagree(base: base, mira: own, tom: base.replacing("six\n", with: "SIX by Tom\n"))
    let mira = try world.device("mira")
    let (saved, arrived) = try (
      #require(try mira.history("a.md").unresolvedConflicts.first),
      #require(try mira.history("a.md").current)
    )
    let text = try arrival == "not written" ? own : mira.read("a.md")
    // The crash came before the store recorded what the document shows.
    try mira.store.environment.withWriter(of: DocumentLocation(of: mira["a.md"])) { writer in
      try writer.setBase(writer.reader.knownRecord(saved))
    }
    mira.clock.advance(bySeconds: 60)
    let isEdited = arrival != "written, not edited"
    let outcome = try mira.store.save(mira.write(isEdited ? text + "seven\n" : text, to: "a.md"))
    let (parent, other) = arrival == "not written" ? (saved, arrived) : (arrived, saved)
    #expect(outcome.isNew == isEdited && outcome.missedVersion == nil)
    #expect(isEdited ? outcome.version.parents == [parent.id] : outcome.version.id == arrived.id)
    let history = try mira.history("a.md")
    #expect(
      Set([history.current].compactMap { $0?.id } + history.unresolvedConflicts.map(\.id))
        == [other.id, outcome.version.id])
    #expect(try mira.store.state(of: mira["a.md"]) == .unchanged)
    try mira.expectSound()
  }

  @Test(
    "An edit of a new document, whose arrival a crash left unrecorded, is made from what arrived",
    arguments: [true, false])
  func interruptedFirst(isInPlace: Bool) throws {
    let tom = try device(after: "exchange")
    let received = try #require(try tom.history("a.md").current)
    // The file has its name, and nothing records which version it shows.
    try Data("ref: \(HeadName.unshown)\n".utf8).write(
      to: tom.storeFolder(of: "a.md").appending(path: "HEAD"))
    if isInPlace {
      let file = try FileHandle(forWritingTo: tom["a.md"])
      try file.seekToEnd()
      try file.write(contentsOf: Data("eight\n".utf8))
      try file.close()
    } else {
      // Another file in its place may be anything.
      try FileManager.default.removeItem(at: tom["a.md"])
      _ = try tom.write("entirely new\n", to: "a.md")
    }
    tom.clock.advance(bySeconds: 60)
    let outcome = try tom.store.save(tom["a.md"])
    #expect(outcome.version.parents == (isInPlace ? [received.id] : []))
    #expect(try tom.history("a.md").unresolvedConflicts.isEmpty == isInPlace)
    try tom.expectSound()
  }

  @Test("So is an edit of a document that another device brought back")
  func interruptedReturn() throws {
    let world = try World()
    try world.save(base, as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    mira.clock.advance(bySeconds: 60)
    let deletion = try mira.store.delete(mira["a.md"])
    try world.exchange("mira", "tom")
    mira.clock.advance(bySeconds: 60)
    try mira.store.undo(mira["a.md"])
    try world.exchange("mira", "tom")
    let received = try #require(try tom.history("a.md").current)
    // The crash came before the store recorded what the document shows.
    try tom.store.environment.withWriter(of: DocumentLocation(of: tom["a.md"])) { writer in
      try writer.setBase(writer.reader.knownRecord(deletion))
    }
    let file = try FileHandle(forWritingTo: tom["a.md"])
    try file.seekToEnd()
    try file.write(contentsOf: Data("seven\n".utf8))
    try file.close()
    tom.clock.advance(bySeconds: 60)
    #expect(try tom.store.save(tom["a.md"]).version.parents == [received.id])
    #expect(try tom.history("a.md").unresolvedConflicts.isEmpty)
    try tom.expectSound()
  }

  @Test func `a named base is taken at its word`() throws {
    let tom = try device(after: "exchange")
    let received = try tom.store.version(VersionSelector("@"), of: tom["a.md"])
    let outcome = try tom.store.save(tom.write(base, to: "a.md"), base: received)
    #expect(outcome.missedVersion == nil && outcome.version.parents == [received.id])
    let other = try tom.save("other", as: "b.md")
    expectVersionError(.noSuchVersion) { try tom.store.save(tom["a.md"], base: other) }
  }

  @Test(
    "A document’s own contents are made from what it shows, unless other contents are on the disk",
    arguments: [true, false])
  func own(isOwn: Bool) throws {
    let tom = try device(after: "exchange")
    let received = try #require(try tom.history("a.md").current)
    let outcome = try tom.store.save(tom.write(base + "seven\n", to: "a.md"), changed: nil) {
      isOwn
    }
    #expect(outcome.missedVersion == (isOwn ? nil : received))
    #expect(outcome.version.parents == (isOwn ? [received.id] : received.parents))
    #expect(try tom.history("a.md").unresolvedConflicts.isEmpty == isOwn)
  }

  @Test func `of bytes without structure only the former ones are known`() throws {
    let desk = try Device()
    func write(_ bytes: [UInt8]) throws -> URL {
      try Data(bytes).write(to: desk["a.bin"])
      desk.clock.advance(bySeconds: 60)
      return desk["a.bin"]
    }
    let first = try desk.store.save(write([0, 1])).version
    try desk.store.save(write([0, 2]))
    try desk.store.restore(first)
    let other = try desk.store.save(write([0, 3]))
    #expect(other.missedVersion == nil)
    try desk.store.restore(first)
    #expect(try desk.store.save(write([0, 3])).missedVersion != nil)
  }

  @Test func `members of a package are places, too`() throws {
    let desk = try Device()
    func write(_ members: [String: String]) throws {
      if FileManager.default.fileExists(atPath: desk["a.pack"].path) {
        try FileManager.default.removeItem(at: desk["a.pack"])
      }
      for (name, text) in members { try desk.write(text, to: "a.pack/\(name)") }
      desk.clock.advance(bySeconds: 60)
    }
    let old = ["x": "x\n", "y": "y\n"]
    try write(["x": "x\n", "y": "y\n", "new": "n\n"])
    let first = try desk.store.save(desk["a.pack"]).version
    try write(old)
    try desk.store.save(desk["a.pack"])
    try desk.store.restore(first)
    try write(["x": "x\n", "y": "edited\n", "new": "n\n"])
    #expect(try desk.store.save(desk["a.pack"]).missedVersion == nil)
    try desk.store.restore(first)
    try desk.store.restore(desk.history("a.pack").versions[1])
    try desk.store.restore(first)
    try write(["x": "edited\n", "y": "edited\n"])
    #expect(try desk.store.save(desk["a.pack"]).missedVersion != nil)
  }

  @Test("In a package, each member that was written is judged by itself")
  func members() throws {
    let desk = try Device()
    try desk.write("a\nb\nc\nd\na line by Mira\n", to: "p.pack/1.md")
    try desk.write("three\n", to: "p.pack/3.md")
    try desk.write("two\n", to: "p.pack/2.md")
    let arrival = try desk.store.save(desk["p.pack"]).version
    try desk.write("a\nb\nc\nd\n", to: "p.pack/1.md")
    try FileManager.default.removeItem(at: desk["p.pack/3.md"])
    try desk.store.save(desk["p.pack"])
    desk.clock.advance(bySeconds: 60)
    try desk.store.restore(arrival)
    // The app had the first page open, and wrote back that alone.
    try desk.write("a, Tom\nb\nc\nd\n", to: "p.pack/1.md")
    #expect(try desk.store.save(desk["p.pack"]).missedVersion != nil)
  }

  @Test("No line that was saved is lost to a stale editor", arguments: 0..<40)
  func nothingLost(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let desk = try Device()
    let lines = (0..<12).map { "line \($0) of the text" }
    var ours = lines
    var theirs = lines
    // The stamps that both programs write with every save.
    let stamps = [
      ("updated: 2026-11-20", "updated: 2026-11-26"), ("saves: 7", "saves: 8"),
      ("count: 11 of 40", "count: 12 of 40  "), ("state: open", "state: done"),
      ("- [ ] read", "- [x] read"),
    ].filter { _ in Bool.random(using: &random) }
    // Each of them edits different places, except for one that both may edit.
    let places = lines.indices.shuffled(using: &random)
    for (index, place) in places.prefix(6).enumerated() {
      let isTheirs = index < 3
      let kind = Int.random(in: 0..<3, using: &random)
      func edit(_ lines: inout [String], by name: String) {
        let new = "a new line by \(name), number \(place) of seed \(seed)"
        switch kind {
        case 0: lines[place] = new
        case 1: lines[place] += "\n" + new
        default: lines[place] += " and more by \(name)"
        }
      }
      if isTheirs { edit(&theirs, by: "Mira") } else { edit(&ours, by: "Tom") }
      if index == 2 && Bool.random(using: &random) { edit(&ours, by: "Tom") }
    }
    func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
    let arrival = try desk.save(text(stamps.map(\.1) + theirs), as: "a.md")
    try desk.save(text(stamps.map(\.0) + lines), as: "a.md")
    desk.clock.advance(bySeconds: 60)
    try desk.store.restore(arrival)
    try desk.save(text(stamps.map(\.1) + ours), as: "a.md")
    let history = try desk.history("a.md")
    let sides = try ([history.current].compactMap { $0 } + history.unresolvedConflicts)
      .map { String(decoding: try $0.contents(), as: UTF8.self) }
    let kept = Set(sides.flatMap { $0.split(separator: "\n") })
    for line in text(theirs).split(separator: "\n") + text(ours).split(separator: "\n") {
      #expect(kept.contains(line), "seed \(seed)")
    }
  }
}
