import DocumentFiles
import DocumentSync
import DocumentTestSupport
import DocumentWorld
import Foundation
import Synchronization
import Testing

@testable import DocumentStore

/// A document is moved with its versions: in its container, and to another one.
struct MovingTests {
  private let world: World
  private let mira: Device

  init() throws {
    world = try World()
    mira = try world.device("mira")
    try world.save("other\n", as: "b.md", on: "mira")
    for text in ["one\n", "two\n"] { try world.save(text, as: "notes/a.md", on: "mira") }
  }

  private func makeFolder(_ name: String, on device: Device) throws {
    try FileManager.default.createDirectory(
      at: device[name], withIntermediateDirectories: true)
  }

  /// The contents of all versions that have some, the newest first.
  private func contents(_ name: String, on device: Device) throws -> [String] {
    try device.history(name).versions.filter { !$0.isDeletion }
      .map { String(decoding: try $0.contents(), as: UTF8.self) }
  }

  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  @Test func `in its container a document is renamed with its folder, and that is undone`() throws {
    try makeFolder("deep/er", on: mira)
    let moved = try mira.store.move(mira["notes/a.md"], to: mira["deep/er/c.md"])
    #expect(moved.kind == .rename)
    #expect(moved.documentURL == mira["deep/er/c.md"])
    #expect(!exists(mira["notes/a.md"]))
    #expect(try contents("deep/er/c.md", on: mira) == ["two\n", "two\n", "one\n"])
    try mira.store.undo(mira["deep/er/c.md"])
    #expect(try mira.read("notes/a.md") == "two\n")
    try mira.expectSound()
  }

  @Test(arguments: [false, true])
  func `to another container all versions go along, also to another disk`(isElsewhere: Bool) throws
  {
    let disk = try ScratchFolder(isInMemory: isElsewhere)
    let tom = try Device("tom", in: disk, clock: world.clock)
    try mira.write("edited\n", to: "notes/a.md")
    world.clock.advance(bySeconds: 60)
    let moved = try mira.store.move(mira["notes/a.md"], to: tom["c.md"])
    #expect(moved.kind == .move)
    #expect(try tom.read("c.md") == "edited\n")
    #expect(try contents("c.md", on: tom) == ["edited\n", "edited\n", "two\n", "one\n"])
    #expect(!exists(mira["notes/a.md"]))
    // Where it was, it was deleted, with all versions.
    #expect(try mira.history("notes/a.md").current?.kind == .delete)
    #expect(try contents("notes/a.md", on: mira) == ["edited\n", "two\n", "one\n"])
    for device in [mira, tom] { try device.expectSound() }
    // And it is a document like any other.
    try tom.save("more\n", as: "c.md")
    #expect(try contents("c.md", on: tom).count == 5)
  }

  @Test func `canceled at any report of progress, it is in one of both places`() throws {
    let tom = try world.device("tom")
    var store = mira.store
    var (isMoved, cancellations) = (false, 0)
    // A cancellation at a report after the last one comes too late.
    for end in 1...10_000 where !isMoved {
      let reports = Atomic(0)
      store.progress = OperationProgress { progress in
        if reports.wrappingAdd(1, ordering: .relaxed).newValue >= end { progress.cancel() }
      }
      do {
        try store.move(mira["notes/a.md"], to: tom["a.md"])
        isMoved = true
      } catch is CancellationError {
        cancellations += 1
      }
      #expect(exists(mira["notes/a.md"]) == !isMoved, "report \(end)")
      #expect(exists(tom["a.md"]) == isMoved, "report \(end)")
    }
    #expect(isMoved && cancellations > 2)
    #expect(try contents("a.md", on: tom).last == "one\n")
    for device in [mira, tom] { try device.expectSound() }
  }

  @Test func `moved back it goes on where it was, in no conflict`() throws {
    let tom = try world.device("tom")
    try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    try tom.save("three\n", as: "a.md")
    world.clock.advance(bySeconds: 60)
    try tom.store.move(tom["a.md"], to: mira["notes/a.md"])
    #expect(try mira.read("notes/a.md") == "three\n")
    #expect(!exists(tom["a.md"]))
    let history = try mira.history("notes/a.md")
    #expect(history.unresolvedConflicts.isEmpty)
    #expect(history.current?.kind == .move)
    #expect(try Set(contents("notes/a.md", on: mira)) == ["one\n", "two\n", "three\n"])
    for device in [mira, tom] { try device.expectSound() }
  }

  @Test func `other devices delete it in the one container, and get it in the other`() throws {
    try world.exchange("mira", "tom")
    let (outside, cloud) = (world.scratch["outside"], world.scratch["cloud-2"])
    let other = try Device("mira", at: outside, in: world.scratch, clock: world.clock)
    world.clock.advance(bySeconds: 60)
    try mira.store.move(mira["notes/a.md"], to: other["a.md"])
    try world.exchange("mira", "tom")
    #expect(!exists(world.url("tom", "notes/a.md")))
    let peer = try Device(
      "tom", at: world.scratch["outside-tom"], in: world.scratch, clock: world.clock)
    for device in [other, peer, other] {
      world.clock.advance(bySeconds: 1)
      let outcome = try device.store.exchange(device.container, through: cloud)
      for document in outcome.documents { #expect(document.failure == nil) }
    }
    #expect(try peer.read("a.md") == "two\n")
    #expect(try contents("a.md", on: peer) == ["two\n", "two\n", "one\n"])
  }

  @Test func `a conflict and a package go along`() throws {
    try world.exchange("mira", "tom")
    try world.save("of Mira\n", as: "b.md", on: "mira")
    try world.save("of Tom\n", as: "b.md", on: "tom")
    try world.exchange("mira", "tom")
    let other = try Device("other", in: world.scratch, clock: world.clock)
    try mira.store.move(mira["b.md"], to: other["b.md"])
    #expect(try other.history("b.md").unresolvedConflicts.count == 1)
    let notebook = try Notebook(mira)
    try mira.store.save(notebook.url)
    try mira.store.move(notebook.url, to: other["Trip.imagenotes"])
    #expect(!exists(notebook.url))
    #expect(try other.read("Trip.imagenotes/pages/page1.txt") == Notebook.page(1))
    for device in [mira, other] { try device.expectSound() }
  }

  @Test(arguments: [
    ("b.md", FileError.Code.exists), ("nowhere/a.md", .notFound),
    ("b.md/a.md", .notFound),
  ])
  func `a place that is taken or not there is refused, and nothing changes`(
    place: String, code: FileError.Code
  ) throws {
    let tom = try world.device("tom")
    try world.save("of Tom\n", as: "b.md", on: "tom")
    for target in [mira[place], tom[place]] {
      let error = #expect(throws: FileError.self) {
        try mira.store.move(mira["notes/a.md"], to: target)
      }
      #expect(error?.code == code)
    }
    #expect(try mira.read("notes/a.md") == "two\n")
    #expect(try mira.history("notes/a.md").versions.count == 2)
    #expect(try tom.read("b.md") == "of Tom\n")
  }

  @Test func `a package can't be moved into itself, nor a document into a package`() throws {
    let notebook = try Notebook(mira)
    try mira.store.save(notebook.url)
    #expect(throws: FileError.self) {
      try mira.store.move(notebook.url, to: notebook.url.appending(path: "pages/x.imagenotes"))
    }
    #expect(throws: (any Error).self) {
      try mira.store.move(mira["notes/a.md"], to: notebook.url.appending(path: "pages/a.md"))
    }
    #expect(try mira.read("notes/a.md") == "two\n")
  }

  @Test func `another document's versions under the name are kept`() throws {
    let tom = try world.device("tom")
    try world.save("of Tom\n", as: "a.md", on: "tom")
    try tom.store.delete(tom["a.md"])
    let error = #expect(throws: FileError.self) {
      try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    }
    #expect(error?.code == .exists)
    #expect(try mira.read("notes/a.md") == "two\n")
  }

  @Test func `what has no versions is refused, and a dry run changes nothing`() throws {
    let tom = try world.device("tom")
    try mira.write("new\n", to: "new.md")
    let error = #expect(throws: VersionError.self) {
      try mira.store.move(mira["new.md"], to: tom["new.md"])
    }
    #expect(error?.code == .noVersions)
    var store = mira.store
    store.isDryRun = true
    try store.move(mira["notes/a.md"], to: tom["a.md"])
    #expect(exists(mira["notes/a.md"]) && !exists(tom["a.md"]))
    #expect(!exists(tom[".docversions"]))
  }

  // MARK: Undoing

  @Test(arguments: [false, true])
  func `a move is undone from either place, with all versions, and not twice`(
    isFromFormerPlace: Bool
  ) throws {
    let tom = try world.device("tom")
    world.clock.advance(bySeconds: 60)
    let moved = try mira.store.move(mira["notes/a.md"], to: tom["c.md"])
    world.clock.advance(bySeconds: 60)
    let places = try #require(try tom.store.lastMove(of: tom["c.md"]))
    #expect(places == (tom["c.md"], mira["notes/a.md"]))
    let outcome =
      try isFromFormerPlace
      ? mira.store.undo(mira["notes/a.md"]) : tom.store.undo(tom["c.md"])
    #expect(outcome.undone?.id == moved.id)
    #expect(outcome.document == mira["notes/a.md"])
    #expect(outcome.keptEdits == nil)
    #expect(try mira.read("notes/a.md") == "two\n")
    #expect(!exists(tom["c.md"]))
    #expect(try mira.history("notes/a.md").unresolvedConflicts.isEmpty)
    #expect(try Set(contents("notes/a.md", on: mira)) == ["one\n", "two\n"])
    for device in [mira, tom] { try device.expectSound() }
    let error = #expect(throws: VersionError.self) { try mira.store.undo(mira["notes/a.md"]) }
    #expect(error?.code == .nothingToUndo)
  }

  @Test func `edits since a move become a version before it is undone`() throws {
    let tom = try world.device("tom")
    try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    world.clock.advance(bySeconds: 60)
    try tom.write("edited\n", to: "a.md")
    let outcome = try tom.store.undo(tom["a.md"])
    #expect(outcome.keptEdits?.kind == .save)
    #expect(try mira.read("notes/a.md") == "edited\n")
    #expect(try Set(contents("notes/a.md", on: mira)) == ["one\n", "two\n", "edited\n"])
  }

  @Test func `a document that was out and in again is where it was, on every device`() throws {
    try world.exchange("mira", "tom")
    let outside = try Device(
      "mira", at: world.scratch["outside"], in: world.scratch, clock: world.clock)
    world.clock.advance(bySeconds: 60)
    try mira.store.move(mira["notes/a.md"], to: outside["a.md"])
    try world.exchange("mira", "tom")
    #expect(!exists(world.url("tom", "notes/a.md")))
    world.clock.advance(bySeconds: 60)
    try outside.store.undo(outside["a.md"])
    try world.exchange("mira", "tom")
    #expect(try world.read("notes/a.md", on: "tom") == "two\n")
    #expect(try world.history("notes/a.md", on: "tom").unresolvedConflicts.isEmpty)
  }

  @Test func `after a save, and without the former place, a move is not undone`() throws {
    let tom = try world.device("tom")
    func refusal() throws -> VersionError? {
      #expect(throws: VersionError.self) { try tom.store.undo(tom["a.md"]) }
    }
    try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    try FileManager.default.moveItem(at: mira.container, to: world.scratch["away"])
    let gone = try refusal()
    #expect(gone?.code == .nothingToUndo)
    #expect(gone?.hint?.contains("Move it back") == true)
    try FileManager.default.moveItem(at: world.scratch["away"], to: mira.container)
    try tom.save("three\n", as: "a.md")
    #expect(try refusal()?.code == .nothingToUndo)
    #expect(try tom.read("a.md") == "three\n")
  }

  @Test func `where another item took the place, undoing is refused, and nothing changes`() throws {
    let tom = try world.device("tom")
    try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    try mira.write("another\n", to: "notes/a.md")
    let error = #expect(throws: FileError.self) { try tom.store.undo(tom["a.md"]) }
    #expect(error?.code == .exists)
    #expect(try mira.read("notes/a.md") == "another\n")
    #expect(try tom.read("a.md") == "two\n")
  }

  @Test func `where the document is again, a move is undone under another name`() throws {
    try world.exchange("mira", "tom")
    let outside = try Device(
      "mira", at: world.scratch["outside"], in: world.scratch, clock: world.clock)
    world.clock.advance(bySeconds: 60)
    try mira.store.move(mira["notes/a.md"], to: outside["a.md"])
    try world.save("by Tom\n", as: "notes/a.md", on: "tom")
    try world.exchange("mira", "tom")
    #expect(try mira.read("notes/a.md") == "by Tom\n")
    let error = #expect(throws: VersionError.self) { try outside.store.undo(outside["a.md"]) }
    #expect(error?.code == .nothingToUndo)
    let hint = try #require(error?.hint)
    #expect(hint.contains("“\(mira["notes/a.md"].path)”"), "\(hint)")
    #expect(hint.hasSuffix("Move it back under another name."))
    try outside.store.move(outside["a.md"], to: mira["notes/b.md"])
    #expect(try mira.read("notes/b.md") == "two\n")
    #expect(try mira.read("notes/a.md") == "by Tom\n")
  }

  @Test func `a dry run undoes no move`() throws {
    let tom = try world.device("tom")
    try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    var store = tom.store
    store.isDryRun = true
    #expect(try store.undo(tom["a.md"]).document == tom["a.md"])
    #expect(exists(tom["a.md"]) && !exists(mira["notes/a.md"]))
  }

  /// Its path doesn't count if another user wrote it.
  @Test(arguments: ["", "x", "0000000000000000000000000000000000000000\n/etc/passwd"])
  func `what is kept of the other place is only believed if that says the same`(text: String) throws
  {
    let tom = try world.device("tom")
    let moved = try mira.store.move(mira["notes/a.md"], to: tom["a.md"])
    let file = tom[".docversions/documents/a.md.git/other-place"]
    for text in [text, "\(moved.id)\n\(world.scratch["elsewhere/x.md"].path)"] {
      try Data(text.utf8).write(to: file)
      let error = #expect(throws: VersionError.self) { try tom.store.undo(tom["a.md"]) }
      #expect(error?.code == .nothingToUndo)
      #expect(try tom.read("a.md") == "two\n")
    }
  }
}
