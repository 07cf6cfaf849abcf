import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Stores that an earlier program made can be changed like any other, and keep all their contents.
@Suite(.blocks)
struct ChangingTests {
  /// Expects that documents are complete, and that every former version is still listed.
  private func expectWhole(
    _ stores: OldStores, _ device: String, _ documents: [String]? = nil,
    without gone: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = stores.store(of: device)
    for document in documents ?? OldStores.documents(of: device) {
      let place = stores.document(document, of: device)
      let damage = try store.verify(place).damage
      #expect(damage.isEmpty, "\(document)", sourceLocation: sourceLocation)
      let listed = Set(try store.history(of: place).versions.map(\.id.description))
      let expected = Set(OldStores.versions(of: document, on: device).map(\.id))
      #expect(
        expected.subtracting(listed).subtracting(gone).isEmpty, "\(document)",
        sourceLocation: sourceLocation)
      guard document != OldStores.repaired else { continue }
      let folder = stores.storeFolder(of: document, on: device)
      let problems = try GitCheck.problems(inStore: folder)
      #expect(problems.isEmpty, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: OldStores.devices)
  func everyDocumentIsSavedAgain(device: String) throws {
    let stores = try OldStores()
    let store = stores.store(of: device)
    for document in OldStores.documents(of: device) {
      let place = stores.document(document, of: device)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) else {
        continue
      }
      let edited = isFolder.boolValue ? place.appending(path: "new member.txt") : place
      try Data("edited by a later program\n".utf8).write(to: edited)
      let former = try store.history(of: place)
      let outcome = try store.save(place)
      #expect(outcome.isNew, "\(document)")
      let history = try store.history(of: place)
      #expect(history.count == former.count + 1, "\(document)")
      #expect(try store.state(of: place) == .unchanged, "\(document)")
    }
    SynchronousStore.waitForMaintenance()
    try expectWhole(stores, device)
  }

  @Test func conflictsAreResolved() async throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    let documents = try store.documentsInConflict(below: stores.container(of: "mira")) ?? []
    #expect(documents.count == 5)
    for document in documents {
      let resolver = ConflictResolver(.merge(else: .latest), store: VersionStore(store))
      guard case .resolved(let resolution) = try await resolver.resolve(document) else {
        Issue.record("\(document.lastPathComponent) is not resolved")
        continue
      }
      #expect(resolution.version.isCurrent)
      #expect(try store.history(of: document).unresolvedConflicts.isEmpty)
    }
    let merged = stores.document("conflict.md", of: "mira")
    let text = String(decoding: try Data(contentsOf: merged), as: UTF8.self)
    #expect(text.contains("Mira’s line 2") && text.contains("Tom’s line 8"))
    try expectWhole(stores, "mira", documents.map { stores.path(of: $0, on: "mira") })
  }

  /// Undoes the last operation of the earlier program.
  @Test(arguments: [
    ("gone.md", "deleted\n"), ("Walk.trip", nil), ("latest.md", "Mira’s"), ("kept.md", "line"),
    ("merged.md", "line"), ("marked.md", "line"), ("others removed.md", "line"),
  ])
  func oldOperationsAreUndone(document: String, text: String?) throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    let place = stores.document(document, of: "mira")
    let outcome = try store.undo(place)
    guard let text else {
      #expect(outcome.undone?.kind == .restore)
      return try expectWhole(stores, "mira", [document])
    }
    #expect(outcome.undone != nil || !outcome.broughtBack.isEmpty)
    if ["latest.md", "kept.md", "merged.md", "marked.md"].contains(document) {
      #expect(outcome.conflicts.count == 1)
    }
    let versions = try store.history(of: place).versions
    #expect(
      try versions.contains { version in
        guard version.hasLocalContents, !version.isDeletion else { return false }
        return String(decoding: try version.contents(), as: UTF8.self).contains(text)
      })
    try expectWhole(stores, "mira", [document])
  }

  @Test(arguments: ["plan.md", "thinned.md", "packed.md"])
  func removedVersionsComeBack(document: String) throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    let place = stores.document(document, of: "mira")
    let removed = OldStores.versions(of: document, on: "mira", removed: true)
    #expect(!removed.isEmpty)
    let back = try store.undelete(of: place)
    #expect(Set(back.map(\.id.description)) == Set(removed.map(\.id)))
    for version in back { #expect(try !version.contents().isEmpty) }
    #expect(try store.removedVersions(of: place).isEmpty)
    try expectWhole(stores, "mira", [document])
  }

  @Test(arguments: OldStores.devices)
  func collectingKeepsAllThatIsListed(device: String) throws {
    let stores = try OldStores()
    let store = stores.store(of: device)
    // Discardable versions are removed when space is collected.
    var gone: Set<String> = []
    // A store with a lost version is not collected: the version is missing.
    for document in OldStores.documents(of: device) where document != OldStores.repaired {
      let place = stores.document(document, of: device)
      for version in try store.history(of: place).versions where version.isDiscardable {
        gone.insert(version.id.description)
      }
      try store.collect(place, grace: .zero)
      #expect(try store.removedVersions(of: place).isEmpty, "\(document)")
      for version in try store.history(of: place).versions where version.hasLocalContents {
        let expected = OldStores.versions(of: document, on: device)
          .first { $0.id == version.id.description }
        guard !version.isPackage, let expected, expected.contents != "-" else { continue }
        let copy = stores.scratch["copy"]
        try version.contents().write(to: copy)
        #expect(try ItemDigest.of(copy) == expected.contents, "\(document)")
      }
    }
    try expectWhole(stores, device, without: gone)
  }

  @Test func restoredAndRenamed() throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    for document in ["plan.md", "Walk.trip", "large.txt", "packed.md", "often.md", "gone.md"] {
      let place = stores.document(document, of: "mira")
      let history = try store.history(of: place)
      let oldest = try #require(history.versions.last { $0.hasLocalContents && !$0.isDeletion })
      let expected = try #require(
        OldStores.versions(of: document, on: "mira").first { $0.id == oldest.id.description })
      try store.restore(oldest)
      if !oldest.isPackage { #expect(try ItemDigest.of(place) == expected.contents) }
      try store.rename(place, to: "renamed \(document)")
      let renamed = stores.document("renamed \(document)", of: "mira")
      let now = try store.history(of: renamed)
      #expect(now.count >= history.count + 1, "\(document)")
      #expect(try store.verify(renamed).isWhole)
      let folder = stores.storeFolder(of: "renamed \(document)", on: "mira")
      #expect(try GitCheck.problems(inStore: folder).isEmpty)
    }
  }

  @Test func aPinHolds() throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    let place = stores.document("plan.md", of: "mira")
    let pinned = try #require(try store.history(of: place).versions.first { $0.isPinned })
    #expect(throws: VersionError.self) { try pinned.remove() }
    try pinned.setPinned(false)
    try #require(try store.history(of: place).versions.first { $0.id == pinned.id }).remove()
    try expectWhole(stores, "mira", ["plan.md"], without: [pinned.id.description])
  }

  /// An exchange folder of the former format is refused, without any change in it or here; a new one works
  /// for both devices.
  @Test func exchangedThroughTheFormerFolder() throws {
    let stores = try OldStores()
    let edited = stores.document("plan.md", of: "mira")
    try Data("edited by a later program\n".utf8).write(to: edited)
    try stores.store(of: "mira").save(edited)
    let error = #expect(throws: VersionError.self) {
      try stores.store(of: "mira").exchange(
        stores.container(of: "mira"), through: stores.cloud)
    }
    #expect(error?.code == .invalidArgument)
    for device in ["mira", "tom", "mira"] {
      let outcome = try stores.store(of: device)
        .exchange(stores.container(of: device), through: stores.scratch["new"])
      for result in outcome.documents { #expect(result.failure == nil) }
    }
    let arrived = stores.document("plan.md", of: "tom")
    #expect(try Data(contentsOf: arrived) == Data("edited by a later program\n".utf8))
    for device in ["mira", "tom"] { try expectWhole(stores, device, ["plan.md", "conflict.md"]) }
  }

  /// All versions reach a new device through a new folder.
  @Test func exchangedThroughANewFolder() throws {
    let stores = try OldStores()
    let folder = stores.scratch["new cloud"]
    let other = stores.scratch["new device"]
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    for (device, container) in [
      ("mira", stores.container(of: "mira")), ("ann", other),
      ("mira", stores.container(of: "mira")),
    ] {
      for result in try stores.store(of: device).exchange(container, through: folder).documents {
        #expect(result.failure == nil)
      }
    }
    let store = stores.store(of: "ann")
    for document in OldStores.documents(of: "mira") {
      let place = other.appending(path: document)
      let here = try store.history(of: place)
      let there = try stores.store(of: "mira").history(of: stores.document(document, of: "mira"))
      #expect(here.current?.id == there.current?.id, "\(document)")
      #expect(try store.verify(place).isWhole, "\(document)")
    }
  }
}
