import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

import DocumentStore
import DocumentSync

/// Versions that are removed from every device, such as a password that was saved by mistake.
@Suite("Versions removed from every device")
struct WithdrawnVersionTests {
  private let world: World
  private let secret = "password hunter2\n"

  init() throws {
    world = try World()
  }

  /// Saves a secret and then a clean text, and sends both to devices.
  private func share(with names: String...) throws -> FileVersion {
    let version = try world.save(secret, as: "n.md", on: "mira")
    try world.save("clean\n", as: "n.md", on: "mira")
    for name in names { try world.exchange("mira", name) }
    return version
  }

  private func withdraw(_ version: FileVersion, on device: String = "mira") throws {
    world.clock.advance(bySeconds: 60)
    try world.store(device).remove([version], of: world.url(device, "n.md"), everywhere: true)
  }

  private func expectGone(
    _ version: FileVersion, on names: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for name in names {
      let history = try world.history("n.md", on: name)
      let known = history.versions.first { $0.id == version.id }
      #expect(known?.hasLocalContents != true, "\(name)", sourceLocation: sourceLocation)
      let store = world.store(name)
      let url = world.url(name, "n.md")
      #expect(try store.removedVersions(of: url).isEmpty, "\(name)", sourceLocation: sourceLocation)
      _ = try store.collect(url, grace: .zero)
      let objects = try Command.run(
        "git",
        [
          "-C", world.device(name).storeFolder(of: "n.md").path, "cat-file", "--batch-all-objects",
          "--batch",
        ])
      #expect(objects.exitCode == 0, sourceLocation: sourceLocation)
      #expect(!objects.output.contains("hunter2"), "\(name)", sourceLocation: sourceLocation)
    }
  }

  @Test("The contents go from every device with its next exchange, and the log says who did it")
  func goes() throws {
    let version = try share(with: "tom", "ida")
    try withdraw(version)
    try world.exchange("mira", "tom")
    try world.exchange("mira", "ida")
    try world.exchange("tom", "ida")
    try expectGone(version, on: "mira", "tom", "ida")
    for name in ["mira", "tom", "ida"] {
      let history = try world.history("n.md", on: name)
      #expect(history.unresolvedConflicts.isEmpty)
      #expect(history.current?.kind == .remove)
      #expect(history.current?.author == "mira")
      #expect(history.current?.note == version.id.short)
      #expect(try world.read("n.md", on: name) == "clean\n")
    }
    try world.expectSound("mira", "tom", "ida")
    // Nothing on the peer leads to them, however small a part of all contents they are.
    for number in 1...20 { try world.save("\(number)\n", as: "\(number).md", on: "mira") }
    let other = try world.save(secret, as: "n.md", on: "mira")
    try world.save("clean again\n", as: "n.md", on: "mira")
    try world.exchange("mira", "tom", "ida")
    try withdraw(other)
    try world.exchange("mira", "tom", "ida")
    let script = "cd '\(world.cloud.path)' && git grep -l hunter2 $(git rev-list --all)"
    let found = try Command.run("bash", ["-c", script])
    #expect(found.exitCode == 1, "\(found.output) \(found.errorOutput)")
  }

  @Test("An edit that did not know of it joins without a conflict")
  func concurrent() throws {
    let version = try share(with: "tom")
    try world.save("clean\nTom’s\n", as: "n.md", on: "tom")
    try withdraw(version)
    try world.exchange("tom", "mira")
    try expectGone(version, on: "mira", "tom")
    for name in ["mira", "tom"] {
      #expect(try world.history("n.md", on: name).unresolvedConflicts.isEmpty)
      #expect(try world.read("n.md", on: name) == "clean\nTom’s\n")
    }
  }

  @Test("A device that was away brings nothing back, and one that is new never gets it")
  func late() throws {
    let version = try share(with: "tom")
    try withdraw(version)
    _ = try world.device("mira").store.exchange(
      world.device("mira").container, through: world.cloud)
    // Tom's published versions are still there.
    let ida = try world.device("ida")
    _ = try ida.store.exchange(ida.container, through: world.cloud)
    try expectGone(version, on: "ida")
    try world.exchange("tom", "ida", "mira")
    try expectGone(version, on: "mira", "tom", "ida")
  }

  @Test("A version that was removed here before can be withdrawn, and is not brought back")
  func removedBefore() throws {
    let version = try share(with: "tom")
    let (store, url) = (world.store("mira"), world.url("mira", "n.md"))
    try store.remove([version], of: url)
    #expect(try store.removedVersions(of: url).count == 1)
    try withdraw(version)
    #expect(throws: VersionError.self) { try store.undelete([version], of: url) }
    try world.exchange("mira", "tom")
    try expectGone(version, on: "mira", "tom")
  }

  @Test("The current version, and one in a conflict, are refused")
  func refused() throws {
    let version = try share(with: "tom")
    let current = try #require(try world.history("n.md", on: "mira").current)
    expectVersionError(.currentVersion) { try withdraw(current) }
    #expect(try world.history("n.md", on: "mira").versions.contains { $0.id == version.id })
  }
}
