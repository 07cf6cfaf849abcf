import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
import DocumentSync

/// Locations and names that callers pass.
@Suite("Addresses and names")
struct AddressTests {
  @Test(
    "An address that stands for no path is refused, and is not the current folder",
    arguments: ["file:///tmp/inv%FF.md", "https://example.com/tmp/a.md"])
  func noPath(_ address: String) throws {
    let url = try #require(URL(string: address))
    let store = SynchronousStore()
    let attempts: [() throws -> Void] = [
      { _ = try store.save(url) }, { _ = try store.delete(url) },
      { _ = try store.history(of: url) }, { _ = try store.documents(below: url) },
      { _ = try store.exchange(url, through: url) }, { _ = try DocumentWrapper(url: url) },
      { _ = try PlainFile.read(url) },
    ]
    for attempt in attempts {
      do {
        try attempt()
        Issue.record("“\(address)” was taken for a path")
      } catch let error as FileError {
        #expect(error.code == .invalidName)
      } catch let error as VersionError {
        #expect(error.code == .invalidArgument)
      }
    }
  }

  @Test(
    "What is no name is refused, and the document keeps its own",
    arguments: ["", ".", "..", "a/b", "/", "x\0y"])
  func names(_ name: String) throws {
    let desk = try Device()
    try desk.save("text", as: "a.md")
    expectFileError(.invalidName) { try desk.store.rename(desk["a.md"], to: name) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.container.path).count == 2)
    #expect(try desk.store.state(of: desk["a.md"]) == .unchanged)
  }

  @Test("A note that is too long to be read is not written")
  func longNote() throws {
    let desk = try Device()
    try desk.save("one", as: "a.md")
    try desk.write("two", to: "a.md")
    expectVersionError(.invalidArgument) {
      try desk.store.save(desk["a.md"], note: String(repeating: "x", count: 1 << 20))
    }
    #expect(try desk.history("a.md").versions.count == 1)
    try desk.store.save(desk["a.md"], note: String(repeating: "x", count: 1_000_000))
    #expect(try desk.store.verify(desk["a.md"]).isWhole)
  }

  @Test("A member of a package that has versions is no document of its own")
  func memberOfPackage() throws {
    let desk = try Device()
    try desk.write("page", to: "Trip.notes/pages/1.md")
    try desk.store.save(desk["Trip.notes"])
    expectVersionError(.invalidArgument) { try desk.store.save(desk["Trip.notes/pages/1.md"]) }
    #expect(try desk.store.documents(below: desk.container)?.count == 1)
  }

  @Test("Contents are not taken away with what else is in their place", arguments: [true, false])
  func addingByMoving(_ isPackage: Bool) throws {
    let desk = try Device()
    let name = isPackage ? "Trip.notes" : "a.md"
    try desk.write("text", to: isPackage ? "Trip.notes/member.md" : "a.md")
    try desk.store.save(desk[name])
    try desk.write("beside", to: "b.md")
    let sources = ["", ".docversions", ".docversions/documents"]
    for source in isPackage ? sources + ["Trip.notes/member.md"] : sources {
      #expect(throws: (any Error).self) {
        _ = try FileVersion.add(
          to: desk[name], contentsOf: desk[source], options: .byMoving, store: desk.store)
      }
    }
    #expect(try desk.store.state(of: desk[name]) == .unchanged)
    #expect(try desk.read("b.md") == "beside")
    let folder = try FileVersion.temporaryDirectoryForNewVersion(of: desk[name], store: desk.store)
    let contents = folder.appending(path: name)
    try FileManager.default.copyItem(at: desk["b.md"], to: contents)
    _ = try FileVersion.add(
      to: desk[name], contentsOf: contents, options: .byMoving, store: desk.store)
    #expect(!FileManager.default.fileExists(atPath: contents.path))
    #expect(try desk.history(name).versions.count == 2)
  }

  @Test("A version replaces the item that was named, and no other")
  func replacingElsewhere() throws {
    let desk = try Device()
    let version = try desk.save("version", as: "a.md")
    try desk.write("text", to: "copy.txt")
    try desk.write("other", to: "copy.md")
    try desk.write("inside", to: "folder/kept.txt")
    expectFileError(.exists) { try version.replaceItem(at: desk["copy.txt"]) }
    expectFileError(.wrongKind) { try version.replaceItem(at: desk["folder"]) }
    #expect(throws: (any Error).self) { try version.replaceItem(at: desk.container) }
    #expect(throws: (any Error).self) {
      try version.replaceItem(at: URL(filePath: "/dev/null"))
    }
    #expect(try desk.read("copy.md") == "other")
    #expect(try desk.read("copy.txt") == "text")
    #expect(try desk.read("folder/kept.txt") == "inside")
    let place = try version.replaceItem(at: desk["new.txt"])
    #expect(place.lastPathComponent == "new.md")
    #expect(try desk.read("new.md") == "version")
  }

  @Test("Unsaved edits of the document that a version of another one replaces become a version")
  func replacingAnotherDocument() throws {
    let desk = try Device()
    let version = try desk.save("version", as: "a.md")
    try desk.save("saved", as: "b.md")
    try desk.write("edited", to: "b.md")
    try version.replaceItem(at: desk["b.md"])
    #expect(try desk.read("b.md") == "version")
    #expect(try desk.texts("b.md") == ["edited", "saved"])
  }

  @Test("What is written elsewhere keeps the unsaved edits there, and replaces no folder by a file")
  func exportingOverOthers() throws {
    let desk = try Device()
    let version = try desk.save("version", as: "a.md")
    try desk.save("saved", as: "b.md")
    try desk.write("edited", to: "b.md")
    try desk.store.export(version, to: desk["b.md"], replacing: true)
    #expect(try desk.read("b.md") == "version")
    #expect(try desk.texts("b.md") == ["edited", "saved"])
    try desk.write("one", to: "p.pkg/1.txt")
    try desk.store.save(desk["p.pkg"], asPackage: true)
    try desk.write("edited", to: "p.pkg/1.txt")
    try desk.store.export(version, to: desk["p.pkg/1.txt"], replacing: true)
    #expect(try desk.history("p.pkg").versions.count == 2)
    try desk.write("photo", to: "photos/1.jpg")
    expectFileError(.wrongKind) {
      try desk.store.export(version, to: desk["photos"], replacing: true)
    }
    #expect(try desk.read("photos/1.jpg") == "photo")
  }

  @Test("The longest times are times")
  func endless() throws {
    let desk = try Device()
    try desk.save("one", as: "a.md")
    try desk.store.collect(desk["a.md"], grace: .seconds(Int64.max))
    let lock = try DocumentLocation(of: desk["a.md"]).store.appending("lock")
    let held = try FileLock(lock)
    var store = desk.store
    store.lockTimeout = .seconds(Int64.max)
    let document = try desk.write("two", to: "a.md")
    let (isWaiting, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    store.progress = OperationProgress { _ in isWaiting.signal() }
    Thread.detachNewThread { [store] in
      do { try store.save(document) } catch { Issue.record(error) }
      isDone.signal()
    }
    isWaiting.wait()
    held.release()
    isDone.wait()
    #expect(try desk.history("a.md").versions.count == 2)
  }

  @Test("A first save that was killed left a document without versions")
  func emptyStore() throws {
    let desk = try Device()
    let document = try desk.write("text", to: "a.md")
    try StoreCreation.create(
      DocumentLocation(of: document).store, identity: DocumentIdentity(.random()), clock: .system)
    expectVersionError(.noVersions) { try desk.store.undo(document) }
    expectVersionError(.noVersions) { try desk.store.removeOthers(of: document) }
    try desk.store.collect(document)
    try desk.store.save(document)
    #expect(try desk.texts("a.md") == ["text"])
  }
}
