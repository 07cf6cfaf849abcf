import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// The state that a killed process leaves: the next operation just works, and nothing is lost.
@Suite("After a crash")
struct CrashTests {
  /// Runs the steps of a process before it was killed, without the library's own order.
  private func halfDone(
    _ desk: Device, _ body: (borrowing StoreWriter) throws -> Void
  ) throws {
    try desk.store.environment.withWriter(of: DocumentLocation(of: desk["a.md"]), body)
  }

  private func store(_ desk: Device) -> URL { desk[".docversions/documents/a.md.git"] }

  /// Saves "one" and "two" and shows "one", after which a restore of "two" moves only the head.
  private func makeInterruptedRestore() throws -> Device {
    let desk = try Device()
    try desk.save("one\n", as: "a.md")
    try desk.save("two\n", as: "a.md")
    try halfDone(desk) { writer in
      let current = try #require(try writer.heads.divergent().first?.record)
      let first = try #require(try current.parents.first.map(writer.reader.record))
      _ = try writer.append(
        writer.reader.facts(.restore, following: current, content: first.content), to: current)
    }
    return desk
  }

  @Test("A document that still shows the old version is brought forward")
  func broughtForward() throws {
    let desk = try makeInterruptedRestore()
    #expect(try desk.read("a.md") == "two\n")
    try desk.store.save(desk["a.md"])
    #expect(try desk.read("a.md") == "one\n")
    let history = try desk.history("a.md")
    #expect(history.versions.count == 3)
    #expect(history.shown == history.current)
    #expect(history.unresolvedConflicts.isEmpty)
    try desk.expectSound()
  }

  @Test("A document that shows the new version already is only recorded")
  func noted() throws {
    let desk = try makeInterruptedRestore()
    try desk.write("one\n", to: "a.md")
    let before = try FileStatus.of(FilePath(desk["a.md"].path))
    #expect(try !desk.store.save(desk["a.md"]).isNew)
    #expect(try FileStatus.of(FilePath(desk["a.md"].path)) == before)
    let history = try desk.history("a.md")
    #expect(history.versions.count == 3)
    #expect(history.shown == history.current)
  }

  @Test("An edit since then is saved, as a side of a conflict")
  func edited() throws {
    let desk = try makeInterruptedRestore()
    try desk.write("edit\n", to: "a.md")
    #expect(try desk.store.save(desk["a.md"]).isNew)
    let history = try desk.history("a.md")
    #expect(history.unresolvedConflicts.count == 1)
    #expect(Set(try desk.texts("a.md")) == ["one\n", "two\n", "edit\n"])
    #expect(try desk.read("a.md") == "edit\n")
    try desk.expectSound()
  }

  @Test("A document that is gone is written again by the next restore")
  func gone() throws {
    let desk = try makeInterruptedRestore()
    try FileManager.default.removeItem(at: desk["a.md"])
    let newest = try #require(try desk.history("a.md").current)
    try desk.store.restore(newest)
    #expect(try desk.read("a.md") == "one\n")
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
  }

  @Test("A first save without HEAD is found again, not made a second time")
  func firstSave() throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    let location = try DocumentLocation(of: desk["a.md"])
    try StoreCreation.create(
      location.store, identity: DocumentIdentity(.random()), clock: .system)
    try halfDone(desk) { writer in
      let present = try #require(try WorkingCopy.read(writer.location, clock: .system))
      _ = try writer.append(
        writer.reader.facts(.save, following: nil, content: present.content), to: nil,
        of: present)
    }
    #expect(try !desk.store.save(desk["a.md"]).isNew)
    #expect(try desk.history("a.md").versions.count == 1)
    #expect(try desk.history("a.md").shown != nil)
    try desk.expectSound()
  }

  @Test("A store that is complete, but empty, takes the first save")
  func emptyStore() throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    try StoreCreation.create(
      DocumentLocation(of: desk["a.md"]).store,
      identity: DocumentIdentity(.random()), clock: .system)
    expectVersionError(.noVersions) { _ = try desk.history("a.md") }
    #expect(try desk.store.verify(desk["a.md"]).findings.map(\.code) == [.noVersions])
    let repair = try desk.store.repair(desk["a.md"], options: RepairOptions())
    #expect(repair.steps.isEmpty)
    #expect(repair.losses.map(\.code) == [.noVersions])
    #expect(try desk.store.save(desk["a.md"]).isNew)
    #expect(try desk.texts("a.md") == ["one\n"])
    #expect(try desk.store.verify(desk["a.md"]).findings.isEmpty)
  }

  @Test("References of settled versions that stayed change nothing")
  func settledReferences() throws {
    let desk = try Device()
    try desk.conflict(base: "1\n", other: "2\n", current: "3\n", as: "a.md")
    let folder = store(desk).appending(path: "refs/heads")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let contents = try before.map { try Data(contentsOf: folder.appending(path: $0)) }
    #expect(before.count == 2)
    let conflicts = try desk.history("a.md").unresolvedConflicts
    try desk.store.markResolved(conflicts, of: desk["a.md"])
    for (name, bytes) in zip(before, contents)
    where !FileManager.default.fileExists(atPath: folder.appending(path: name).path) {
      try bytes.write(to: folder.appending(path: name))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
    #expect(try desk.history("a.md").versions.count == 4)
    try desk.save("4\n", as: "a.md")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    #expect(try desk.texts("a.md").first == "4\n")
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
    try desk.expectSound()
  }

  @Test("Stores and documents that were begun are no documents, and abandoned ones go")
  func temporaryFiles() throws {
    let desk = try Device()
    let documents = desk[".docversions/documents"]
    let identifiers = (0..<2).map { _ in Layout.temporaryName() }
    try desk.save("1\n", as: "a.md")
    for name in identifiers {
      try desk.write("ref: refs/heads/main\n", to: ".docversions/documents/\(name)/HEAD")
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: documents.appending(path: identifiers[0]).path)
    try desk.write("half", to: ".docversions-123.tmp")
    #expect(try desk.store.documents(below: desk.container)?.count == 1)
    try desk.save("2\n", as: "b.md")
    #expect(try desk.store.documents(below: desk.container)?.count == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: documents.path).sorted()
        == ["a.md.git", "b.md.git"])
    #expect(try desk.read(".docversions-123.tmp") == "half")
  }

  @Test("A folder of documents may have a name like those of temporary stores")
  func lookalike() throws {
    let desk = try Device()
    try desk.save("1\n", as: "a.md")
    try desk.save("1\n", as: ".new-ideas/a.md")
    #expect(try desk.store.documents(below: desk.container)?.count == 2)
  }

  @Test(
    "Locks of git that a killed process left are removed",
    arguments: ["HEAD.lock", "refs/heads/main.lock", "packed-refs.lock", "config.lock"])
  func oldLocks(name: String) throws {
    let desk = try Device()
    try desk.save("1\n", as: "a.md")
    let lock = store(desk).appending(path: name)
    try Data().write(to: lock)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: lock.path)
    let time = try measured { try desk.save("2\n", as: "a.md") }.time
    #expect(time < .seconds(1))
    #expect(!FileManager.default.fileExists(atPath: lock.path))
    #expect(try desk.texts("a.md") == ["2\n", "1\n"])
  }

  @Test("A fresh lock of a process that was killed is waited for only shortly")
  func freshLock() throws {
    let fileClock = MovableFileClock(standingAt: FileClock.system.now)
    let desk = try Device(fileClock: fileClock)
    try desk.save("1\n", as: "a.md")
    try Data().write(to: store(desk).appending(path: "refs/heads/main.lock"))
    try Data("pid 1".utf8).write(to: store(desk).appending(path: "lock"))
    let before = fileClock.secondsWaited
    try desk.save("2\n", as: "a.md")
    #expect((0.2..<1).contains(fileClock.secondsWaited - before))
    #expect(try desk.texts("a.md") == ["2\n", "1\n"])
    #expect(try Data(contentsOf: store(desk).appending(path: "lock")).isEmpty)
  }

  @Test("A fresh lock that git holds is waited for, not taken")
  func heldLock() throws {
    let fileClock = MovableFileClock(standingAt: FileClock.system.now)
    let desk = try Device(fileClock: fileClock)
    try desk.save("1\n", as: "a.md")
    let lock = store(desk).appending(path: "refs/heads/main.lock")
    try Data().write(to: lock)
    let path = lock.path
    let before = fileClock.secondsWaited
    fileClock.afterWaiting(seconds: before + 1.5) { #expect(unlink(path) == 0) }
    try desk.save("2\n", as: "a.md")
    #expect((1.4..<1.7).contains(fileClock.secondsWaited - before))
    #expect(try desk.texts("a.md") == ["2\n", "1\n"])
  }

  @Test("What a list reads needs no lock, and no cleaning up")
  func reading() throws {
    let desk = try Device()
    try desk.save("1\n", as: "a.md")
    try Data().write(to: store(desk).appending(path: "refs/heads/main.lock"))
    #expect(try desk.texts("a.md") == ["1\n"])
    #expect(
      FileManager.default.fileExists(
        atPath: store(desk).appending(path: "refs/heads/main.lock").path))
  }

  @Test("A document that is made anew while it is restored stays, and that is reported as a change")
  func madeAnewMeanwhile() throws {
    let desk = try Device()
    let first = try desk.save("1", as: "a.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try desk.store.environment.withWriter(of: DocumentLocation(of: desk["a.md"])) { writer in
      let record = try writer.reader.localRecord(first)
      let staged = try writer.stage(record, replacing: nil)
      try desk.write("new", to: "a.md")
      let error = #expect(throws: FileError.self) {
        try writer.show(record, replacing: nil, staged: staged)
      }
      #expect(error?.code == .changing)
    }
    #expect(try desk.read("a.md") == "new")
  }
}
