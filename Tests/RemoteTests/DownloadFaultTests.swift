import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Downloads for which something is missing: the right remote, room, a connection, or what was known of the remote.
@Suite("Downloads that meet something wrong")
struct DownloadFaultTests {
  private let world: RemoteWorld

  init() throws {
    world = try RemoteWorld()
    try world.server.allowSingleObjects(in: "docs")
  }

  private typealias Jo = (store: SynchronousStore, folder: URL)

  /// Makes a device that lists.
  private func cloneListing(_ name: String = "jo", in world: RemoteWorld? = nil) throws -> Jo {
    let world = world ?? self.world
    let (store, folder) = (world.world.store(name), world.world.scratch[name])
    _ = try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
      listing: true, access: world.access)
    return (store, folder)
  }

  private func listed(_ jo: Jo) throws -> [String] {
    try jo.store.documentsNotDownloaded(below: jo.folder).map(\.document.lastPathComponent)
  }

  /// Downloads a document; returns why that failed, wherever that is said.
  private func failure(
    downloading names: String..., to jo: Jo, from remote: String? = nil
  ) -> (any Error)? {
    do {
      let outcome = try jo.store.download(
        names.map { jo.folder.appending(path: $0) }, from: remote, access: world.access)
      return outcome.documents.compactMap(\.failure).first
    } catch {
      return error
    }
  }

  // MARK: Interrupted evictions

  /// Where an eviction is killed: after the file has gone, or the store, too.
  enum Cut: CaseIterable { case file, store }
  /// What is done next.
  enum Next: CaseIterable { case evict, download, sync }

  @Test(
    "An eviction that was killed after the file had gone is no deletion, and what comes next ends it",
    arguments: Cut.allCases, Next.allCases)
  func killedEviction(_ cut: Cut, next: Next) throws {
    try world.world.save("one\n", as: "m.md", on: "mira")
    try world.meet("mira")
    let jo = try cloneListing()
    #expect(failure(downloading: "m.md", to: jo) == nil)
    let place = jo.folder.appending(path: "m.md")
    try Data("two\n".utf8).write(to: place)
    try jo.store.save(place)
    try jo.store.sync(jo.folder, with: "origin", access: world.access)
    try killEviction(of: place, from: jo, cut)
    #expect(try listed(jo) == ["m.md"])
    #expect(try jo.store.isOnlyListed(place))
    #expect(throws: (any Error).self) { try jo.store.recordDeletion(of: place) }
    switch next {
    case .evict where cut == .file:
      let gone = try jo.store.evict([place], access: world.access) { Issue.record("\($0): \($1)") }
      #expect(gone == [place])
    case .evict, .sync: try jo.store.sync(jo.folder, with: "origin", access: world.access)
    case .download: #expect(failure(downloading: "m.md", to: jo) == nil)
    }
    if next != .download {
      #expect(try listed(jo) == ["m.md"])
      #expect(try !FileManager.default.fileExists(atPath: DocumentLocation(of: place).store.string))
      #expect(failure(downloading: "m.md", to: jo) == nil)
    }
    #expect(try Data(contentsOf: place) == Data("two\n".utf8))
    try world.meet("mira")
    #expect(try world.world.read("m.md", on: "mira") == "two\n")
  }

  /// Leaves a document as an eviction does that is killed.
  private func killEviction(of place: URL, from jo: Jo, _ cut: Cut) throws {
    try ContainerSync(jo.store).withPeer(
      of: jo.folder, named: nil, listing: true, by: world.access
    ) { container, peer, _ in
      let states = try peer.references().values.map {
        try StateTree(at: $0.records, in: peer.objects.repository.objects)
      }
      let listing = DocumentListing(of: peer, in: container.folder)
      try listing.leaving.write(states, of: peer.objects) { _ in false }
    }
    let location = try DocumentLocation(of: place)
    try LeavingMark.write(of: StoreReader(location, in: jo.store.environment))
    try ChangeJournal(of: location.container).record([location.path])
    try FileManager.default.removeItem(at: place)
    guard cut == .store else { return }
    try FileManager.default.moveItem(
      atPath: location.store.string,
      toPath: location.store.parentFolder.appending(Layout.temporaryName()).string)
  }

  // MARK: Two remotes

  /// Mira sends her document to one remote, Tom his to another; Jo lists the documents of both.
  private func joBetweenRemotes() throws -> Jo {
    try world.world.save("Mira’s\n", as: "m.md", on: "mira")
    try world.meet("mira")
    try world.server.makeRepository("other")
    try world.server.allowSingleObjects(in: "other")
    let other = world.server.address(of: "other")
    let tom = try world.world.device("tom")
    try tom.store.makeContainer(tom.container)
    try tom.store.addRemote(Remote(name: "origin", address: other), to: tom.container)
    for name in ["t.md", "u.md"] { try world.world.save("Tom’s \(name)\n", as: name, on: "tom") }
    try world.sync("tom")
    let jo = try cloneListing()
    try jo.store.addRemote(Remote(name: "other", address: other), to: jo.folder)
    try jo.store.sync(jo.folder, with: "other", access: world.access)
    #expect(try listed(jo) == ["m.md", "t.md", "u.md"])
    return jo
  }

  @Test("A document comes from the remote that has it")
  func secondRemote() throws {
    let jo = try joBetweenRemotes()
    #expect(failure(downloading: "t.md", to: jo) == nil)
    #expect(try world.world.read("t.md", on: "jo") == "Tom’s t.md\n")
    #expect(try listed(jo) == ["m.md", "u.md"])
    #expect(failure(downloading: "u.md", "m.md", to: jo) == nil)
    #expect(try world.world.read("u.md", on: "jo") == "Tom’s u.md\n")
    #expect(try world.world.read("m.md", on: "jo") == "Mira’s\n")
    #expect(try listed(jo).isEmpty)
  }

  @Test("A remote that does not have the document says so")
  func wrongRemote() throws {
    let jo = try joBetweenRemotes()
    let failure = failure(downloading: "t.md", to: jo, from: "origin") as? FileError
    #expect(failure?.code == .notFound)
    #expect(failure?.message == "“t.md” is not at “origin”.")
    #expect(try listed(jo) == ["m.md", "t.md", "u.md"])
    #expect(!FileManager.default.fileExists(atPath: jo.folder.appending(path: "t.md").path))
  }

  @Test("An app opens a document that only the second remote has")
  @MainActor func opening() async throws {
    let jo = try joBetweenRemotes()
    var environment = DocumentEnvironment(store: VersionStore(jo.store))
    environment.access = world.access
    let document = OpenText(fileURL: jo.folder.appending(path: "t.md"), environment: environment)
    try await document.open()
    #expect(document.text == "Tom’s t.md\n")
    try await document.close()
  }

  // MARK: Where it goes to

  @Test(
    "A full disk stops a download and nothing else, and it goes on when there is room",
    .enabled(if: FullDisk.isPossible, "only root can make a small disk"))
  func fullDisk() throws {
    var random = SeededGenerator(seed: 1)
    let text = String(
      (0..<300_000).map { _ in "abcdefghijklmnop".randomElement(using: &random) ?? "a" })
    try world.world.save(text, as: "large.md", on: "mira")
    try world.world.save("small\n", as: "small.md", on: "mira")
    try world.meet("mira")
    let folder = world.world.scratch["jo"]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let disk = try FullDisk(at: folder, size: 4 << 20)
    defer { disk.unmount() }
    let jo = try cloneListing()
    var failures = 0
    for room in stride(from: 0, through: 1_500 << 10, by: 100 << 10) {
      try disk.fill(leaving: room)
      let failure = failure(downloading: "large.md", to: jo)
      try disk.makeSpace()
      let place = folder.appending(path: "large.md")
      guard let failure else {
        #expect(try String(contentsOf: place, encoding: .utf8) == text)
        break
      }
      failures += 1
      #expect((failure as? FileError)?.code == .noSpace, "\(room): \(failure)")
      #expect(!FileManager.default.fileExists(atPath: place.path))
      #expect(try listed(jo) == ["large.md", "small.md"])
    }
    #expect(failures > 0)
    #expect(try listed(jo) == ["small.md"])
    #expect(try GitCheck.problems(inContainer: folder).isEmpty)
  }

  /// What becomes of the copy of the remote on the device.
  enum Mirror: CaseIterable { case older, ofAnotherDevice }

  @Test("A copy of the remote that is not what it was is made good", arguments: Mirror.allCases)
  func mirror(_ kind: Mirror) throws {
    for name in ["a.md", "b.md"] { try world.world.save("first \(name)\n", as: name, on: "mira") }
    try world.meet("mira")
    let jo = try cloneListing()
    let mirrors = jo.folder.appending(path: ".docversions/sync/mirrors")
    let former = world.world.scratch["former"]
    try FileManager.default.copyItem(at: mirrors, to: former)
    for name in ["a.md", "b.md"] { try world.world.save("second \(name)\n", as: name, on: "mira") }
    try world.meet("mira")
    _ = try world.sync("jo")
    switch kind {
    case .older:
      try FileManager.default.removeItem(at: mirrors)
      try FileManager.default.moveItem(at: former, to: mirrors)
    case .ofAnotherDevice:
      let tom = try cloneListing("tom")
      try FileManager.default.removeItem(at: mirrors)
      try FileManager.default.copyItem(
        at: tom.folder.appending(path: ".docversions/sync/mirrors"), to: mirrors)
    }
    #expect(failure(downloading: "a.md", to: jo) == nil)
    #expect(try world.world.read("a.md", on: "jo") == "second a.md\n")
    #expect(failure(downloading: "b.md", to: jo) == nil)
    #expect(try world.world.read("b.md", on: "jo") == "second b.md\n")
    #expect(try world.world.history("a.md", on: "jo").versions.count == 2)
  }

  @Test("A copy of the remote with flipped bits is fetched again by the sync that finds them")
  func damagedMirror() throws {
    for name in ["a.md", "b.md"] { try world.world.save("\(name)\n", as: name, on: "mira") }
    try world.meet("mira")
    let jo = try cloneListing()
    let mirrors = jo.folder.appending(path: ".docversions/sync/mirrors")
    for name in ["a.md", "b.md"] {
      try GitPacks.flipBits(below: mirrors)
      #expect(failure(downloading: name, to: jo) == nil)
      #expect(try world.world.read(name, on: "jo") == "\(name)\n")
    }
  }

  // MARK: The remote

  @Test("It works at every kind of server", arguments: GitServer.Kind.available, [true, false])
  func servers(_ kind: GitServer.Kind, sendsSingleObjects: Bool) throws {
    let world = try RemoteWorld(kind)
    if sendsSingleObjects { try world.server.allowSingleObjects(in: "docs") }
    for name in ["a.md", "b.md"] { try world.world.save("\(name)\n", as: name, on: "mira") }
    try world.meet("mira")
    let jo = try cloneListing(in: world)
    #expect(try listed(jo) == ["a.md", "b.md"])
    _ = try jo.store.download([jo.folder.appending(path: "b.md")], access: world.access)
    #expect(try world.world.read("b.md", on: "jo") == "b.md\n")
    #expect(try listed(jo) == ["a.md"])
    try world.expectSound("mira", "jo")
  }

  @Test("A remote that is away is said to be away, and the document stays listed")
  func unreachable() throws {
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let line = try CuttableLine(to: world.server.port)
    let (store, folder) = (world.world.store("jo"), world.world.scratch["jo"])
    _ = try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs", port: line.port)),
      to: folder, listing: true, access: world.access)
    line.cut(after: 0)
    let jo: Jo = (store, folder)
    #expect((failure(downloading: "a.md", to: jo) as? VersionError)?.code == .remoteUnreachable)
    #expect(try listed(jo) == ["a.md"])
    #expect(try store.downloadStatus(of: folder.appending(path: "a.md")) == .notDownloaded)
    line.cut(after: nil)
    #expect(failure(downloading: "a.md", to: jo) == nil)
  }

  @Test("Contents that no device has sent are missed by name, and arrive once they are sent")
  func notSent() throws {
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let folder = world.server.folder("docs").path
    let branches = try world.references().filter { $0.key.hasPrefix("refs/heads/") }
    #expect(!branches.isEmpty)
    let jo = try cloneListing()
    // The server has the records alone, as where a device was stopped between the two.
    for name in branches.keys { try world.server.git(["-C", folder, "update-ref", "-d", name]) }
    try world.server.git(["-C", folder, "reflog", "expire", "--expire=now", "--all"])
    try world.server.git(["-C", folder, "gc", "-q", "--prune=now"])
    let error = failure(downloading: "a.md", to: jo)
    #expect(error != nil)
    #expect(!FileManager.default.fileExists(atPath: jo.folder.appending(path: "a.md").path))
    // The device that has them sends them again.
    try world.world.save("two\n", as: "a.md", on: "mira")
    try world.meet("mira")
    #expect(failure(downloading: "a.md", to: jo) == nil)
    #expect(try world.world.read("a.md", on: "jo") == "two\n")
  }

  @Test("A server without room refuses, and what was to be sent stays here")
  func quota() throws {
    let small = try RemoteWorld(.git, mostBlocks: 1)
    try small.world.save(String(repeating: "a line\n", count: 10), as: "a.md", on: "mira")
    var random = SeededGenerator(seed: 2)
    let text = String(
      (0..<50_000).map { _ in "abcdefghijklmnop".randomElement(using: &random) ?? "a" })
    try small.world.save(text, as: "large.md", on: "mira")
    let mira = try small.device("mira")
    try mira.store.setListsNewDocuments(true, in: mira.container)
    let place = mira.container.appending(path: "large.md")
    let refusal = #expect(throws: VersionError.self) {
      _ = try mira.store.evict([place], access: small.access) { _, _ in }
    }
    #expect(refusal?.code == .remoteRefused)
    #expect(try String(contentsOf: place, encoding: .utf8) == text)
  }

  // MARK: Open documents

  @Test("A document that a program has open is not evicted")
  @MainActor func openDocument() async throws {
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let mira = try world.device("mira")
    try mira.store.setListsNewDocuments(true, in: mira.container)
    let store = VersionStore(mira.store)
    let place = mira.container.appending(path: "a.md")
    let document = OpenText(fileURL: place, environment: DocumentEnvironment(store: store))
    try await document.open()
    let refusal = await #expect(throws: VersionError.self) {
      try await store.evict(place, access: world.access)
    }
    #expect(refusal?.code == .onlyHere)
    #expect(try world.world.read("a.md", on: "mira") == "one\n")
    document.text = "typed\n"
    document.updateChangeCount(.done)
    try await document.close()
    try await store.evict(place, access: world.access)
    #expect(!FileManager.default.fileExists(atPath: place.path))
    var environment = DocumentEnvironment(store: store)
    environment.access = world.access
    let again = OpenText(fileURL: place, environment: environment)
    try await again.open()
    #expect(again.text == "typed\n")
    try await again.close()
  }

  @Test("Opening a document that is not on the disk waits for other downloads, and can be canceled")
  @MainActor func openedDuringDownload() async throws {
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let mira = try world.device("mira")
    try mira.store.setListsNewDocuments(true, in: mira.container)
    var store = VersionStore(mira.store)
    let place = mira.container.appending(path: "a.md")
    try await store.evict(place, access: world.access)
    store.lockTimeout = .milliseconds(10)
    var environment = DocumentEnvironment(store: store)
    environment.access = world.access
    let document = OpenText(fileURL: place, environment: environment)
    let lock = SyncFile.lock.path(in: try mira.container.filePath.resolvingLinks())
    let end = DispatchSemaphore(value: 0)
    let other = Task.detached {
      try await BlockingPool.shared.run {
        let held = try FileLock(lock)
        end.wait()
        held.release()
      }
    }
    #expect(try await comesTrue { try FileLock.isHeld(lock) })
    let opening = Task { try await document.open() }
    #expect(try await comesTrue { document.progress != nil })
    letPass(.milliseconds(100), because: "the wait for the lock ends without an event")
    opening.cancel()
    await #expect(throws: CancellationError.self) { try await opening.value }
    #expect(!document.isOpen)
    let again = Task { try await document.open() }
    #expect(try await comesTrue { document.progress != nil })
    letPass(.milliseconds(100), because: "the wait for the lock ends without an event")
    end.signal()
    try await other.value
    try await again.value
    #expect(document.text == "one\n")
    try await document.close()
  }
}

/// A text in an app.
@MainActor
private final class OpenText: Document {
  var text = ""

  override func contents(forType type: String) throws -> DocumentContents {
    .data(Data(text.utf8))
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
  }
}

extension GitServer {
  /// Lets devices fetch contents one by one.
  func allowSingleObjects(in repository: String) throws {
    try git(
      ["-C", folder(repository).path, "config", "uploadpack.allowReachableSHA1InWant", "true"])
  }
}
