import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Two devices and a real server of each kind.
@Suite("Devices meet at a git server", .blocks)
struct ServerTests {
  @Test("OpenSSH’s server runs here, and lets a device in")
  func shell() {
    guard let failure = GitServer.Kind.shellFailure else { return }
    // A fault of the machine, which the other tests cannot do anything about.
    withKnownIssue { Issue.record("OpenSSH’s server does not run here: \(failure)") }
  }

  @Test("Versions, names and conflicts reach other devices", arguments: GitServer.Kind.available)
  func everything(kind: GitServer.Kind) throws {
    let world = try RemoteWorld(kind)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.world.save("b\n", as: "sub/b.md", on: "mira")
    try world.meet("mira", "tom")
    #expect(try world.world.read("a.md", on: "tom") == "one\n")
    #expect(try world.world.read("sub/b.md", on: "tom") == "b\n")

    try world.world.save("Mira’s\n", as: "a.md", on: "mira")
    try world.world.save("Tom’s\n", as: "a.md", on: "tom")
    let tom = try world.device("tom")
    try tom.store.rename(tom["sub/b.md"], to: "c.md")
    try world.meet("mira", "tom")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
    #expect(try world.world.history("a.md", on: "mira").unresolvedConflicts.count == 1)
    #expect(try world.world.read("sub/c.md", on: "mira") == "b\n")
    #expect(try world.references().count == 4)
    try world.expectSound("mira", "tom")
  }

  @Test("A clone has everything, and is one more device", arguments: GitServer.Kind.available)
  func clone(kind: GitServer.Kind) throws {
    let world = try RemoteWorld(kind)
    for number in 1...3 { try world.world.save("\(number)\n", as: "a.md", on: "mira") }
    try world.meet("mira")
    let store = world.world.store("ida")
    let folder = world.world.scratch["ida"]
    let outcome = try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
      access: world.access)
    #expect(outcome.received == 3)
    #expect(try world.world.read("a.md", on: "ida") == "3\n")
    try world.world.save("Ida’s\n", as: "a.md", on: "ida")
    try world.meet("ida", "mira")
    #expect(try world.world.read("a.md", on: "mira") == "Ida’s\n")
    #expect(throws: VersionError.self) {
      try store.clone(
        Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
        access: world.access)
    }
  }

  @Test("Nothing new is one connection, and sends nothing", arguments: GitServer.Kind.available)
  func nothingNew(kind: GitServer.Kind) throws {
    let world = try RemoteWorld(kind)
    for number in 0..<20 { try world.world.save("\(number)\n", as: "\(number).md", on: "mira") }
    try world.meet("mira", "tom")
    let before = try world.references()
    let outcome = try world.sync("mira")
    #expect(outcome.documents.isEmpty)
    // Four references.
    #expect(outcome.receivedBytes < (kind == .https ? 3_000 : 1_000))
    #expect(outcome.sentBytes < 200)
    #expect(try world.references() == before)
  }

  @Test(
    "Two devices that sync at the same moment both succeed", arguments: GitServer.Kind.available)
  func atOnce(kind: GitServer.Kind) async throws {
    let world = try RemoteWorld(kind)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom", "ida")
    for name in ["mira", "tom", "ida"] {
      for number in 1...3 {
        try world.world.save("\(name) \(number)\n", as: "\(name).md", on: name)
      }
    }
    let results = try await withThrowingTaskGroup(of: Bool.self) { group in
      for name in ["mira", "tom", "ida"] {
        group.addTask {
          let store = VersionStore(world.world.store(name))
          let outcome = try await store.sync(world.world.scratch[name], access: world.access)
          return outcome.documents.allSatisfy { $0.failure == nil }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == [true, true, true])
    try world.meet("mira", "tom", "ida")
    for name in ["mira", "tom", "ida"] {
      try world.expectAgreement(about: "\(name).md", among: ["mira", "tom", "ida"])
    }
    try world.expectSound("mira", "tom", "ida")
  }

  @Test("A package of which one member has changed sends little, and receives little")
  func package() throws {
    let world = try RemoteWorld()
    let mira = try world.device("mira")
    for number in 0..<20 {
      try mira.write(String(repeating: "\(number) text\n", count: 300), to: "p.pkg/\(number).txt")
    }
    try mira.store.save(mira["p.pkg"], asPackage: true)
    try world.meet("mira", "tom")
    world.world.clock.advance(bySeconds: 60)
    try mira.write("changed\n", to: "p.pkg/7.txt")
    try mira.store.save(mira["p.pkg"], asPackage: true)
    #expect(try world.sync("mira").sentBytes < 4_096)
    #expect(try world.sync("tom").receivedBytes < 6_144)
    #expect(try world.world.read("p.pkg/7.txt", on: "tom") == "changed\n")
  }

  @Test("What this device keeps of a remote is its owner's alone, and goes with the remote")
  func mirror() throws {
    let world = try RemoteWorld()
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let mira = try world.device("mira")
    let mirrors = mira[".docversions/sync/mirrors"]
    let names = try FileManager.default.contentsOfDirectory(atPath: mirrors.path)
    #expect(names.count == 1)
    let place = mirrors.appending(path: try #require(names.first)).path
    let bits = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
    #expect(bits == 0o700)
    try mira.store.removeRemote(named: "origin", from: mira.container)
    #expect(try FileManager.default.contentsOfDirectory(atPath: mirrors.path).isEmpty)
    #expect(try mira.store.remotes(of: mira.container).isEmpty)
  }
}
