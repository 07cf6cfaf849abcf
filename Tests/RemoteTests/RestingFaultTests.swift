import DocumentFiles
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Documents that rest where something is wrong: with the copy of the remote, the remote, or the person who looks.
@Suite("Resting documents that meet something wrong")
struct RestingFaultTests {
  private let world: RemoteWorld
  private let names = (1...9).map { "n\($0).md" }

  /// Mira has published nine documents, two versions each, of which one is private; and they rest at Tom’s.
  init() throws {
    world = try RemoteWorld()
    for edition in ["first", "second"] {
      for name in names { try world.world.save("\(edition) \(name)\n", as: name, on: "mira") }
      guard edition == "first" else { continue }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: world.world.url("mira", "n1.md").path)
    }
    try world.meet("mira")
    #expect(try world.sync("tom").received == 18)
    #expect(try stores("tom").isEmpty)
  }

  private func stores(_ device: String) throws -> [String] {
    try Layout.storedDocuments(in: world.world.scratch[device].filePath).map(\.path)
  }

  private func mirrors(_ device: String) -> URL {
    world.world.scratch["\(device)/.docversions/sync/mirrors"]
  }

  private func replaceMirrors(of device: String, by former: URL) throws {
    try FileManager.default.removeItem(at: mirrors(device))
    try FileManager.default.copyItem(at: former, to: mirrors(device))
  }

  /// Expects that devices have all versions of all documents, and nothing is wrong with them.
  private func expectAll(_ versions: Int, on devices: String...) throws {
    for name in names {
      try world.expectAgreement(about: name, among: devices)
      for device in devices {
        let history = try world.world.history(name, on: device)
        #expect(history.versions.count == versions)
        #expect(history.unresolvedConflicts.isEmpty)
        #expect(try world.world.store(device).verify(world.world.url(device, name)).isWhole)
      }
    }
  }

  // MARK: The copy of the remote

  private static let manyPlaces = Array(stride(from: 0.02, to: 1, by: 0.07))

  @Test(
    "A flipped bit in it lets it be fetched again once it is found",
    arguments: [[0.02], [0.5], manyPlaces], [false, true])
  func flipped(at places: [Double], byVerify: Bool) throws {
    let store = world.world.store("tom")
    for place in places { try GitPacks.flipBits(below: mirrors("tom"), at: place) }
    var failures = 0
    for name in names {
      let document = world.world.url("tom", name)
      do {
        if byVerify {
          if try !store.verify(document).isWhole { failures += 1 }
        } else {
          for version in try store.history(of: document).versions {
            _ = try store.contents(of: version, member: nil)
          }
        }
      } catch let error as VersionError {
        #expect(error.code == .contentsNotLocal, "\(error)")
        failures += 1
      }
    }
    try world.meet("tom", "mira")
    try expectAll(2, on: "tom", "mira")
    try world.expectSound("mira", "tom")
    if places == Self.manyPlaces { #expect(failures > 0) }
  }

  @Test("A flipped bit that a sync finds is mended in the same sync")
  func flippedBeforeSync() throws {
    for name in names { try world.world.save("third \(name)\n", as: name, on: "mira") }
    try world.meet("mira")
    try GitPacks.flipBits(below: mirrors("tom"), at: 0.3)
    for document in try world.sync("tom").documents { #expect(document.failure == nil) }
    try expectAll(3, on: "tom", "mira")
    try world.expectSound("mira", "tom")
  }

  @Test("It is of another age, or another device’s", arguments: [false, true], [false, true])
  func otherMirror(ofAnotherDevice: Bool, readsBetween: Bool) throws {
    let former = world.world.scratch["former"]
    try FileManager.default.copyItem(at: mirrors("tom"), to: former)
    for name in names { try world.world.save("third \(name)\n", as: name, on: "mira") }
    try world.meet("mira", "tom")
    try world.meet("ida")
    try replaceMirrors(of: "tom", by: ofAnotherDevice ? mirrors("ida") : former)
    if readsBetween {
      for name in names {
        do { _ = try world.world.history(name, on: "tom") } catch let error as VersionError {
          #expect(error.code == .contentsNotLocal)
        }
      }
    }
    try world.meet("tom", "mira")
    try expectAll(3, on: "tom", "mira", "ida")
    try world.expectSound("mira", "tom", "ida")
  }

  @Test("Where the remote has lost them, too, that is said, and repairing them gives them up")
  func lostEverywhere() throws {
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    try FileManager.default.removeItem(at: mirrors("tom"))
    try FileManager.default.removeItem(at: world.server.folder("docs"))
    try world.server.makeRepository("docs")
    try Data("by Tom\n".utf8).write(to: world.world.url("tom", "n2.md"))
    #expect {
      try world.sync("tom")
    } throws: {
      ($0 as? VersionError)?.code == .remoteRefused
    }
    for name in names {
      let outcome = try store.repair(world.world.url("tom", name), options: RepairOptions())
      #expect(outcome.steps.count == 1)
    }
    #expect(try store.documents(below: folder)?.isEmpty == true)
    for name in names { _ = try store.save(world.world.url("tom", name)) }
    #expect(try world.sync("tom").sent == 9)
    #expect(try Data(contentsOf: world.world.url("tom", "n2.md")) == Data("by Tom\n".utf8))
    try world.expectSound("tom")
  }

  @Test("What a repair gave up and the remote still has comes again with the next sync")
  func givenUp() throws {
    let store = world.world.store("tom")
    try FileManager.default.removeItem(at: mirrors("tom"))
    for name in names {
      _ = try store.repair(world.world.url("tom", name), options: RepairOptions())
    }
    try world.meet("tom", "mira")
    try expectAll(2, on: "tom", "mira")
    try world.expectSound("mira", "tom")
  }

  @Test("A store of which a killed process has left only folders counts as none")
  func hollowStore() throws {
    let store = world.world.scratch["tom/.docversions/documents/new.md.git"]
    for folder in ["objects/pack", "refs/heads"] {
      try FileManager.default.createDirectory(
        at: store.appending(path: folder), withIntermediateDirectories: true)
    }
    try world.world.save("new\n", as: "new.md", on: "mira")
    try world.meet("mira")
    for document in try world.sync("tom").documents { #expect(document.failure == nil) }
    #expect(try world.world.read("new.md", on: "tom") == "new\n")
    try world.expectSound("mira", "tom")
  }

  // MARK: The remote

  /// How a remote loses all that it had.
  enum Loss: CaseIterable { case references, repository }

  @Test(
    "A remote that has become empty takes nothing along", arguments: Loss.allCases, [false, true])
  func emptied(_ loss: Loss, isEdited: Bool) throws {
    if isEdited {
      try Data("by Tom\n".utf8).write(to: world.world.url("tom", "n2.md"))
      _ = try world.world.store("tom").save(world.world.url("tom", "n2.md"))
    }
    switch loss {
    case .references:
      let folder = world.server.folder("docs").path
      for name in try world.references(withPage: true).keys {
        try world.server.git(["-C", folder, "update-ref", "-d", name])
      }
    case .repository:
      try FileManager.default.removeItem(at: world.server.folder("docs"))
      try world.server.makeRepository("docs")
    }
    // Mira never comes back.
    try world.meet("tom", "ida")
    for name in names {
      try world.expectAgreement(about: name, among: ["tom", "ida"])
      let count = isEdited && name == "n2.md" ? 3 : 2
      #expect(try world.world.history(name, on: "ida").versions.count == count)
      for version in try world.world.history(name, on: "ida").versions {
        #expect(version.hasLocalContents)
      }
    }
    try world.expectSound("tom", "ida")
  }

  @Test(
    "A second remote gets all of them, and what arrives there comes, too", arguments: [false, true])
  func secondRemote(isRemoved: Bool) throws {
    try world.server.makeRepository("other")
    let other = try Remote(name: "other", address: world.server.address(of: "other"))
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    try store.addRemote(other, to: folder)
    func meetThere() throws {
      for _ in 0..<2 {
        for device in ["tom", "ida"] {
          world.world.clock.advance(bySeconds: 10)
          for document in try world.world.store(device).sync(
            world.world.scratch[device], with: "other", access: world.access
          ).documents { #expect(document.failure == nil) }
        }
      }
    }
    let ida = try world.world.device("ida")
    try ida.store.makeContainer(ida.container)
    try ida.store.addRemote(other, to: ida.container)
    try meetThere()
    try expectAll(2, on: "tom", "ida")
    if isRemoved { try store.removeRemote(named: "origin", from: folder) }
    for name in names { try world.world.save("by Ida \(name)\n", as: name, on: "ida") }
    try meetThere()
    try expectAll(3, on: "tom", "ida")
    guard !isRemoved else { return }
    try world.meet("tom", "mira")
    try expectAll(3, on: "tom", "mira")
    try world.expectSound("mira", "tom", "ida")
  }

  @Test("Where the copy of the remote is damaged, the remote is not removed before all have stores")
  func removedRemote() throws {
    let (store, folder) = (world.world.store("tom"), world.world.scratch["tom"])
    for place in Self.manyPlaces { try GitPacks.flipBits(below: mirrors("tom"), at: place) }
    let whole = try names.filter { try store.verify(world.world.url("tom", $0)).isWhole }
    try #require(whole.count < names.count)
    #expect(throws: (any Error).self) { try store.removeRemote(named: "origin", from: folder) }
    #expect(try store.remotes(of: folder).count == 1)
    try world.meet("tom")
    try store.removeRemote(named: "origin", from: folder)
    #expect(try stores("tom").count == names.count)
    for name in names { #expect(try world.world.history(name, on: "tom").versions.count == 2) }
    try world.expectSound("tom")
  }

  // MARK: Who looks

  @Test("A private document is private while it rests, and after")
  func privacy() throws {
    func permissions(_ path: String) throws -> UInt32? {
      try FileStatus.of(world.world.scratch["tom/\(path)"].filePath)?.permissions
    }
    #expect(try permissions("n1.md") == 0o600)
    #expect(try permissions(".docversions/sync/resting") == 0o600)
    for name in try FileManager.default.contentsOfDirectory(atPath: mirrors("tom").path) {
      #expect(try permissions(".docversions/sync/mirrors/\(name)") == 0o700)
    }
    for name in names { try world.world.save("third \(name)\n", as: name, on: "mira") }
    try world.meet("mira", "tom")
    #expect(try stores("tom").isEmpty)
    #expect(try permissions("n1.md") == 0o600)
    try RestingActivation.run(DocumentLocation(of: world.world.url("tom", "n1.md")))
    #expect(try permissions(".docversions/documents/n1.md.git") == 0o700)
  }

  @Test(
    "Another user of the machine sees the files, and nothing of their versions",
    .enabled(if: OtherUser.isPossible, "only the administrator can be another user"),
    arguments: [
      ["status"], ["log", "n2.md"], ["log", "n1.md"], ["show", "n2.md"], ["find"],
      ["conflicts"], ["diff", "n2.md"], ["verify", "n2.md"], ["save", "n2.md"],
      ["delete", "n2.md"],
      ["rename", "n2.md", "other.md"], ["sync"], ["evict", "n2.md"],
    ])
  func otherUser(_ arguments: [String]) throws {
    let folder = world.world.scratch["tom"]
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let result = try OtherUser.run(arguments, in: folder)
    #expect((0...5).contains(result.exitCode), "\(result.errorOutput)")
    #expect(!result.output.contains("first"))
    #expect(!(result.output + result.errorOutput).contains("Fatal error"))
    let changes = ["save", "delete", "rename", "sync", "evict"]
    if changes.contains(arguments[0]) { #expect(result.exitCode != 0) }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    try expectAll(2, on: "tom", "mira")
    #expect(try stores("tom").isEmpty)
  }
}

/// A user of this machine who is not the one that the tests run as.
private enum OtherUser {
  private static let setpriv = "/usr/bin/setpriv"

  static let isPossible = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv)

  static func run(_ arguments: [String], in folder: URL) throws -> Command.Result {
    try Command.run(
      setpriv,
      ["--reuid=65534", "--regid=65534", "--clear-groups", BuiltProgram.url.path] + arguments,
      in: folder)
  }
}
