import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentStore

/// Which folders become a folder for exchange, and how.
@Suite("The folder for exchange")
struct ExchangeFolderTests {
  private let scratch: ScratchFolder
  private let desk: Desk

  init() throws {
    scratch = try ScratchFolder()
    desk = try Desk("Mira", in: scratch, clock: FixedClock())
    try desk.save("one\n", as: "x.md")
  }

  private var cloud: URL { scratch["cloud"] }

  private func expectExchange() throws {
    for result in try desk.store.exchange(desk.container, through: cloud) {
      #expect(result.failure == nil)
    }
    let other = try Desk("Tom", in: scratch, clock: desk.clock)
    _ = try other.store.exchange(other.container, through: cloud)
    #expect(try other.read("x.md") == "one\n")
    #expect(try GitCheck.problems(inStore: cloud).isEmpty)
  }

  @Test("An empty one stays what it is: a disk may be mounted there, or others have access to it")
  func empty() throws {
    let files = FileManager.default
    try files.createDirectory(at: cloud, withIntermediateDirectories: false)
    try files.setAttributes([.posixPermissions: 0o770], ofItemAtPath: cloud.path)
    let before = try files.attributesOfItem(atPath: cloud.path)
    try expectExchange()
    let after = try files.attributesOfItem(atPath: cloud.path)
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    #expect(after[.posixPermissions] as? Int == 0o770)
  }

  @Test(
    "One that was begun and never finished is finished",
    arguments: [["objects"], ["objects", "refs"], ["HEAD", "objects", "refs"]])
  func begun(parts: [String]) throws {
    let (whole, nobody) = (scratch["whole"], scratch["nobody"])
    try FileManager.default.createDirectory(at: nobody, withIntermediateDirectories: false)
    _ = try desk.store.exchange(nobody, through: whole)
    try FileManager.default.createDirectory(at: cloud, withIntermediateDirectories: false)
    for part in parts {
      try FileManager.default.copyItem(
        at: whole.appending(path: part), to: cloud.appending(path: part))
    }
    try expectExchange()
  }

  @Test("One with versions whose config has not arrived yet is left alone")
  func late() throws {
    try expectExchange()
    let config = cloud.appending(path: "config")
    try FileManager.default.removeItem(at: config)
    let error = #expect(throws: VersionError.self) {
      try desk.store.exchange(desk.container, through: cloud)
    }
    #expect(error?.code == .notArrived)
    #expect(!FileManager.default.fileExists(atPath: config.path))
  }

  @Test("One that holds other things is refused, and nothing is put into it")
  func others() throws {
    try scratch.write("x", to: "cloud/lost+found/x")
    let error = #expect(throws: VersionError.self) {
      try desk.store.exchange(desk.container, through: cloud)
    }
    #expect(error?.code == .invalidArgument)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cloud.path) == ["lost+found"])
  }
}
