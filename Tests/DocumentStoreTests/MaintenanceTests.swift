import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import DocumentStore

/// The work that is left when an operation has returned.
@Suite("Maintenance")
struct MaintenanceTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  /// Saves contents without similarities, so that each version makes a pack.
  @discardableResult
  private func save(_ count: Int, seed: Int, as name: String) throws -> [FileVersion: Data] {
    var random = SeededGenerator(seed: seed)
    var saved: [FileVersion: Data] = [:]
    for _ in 0..<count {
      let contents = Data(random.bytes(75_000))
      try contents.write(to: desk[name])
      desk.clock.advance(bySeconds: 60)
      saved[try desk.store.save(desk[name]).version] = contents
    }
    return saved
  }

  private func packFiles(of name: String) throws -> [String] {
    let folder = desk[".docversions/documents/\(name).git/objects/pack"]
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  @Test("Small packs are compacted in the background, with every version in them")
  func compacting() throws {
    let saved = try save(60, seed: 1, as: "a.bin")
    SynchronousStore.waitForMaintenance()
    let files = try packFiles(of: "a.bin")
    #expect(files.count { $0.hasSuffix(".pack") } < 20)
    #expect(!files.contains { $0.hasSuffix("-new") })
    for (version, contents) in saved { #expect(try version.contents() == contents) }
    #expect(try desk.store.verify(desk["a.bin"]).isWhole)
    try desk.expectSound()
  }

  @Test("Several documents are saved, listed and thinned while packs are compacted")
  func meanwhile() throws {
    let names = (0..<4).map { "\($0).bin" }
    let failures = Mutex<[any Error]>([])
    for name in names { try save(1, seed: 0, as: name) }
    ForkJoin.perform(names.count + 1, atMost: names.count + 1) { number in
      do {
        if number < names.count {
          try save(50, seed: number + 1, as: names[number])
        } else {
          for _ in 0..<20 { for name in names { try readAndRemove(desk[name]) } }
        }
      } catch {
        failures.withLock { $0.append(error) }
      }
    }
    #expect(failures.withLock { $0 }.isEmpty)
    SynchronousStore.waitForMaintenance()
    for name in names {
      #expect(try desk.store.verify(desk[name]).isWhole)
      #expect(try !packFiles(of: name).contains { $0.hasSuffix("-new") })
    }
    try desk.expectSound()
  }

  /// Reads some versions of a document, and removes the oldest if there are many.
  private func readAndRemove(_ document: URL) throws {
    let versions = try desk.store.history(of: document).versions
    for version in versions.prefix(3) { _ = try version.contents() }
    if versions.count > 20, let oldest = versions.last {
      try desk.store.remove([oldest], of: document)
    }
  }

  /// Creates a document whose store has many packs, and maintenance that compacts them when the test requests
  /// it.
  private func manyPacks() throws -> (store: URL, waiting: Maintenance) {
    for number in 1...6 { try desk.save("\(number)\n", as: "a.md") }
    let store = desk[".docversions/documents/a.md.git"]
    try GitPacks.scatter(store)
    #expect(try GitPacks.names(in: store).count > 16)
    let maintenance = Maintenance()
    maintenance.suspend()
    maintenance.compactPacks(of: FilePath(store.path))
    return (store, maintenance)
  }

  @Test("What is given up changes nothing, and is done when it is asked for again")
  func givingUp() throws {
    let (store, maintenance) = try manyPacks()
    let names = try GitPacks.names(in: store).sorted()
    let progress = OperationProgress()
    progress.cancel()
    let hasBegun = Threads.detach {
      let isGivingUp = eventually { maintenance.isGivingUp }
      #expect(isGivingUp)
      maintenance.resume()
    }
    #expect(hasBegun)
    maintenance.wait(progress)
    #expect(try GitPacks.names(in: store).sorted() == names)
    maintenance.compactPacks(of: FilePath(store.path))
    maintenance.wait(nil)
    #expect(try GitPacks.names(in: store).count == 2)
    #expect(try desk.texts("a.md") == (1...6).reversed().map { "\($0)\n" })
    try desk.expectSound()
  }

  @Test("Of a store that is gone by then nothing comes back")
  func gone() throws {
    let (_, maintenance) = try manyPacks()
    try FileManager.default.removeItem(at: desk[".docversions"])
    maintenance.resume()
    maintenance.wait(nil)
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
  }

  @Test("Without compacting in the background, a save does it before the packs are too many")
  func neverWaiting() throws {
    let store = desk[".docversions/documents/a.md.git"]
    for number in 1...45 { try desk.save("\(number)\n", as: "a.md") }
    SynchronousStore.waitForMaintenance()
    try GitPacks.scatter(store)
    #expect(try GitPacks.names(in: store).count >= 128)
    try desk.save("last\n", as: "a.md")
    #expect(try GitPacks.names(in: store).count < 10)
    #expect(try desk.texts("a.md").count == 46)
    try desk.expectSound()
  }
}
