import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// The experience of an impatient person with a bare repository and stock git.
@Suite("A bare repository for everybody", .blocks)
struct BareRepositoryTests {
  private let world: RemoteWorld

  init() throws {
    world = try RemoteWorld()
    try world.world.save("one\n", as: "a.md", on: "mira")
  }

  private var repository: URL { world.server.folder("docs") }

  private func git(_ arguments: String...) throws -> String { try world.server.git(arguments) }

  private func clone() throws -> [String] {
    let folder = world.world.scratch["clone"]
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder)
    }
    _ = try git("clone", "-q", repository.path, folder.path)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != ".git" }
  }

  @Test(
    "A stock clone checks out a page, whatever branch HEAD names", arguments: ["master", "main"])
  func frontPage(branch: String) throws {
    _ = try git("-C", repository.path, "symbolic-ref", "HEAD", "refs/heads/\(branch)")
    try world.sync("mira")
    // The branch that HEAD names is known only once it exists.
    try world.world.save("two\n", as: "b.md", on: "mira")
    try world.sync("mira")
    #expect(try clone() == ["README.md"])
    let references = try world.references(withPage: true)
    try world.world.save("three\n", as: "b.md", on: "mira")
    try world.meet("mira", "tom")
    #expect(
      try world.references(withPage: true)["refs/heads/\(branch)"]
        == references["refs/heads/\(branch)"])
    try world.expectAgreement(about: "b.md", among: ["mira", "tom"])
    try world.expectSound("mira", "tom")
  }

  @Test("A host that takes no such branch takes the documents, and is asked once")
  func refusedFrontPage() throws {
    let hook = repository.appending(path: "hooks/update")
    try Script.write(
      """
      case "$1" in refs/heads/docversions/*|refs/docversions/*) exit 0;; esac
      echo "$1" >>asked; exit 1
      """, to: hook)
    for number in 1...4 {
      try world.world.save("\(number)\n", as: "b.md", on: "mira")
      #expect(try world.sync("mira").sent > 0)
    }
    let asked = try String(contentsOf: repository.appending(path: "asked"), encoding: .utf8)
    #expect(Set(asked.split(separator: "\n")).count == asked.split(separator: "\n").count)
  }

  @Test("A refusal names the reference that was refused, and leaves nothing behind")
  func refusedReference() throws {
    let hook = repository.appending(path: "hooks/update")
    try Script.write("case \"$1\" in refs/docversions/*) exit 1;; esac\n", to: hook)
    let failure = #expect(throws: VersionError.self) { try world.sync("mira") }
    #expect(
      failure?.message.contains("“refs/docversions/") == true, "\(String(describing: failure))")
    #expect(try world.references(withPage: true).isEmpty)
    try FileManager.default.removeItem(at: hook)
    #expect(try world.sync("mira").sent == 1)
  }

  @Test(
    "One bare repository is reached by its server and as a folder alike", arguments: [true, false])
  func twoAddresses(serverFirst: Bool) throws {
    try world.world.save("two\n", as: "b.md", on: "tom")
    _ = try world.device("tom", address: "file://\(repository.path)")
    let names = serverFirst ? ["mira", "tom"] : ["tom", "mira"]
    for name in names + names + names {
      for document in try world.sync(name).documents { #expect(document.failure == nil) }
    }
    try world.expectAgreement(about: "a.md", among: names)
    try world.expectAgreement(about: "b.md", among: names)
    try world.expectSound("mira", "tom")
  }

  @Test("Commits of a branch carry the person’s name")
  func authors() throws {
    try world.sync("mira")
    let names = try git("-C", repository.path, "log", "--branches=docversions/*", "--format=%an")
    #expect(Set(names.split(separator: "\n")) == ["mira"])
  }

  // MARK: What killed processes leave

  @Test("Locks in the copy of a remote that a killed process left block no sync")
  func locksOfCopy() throws {
    try world.sync("mira")
    let mirrors = world.world.scratch["mira/.docversions/sync/mirrors"]
    let names = try FileManager.default.subpathsOfDirectory(atPath: mirrors.path)
    let references = names.filter { $0.contains("/git/refs/") && $0.hasSuffix("/records") }
    #expect(!references.isEmpty)
    for name in references + ["\(references[0].prefix { $0 != "/" })/git/packed-refs"] {
      try Data().write(to: mirrors.appending(path: name + ".lock"))
    }
    try world.world.save("two\n", as: "a.md", on: "mira")
    #expect(try world.sync("mira").sent == 1)
  }

  @Test("The lock of a device’s own reference blocks no exchange, and one of another device stays")
  func locksOfFolder() throws {
    let world = world.world
    try world.exchange("mira", "tom")
    let references = world.cloud.appending(path: "refs/docversions")
    let own = try #require(
      String(
        contentsOf: world.scratch["mira/.docversions/sync/device"], encoding: .utf8
      ).split(separator: "\n").first)
    for device in try FileManager.default.contentsOfDirectory(atPath: references.path) {
      let lock = references.appending(path: "\(device)/records.lock")
      try Data().write(to: lock)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: lock.path)
    }
    try world.save("two\n", as: "a.md", on: "mira")
    let mira = try world.device("mira")
    #expect(try mira.store.exchange(mira.container, through: world.cloud).sent == 1)
    let left = try FileManager.default.subpathsOfDirectory(atPath: references.path)
      .filter { $0.hasSuffix(".lock") }
    #expect(left.count == 1 && !left[0].hasPrefix(own))
  }

  // MARK: Impatience

  @Test("A clone that was interrupted goes on when it is run again")
  func interruptedClone() throws {
    for number in 1...20 {
      try world.world.save(
        String(repeating: "\(number)\n", count: 2_000), as: "\(number).md", on: "mira")
    }
    try world.sync("mira")
    let folder = world.world.scratch["ida"]
    let remote = try Remote(name: "origin", address: world.server.address(of: "docs"))
    var store = world.world.store("ida")
    let progress = OperationProgress()
    store.progress = progress
    var access = world.access
    access.transferred = { _, _ in progress.cancel() }
    progress.cancel()
    #expect(throws: CancellationError.self) { try store.clone(remote, to: folder, access: access) }
    let outcome = try world.world.store("ida").clone(remote, to: folder, access: world.access)
    #expect(outcome.received == 21)
    #expect(throws: VersionError.self) {
      try world.world.store("ida").clone(remote, to: folder, access: world.access)
    }
  }
}
