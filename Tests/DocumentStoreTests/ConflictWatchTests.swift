import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import DocumentStore

/// Repeated searches for conflicts with one store, to which the system reports changes.
@Suite("Conflicts asked for again")
struct ConflictWatchTests {
  private let desk: Device

  init() throws {
    desk = try Device()
    for name in ["a.md", "b.md", "sub/c.md"] {
      try desk.save("1", as: name)
      try desk.save("2", as: name)
    }
    try desk.conflict(base: "1", other: "2", current: "3", as: "open.md")
  }

  /// Returns the names from this store, which must equal those from a new one.
  private func names(_ sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    let found = try #require(try desk.store.documentsInConflict(below: desk.container))
    var other = desk.store
    other.conflictWatch = ConflictWatch()
    let fresh = try other.documentsInConflict(below: desk.container)
    #expect(found == fresh, sourceLocation: sourceLocation)
    return found.map(\.lastPathComponent)
  }

  /// Searches until changes are reported, if the system reports them.
  private func watch() throws {
    for _ in 0..<3 { #expect(try names() == ["open.md"]) }
    let stores = try Layout.documents(of: FilePath(desk.container.path).resolvingLinks())
    #expect(desk.store.conflictWatch.isWatching == (FolderWatch(from: stores) != nil))
  }

  private func store(_ name: String) throws -> URL {
    URL(filePath: try DocumentLocation(of: desk[name]).store.string)
  }

  private func move(_ from: URL, to: URL) throws {
    try FileManager.default.moveItem(at: from, to: to)
  }

  @Test(
    "A conflict and its end are reported at once",
    arguments: ["a.md", "sub/c.md", "new.md", "new/d.md"])
  func conflict(name: String) throws {
    try watch()
    let versions = try desk.conflict(base: "1", other: "2", current: "3", as: name)
    let file = desk[name].lastPathComponent
    #expect(try Set(names()) == [file, "open.md"])
    #expect(try Set(names()) == [file, "open.md"])
    try desk.store.markResolved([versions.other], of: desk[name])
    #expect(try names() == ["open.md"])
    try desk.store.markResolved(
      desk.history("open.md").unresolvedConflicts, of: desk["open.md"])
    #expect(try names().isEmpty)
  }

  @Test("A change of a reference by git is reported")
  func git() throws {
    let main = try store("a.md").appending(path: "refs/heads/main")
    let before = try String(contentsOf: main, encoding: .utf8).dropLast()
    try desk.save("3", as: "a.md")
    try watch()
    let result = try Command.run(
      "git", ["-C", store("a.md").path, "update-ref", "refs/heads/main", String(before)])
    #expect(result.exitCode == 0)
    #expect(try names() == ["a.md", "open.md"])
    let packing = try Command.run("git", ["-C", store("b.md").path, "pack-refs", "--all"])
    #expect(packing.exitCode == 0)
    #expect(try names() == ["a.md", "open.md"])
  }

  @Test(
    "Files that are written in place or appear are reported",
    arguments: [
      "reference", "ledger", "packed-refs", "references", "no references", "heads", "link",
    ])
  func file(kind: String) throws {
    let folder = try store("a.md")
    let main = folder.appending(path: "refs/heads/main")
    let ledger = folder.appending(path: "ledger")
    let before = (main: try Data(contentsOf: main), ledger: try Data(contentsOf: ledger))
    try desk.save("3", as: "a.md")
    let after = try Data(contentsOf: ledger)
    if kind == "ledger" {
      try before.main.write(to: main)
      try before.ledger.write(to: ledger)
    }
    let refs = folder.appending(path: "refs")
    if kind == "link" {
      try move(refs, to: desk.scratch["refs"])
      try FileManager.default.createSymbolicLink(
        at: refs, withDestinationURL: desk.scratch["refs"])
    }
    try watch()
    switch kind {
    case "link":
      // Nothing happens to the link itself.
      try FileManager.default.copyItem(at: desk.scratch["refs"], to: desk.scratch["copy"])
      try move(desk.scratch["refs"], to: desk.scratch["old"])
      try before.main.write(to: desk.scratch["copy/heads/main"])
      try move(desk.scratch["copy"], to: desk.scratch["refs"])
    case "reference": try before.main.write(to: main)
    case "ledger": try after.write(to: ledger)
    case "packed-refs": try Data("nonsense".utf8).write(to: folder.appending(path: "packed-refs"))
    case "no references": try FileManager.default.removeItem(at: folder.appending(path: "refs"))
    case "references", "heads":
      // Another folder takes the place of one on the path.
      let name = kind == "heads" ? "refs/heads" : "refs"
      let copy = folder.appending(path: "copy")
      try FileManager.default.copyItem(at: folder.appending(path: name), to: copy)
      #expect(try names() == ["open.md"])
      try move(folder.appending(path: name), to: desk.scratch["old"])
      try move(copy, to: folder.appending(path: name))
      #expect(try names() == ["open.md"])
      try before.main.write(to: main)
    default: break
    }
    #expect(try names() == ["a.md", "open.md"])
  }

  @Test(
    "Stores that are moved are reported",
    arguments: ["removed", "renamed", "exchanged", "folder", "documents", "container", "back"])
  func moved(kind: String) throws {
    let stores = desk.container.appending(path: ".docversions/documents")
    try watch()
    switch kind {
    case "removed":
      try FileManager.default.removeItem(at: store("open.md"))
      #expect(try names() == [])
    case "renamed":
      try move(store("open.md"), to: stores.appending(path: "other.md.git"))
      #expect(try names() == ["other.md"])
      try desk.conflict(base: "4", other: "5", current: "6", as: "b.md")
      #expect(try names() == ["b.md", "other.md"])
    case "exchanged":
      try move(store("open.md"), to: desk.scratch["old"])
      try move(store("a.md"), to: store("open.md"))
      try move(desk.scratch["old"], to: stores.appending(path: "a.md.git"))
      #expect(try names() == ["a.md"])
    case "folder":
      try desk.conflict(base: "4", other: "5", current: "6", as: "sub/c.md")
      try move(stores.appending(path: "sub"), to: stores.appending(path: "sub2"))
      #expect(try names() == ["open.md", "c.md"])
      try desk.conflict(base: "4", other: "5", current: "6", as: "sub2/e.md")
      #expect(try names() == ["open.md", "c.md", "e.md"])
    case "documents":
      try move(stores, to: desk.scratch["old"])
      #expect(try names() == [])
      try desk.save("1", as: "open.md")
      #expect(try names() == [])
      #expect(try names() == [])
      #expect(try names() == [])
      try desk.conflict(base: "4", other: "5", current: "6", as: "a.md")
      #expect(try names() == ["a.md"])
    case "container":
      try move(desk.container, to: desk.scratch["old"])
      try FileManager.default.createDirectory(
        at: desk.container, withIntermediateDirectories: true)
      #expect(try desk.store.documentsInConflict(below: desk.container) == nil)
      try desk.save("1", as: "open.md")
      #expect(try names() == [])
    default:
      // In between, it belongs to another container.
      try move(stores, to: desk.scratch["old"])
      try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
      #expect(try names() == [])
      try FileManager.default.removeItem(at: stores)
      try move(desk.scratch["old"], to: stores)
      #expect(try names() == ["open.md"])
    }
  }

  @Test("Each folder that is asked for has its own answer")
  func folders() throws {
    try watch()
    try desk.conflict(base: "4", other: "5", current: "6", as: "sub/c.md")
    for _ in 0..<3 {
      #expect(
        try desk.store.documentsInConflict(below: desk["sub"])?.map(\.lastPathComponent) == ["c.md"]
      )
    }
    try desk.conflict(base: "4", other: "5", current: "6", as: "a.md")
    #expect(
      try desk.store.documentsInConflict(below: desk["sub"])?.map(\.lastPathComponent) == ["c.md"])
    #expect(try names() == ["a.md", "open.md", "c.md"])
    // A container of its own.
    try FileManager.default.createDirectory(
      at: desk["sub/.docversions"], withIntermediateDirectories: true)
    #expect(try desk.store.documentsInConflict(below: desk["sub"]) == [])
  }

  @Test("An overflow of the system’s reports loses no change")
  func overflow() throws {
    try watch()
    let folder = try FilePath(store("b.md").path)
    for number in 0..<12_000 {
      let name = folder.appending("x\(number % 2)")
      try FileDescriptor.open(name, .writeOnly, options: .create, permissions: .ownerReadWrite)
        .close()
      try FileManager.default.removeItem(atPath: name.string)
    }
    try desk.conflict(base: "4", other: "5", current: "6", as: "a.md")
    #expect(try names() == ["a.md", "open.md"])
  }

  @Test("Where not all may be watched, all are read", arguments: [0, 1, 2, 3, 4, 7, 8, 20])
  func limit(count: Int) throws {
    var desk = desk
    desk.store.conflictWatch = ConflictWatch(atMost: count)
    func names() throws -> [String]? {
      try desk.store.documentsInConflict(below: desk.container)?.map(\.lastPathComponent)
    }
    for _ in 0..<3 { #expect(try names() == ["open.md"]) }
    for name in ["a.md", "b.md", "sub/c.md", "sub/new.md"] {
      let other = try desk.conflict(base: "4", other: "5", current: "6", as: name).other
      #expect(try Set(#require(try names())) == [desk[name].lastPathComponent, "open.md"])
      try desk.store.markResolved([other], of: desk[name])
      #expect(try names() == ["open.md"])
    }
  }

  @Test("A document that could not be read is read again each time")
  func unreadable() throws {
    try watch()
    let objects = try store("a.md").appending(path: "objects")
    try desk.conflict(base: "4", other: "5", current: "6", as: "a.md")
    try desk.store.markResolved(desk.history("a.md").unresolvedConflicts, of: desk["a.md"])
    // Without a ledger it has to be opened.
    try FileManager.default.removeItem(at: store("a.md").appending(path: "ledger"))
    let away = desk.scratch["objects"]
    try FileManager.default.createDirectory(at: away, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: objects.path)
    #expect(!names.isEmpty)
    for name in names { try move(objects.appending(path: name), to: away.appending(path: name)) }
    // Its folder of objects is not watched: only changes in the store itself are reported.
    try Data().write(to: store("a.md").appending(path: "x"))
    #expect(try self.names() == ["a.md", "open.md"])
    for name in names { try move(away.appending(path: name), to: objects.appending(path: name)) }
    #expect(try self.names() == ["open.md"])
  }

  @Test("Any number of threads may ask at once")
  func threads() throws {
    try watch()
    let wrong = Mutex<[[String]]>([])
    let isDone = Mutex(false)
    let asking = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: asking) { [store = desk.store, folder = desk.container] in
        while !isDone.withLock({ $0 }) {
          do {
            let found = try store.documentsInConflict(below: folder)?.map(\.lastPathComponent) ?? []
            if found != ["open.md"] && found != ["a.md", "open.md"] {
              wrong.withLock { $0.append(found) }
            }
          } catch {
            wrong.withLock { $0.append(["\(error)"]) }
          }
        }
      }
    }
    for _ in 0..<10 {
      let other = try desk.conflict(base: "4", other: "5", current: "6", as: "a.md").other
      #expect(try names() == ["a.md", "open.md"])
      try desk.store.markResolved([other], of: desk["a.md"])
      #expect(try names() == ["open.md"])
    }
    isDone.withLock { $0 = true }
    asking.wait()
    #expect(wrong.withLock { $0 } == [])
  }
}
