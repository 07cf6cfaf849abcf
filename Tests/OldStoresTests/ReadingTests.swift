import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Stores that an earlier program made are read as by that program.
@Suite(.blocks)
struct ReadingTests {
  @Test func theFixtureHasEveryKindOfVersion() {
    let kinds = Set(OldStores.expected.map(\.kind))
    #expect(
      kinds == [
        "save", "restore", "merge", "resolve", "join", "delete", "rename", "add", "import", "undo",
        "removed",
      ])
    #expect(Set(OldStores.expected.map(\.device)) == Set(OldStores.devices))
    #expect(OldStores.expected.count > 250)
  }

  @Test(arguments: OldStores.devices)
  func everyVersionIsListedWithItsContents(device: String) throws {
    let stores = try OldStores()
    let store = stores.store(of: device)
    for document in OldStores.documents(of: device) {
      let place = stores.document(document, of: device)
      let found = try store.history(of: place).versions.map { version in
        OldStores.Version(
          version, of: document, on: device, contents: try contents(of: version, store, stores))
      }
      expectSame(found, OldStores.versions(of: document, on: device))
      let removed = try store.removedVersions(of: place).map(\.id.description)
      #expect(
        Set(removed)
          == Set(OldStores.versions(of: document, on: device, removed: true).map(\.id)),
        "\(device): \(document)")
    }
  }

  private func contents(
    of version: FileVersion, _ store: SynchronousStore, _ stores: OldStores
  ) throws -> String {
    guard version.hasLocalContents, !version.isDeletion else { return "-" }
    let copy = stores.scratch["copies/\(version.id)"]
    try FileManager.default.createDirectory(
      at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
    try store.export(version, to: copy)
    defer {
      // A copy that is left behind doesn't affect others.
      do { try FileManager.default.removeItem(at: copy) } catch {}
    }
    return try ItemDigest.of(copy)
  }

  private func expectSame(_ found: [OldStores.Version], _ expected: [OldStores.Version]) {
    #expect(found.map(\.id) == expected.map(\.id), "\(expected.first?.document ?? "")")
    for (found, expected) in zip(found, expected) { #expect(found == expected) }
  }

  @Test(arguments: OldStores.devices)
  func everyStoreIsWhole(device: String) throws {
    let stores = try OldStores()
    for document in OldStores.documents(of: device) {
      let verification = try stores.store(of: device).verify(
        stores.document(document, of: device))
      #expect(verification.damage.isEmpty, "\(device): \(document)")
      #expect(verification.versions > 0, "\(device): \(document)")
    }
    // A version of the repaired document is lost, which git does not know.
    guard device != OldStores.deviceWithRepairs else { return }
    #expect(try GitCheck.problems(inContainer: stores.container(of: device)).isEmpty)
  }

  @Test(arguments: OldStores.devices)
  func conflictsAreFound(device: String) throws {
    let stores = try OldStores()
    let expected = OldStores.expected.filter {
      $0.device == device && !$0.isRemoved && !$0.flags.contains("resolved")
    }
    let found = try stores.store(of: device).documentsInConflict(
      below: stores.container(of: device))
    #expect(
      Set((found ?? []).map { stores.path(of: $0, on: device) }) == Set(expected.map(\.document)))
  }

  @Test func stateOfTheDocumentIsKnown() throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    for (document, state) in [
      ("plan.md", EditState.unchanged), ("unsaved.md", .edited), ("gone.md", .deleted),
      ("Walk.trip", .unchanged), ("large.txt", .unchanged), ("notes/2026/november.md", .unchanged),
    ] {
      #expect(try store.state(of: stores.document(document, of: "mira")) == state, "\(document)")
    }
  }

  @Test func declaredTypesCount() throws {
    let stores = try OldStores()
    let store = stores.store(of: "mira")
    #expect(try store.declaredTypes(in: stores.container(of: "mira")).count == 1)
    let document = stores.document("Walk.trip", of: "mira")
    let types = try store.types(for: document)
    #expect(types.type(for: document)?.identifier == "org.example.trip")
    #expect(types.isPackage(document))
  }

  /// Reads everything, and compares every file of the stores with its former contents.
  @Test(arguments: OldStores.devices)
  func readingChangesNothingButCaches(device: String) throws {
    let stores = try OldStores()
    let before = try stores.files(of: device)
    let store = stores.store(of: device)
    for document in OldStores.documents(of: device) {
      let place = stores.document(document, of: device)
      let history = try store.history(of: place)
      for version in history.versions where version.hasLocalContents && !version.isDeletion {
        if version.isPackage {
          _ = try store.members(of: version)
        } else {
          _ = try version.contents()
        }
      }
      _ = try store.history(of: place, newest: 2)
      _ = try store.state(of: place)
      _ = try store.removedVersions(of: place)
      _ = try store.verify(place)
    }
    _ = try store.documentsInConflict(below: stores.container(of: device))
    _ = try store.documents(below: stores.container(of: device))
    SynchronousStore.waitForMaintenance()
    #expect(try stores.files(of: device) == before)
  }
}

extension OldStores {
  /// The path of a document in its container.
  func path(of document: URL, on device: String) -> String {
    let container = container(of: device).path + "/"
    return String(document.path.dropFirst(container.count))
  }

  /// Returns the files of a device's documents and stores with their contents, without caches.
  func files(of device: String) throws -> [String] {
    try ItemDigest.list(container(of: device)).filter { line in
      !CacheFiles.names.contains { line.contains("/\($0) ") }
    }
  }
}
