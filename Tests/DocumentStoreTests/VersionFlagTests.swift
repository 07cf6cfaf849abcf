import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// What a version is marked as, and what follows from it.
struct VersionFlagTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  private func version(_ version: FileVersion) throws -> FileVersion {
    try #require(try desk.history("a.md").versions.first { $0.id == version.id })
  }

  @Test(
    "A version that was once in a conflict stays a conflict version",
    arguments: ["followed", "resolved", "resolved and removed", "undone", "current"])
  func conflict(fate: String) throws {
    let (base, other, current) = try desk.conflict(
      base: "one\n", other: "two\n", current: "three\n", as: "a.md")
    #expect(try version(other).isConflict)
    switch fate {
    case "followed": try desk.save("two\nmore\n", as: "a.md", base: other)
    case "current": try desk.save("four\n", as: "a.md", base: current)
    default:
      try desk.store.markResolved([other], of: desk["a.md"])
      if fate == "undone" { try desk.store.undo(desk["a.md"]) }
      if fate == "resolved and removed" {
        try desk.save("last\n", as: "a.md")
        let resolution = try #require(
          try desk.history("a.md").versions.first { $0.kind == .resolve })
        try desk.store.remove([resolution], of: desk["a.md"])
      }
    }
    #expect(try version(other).isConflict)
    #expect(
      try desk.store.version(VersionSelector(other.id.description), of: desk["a.md"]).isConflict)
    #expect(try !version(base).isConflict)
  }

  @Test func `reopened sides name the person and the device that made the contents`() throws {
    let world = try World()
    try world.disagree(base: "one\n", mira: "two\n", tom: "three\n")
    let tom = try world.device("tom")
    let sides = try tom.history("a.md").unresolvedConflicts
    try tom.store.markResolved(sides, of: tom["a.md"])
    let outcome = try tom.store.undo(tom["a.md"])
    #expect(outcome.conflicts.map(\.savingDevice) == sides.map(\.savingDevice))
    #expect(outcome.conflicts.map(\.author) == sides.map(\.author))
  }

  @Test(
    "A discardable version is kept by no rule, and dropped when its store is collected",
    arguments: ["thin", "collect"])
  func discardable(how: String) throws {
    let versions = try (1...4).map { try desk.save("text \($0)\n", as: "a.md") }
    try versions[1].setDiscardable(true)
    try versions[2].setDiscardable(true)
    try desk.store.setPinned(true, [versions[2]], of: desk["a.md"])
    let disposable = try desk.store.environment.reading(desk["a.md"]) {
      try $0.disposableVersions()
    }
    #expect(disposable == [versions[1].id.objectID])
    if how == "thin" {
      try desk.store.thin(desk["a.md"], keeping: RetentionPolicy(last: 9))
    } else {
      try desk.store.collect(desk["a.md"], grace: .zero)
    }
    #expect(
      try desk.history("a.md").versions.filter(\.hasLocalContents).map(\.id)
        == [versions[3], versions[2], versions[0]].map(\.id))
    try desk.expectSound()
  }

  @Test(
    "A folder is said to be a package exactly if saving takes it as one",
    arguments: [
      "a.imagenotes", "a.unknown", "Meyer & Co. Vertraege", "v1.2", "plain", "old.txt", ".hidden",
      "a.rtfd", "a.", "x.tar.gz",
    ])
  func package(name: String) throws {
    try desk.write("m", to: "\(name)/m")
    let isPackage = try desk.store.isPackage(desk[name])
    do {
      try desk.store.save(desk[name])
      #expect(isPackage)
    } catch {
      #expect(!isPackage)
      try desk.store.save(desk[name], asPackage: true)
      #expect(try desk.store.isPackage(desk[name]))
    }
  }
}
