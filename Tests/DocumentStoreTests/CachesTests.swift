import DocumentWorld
import DocumentFiles
import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Rules for all caches.
@Suite("Caches")
struct CachesTests {
  @Test("A stamp counts once its file had been left alone for long enough before it was read")
  func freshness() throws {
    let desk = try Device()
    let file = FilePath(try desk.write("1", to: "a.md").path)
    let stamp = FileStamp(try #require(try FileStatus.of(file)))
    let age: Int64 = 1_000
    #expect(!Freshness(readSince: stamp.latest, leastAge: 0).covers(stamp))
    #expect(Freshness(readSince: stamp.latest + 1, leastAge: 0).covers(stamp))
    #expect(!Freshness(readSince: stamp.latest + age, leastAge: age).covers(stamp))
    #expect(Freshness(readSince: stamp.latest + age + 1, leastAge: age).covers(stamp))
    #expect(!Freshness(readSince: FileClock.system.now).covers(stamp))
    // A modification time may be set to any time, even one later than the change.
    let later = Date(timeIntervalSinceNow: 3_600)
    try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: file.string)
    let future = FileStamp(try #require(try FileStatus.of(file)))
    #expect(future.latest == Int64(bitPattern: future.modified))
    #expect(!Freshness(readSince: FileClock.system.now, leastAge: 0).covers(future))
  }

  @Test("A cache that reports on several documents can be read by its user only")
  func containerIndexIsPrivate() throws {
    let desk = try Device()
    for number in 0..<ContainerIndex.fewest { try desk.save("1", as: "\(number).md") }
    let container = try FilePath(desk.container.path).resolvingLinks()
    _ = try DocumentsInConflict(desk.store.environment).documents(
      below: container, in: container, leastAge: 0)
    let file = ContainerFile.containerIndex.path(in: container)
    #expect(try FileStatus.of(file)?.permissions == 0o600)
  }

  @Test("Deleting all caches changes no answer, and they are made again")
  func deletedCaches() throws {
    let desk = try Device()
    for number in 0..<20 { try desk.save("line \(number)\n", as: "a.md") }
    for number in 0..<40 { try desk.save("1", as: "many/\(number).md") }
    for number in 0..<8 { try desk.write("\(number)", to: "Trip.imagenotes/\(number).txt") }
    let package = desk["Trip.imagenotes"]
    try desk.store.save(package)
    let large = try desk.write(String(repeating: "line\n", count: 400_000), to: "large.txt")
    try desk.store.save(large)
    try desk.conflict(base: "1", other: "2", current: "3", as: "open.md")
    let container = try FilePath(desk.container.path).resolvingLinks()

    func answers() throws -> [String] {
      var found = try DocumentsInConflict(desk.store.environment).documents(
        below: container, in: container, leastAge: 0
      )
      .map(\.lastPathComponent)
      for document in [desk["a.md"], package, large, desk["open.md"]] {
        let history = try desk.store.history(of: document)
        found += history.versions.map { "\($0.persistentIdentifier) \($0.isConflict)" }
        found.append("\(try desk.store.state(of: document))")
        found.append("\(try desk.store.save(document).isNew)")
      }
      return found
    }

    let before = try answers()
    var deleted: Set<String> = []
    for document in try Layout.storedDocuments(in: container) {
      for file in StoreFile.caches {
        let path = file.path(in: document.location(in: container).store)
        if try FileStatus.of(path) != nil { deleted.insert(file.name) }
        try Folder.removeTree(path)
      }
    }
    let index = ContainerFile.containerIndex.path(in: container)
    #expect(try FileStatus.of(index) != nil)
    try Folder.removeTree(index)
    #expect(deleted == ["known-members", "known-chunks", "version-index"])
    #expect(try answers() == before)
    #expect(try FileStatus.of(index) != nil)
    try desk.write("changed", to: "Trip.imagenotes/1.txt")
    try desk.store.save(package)
    let store = try DocumentLocation(of: package).store
    #expect(try FileStatus.of(StoreFile.statCache.path(in: store)) != nil)
    try desk.expectSound()
  }
}
