import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Apple's calls, one by one.
@Suite("FileVersion")
struct FileVersionTests {
  @Test("Without a document every list is nil; with one that was never saved, lists are empty")
  func nilAgainstEmpty() throws {
    let desk = try Device()
    let missing = desk["missing.md"]
    #expect(try FileVersion.current(of: missing, store: desk.store) == nil)
    #expect(try FileVersion.others(of: missing, store: desk.store) == nil)
    #expect(try FileVersion.unresolvedConflicts(of: missing, store: desk.store) == nil)
    let nowhere = desk["no/such/folder.md"]
    #expect(try FileVersion.others(of: nowhere, store: desk.store) == nil)

    let unsaved = try desk.write("x", to: "unsaved.md")
    #expect(try FileVersion.current(of: unsaved, store: desk.store) == nil)
    #expect(try FileVersion.others(of: unsaved, store: desk.store) == [])
    #expect(try FileVersion.unresolvedConflicts(of: unsaved, store: desk.store) == [])
  }

  @Test("No more versions are listed than were asked for, and none where that is nothing")
  func newest() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let current = try desk.save("2", as: "a.md")
    for (most, expected) in [(-1, 0), (0, 0), (1, 1), (2, 2), (.max, 2)] {
      let history = try desk.store.history(of: desk["a.md"], newest: most)
      #expect(history.versions.count == expected)
      #expect(history.count == 2 && history.current == current)
    }
  }

  @Test("A document taken off the disk has no versions for these calls; its history stays")
  func documentTakenAway() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    #expect(try FileVersion.current(of: desk["a.md"], store: desk.store) == nil)
    #expect(try FileVersion.others(of: desk["a.md"], store: desk.store) == nil)
    #expect(try desk.history("a.md").versions.count == 1)
    #expect(try desk.store.state(of: desk["a.md"]) == .missing)
    let current = try #require(try desk.history("a.md").current)
    try desk.store.restore(current)
    #expect(try desk.read("a.md") == "1")
  }

  @Test("Current, others and conflicts are distinguished")
  func lists() throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    let document = desk["a.md"]
    #expect(try FileVersion.current(of: document, store: desk.store) == versions.current)
    #expect(
      try FileVersion.others(of: document, store: desk.store) == [versions.other, versions.base])
    let conflicts = try FileVersion.unresolvedConflicts(of: document, store: desk.store)
    #expect(conflicts == [versions.other])
    let conflict = try #require(conflicts?.first)
    #expect(conflict.isConflict)
    #expect(!conflict.isResolved)
    let current = try #require(try FileVersion.current(of: document, store: desk.store))
    #expect(!current.isConflict)
    #expect(current.isResolved)
    #expect(conflict.savingDevice == "Mira’s laptop")
  }

  @Test("An identifier finds its version again after encoding, and nil after removal")
  func identifiers() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    try desk.save("2", as: "a.md")
    let data = try JSONEncoder().encode([first.persistentIdentifier])
    let decoded = try JSONDecoder().decode([FileVersion.PersistentIdentifier].self, from: data)
    #expect(decoded == [first.persistentIdentifier])
    #expect(
      try FileVersion.version(of: desk["a.md"], identifier: decoded[0], store: desk.store) == first)
    try first.remove()
    #expect(
      try FileVersion.version(of: desk["a.md"], identifier: decoded[0], store: desk.store) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        [FileVersion.PersistentIdentifier].self, from: Data(#"["xyz"]"#.utf8))
    }
  }

  @Test("An identifier finds a version of a document that was deleted, or never there")
  func identifiersOfDeleted() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    let deletion = try desk.store.delete(desk["a.md"])
    for version in [first, deletion] {
      #expect(
        try FileVersion.version(of: desk["a.md"], identifier: version.id, store: desk.store)
          == version)
    }
    for name in ["b.md", "no/such/folder.md"] {
      #expect(
        try FileVersion.version(of: desk[name], identifier: first.id, store: desk.store) == nil)
    }
  }

  @Test("Adding contents from elsewhere adds one other version and leaves the document alone")
  func add() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let current = try desk.save("2", as: "a.md")
    let backup = try desk.scratch.write("old backup", to: "backup.md")
    let added = try FileVersion.add(to: desk["a.md"], contentsOf: backup, store: desk.store)
    #expect(added.kind == .add)
    #expect(!added.isCurrent && !added.isConflict && added.hasLocalContents)
    #expect(try String(decoding: added.contents(), as: UTF8.self) == "old backup")
    #expect(try desk.read("a.md") == "2")
    #expect(try FileVersion.current(of: desk["a.md"], store: desk.store) == current)
    #expect(try FileVersion.others(of: desk["a.md"], store: desk.store)?.count == 2)
    #expect(FileManager.default.fileExists(atPath: backup.path))
    try desk.expectSound()

    // It survives a rewrite of the content chain, and can itself be restored and removed.
    let first = try #require(
      try desk.history("a.md").versions.first { $0.size == 1 && !$0.isCurrent })
    try first.remove()
    #expect(try FileVersion.others(of: desk["a.md"], store: desk.store) == [added])
    try desk.store.restore(added)
    #expect(try desk.read("a.md") == "old backup")
    try added.remove()
    #expect(try desk.history("a.md").versions.contains(added) == false)
    try desk.expectSound()
  }

  @Test("Adding by moving takes the contents away; a temporary folder is there to build them in")
  func addByMoving() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let folder = try FileVersion.temporaryDirectoryForNewVersion(
      of: desk["a.md"], store: desk.store)
    let other = try FileVersion.temporaryDirectoryForNewVersion(of: desk["a.md"], store: desk.store)
    #expect(folder != other)
    let built = folder.appending(path: "a.md")
    try Data("from memory".utf8).write(to: built)
    let version = try FileVersion.add(
      to: desk["a.md"], contentsOf: built, options: .byMoving, store: desk.store)
    #expect(!FileManager.default.fileExists(atPath: built.path))
    #expect(try String(decoding: version.contents(), as: UTF8.self) == "from memory")
    #expect(try desk.read("a.md") == "1")
  }

  @Test("Adding the document's own contents saves them")
  func addOwnContents() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.write("2", to: "a.md")
    let version = try FileVersion.add(to: desk["a.md"], contentsOf: desk["a.md"], store: desk.store)
    #expect(version.isCurrent)
    #expect(try desk.texts("a.md") == ["2", "1"])
  }

  @Test("A version's URL is a read-only copy, and nil once its contents are gone")
  func url() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    try desk.save("2", as: "a.md")
    let url = try #require(try first.checkedOutURL())
    #expect(try Data(contentsOf: url) == Data("1".utf8))
    #expect(url.lastPathComponent == "a.md")
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o222 } == 0)
    #expect(try first.checkedOutURL() == url)
    try first.remove()
    #expect(try first.checkedOutURL() == nil)
  }

  @Test("The copy of a removed version goes when it is collected, others stay")
  func urlAfterCollecting() throws {
    let desk = try Device()
    for (number, text) in ["1", "2", "3"].enumerated() {
      desk.clock.advance(bySeconds: 60)
      try desk.write(text, to: "a.pkg/text.md")
      try desk.store.save(desk["a.pkg"], note: "\(number)")
    }
    let versions = try desk.history("a.pkg").versions
    let urls = try versions.map { try #require(try $0.checkedOutURL()) }
    func copies() -> [Bool] { urls.map { FileManager.default.fileExists(atPath: $0.path) } }
    try versions[2].remove()
    desk.clock.advance(bySeconds: 60)
    // This holds as long as the removal can be undone.
    try desk.store.collect(desk["a.pkg"])
    #expect(
      try desk.store.collect(desk["a.pkg"], grace: .seconds(Int64.max)).forgottenRemovals == 0)
    #expect(copies() == [true, true, true])
    try desk.store.collect(desk["a.pkg"], grace: .zero)
    #expect(copies() == [true, true, false])
    #expect(try desk.store.verify(desk["a.pkg"]).isWhole)
    try desk.expectSound()
  }

  @Test("Replacing the document by a version keeps its name and what was not saved")
  func replaceDocument() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    try desk.save("2", as: "a.md")
    try desk.write("never saved", to: "a.md")
    let place = try first.replaceItem(at: desk["a.md"])
    #expect(place.lastPathComponent == "a.md")
    #expect(try desk.read("a.md") == "1")
    #expect(try desk.texts("a.md") == ["1", "never saved", "2", "1"])
    #expect(try desk.history("a.md").current?.kind == .restore)
    try desk.expectSound()
  }

  @Test("Replacing an item of another type takes the version's extension")
  func replaceTakesExtension() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.txt")
    let renamed = try desk.store.rename(desk["a.txt"], to: "a.md")
    let place = try first.replaceItem(at: renamed.documentURL)
    #expect(place.lastPathComponent == "a.txt")
    #expect(try desk.read("a.txt") == "1")
    #expect(!FileManager.default.fileExists(atPath: desk["a.md"].path))
    #expect(try desk.history("a.txt").current?.localizedName == "a.txt")

    let elsewhere = try first.replaceItem(at: desk["copy.md"])
    #expect(elsewhere.lastPathComponent == "copy.txt")
    #expect(try desk.read("copy.txt") == "1")
    try desk.expectSound()
  }

  @Test("Nothing is replaced where the version's extension makes a name that has versions already")
  func replaceTakesNoFormerName() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.txt")
    let renamed = try desk.store.rename(desk["a.txt"], to: "a.md")
    try desk.save("other", as: "a.txt")
    try desk.store.delete(desk["a.txt"])
    let versions = try desk.history("a.md").versions
    expectFileError(.exists) { try first.replaceItem(at: renamed.documentURL) }
    #expect(try desk.history("a.md").versions == versions)
    let other = try desk.save("2", as: "a.md")
    expectFileError(.exists) { try first.replaceItem(at: renamed.documentURL) }
    #expect(try desk.read("a.md") == "2")
    #expect(try desk.history("a.md").current == other)
  }

  @Test("A first save that is refused, or did not come to its end, leaves no versions")
  func refusedFirstSave() throws {
    let desk = try Device()
    let stranger = try desk.save("1", as: "a.md")
    try desk.write("2", to: "b.md")
    let store = desk[".docversions/documents/b.md.git"]
    expectVersionError(.noSuchVersion) { try desk.store.save(desk["b.md"], base: stranger) }
    #expect(!FileManager.default.fileExists(atPath: store.path))
    #expect(try desk.store.state(of: desk["b.md"]) == .unsaved)

    try desk.store.save(desk["b.md"])
    for part in ["refs/heads/main", "ledger", "version-index"] {
      try FileManager.default.removeItem(at: store.appending(path: part))
    }
    #expect(try desk.store.state(of: desk["b.md"]) == .unsaved)
    expectVersionError(.noVersions) { _ = try desk.history("b.md") }
    #expect(try desk.store.save(desk["b.md"]).isNew)
    #expect(try desk.texts("b.md") == ["2"])
  }

  @Test("Replacing by moving promotes the version to a file of its own")
  func replaceByMoving() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    let second = try desk.save("2", as: "a.md")
    let place = try first.replaceItem(at: desk["promoted.md"], options: .byMoving)
    #expect(try Data(contentsOf: place) == Data("1".utf8))
    #expect(try desk.history("a.md").versions == [second])
    expectVersionError(.invalidArgument) {
      try second.replaceItem(at: desk["a.md"], options: .byMoving)
    }
    expectVersionError(.currentVersion) {
      try second.replaceItem(at: desk["other.md"], options: .byMoving)
    }
  }

  @Test("A version in the middle can be removed; what came after keeps its identity")
  func removeMiddle() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    let second = try desk.save("2", as: "a.md")
    let third = try desk.save("3", as: "a.md")
    try second.remove()
    #expect(try desk.history("a.md").versions == [third, first])
    #expect(try desk.read("a.md") == "3")
    expectVersionError(.contentsNotLocal) { _ = try desk.store.restore(second).version }
    try desk.expectSound()
    // Once more changes nothing.
    try second.remove()
    let fourth = try desk.save("4", as: "a.md")
    #expect(try desk.history("a.md").versions == [fourth, third, first])
    try desk.expectSound()
  }

  @Test("The current version and unresolved conflicts can't be removed, and then nothing is")
  func removeRefused() throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    expectVersionError(.currentVersion) { try versions.current.remove() }
    expectVersionError(.unresolvedConflict) { try versions.other.remove() }
    expectVersionError(.unresolvedConflict) {
      try desk.store.remove([versions.base, versions.other], of: desk["a.md"])
    }
    #expect(try desk.history("a.md").versions.count == 3)
  }

  @Test("Marking as resolved keeps the version until it is removed")
  func markResolved() throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    try versions.other.markResolved()
    #expect(try FileVersion.unresolvedConflicts(of: desk["a.md"], store: desk.store) == [])
    let other = try #require(
      try FileVersion.version(of: desk["a.md"], identifier: versions.other.id, store: desk.store))
    #expect(other.isConflict && other.isResolved)
    #expect(try desk.read("a.md") == "3")
    try other.markResolved()
    try versions.current.markResolved()
    try other.remove()
    #expect(try desk.history("a.md").versions.contains(other) == false)
    try desk.expectSound()
  }

  @Test("Remove others leaves the current version only, and settles conflicts")
  func removeOthers() throws {
    let desk = try Device()
    try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    try FileVersion.removeOthers(of: desk["a.md"], store: desk.store)
    #expect(try FileVersion.others(of: desk["a.md"], store: desk.store) == [])
    #expect(try FileVersion.unresolvedConflicts(of: desk["a.md"], store: desk.store) == [])
    #expect(try desk.texts("a.md") == ["3"])
    try FileVersion.removeOthers(of: desk["a.md"], store: desk.store)
    let next = try desk.save("4", as: "a.md")
    #expect(try desk.history("a.md").versions.first == next)
    #expect(try desk.texts("a.md") == ["4", "3"])
    try FileVersion.removeOthers(of: desk["a.md"], store: desk.store)
    #expect(try desk.history("a.md").versions == [next])
    try desk.expectSound()
  }

  @Test("Remove others of a document that was never saved changes nothing")
  func removeOthersOfUnsaved() throws {
    let desk = try Device()
    let document = try desk.write("x", to: "a.md")
    try FileVersion.removeOthers(of: document, store: desk.store)
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.container.path) == ["a.md"])
    #expect(throws: FileError.self) {
      try FileVersion.removeOthers(of: desk["missing.md"], store: desk.store)
    }
  }

  @Test("Discardable can be set on other versions, never taken back")
  func discardable() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    let second = try desk.save("2", as: "a.md")
    try first.setDiscardable(true)
    let again = try #require(try desk.history("a.md").versions.last)
    #expect(again == first && again.isDiscardable && again.hasLocalContents)
    expectVersionError(.cannotUnset) { try first.setDiscardable(false) }
    expectVersionError(.currentVersion) { try second.setDiscardable(true) }
    try desk.save("3", as: "a.md")
    #expect(try desk.history("a.md").versions.map(\.isDiscardable) == [false, false, true])
    try desk.expectSound()
  }

  @Test("The originator of one's own versions is nil, another person's is named")
  func originator() throws {
    let desk = try Device()
    let own = try desk.save("1", as: "a.md")
    #expect(own.originatorNameComponents == nil)
    var other = desk.store
    other.identity.author = "Tom van Dyk"
    let names = try FileVersion.current(of: desk["a.md"], store: other)?.originatorNameComponents
    #expect(names?.givenName == "Mira")
  }

  @Test("The asynchronous calls do the same")
  func asynchronous() async throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1", other: "2", current: "3", as: "a.md")
    let (document, store) = (desk["a.md"], VersionStore(desk.store))
    let current = try await FileVersion.current(of: document, store: store)
    #expect(current == versions.current)
    #expect(try await versions.other.contents() == Data("2".utf8))
    #expect(try await versions.other.url.map { try Data(contentsOf: $0) } == Data("2".utf8))
    try await versions.other.markResolved()
    #expect(try await FileVersion.unresolvedConflicts(of: document, store: store) == [])
    try await FileVersion.removeOthers(of: document, store: store)
    #expect(try await FileVersion.others(of: document, store: store) == [])
  }

  /// The calls of the resolution protocol, in all possible orders.
  enum Step: CaseIterable { case replace, removeOthers, markResolved }

  @Test(
    "The resolution calls end in the same state in whatever order they come",
    arguments: [
      [Step.replace, .removeOthers, .markResolved], [.replace, .markResolved, .removeOthers],
      [.markResolved, .replace, .removeOthers], [.markResolved, .removeOthers, .replace],
      [.removeOthers, .replace, .markResolved], [.removeOthers, .markResolved, .replace],
    ])
  func orders(steps: [Step]) throws {
    let desk = try Device()
    let versions = try desk.conflict(base: "1", other: "chosen", current: "3", as: "a.md")
    let conflicts = try FileVersion.unresolvedConflicts(of: desk["a.md"], store: desk.store) ?? []
    // The chosen contents, as in Apple's guide before it removes anything.
    let chosen = try desk.scratch.write("chosen", to: "chosen.md")
    for _ in 1...2 {
      for step in steps {
        switch step {
        case .replace:
          if try versions.other.checkedOutURL() != nil {
            try versions.other.replaceItem(at: desk["a.md"])
          } else {
            try Data(contentsOf: chosen).write(to: desk["a.md"])
            try desk.store.save(desk["a.md"])
          }
        case .removeOthers: try FileVersion.removeOthers(of: desk["a.md"], store: desk.store)
        case .markResolved: for conflict in conflicts { try conflict.markResolved() }
        }
      }
    }
    try FileVersion.removeOthers(of: desk["a.md"], store: desk.store)
    #expect(try desk.read("a.md") == "chosen")
    #expect(try desk.texts("a.md") == ["chosen"])
    #expect(try FileVersion.unresolvedConflicts(of: desk["a.md"], store: desk.store) == [])
    #expect(try FileVersion.others(of: desk["a.md"], store: desk.store) == [])
    try desk.expectSound()
  }
}
