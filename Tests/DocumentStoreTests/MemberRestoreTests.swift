import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Restoring single members")
struct MemberRestoreTests {
  private let desk: Device
  private let notebook: Notebook
  private let first: FileVersion

  init() throws {
    desk = try Device()
    notebook = try Notebook(desk)
    first = try notebook.save()
  }

  /// Restores a member, and expects that nothing else has changed and all others are still the same files.
  @discardableResult
  private func restore(
    _ member: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RestoreOutcome {
    let before = try notebook.statuses()
    let outcome = try desk.store.restore(first, member: member)
    let isElsewhere = { (path: String) in path != member && !path.hasPrefix(member + "/") }
    #expect(
      try notebook.statuses().filter { isElsewhere($0.key) }
        == before.filter { isElsewhere($0.key) }, sourceLocation: sourceLocation)
    // The version equals the document on disk.
    #expect(
      try desk.store.memberChangesOnDisk(since: outcome.version).isEmpty,
      sourceLocation: sourceLocation)
    #expect(try desk.store.state(of: notebook.url) == .unchanged, sourceLocation: sourceLocation)
    #expect(
      try !desk.store.save(notebook.url, asPackage: true).isNew, sourceLocation: sourceLocation)
    try desk.expectSound(sourceLocation: sourceLocation)
    return outcome
  }

  private func expectRefusal(
    _ code: FileError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let before = try? notebook.statuses()
    let error = #expect(throws: FileError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    let after = try? notebook.statuses()
    #expect(before == after, sourceLocation: sourceLocation)
  }

  @Test func `one member is as it was, and all others stay as they are on disk`() throws {
    try notebook.write("edited\n", to: "pages/page1.txt")
    try notebook.write("edited too\n", to: "Info.plist")
    let second = try notebook.save()
    let outcome = try restore("pages/page1.txt")
    #expect(try notebook.read("pages/page1.txt") == Notebook.page(1))
    #expect(try notebook.read("Info.plist") == "edited too\n")
    #expect(outcome.isNew && outcome.keptEdits == nil)
    #expect(outcome.version.kind == .restore)
    #expect(outcome.version.isCurrent)
    #expect(outcome.version.parents == [second.id])
    #expect(outcome.version.fileCount == 8)
    #expect(outcome.version.size == first.size - Notebook.settings.utf8.count + 11)
  }

  @Test func `edits that were not saved are a version first, and stay`() throws {
    try notebook.write("unsaved\n", to: "pages/page2.txt")
    try notebook.write("unsaved\n", to: "Info.plist")
    let outcome = try restore("pages/page2.txt")
    let kept = try #require(outcome.keptEdits)
    #expect(try kept.contents(ofMember: "pages/page2.txt") == Data("unsaved\n".utf8))
    #expect(try notebook.read("Info.plist") == "unsaved\n")
    #expect(outcome.version.parents == [kept.id])
    let undone = try desk.store.undo(notebook.url)
    #expect(undone.undone == outcome.version)
    #expect(try notebook.read("pages/page2.txt") == "unsaved\n")
    #expect(try notebook.read("Info.plist") == "unsaved\n")
  }

  @Test func `a deleted member comes back, with the folders around it`() throws {
    try notebook.remove("tools")
    try notebook.remove("pages")
    try notebook.save()
    try restore("tools/pack.sh")
    #expect(
      FileManager.default.isExecutableFile(
        atPath: notebook.url.appending(path: "tools/pack.sh").path))
    try restore("pages")
    #expect(try notebook.read("pages/page3.txt") == Notebook.page(3))
    try desk.store.undo(notebook.url)
    #expect(!notebook.exists("pages"))
  }

  @Test func `a folder comes back with what it held, and keeps what is the same`() throws {
    try notebook.write("edited\n", to: "pages/page1.txt")
    try notebook.write("new\n", to: "pages/page4.txt")
    try notebook.save()
    let same = try notebook.statuses()["pages/page2.txt"]
    try restore("pages")
    #expect(try notebook.statuses()["pages/page2.txt"] == same)
    #expect(try notebook.read("pages/page1.txt") == Notebook.page(1))
    #expect(!notebook.exists("pages/page4.txt"))
  }

  @Test func `a member that is the same already makes no version`() throws {
    let outcome = try restore("Info.plist")
    #expect(!outcome.isNew)
    #expect(outcome.version == first)
    try notebook.write("unsaved\n", to: "empty.txt")
    let other = try restore("Info.plist")
    #expect(!other.isNew)
    #expect(other.version == other.keptEdits)
  }

  @Test func `a member takes the place of one of another kind`() throws {
    try notebook.remove("pages/page1.txt")
    try notebook.link("pages/page1.txt", to: "/etc/hostname")
    try notebook.remove("cover")
    try notebook.write("a file now\n", to: "cover")
    try notebook.remove("images")
    try notebook.write("no folder\n", to: "images")
    try notebook.remove("Info.plist")
    try notebook.write("x\n", to: "Info.plist/inner/x")
    try notebook.save()
    try restore("pages/page1.txt")
    #expect(try notebook.read("pages/page1.txt") == Notebook.page(1))
    try restore("cover")
    #expect(try notebook.statuses()["cover"] == "images/camp.png")
    try restore("images")
    #expect(
      try Data(contentsOf: notebook.url.appending(path: "images/camp.png")) == Notebook.picture)
    try restore("Info.plist")
    #expect(try notebook.read("Info.plist") == Notebook.settings)
  }

  @Test func `only the bit that lets a file be run may differ`() throws {
    try notebook.setPermissions(0o644, of: "tools/pack.sh")
    try notebook.save()
    try restore("tools/pack.sh")
    #expect(
      FileManager.default.isExecutableFile(
        atPath: notebook.url.appending(path: "tools/pack.sh").path))
  }

  @Test func `a large member comes back`() throws {
    var generator = SeededGenerator(seed: 11)
    let bytes = Data((0..<2_500_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try notebook.write(bytes: bytes, to: "film.mov")
    let before = try notebook.save()
    try notebook.remove("film.mov")
    try notebook.save()
    let outcome = try desk.store.restore(before, member: "film.mov")
    #expect(try Data(contentsOf: notebook.url.appending(path: "film.mov")) == bytes)
    #expect(try desk.store.memberChanges(from: before, to: outcome.version).isEmpty)
    try desk.expectSound()
  }

  @Test func `into a file, and through a link, nothing is restored`() throws {
    let outside = desk["outside"]
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try notebook.remove("pages")
    try notebook.link("pages", to: "../outside")
    try notebook.remove("images")
    try notebook.write("a file\n", to: "images")
    expectRefusal(.unsupportedKind) {
      try desk.store.restore(first, member: "pages/page1.txt")
    }
    expectRefusal(.unsupportedKind) {
      try desk.store.restore(first, member: "images/camp.png")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    // Not even a version of the edits was made.
    #expect(try desk.history(notebook.name).versions.count == 1)
  }

  @Test func `without the package on disk there is nothing to restore a member into`() throws {
    try FileManager.default.removeItem(at: notebook.url)
    expectRefusal(.notFound) { try desk.store.restore(first, member: "Info.plist") }
    try desk.write("flat\n", to: notebook.name)
    expectRefusal(.unsupportedKind) { try desk.store.restore(first, member: "Info.plist") }
  }

  @Test func `a missing member is an error that names the members there are`() throws {
    func hint(_ member: String, of version: FileVersion) -> String? {
      do {
        try desk.store.restore(version, member: member)
      } catch let error as VersionError where error.code == .noSuchMember {
        return error.hint ?? ""
      } catch {}
      return nil
    }
    #expect(hint("pages/page5.txt", of: first) == "Did you mean “pages/page1.txt”?")
    #expect(hint("paegs/page1.txt", of: first) == "Did you mean “pages”?")
    #expect(
      hint("pages/introduction", of: first)
        == "“pages/” has “page1.txt”, “page2.txt”, “page3.txt”.")
    #expect(hint("something", of: first)?.hasPrefix("It has “Info.plist”, “cover”, ") == true)
    try notebook.write("one more\n", to: "more.txt")
    let second = try notebook.save()
    #expect(hint("something", of: second) == "Choose one of the members that the version has.")
    #expect(hint("../Info.plist", of: first) != nil)
    let file = try desk.save("flat\n", as: "flat.md")
    #expect(hint("Info.plist", of: file) == "")
  }

  @Test func `names that are no text are typed as listings show them`() throws {
    let path = Array(notebook.url.path.utf8) + Array("/odd".utf8) + [0xFF, 0]
    path.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { name in
        let file = name.baseAddress.flatMap { fopen($0, "w") }
        file.map {
          _ = fputs("odd\n", $0); fclose($0)
        }
      }
    }
    let version = try notebook.save()
    #expect(try desk.store.members(of: version).map(\.path).contains("odd\\xFF"))
    #expect(try version.contents(ofMember: "odd\\xFF") == Data("odd\n".utf8))
    path.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = $0.baseAddress.map { unlink($0) } }
    }
    #expect(try desk.store.restore(version, member: "odd\\xFF").keptEdits != nil)
    #expect(try desk.store.memberChangesOnDisk(since: version).isEmpty)
  }

  @Test func `a dry run checks everything and changes nothing`() throws {
    try notebook.write("unsaved\n", to: "Info.plist")
    var store = desk.store
    store.isDryRun = true
    #expect(try store.restore(first, member: "Info.plist").keptEdits == nil)
    #expect(try notebook.read("Info.plist") == "unsaved\n")
    #expect(try desk.history(notebook.name).versions.count == 1)
    expectVersionError(.noSuchMember) { try store.restore(first, member: "nothing") }
  }

  @Test func `what follows an older version that is on disk becomes a conflict, never a loss`()
    throws
  {
    try notebook.write("edited\n", to: "Info.plist")
    let second = try notebook.save()
    // The document shows the first version again, with an edit, as it does after another device went on.
    try notebook.write(Notebook.settings, to: "Info.plist")
    try notebook.write("edit\n", to: "empty.txt")
    desk.clock.advance(bySeconds: 60)
    let third = try desk.store.save(notebook.url, base: first, asPackage: true).version
    try notebook.remove("pages/page1.txt")
    let outcome = try restore("pages/page1.txt")
    #expect(try desk.history(notebook.name).unresolvedConflicts == [second])
    #expect(outcome.keptEdits?.parents == [third.id])
    #expect(try notebook.read("Info.plist") == Notebook.settings)
  }

  @Test func `stopped in the middle, the document is as it was`() throws {
    try notebook.write("edited\n", to: "pages/page1.txt")
    try notebook.save()
    let before = try notebook.statuses()
    var store = desk.store
    let progress = OperationProgress()
    progress.cancel()
    store.progress = progress
    #expect(throws: CancellationError.self) { try store.restore(first, member: "pages/page1.txt") }
    #expect(try notebook.statuses() == before)
    #expect(try desk.history(notebook.name).versions.count == 2)
  }

  @Test func `restoring a version of a thousand files touches only the one that differs`() throws {
    let large = try Notebook(desk, name: "Large.pkg")
    for page in 0..<1_000 {
      try large.write("page \(page)\n", to: "pages/\(page / 100)/\(page).txt")
    }
    let before = try large.save()
    try large.write("edited\n", to: "pages/4/444.txt")
    try large.save()
    let statuses = try large.statuses()
    let outcome = try desk.store.restore(before)
    #expect(outcome.isNew)
    #expect(try large.read("pages/4/444.txt") == "page 444\n")
    let after = try large.statuses()
    #expect(after.count > 1_000)
    #expect(after.filter { statuses[$0.key] != $0.value }.map(\.key) == ["pages/4/444.txt"])
  }
}
