import DocumentFiles
import DocumentTestSupport
import Foundation
import Synchronization
import Testing

@testable import DocumentStore

/// What is left to be done when an operation has returned.
@Suite("Maintenance")
struct MaintenanceTests {
  private let desk: Desk

  init() throws {
    desk = try Desk()
  }

  /// Saves contents that resemble nothing, so that each version makes a pack.
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

  @Test("Small packs become few behind the saves, with every version in them")
  func folding() throws {
    let saved = try save(60, seed: 1, as: "a.bin")
    VersionStore.waitForMaintenance()
    let files = try packFiles(of: "a.bin")
    #expect(files.count { $0.hasSuffix(".pack") } < 20)
    #expect(!files.contains { $0.hasSuffix("-new") })
    for (version, contents) in saved { #expect(try version.contents() == contents) }
    #expect(try desk.store.verify(desk["a.bin"]).isWhole)
    try desk.expectSound()
  }

  @Test("Several documents are saved, listed and thinned while packs are folded")
  func meanwhile() throws {
    let names = (0..<4).map { "\($0).bin" }
    let failures = Mutex<[any Error]>([])
    for name in names { try save(1, seed: 0, as: name) }
    Threads.perform(names.count + 1, atMost: names.count + 1) { number in
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
    VersionStore.waitForMaintenance()
    for name in names {
      #expect(try desk.store.verify(desk[name]).isWhole)
      #expect(try !packFiles(of: name).contains { $0.hasSuffix("-new") })
    }
    try desk.expectSound()
  }

  /// Reads some versions of a document, and removes the oldest where there are many.
  private func readAndRemove(_ document: URL) throws {
    let versions = try desk.store.history(of: document).versions
    for version in versions.prefix(3) { _ = try version.contents() }
    if versions.count > 20, let oldest = versions.last {
      try desk.store.remove([oldest], of: document)
    }
  }

  @Test("What is given up is done after a later save")
  func givingUp() throws {
    let progress = OperationProgress()
    progress.cancel()
    try save(17, seed: 2, as: "a.bin")
    VersionStore.waitForMaintenance(progress)
    try save(3, seed: 3, as: "a.bin")
    VersionStore.waitForMaintenance()
    #expect(try packFiles(of: "a.bin").count { $0.hasSuffix(".pack") } < 16)
    #expect(try desk.store.verify(desk["a.bin"]).isWhole)
  }

  @Test("A store that is gone by then is in nobody's way")
  func gone() throws {
    try save(17, seed: 4, as: "a.bin")
    try FileManager.default.removeItem(at: desk[".docversions"])
    VersionStore.waitForMaintenance()
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
  }
}
