import DocumentFiles
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Synchronization
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Devices that only list other devices' documents until they download them.
@Suite("Documents that are not downloaded")
struct DownloadTests {
  private let world: RemoteWorld

  /// The two kinds of servers: those that send single contents, and those that send all.
  enum Host: CaseIterable { case sendsSingleContents, sendsAll }

  init() throws {
    world = try RemoteWorld()
  }

  private func configure(_ host: Host) throws {
    if host == .sendsSingleContents { try world.server.allowSingleObjects(in: "docs") }
  }

  /// Creates a device that lists documents.
  private func cloneListing(_ name: String) throws -> (store: SynchronousStore, folder: URL) {
    let (store, folder) = (world.world.store(name), world.world.scratch[name])
    let outcome = try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
      listing: true, access: world.access)
    #expect(outcome.received == 0)
    return (store, folder)
  }

  private func listed(_ device: (store: SynchronousStore, folder: URL)) throws -> [String] {
    try device.store.documentsNotDownloaded(below: device.folder).map {
      String($0.document.path.dropFirst(device.folder.path.count + 1))
    }
  }

  private func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != ".docversions" }.sorted()
  }

  @Test(
    "A live query learns that documents that arrived have versions, and of their edits",
    .timeLimit(.minutes(10)), arguments: [true, false])
  func query(isListing: Bool) async throws {
    try world.meet("mira")
    let jo: (store: SynchronousStore, folder: URL)
    if isListing {
      jo = try cloneListing("jo")
    } else {
      try world.meet("jo")
      jo = (world.world.store("jo"), try world.device("jo").container)
    }
    let query = DocumentQuery(.isIn(\.editState, [.edited, .unsaved]), in: [jo.folder])
    var updates = query.updates(in: VersionStore(jo.store)).makeAsyncIterator()
    var items: [DocumentMetadata] = []
    func take(_ names: [String]) async throws {
      repeat {
        query.apply(try #require(try await updates.next()), to: &items)
      } while items.map(\.name) != names
    }
    try await take([])
    // So many new documents rest, unless they are downloaded one by one.
    for number in 1...9 { try world.world.save("one\n", as: "\(number).md", on: "mira") }
    try world.meet("mira")
    _ = try jo.store.sync(jo.folder, access: world.access)
    if isListing { _ = try jo.store.download([jo.folder], access: world.access) }
    let resting = try RestingDocuments.of(jo.folder.filePath.resolvingLinks())
    #expect(resting.isEmpty == isListing)
    try Data("new\n".utf8).write(to: jo.folder.appending(path: "a.md"))
    try await take(["a.md"])
    #expect(items.map(\.editState) == [.unsaved])
    try Data("one\nmore\n".utf8).write(to: jo.folder.appending(path: "1.md"))
    try await take(["1.md", "a.md"])
    #expect(items.map(\.editState) == [.edited, .unsaved])
    // A version that arrives isn’t an edit either.
    try world.world.save("two\n", as: "2.md", on: "mira")
    try world.meet("mira")
    _ = try jo.store.sync(jo.folder, access: world.access)
    try Data("new\n".utf8).write(to: jo.folder.appending(path: "b.md"))
    try await take(["1.md", "a.md", "b.md"])
  }

  @Test("The progress of a download of many documents only grows, up to the end")
  func progress() throws {
    for number in 1...8 {
      let text = String(repeating: "line \(number)\n", count: number * 100)
      try world.world.save(text, as: "\(number).md", on: "mira")
    }
    try world.meet("mira")
    var jo = try cloneListing("jo")
    let fractions = Mutex<[Double]>([])
    let isShown = Mutex<[Int64]>([])
    jo.store.progress = OperationProgress { progress in
      fractions.withLock { $0.append(progress.fractionCompleted) }
      guard progress.completedUnitCount > 0 else { return }
      isShown.withLock { $0.append(100 * progress.completedUnitCount / progress.totalUnitCount) }
    }
    let outcome = try jo.store.download([jo.folder], access: world.access)
    #expect(outcome.received == 8)
    let (all, shown) = (fractions.withLock { $0 }, isShown.withLock { $0 })
    #expect(all == all.sorted() && shown == shown.sorted(), "\(all) \(shown)")
    #expect(Set(shown).count >= 4 && all.last == 1, "\(all) \(shown)")
  }

  @Test(
    "Nothing of them is on the disk, and what is downloaded is in step", arguments: Host.allCases)
  func session(with host: Host) throws {
    try configure(host)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.world.save("two\n", as: "sub/b.md", on: "mira")
    try world.world.save("gone\n", as: "c.md", on: "mira")
    _ = try world.world.store("mira").delete(world.world.url("mira", "c.md"))
    try world.meet("mira")

    let jo = try cloneListing("jo")
    #expect(try listed(jo) == ["a.md", "sub/b.md"])
    #expect(try files(in: jo.folder).isEmpty)
    #expect(try jo.store.documents(below: jo.folder)?.isEmpty == true)
    let entry = try #require(try jo.store.documentsNotDownloaded(below: jo.folder).first)
    #expect(entry.size == 4)
    #expect(entry.device == "mira’s laptop")
    #expect(try jo.store.downloadStatus(of: entry.document) == .notDownloaded)
    #expect(try jo.store.documentsNotDownloaded(below: jo.folder.appending(path: "sub")).count <= 1)

    let place = jo.folder.appending(path: "sub/b.md")
    let outcome = try jo.store.download([place], access: world.access)
    #expect(outcome.received == 1)
    #expect(outcome.hasFetchedEverything == (host == .sendsAll))
    #expect(try world.world.read("sub/b.md", on: "jo") == "two\n")
    #expect(try files(in: jo.folder) == ["sub"])
    #expect(try listed(jo) == ["a.md"])
    #expect(try jo.store.downloadStatus(of: place) == .current)

    try world.world.save("one and more\n", as: "a.md", on: "mira")
    try world.world.save("two and more\n", as: "sub/b.md", on: "mira")
    try world.meet("mira")
    #expect(try world.sync("jo").received == 1)
    #expect(try world.world.read("sub/b.md", on: "jo") == "two and more\n")
    #expect(try files(in: jo.folder) == ["sub"])
    #expect(try jo.store.documentsNotDownloaded(below: jo.folder).map(\.size) == [13])

    try world.world.save("by Jo\n", as: "sub/b.md", on: "jo")
    #expect(try world.sync("jo").sent == 1)
    #expect(try world.sync("jo").documents.isEmpty)
    try world.meet("mira", "jo")
    #expect(try world.world.read("sub/b.md", on: "mira") == "by Jo\n")

    try jo.store.setListsNewDocuments(false, in: jo.folder)
    try world.meet("jo", "mira")
    #expect(try world.world.read("a.md", on: "jo") == "one and more\n")
    #expect(try listed(jo).isEmpty)
    try world.expectAgreement(about: "a.md", among: ["mira", "jo"])
    try world.expectAgreement(about: "sub/b.md", among: ["mira", "jo"])
    try world.expectSound("mira", "jo")
  }

  @Test("A conflict shows in the list, and arrives as one", arguments: Host.allCases)
  func conflict(with host: Host) throws {
    try configure(host)
    try world.world.save("base\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    try world.world.save("Mira’s\n", as: "a.md", on: "mira")
    try world.world.save("Tom’s\n", as: "a.md", on: "tom")
    try world.meet("mira", "tom")
    let jo = try cloneListing("jo")
    #expect(
      try jo.store.documentsNotDownloaded(below: jo.folder).map(\.unresolvedConflicts) == [1])
    _ = try jo.store.download([jo.folder], access: world.access)
    try world.expectAgreement(about: "a.md", among: ["mira", "tom", "jo"])
    #expect(try world.world.history("a.md", on: "jo").unresolvedConflicts.count == 1)
    try world.meet("jo", "mira", "tom")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom", "jo"])
    try world.expectSound("mira", "tom", "jo")
  }

  /// The item in the place of a document that isn't downloaded.
  enum InPlace: CaseIterable { case same, other, otherSaved }

  @Test("A file in its place is never written over", arguments: InPlace.allCases)
  func fileInPlace(_ file: InPlace) throws {
    try configure(.sendsSingleContents)
    try world.world.save("Mira’s\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let jo = try cloneListing("jo")
    let place = jo.folder.appending(path: "a.md")
    let text = file == .same ? "Mira’s\n" : "Jo’s\n"
    try Data(text.utf8).write(to: place)
    if file == .otherSaved { _ = try jo.store.save(place) }
    _ = try jo.store.download([place], access: world.access)
    let texts = try files(in: jo.folder).map { try world.world.read($0, on: "jo") }
    #expect(Set(texts) == [text, "Mira’s\n"])
    #expect(texts.count == (file == .same ? 1 : 2))
    try world.meet("jo", "mira")
    try world.expectSound("mira", "jo")
  }

  @Test("What the list is made of may be lost", arguments: ["listed", "peers", "mirrors", "index"])
  func lost(_ name: String) throws {
    try configure(.sendsSingleContents)
    for number in 1...3 { try world.world.save("\(number)\n", as: "\(number).md", on: "mira") }
    try world.meet("mira")
    let jo = try cloneListing("jo")
    _ = try jo.store.download([jo.folder.appending(path: "1.md")], access: world.access)
    try FileManager.default.removeItem(
      at: jo.folder.appending(path: ".docversions/sync/\(name)"))
    try world.world.save("new\n", as: "1.md", on: "mira")
    try world.meet("mira")
    for result in try world.sync("jo").documents { #expect(result.failure == nil) }
    #expect(try files(in: jo.folder) == ["1.md"])
    #expect(try world.world.read("1.md", on: "jo") == "new\n")
    #expect(try listed(jo) == ["2.md", "3.md"])
    _ = try jo.store.download([jo.folder.appending(path: "3.md")], access: world.access)
    #expect(try world.world.read("3.md", on: "jo") == "3\n")
    try world.expectSound("mira", "jo")
  }

  @Test("Cut at any byte and run again, a download comes to the same")
  func cut() throws {
    try configure(.sendsSingleContents)
    for number in 1...3 { try world.world.save("\(number)\n", as: "\(number).md", on: "mira") }
    try world.meet("mira")
    let line = try CuttableLine(to: world.server.port)
    let address = world.server.address(of: "docs", port: line.port)
    for (number, place) in stride(from: 0, to: 3_000, by: 250).enumerated() {
      let name = "jo\(number)"
      let (store, folder) = (world.world.store(name), world.world.scratch[name])
      _ = try store.clone(
        Remote(name: "origin", address: address), to: folder, listing: true, access: world.access)
      let document = folder.appending(path: "2.md")
      line.cut(after: place)
      do {
        _ = try store.download([document], access: world.access)
      } catch let error as VersionError {
        #expect(error.code == .remoteUnreachable)
        #expect(!FileManager.default.fileExists(atPath: document.path))
      }
      line.cut(after: nil)
      _ = try store.download([document], access: world.access)
      #expect(try world.world.read("2.md", on: name) == "2\n")
      #expect(try files(in: folder) == ["2.md"])
      #expect(try GitCheck.problems(inContainer: folder).isEmpty)
    }
  }

  @Test("A document that no device has published is refused")
  func unknown() throws {
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let jo = try cloneListing("jo")
    for name in ["b.md", "a.md/c", "nowhere/a.md"] {
      let place = jo.folder.appending(path: name)
      let refusals = [
        #expect(throws: FileError.self) {
          try jo.store.download([place], access: world.access)
        },
        #expect(throws: FileError.self) { try jo.store.downloadStatus(of: place) },
      ]
      for refusal in refusals { #expect(refusal?.code == .notFound) }
    }
    #expect(try files(in: jo.folder).isEmpty)
  }

  @Test("A remote that has become empty takes no listed document away")
  func emptied() throws {
    try configure(.sendsSingleContents)
    for name in ["a.md", "b.md"] { try world.world.save("\(name)\n", as: name, on: "mira") }
    let mira = try listingMira()
    #expect(try evict("a.md", from: mira) == nil)
    let folder = world.server.folder("docs").path
    let references = try world.references(withPage: true)
    for name in references.keys {
      try world.server.git(["-C", folder, "update-ref", "-d", name])
    }
    let failure = #expect(throws: VersionError.self) { try world.sync("mira") }
    #expect(failure?.code == .remoteRefused)
    #expect(try listed(mira) == ["a.md"])
    for (name, object) in references {
      try world.server.git(["-C", folder, "update-ref", name, object])
    }
    _ = try mira.store.download([mira.folder.appending(path: "a.md")], access: world.access)
    #expect(try world.world.read("a.md", on: "mira") == "a.md\n")
    // After the remote was given up on purpose, the local documents are sent to the empty one.
    #expect(try evict("a.md", from: mira) == nil)
    for name in try world.references(withPage: true).keys {
      try world.server.git(["-C", folder, "update-ref", "-d", name])
    }
    try mira.store.removeRemote(named: "origin", from: mira.folder)
    try world.meet("mira", "tom")
    #expect(try listed(mira).isEmpty)
    #expect(try world.world.read("b.md", on: "tom") == "b.md\n")
  }

  // MARK: Leaving the device

  /// Evicts a document from a device; returns the code of the error if the document stays.
  private func evict(
    _ name: String, from device: (store: SynchronousStore, folder: URL),
    access: RemoteAccess? = nil
  ) throws -> VersionError.Code? {
    var failure: (any Error)?
    let place = device.folder.appending(path: name)
    let gone = try device.store.evict([place], access: access ?? world.access) { failure = $1 }
    #expect(gone.count == (failure == nil ? 1 : 0))
    #expect(FileManager.default.fileExists(atPath: place.path) == (failure != nil))
    return (failure as? VersionError)?.code
  }

  /// Makes Mira's device list documents.
  private func listingMira() throws -> (store: SynchronousStore, folder: URL) {
    let mira = try world.device("mira")
    try mira.store.setListsNewDocuments(true, in: mira.container)
    return (mira.store, mira.container)
  }

  @Test("What has left its only device is at the remote, and comes again", arguments: Host.allCases)
  func eviction(with host: Host) throws {
    try configure(host)
    for text in ["one\n", "two\n"] { try world.world.save(text, as: "a.md", on: "mira") }
    try world.world.save("b\n", as: "b.md", on: "mira")
    let mira = try listingMira()
    let before = try world.world.history("a.md", on: "mira").versions
    #expect(try evict("a.md", from: mira) == nil)
    #expect(try files(in: mira.folder) == ["b.md"])
    #expect(try listed(mira) == ["a.md"])
    #expect(try mira.store.documents(below: mira.folder)?.count == 1)

    // The document stays synced, and others receive it.
    try world.world.save("b and more\n", as: "b.md", on: "mira")
    try world.meet("mira", "tom", "mira")
    #expect(try files(in: mira.folder) == ["b.md"])
    #expect(try world.world.read("a.md", on: "tom") == "two\n")
    try world.world.save("by Tom\n", as: "a.md", on: "tom")
    try world.meet("tom", "mira")
    #expect(try files(in: mira.folder) == ["b.md"])
    #expect(try listed(mira) == ["a.md"])

    _ = try mira.store.download([mira.folder.appending(path: "a.md")], access: world.access)
    #expect(try world.world.read("a.md", on: "mira") == "by Tom\n")
    let after = try world.world.history("a.md", on: "mira").versions
    for version in before {
      #expect(after.contains { $0.id == version.id && $0.hasLocalContents })
    }
    try world.world.save("by both\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    #expect(try world.world.read("a.md", on: "tom") == "by both\n")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])

    // Nothing was withdrawn from the remote.
    try world.meet("ida")
    let versions = try world.world.history("a.md", on: "ida").versions
    #expect(versions.count == 4)
    #expect(versions.filter { !$0.hasLocalContents }.isEmpty)
    try world.expectSound("mira", "tom", "ida")
  }

  @Test("A document of which only its own device knows comes again")
  func ownDocument() throws {
    try configure(.sendsSingleContents)
    try world.world.save("one\n", as: "a.md", on: "mira")
    let mira = try listingMira()
    #expect(try evict("a.md", from: mira) == nil)
    try FileManager.default.removeItem(
      at: mira.folder.appending(path: ".docversions/sync/mirrors"))
    _ = try mira.store.download([mira.folder.appending(path: "a.md")], access: world.access)
    #expect(try world.world.read("a.md", on: "mira") == "one\n")
    #expect(try evict("a.md", from: mira) == nil)
    try mira.store.setListsNewDocuments(false, in: mira.folder)
    try world.meet("mira", "tom")
    #expect(try world.world.read("a.md", on: "mira") == "one\n")
    try world.expectSound("mira", "tom")
  }

  @Test("A document whose deletion was undone can leave the device", arguments: Host.allCases)
  func undoneDeletion(with host: Host) throws {
    try configure(host)
    try world.world.save("one\n", as: "a.md", on: "mira")
    let mira = try listingMira()
    let place = mira.folder.appending(path: "a.md")
    _ = try mira.store.delete(place)
    _ = try mira.store.undo(place)
    #expect(try evict("a.md", from: mira) == nil)
    _ = try mira.store.download([place], access: world.access)
    #expect(try world.world.read("a.md", on: "mira") == "one\n")
    #expect(try world.world.history("a.md", on: "mira").versions.count == 3)
  }

  @Test("A device that has published nothing can let a document go")
  func nothingPublished() throws {
    try configure(.sendsSingleContents)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let (store, folder) = (world.world.store("jo"), world.world.scratch["jo"])
    _ = try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
      listing: true, access: world.access)
    var failure: (any Error)?
    _ = try store.evict([folder.appending(path: "a.md")], access: world.access) { failure = $1 }
    #expect(failure != nil && (failure as? VersionError)?.code != .changedMeanwhile)
    _ = try store.download([folder.appending(path: "a.md")], access: world.access)
    #expect(try evict("a.md", from: (store, folder)) == nil)
  }

  @Test("A document with something that is only here stays")
  func refusedEviction() throws {
    try configure(.sendsSingleContents)
    for name in ["edited", "conflict", "pinned", "removed", "missing", "private"] {
      for text in ["one\n", "two\n"] { try world.world.save(text, as: "\(name).md", on: "mira") }
    }
    try world.meet("mira", "tom")
    try world.world.save("Tom’s\n", as: "conflict.md", on: "tom")
    try world.meet("tom")
    try world.world.save("Mira’s\n", as: "conflict.md", on: "mira")
    let mira = try listingMira()
    func place(_ name: String) -> URL { mira.folder.appending(path: name) }
    try Data("edit\n".utf8).write(to: place("edited.md"))
    let first = try #require(try world.world.history("pinned.md", on: "mira").versions.last)
    try mira.store.setPinned(true, [first], of: place("pinned.md"))
    let other = try #require(try world.world.history("removed.md", on: "mira").versions.last)
    try mira.store.remove([other], of: place("removed.md"))
    // It would come back as readable as its version is.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: place("private.md").path)
    #expect(try evict("private.md", from: mira) == .onlyHere)
    try world.world.save("three\n", as: "private.md", on: "mira")
    #expect(try evict("private.md", from: mira) == nil)
    #expect(try evict("edited.md", from: mira) == .onlyHere)
    #expect(try evict("conflict.md", from: mira) == .unresolvedConflict)
    #expect(try evict("pinned.md", from: mira) == .pinnedVersion)
    #expect(try evict("removed.md", from: mira) == .onlyHere)
    #expect(try world.world.read("edited.md", on: "mira") == "edit\n")
    var failure: (any Error)?
    _ = try mira.store.evict([place("nothing.md")], access: world.access) { failure = $1 }
    #expect(failure != nil)
    try mira.store.setListsNewDocuments(false, in: mira.folder)
    let refusal = #expect(throws: VersionError.self) { try evict("missing.md", from: mira) }
    #expect(refusal?.code == .invalidArgument)
  }

  @Test("A document that a program has open for writing stays until it is closed")
  func evictionWhileOpen() throws {
    try configure(.sendsSingleContents)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let mira = try listingMira()
    let place = mira.folder.appending(path: "a.md")
    let program = open(place.path, O_WRONLY | O_CLOEXEC)
    var failure: (any Error)?
    #expect(try mira.store.evict([place], access: world.access) { failure = $1 }.isEmpty)
    #expect((failure as? FileError)?.code == .busy)
    close(program)
    // A process that is just being started has a copy of the descriptor for a moment.
    #expect(
      try eventually { try mira.store.evict([place], access: world.access) { _, _ in } == [place] })
  }

  @Test("Where the remote does not have a version’s contents, the document stays")
  func unsent() throws {
    try configure(.sendsSingleContents)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let mira = try listingMira()
    let branch = try #require(try world.references().keys.first { $0.hasPrefix("refs/heads/") })
    // The remote loses the branch with the contents, and accepts nothing.
    let folder = world.server.folder("docs")
    try world.server.git(["-C", folder.path, "update-ref", "-d", branch])
    let hook = folder.appending(path: "hooks/pre-receive")
    try Script.write("exit 1\n", to: hook)
    #expect(throws: VersionError.self) { try evict("a.md", from: mira) }
    #expect(try world.world.read("a.md", on: "mira") == "one\n")
  }

  @Test("A device that lists can’t take over what another one has published")
  func forgetting() throws {
    try configure(.sendsSingleContents)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let jo = try cloneListing("jo")
    let failure = #expect(throws: VersionError.self) {
      try jo.store.forgetDevice("mira", of: jo.folder, access: world.access)
    }
    #expect(failure?.code == .invalidArgument)
    #expect(try jo.store.devices(of: jo.folder, access: world.access).count == 1)
    try world.meet("tom")
    #expect(try world.world.read("a.md", on: "tom") == "one\n")
  }
}
