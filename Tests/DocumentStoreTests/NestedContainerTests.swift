import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

@Suite("Folders that are containers, or may become some")
struct NestedContainerTests {
  @Test("The first documents of a folder, saved at once, have one container", arguments: 1...20)
  func firstDocuments(_: Int) throws {
    let desk = try Device()
    let names = ["sub/deep/x.txt", "sub/n.txt", "root.txt", "sub/m.txt", "z.txt"]
    let documents = try names.map { try desk.write("\($0)\n", to: $0) }
    for result in desk.store.saveEach(documents) { #expect(try result.get().isNew) }
    #expect(try Layout.documentPaths(in: desk.container.filePath).sorted() == names.sorted())
    #expect(try FileStatus.of(desk["sub/.docversions"].filePath) == nil)
  }

  @Test("A document that fails to be saved makes no container")
  func failing() throws {
    let desk = try Device()
    let results = desk.store.saveEach([desk["missing.txt"], try desk.write("x", to: "sub/x.txt")])
    #expect(throws: FileError.self) { try results[0].get() }
    #expect(try results[1].get().isNew)
  }

  @Test(
    "Another device's documents in a folder do not go where they would not be found",
    arguments: ["container", "file", "link"])
  func obstacles(kind: String) throws {
    let scratch = try ScratchFolder()
    let (mira, tom) = try Device.pair(in: scratch)
    try mira.save("top\n", as: "top.md")
    try mira.save("one\n", as: "sub/n.md")
    try tom.save("tom\n", as: "tom.md")
    switch kind {
    case "container":
      try FileManager.default.createDirectory(
        at: tom["sub/.docversions"], withIntermediateDirectories: true)
    case "file": try tom.write("a file\n", to: "sub")
    default:
      try FileManager.default.createSymbolicLink(
        atPath: tom["sub"].path, withDestinationPath: scratch["."].path)
    }
    _ = try mira.store.exchange(mira.container, through: scratch["x"])
    for _ in 0..<2 {
      let results = try tom.store.exchange(tom.container, through: scratch["x"]).documents
      let failures = results.compactMap { $0.failure as? FileError }
      #expect(failures.map(\.code) == [.exists])
      #expect(failures.first?.message.contains("can’t be put into “sub”") == true)
    }
    #expect(try FileStatus.of(tom["sub/n.md"].filePath) == nil)
    #expect(try FileStatus.of(scratch["n.md"].filePath) == nil)
    #expect(
      try Layout.documentPaths(in: tom.container.filePath).sorted() == ["tom.md", "top.md"])
    try FileManager.default.removeItem(at: tom["sub"])
    _ = try tom.store.exchange(tom.container, through: scratch["x"])
    #expect(try tom.read("sub/n.md") == "one\n")
  }

  @Test("An exchange follows a rename outside docversions", arguments: [false, true])
  func renamedByHand(isEdited: Bool) throws {
    let scratch = try ScratchFolder()
    let clock = FixedClock()
    let mira = try Device("Mira", in: scratch, clock: clock)
    let tom = try Device("Tom", in: scratch, clock: clock)
    let exchange = { (desk: Device) in
      try desk.store.exchange(desk.container, through: scratch["x"]).documents
    }
    try mira.save("one\n", as: "x.md")
    _ = try (exchange(mira), exchange(tom))
    try FileManager.default.moveItem(at: mira["x.md"], to: mira["y.md"])
    if !isEdited {
      try tom.save("two\n", as: "x.md")
      _ = try exchange(tom)
    } else {
      try mira.write("mira’s\n", to: "y.md")
    }
    clock.advance(bySeconds: 60)
    let results = try exchange(mira)
    #expect(results.allSatisfy { $0.failure == nil })
    #expect(results.map { $0.document.lastPathComponent } == ["y.md"])
    _ = try (exchange(tom), exchange(mira))
    for desk in [mira, tom] {
      let history = try desk.history("y.md")
      #expect(try FileStatus.of(desk["x.md"].filePath) == nil)
      #expect(try desk.read("y.md") == (isEdited ? "mira’s\n" : "two\n"))
      // A new name and new contents are two things.
      #expect(history.unresolvedConflicts.isEmpty)
      #expect(history.versions.count == (isEdited ? 2 : 4))
    }
  }
}
