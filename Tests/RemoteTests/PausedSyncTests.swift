import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Single documents that stay out of syncs, and that are sent unless another device was first.
@Suite("Paused documents")
struct PausedSyncTests {
  private let world: RemoteWorld

  init() throws {
    world = try RemoteWorld()
    try world.world.save("base\n", as: "a.md", on: "mira")
    try world.world.save("other\n", as: "b.md", on: "mira")
    try world.meet("mira", "tom")
  }

  private func pauseMira() throws {
    let mira = try world.device("mira")
    try mira.store.pauseSync(of: mira["a.md"])
    try mira.store.pauseSync(of: mira["a.md"])
    #expect(try mira.store.isSyncPaused(of: mira["a.md"]))
    #expect(try !mira.store.isSyncPaused(of: mira["b.md"]))
    let paused = try mira.store.pausedDocuments(below: mira.container)
    #expect(paused.map(\.lastPathComponent) == ["a.md"])
  }

  private func resume(_ behavior: ResumeSyncBehavior) throws {
    let mira = try world.device("mira")
    try mira.store.resumeSync(of: mira["a.md"], with: behavior, access: world.access)
  }

  /// Whether each device saves while the sync is paused.
  static let saves = [(true, true), (true, false), (false, true), (false, false)]

  private func save(here: Bool, there: Bool) throws {
    if here { try world.world.save("Mira’s\n", as: "a.md", on: "mira") }
    if there { try world.world.save("Tom’s\n", as: "a.md", on: "tom") }
    try world.world.save("other, too\n", as: "b.md", on: "tom")
  }

  @Test("Nothing is sent or received of them, and of others everything", arguments: saves)
  func pausing(here: Bool, there: Bool) throws {
    try pauseMira()
    try save(here: here, there: there)
    for _ in 0..<2 { try world.meet("tom", "mira", "tom") }
    #expect(try world.world.read("a.md", on: "mira") == (here ? "Mira’s\n" : "base\n"))
    #expect(try world.world.read("a.md", on: "tom") == (there ? "Tom’s\n" : "base\n"))
    #expect(try world.world.read("b.md", on: "mira") == "other, too\n")

    try resume(.preserveLocalChanges)
    try world.meet("mira", "tom", "mira")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
    let conflicts = try world.world.history("a.md", on: "tom").unresolvedConflicts
    #expect(conflicts.count == (here && there ? 1 : 0))
    try world.expectSound("mira", "tom")
  }

  @Test("Resumed with what the remote has, changes become an older version", arguments: saves)
  func dropping(here: Bool, there: Bool) throws {
    try pauseMira()
    try save(here: here, there: there)
    try world.meet("tom", "mira")
    try resume(.dropLocalChanges)
    let text = there ? "Tom’s\n" : "base\n"
    #expect(try world.world.read("a.md", on: "mira") == text)
    let versions = try world.world.history("a.md", on: "mira").versions
    let texts = try versions.map { String(decoding: try $0.contents(), as: UTF8.self) }
    #expect(texts.contains("Mira’s\n") == here)
    try world.meet("tom", "mira")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
    #expect(try world.world.history("a.md", on: "tom").unresolvedConflicts.isEmpty)
    #expect(try world.world.read("a.md", on: "tom") == text)
    try world.expectSound("mira", "tom")
  }

  @Test("Changes that are dropped are not sent before the version of the remote replaces them")
  func notSent() throws {
    try pauseMira()
    try save(here: true, there: true)
    try world.meet("tom")
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    let identifier = try mira.history("a.md").documentIdentifier
    let request = DocumentRequest(
      name: "a.md", identifiers: ["\(identifier)"], isPaused: true, isOnlyReceived: true)
    // As if the device were stopped after it has received.
    _ = try ContainerSync(mira.store).sync(
      mira.container, with: nil, by: world.access, for: request)
    #expect(try mira.history("a.md").unresolvedConflicts.count == 1)
    try world.meet("tom")
    #expect(try tom.texts("a.md") == ["Tom’s\n", "base\n"])

    try resume(.dropLocalChanges)
    try world.meet("tom", "mira")
    #expect(try tom.read("a.md") == "Tom’s\n")
    #expect(try tom.texts("a.md").contains("Mira’s\n"))
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
  }

  @Test("Unsaved edits are kept, too, where changes are dropped")
  func droppingEdits() throws {
    try pauseMira()
    let mira = try world.device("mira")
    try Data("not saved\n".utf8).write(to: mira["a.md"])
    try resume(.dropLocalChanges)
    #expect(try world.world.read("a.md", on: "mira") == "base\n")
    let versions = try world.world.history("a.md", on: "mira").versions
    let texts = try versions.map { String(decoding: try $0.contents(), as: UTF8.self) }
    #expect(texts.contains("not saved\n"))
  }

  @Test(
    "A document that another device renamed is found by its new name",
    arguments: ["q.md", "sub/q.md"])
  func renamedElsewhere(name: String) throws {
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    try FileManager.default.createDirectory(
      at: tom[name].deletingLastPathComponent(), withIntermediateDirectories: true)
    try mira.store.pauseSync(of: mira["a.md"])
    try world.world.save("Mira’s\n", as: "a.md", on: "mira")
    _ = try tom.store.move(tom["a.md"], to: tom[name])
    _ = try tom.store.rename(tom["b.md"], to: "r.md")
    try world.meet("tom")
    let resumed = try mira.store.resumeSync(
      of: mira["a.md"], with: .dropLocalChanges, access: world.access)
    #expect(resumed.document.path == mira[name].path)
    #expect(try world.world.read(name, on: "mira") == "base\n")
    let texts = try world.world.history(name, on: "mira").versions
      .map { String(decoding: try $0.contents(), as: UTF8.self) }
    #expect(texts.contains("Mira’s\n"))
    #expect(try !mira.store.isSyncPaused(of: mira[name]))

    _ = try tom.store.rename(tom["r.md"], to: "s.md")
    try world.meet("tom")
    let sent = try mira.store.uploadLocalVersion(of: mira["r.md"], access: world.access)
    #expect(sent.documentURL.path == mira["s.md"].path)
    _ = try tom.store.rename(tom["s.md"], to: "t.md")
    try world.meet("tom")
    let fetched = try mira.store.fetchLatestVersion(of: mira["s.md"], access: world.access)
    #expect(fetched.documentURL.path == mira["t.md"].path)
    try world.meet("tom", "mira")
    try world.expectAgreement(about: name, among: ["mira", "tom"])
  }

  @Test(
    "Resumed to be sent first, it stays paused where another device was first", arguments: saves)
  func resumingFirst(here: Bool, there: Bool) throws {
    try pauseMira()
    try save(here: here, there: there)
    try world.meet("tom")
    let mira = try world.device("mira")
    do {
      try resume(.afterUploadWithFailOnConflict)
      #expect(!there)
      #expect(try !mira.store.isSyncPaused(of: mira["a.md"]))
      try world.meet("tom")
      #expect(try world.world.read("a.md", on: "tom") == (here ? "Mira’s\n" : "base\n"))
    } catch let error as VersionError {
      #expect(there)
      #expect(error.code == .newerElsewhere)
      #expect(try mira.store.isSyncPaused(of: mira["a.md"]))
      #expect(try world.world.read("a.md", on: "mira") == (here ? "Mira’s\n" : "base\n"))
      try world.meet("tom")
      #expect(try world.world.read("a.md", on: "tom") == "Tom’s\n")
    }
  }

  @Test("A document is sent, or nothing where another device was first", arguments: [true, false])
  func uploading(there: Bool) throws {
    try save(here: true, there: there)
    try world.meet("tom")
    let mira = try world.device("mira")
    let document = mira["a.md"]
    try Data("Mira’s, edited\n".utf8).write(to: document)
    func upload(_ policy: UploadConflictPolicy) throws -> FileVersion {
      try mira.store.uploadLocalVersion(of: document, with: policy, access: world.access)
    }
    guard there else {
      #expect(try upload(.failOnConflict).id == mira.store.history(of: document).current?.id)
      try world.meet("tom")
      #expect(try world.world.read("a.md", on: "tom") == "Mira’s, edited\n")
      return
    }
    let failure = #expect(throws: VersionError.self) { try upload(.failOnConflict) }
    #expect(failure?.code == .newerElsewhere)
    #expect(try world.world.read("a.md", on: "mira") == "Mira’s, edited\n")
    #expect(try mira.store.history(of: document).unresolvedConflicts.isEmpty)
    // Fetched, it is in conflict, and then both are there.
    _ = try mira.store.fetchLatestVersion(of: document, access: world.access)
    #expect(try mira.store.history(of: document).unresolvedConflicts.count == 1)
    _ = try upload(.failOnConflict)
    try world.meet("tom")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
  }

  @Test("What cannot be done to a paused document, or without versions, says so")
  func refusals() throws {
    try pauseMira()
    let mira = try world.device("mira")
    let (paused, unsaved) = (mira["a.md"], mira["new.md"])
    try Data("new\n".utf8).write(to: unsaved)
    #expect(try !mira.store.isSyncPaused(of: unsaved))
    for (code, body) in [
      (VersionError.Code.invalidArgument, { try mira.store.fetchLatestVersion(of: paused) }),
      (.invalidArgument, { try mira.store.uploadLocalVersion(of: paused) }),
      (.noVersions, { try mira.store.uploadLocalVersion(of: unsaved) }),
    ] as [(VersionError.Code, () throws -> FileVersion)] {
      let failure = #expect(throws: VersionError.self) { _ = try body() }
      #expect(failure?.code == code)
    }
    #expect(throws: VersionError.self) { try mira.store.pauseSync(of: unsaved) }
    #expect(throws: VersionError.self) {
      try mira.store.resumeSync(of: mira["b.md"], with: .dropLocalChanges)
    }
    #expect(try mira.store.resumeSync(of: mira["b.md"]).outcome == nil)
    #expect(throws: FileError.self) { try mira.store.pauseSync(of: mira["nothing.md"]) }
    try mira.store.setListsNewDocuments(true, in: mira.container)
    var failure: (any Error)?
    _ = try mira.store.evict([paused], access: world.access) { failure = $1 }
    #expect((failure as? VersionError)?.code == .invalidArgument)
    #expect(try world.world.read("a.md", on: "mira") == "base\n")
  }
}
