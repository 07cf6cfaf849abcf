import DocumentFiles
import DocumentSync
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// File systems without permission bits: on exFAT and FAT every file may be run, as far as the system says.
@Suite("A file system without permission bits")
struct SystemWithoutPermissionsTests {
  private let scratch: ScratchFolder
  private let linux: Device
  private let stick: Device

  init() throws {
    scratch = try ScratchFolder()
    var pair = try Device.pair(in: scratch)
    pair.tom.store.environment.permissionSupport = .none
    (linux, stick) = pair
    for device in [linux, stick] {
      try FileManager.default.createDirectory(
        at: device[".docversions"], withIntermediateDirectories: true)
    }
  }

  /// Gives all files on the stick the bits that such a file system shows.
  private func showAll() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: stick.container.path)
    for path in paths where !path.hasPrefix(".docversions") {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: stick[path].path)
    }
  }

  @discardableResult
  private func exchange(_ device: Device) throws -> [DocumentExchange] {
    linux.clock.advance(bySeconds: 60)
    let results = try device.store.exchange(device.container, through: scratch["x"]).documents
    for result in results { #expect(result.failure == nil) }
    try showAll()
    return results
  }

  private func set(_ permissions: Int, of item: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: item.path)
  }

  @Test(
    "What is received there is unchanged, and later versions follow it", arguments: [0o644, 0o755])
  func received(permissions: Int) throws {
    let note = try linux.write("one\n", to: "note.md")
    try set(permissions, of: note)
    try linux.store.save(note)
    try exchange(linux)
    try exchange(stick)
    #expect(try stick.store.state(of: stick["note.md"]) == .unchanged)
    #expect(try !stick.store.save(stick["note.md"]).isNew)
    try linux.save("two\n", as: "note.md")
    try exchange(linux)
    try exchange(stick)
    #expect(try stick.read("note.md") == "two\n")
    #expect(try stick.history("note.md").unresolvedConflicts.isEmpty)
    // An edit there leaves the bits as they were.
    try stick.save("three\n", as: "note.md")
    try exchange(stick)
    try exchange(linux)
    #expect(try linux.read("note.md") == "three\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: note.path)
    #expect(attributes[.posixPermissions] as? Int == permissions)
  }

  @Test("The members of a package keep their bits, and new ones are no programs")
  func package() throws {
    let package = try Notebook(linux)
    try linux.store.save(package.url, asPackage: true)
    try exchange(linux)
    try exchange(stick)
    let there = stick[package.name]
    #expect(try stick.store.state(of: there) == .unchanged)
    try stick.write("new\n", to: "\(package.name)/new.txt")
    try stick.write("#!/bin/sh\necho other\n", to: "\(package.name)/tools/pack.sh")
    try showAll()
    linux.clock.advance(bySeconds: 60)
    try stick.store.save(there, changed: ["new.txt", "tools/pack.sh"])
    #expect(try stick.store.state(of: there) == .unchanged)
    try exchange(stick)
    try exchange(linux)
    let files = FileManager.default
    #expect(files.isExecutableFile(atPath: package.url.appending(path: "tools/pack.sh").path))
    let attributes = try files.attributesOfItem(
      atPath: package.url.appending(path: "new.txt").path)
    #expect((attributes[.posixPermissions] as? Int ?? 0) & 0o111 == 0)
    #expect(try linux.history(package.name).unresolvedConflicts.isEmpty)
  }

  @Test("A first save there makes no program of a document")
  func firstSave() throws {
    try stick.write("one\n", to: "note.md")
    try showAll()
    let version = try stick.store.save(stick["note.md"]).version
    try exchange(stick)
    try exchange(linux)
    #expect(!FileManager.default.isExecutableFile(atPath: linux["note.md"].path))
    try linux.store.export(
      linux.history("note.md").versions[0], to: linux["copy.md"])
    #expect(!FileManager.default.isExecutableFile(atPath: linux["copy.md"].path))
    #expect(try version.contents() == Data("one\n".utf8))
  }

  @Test("Bits are kept here, which is tried out where the system does not say")
  func kept() throws {
    let folder = FilePath(scratch.url.path)
    #expect(try PermissionSupport.system.areBitsKept(in: folder, trying: folder))
    #expect(try !PermissionSupport.none.areBitsKept(in: folder, trying: folder))
    #expect(try PermissionSupport.system.areBitsKept(in: "/proc/self", trying: "/proc/self"))
  }
}
