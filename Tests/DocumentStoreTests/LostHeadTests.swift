import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Heads that are lost while a removal can still be undone, which doesn't remove contents that the trash
/// leads to.
@Suite("Lost heads, and what the trash still leads to")
struct LostHeadTests {
  let desk: Device
  let document: URL
  let store: URL
  private let texts = ["6", "5", "4", "3", "2", "1"]

  init() throws {
    desk = try Device()
    document = desk["a.md"]
    store = desk[".docversions/documents/a.md.git"]
  }

  private var findsLost: RepairOptions {
    var options = RepairOptions()
    options.findsLost = true
    return options
  }

  /// Saves six versions, removes the fifth, and restores the references and the ledger of the third, like a
  /// copy of an older folder over the store.
  private func loseThree() throws -> [FileVersion] {
    let parts = ["refs/heads/main", "HEAD", "ledger"]
    var older: [Data] = []
    for text in texts.reversed() {
      try desk.save(text, as: "a.md")
      guard text == "3" else { continue }
      older = try parts.map { try Data(contentsOf: store.appending(path: $0)) }
    }
    let versions = try desk.history("a.md").versions
    try versions[1].remove()
    for (part, bytes) in zip(parts, older) { try bytes.write(to: store.appending(path: part)) }
    return versions
  }

  @Test("Versions to which only the trash leads are lost, and reported as lost")
  func reported() throws {
    let versions = try loseThree()
    let verification = try desk.store.verify(document)
    #expect(verification.versions == 3)
    let stray = verification.findings.filter { $0.code == .unreachable }.flatMap(\.versions)
    #expect(Set(stray) == Set(versions.prefix(3).map(\.id)))
  }

  @Test("Lost versions that nothing leads to are not reported as brought back")
  func refused() throws {
    let versions = try loseThree()
    expectVersionError(.contentsNotLocal) { try desk.store.undelete(of: document) }
    expectVersionError(.contentsNotLocal) { try desk.store.undelete([versions[0]], of: document) }
    #expect(try desk.texts("a.md") == ["3", "2", "1"])
  }

  @Test("Collecting keeps them, and a repair brings them back")
  func repaired() throws {
    let versions = try loseThree()
    desk.clock.advance(bySeconds: 100 * 86_400)
    for grace in [Duration.seconds(14 * 86_400), .zero] {
      #expect(try desk.store.collect(document, grace: grace).forgottenRemovals == 0)
    }
    _ = try desk.store.repair(document, options: findsLost)
    #expect(try desk.history("a.md").versions == versions)
    #expect(try desk.texts("a.md") == texts)
    try desk.expectSound()
  }

  @Test("Where all heads are lost, a repair finds them in the trash without being asked to")
  func allLost() throws {
    for text in ["1", "2", "3"] { try desk.save(text, as: "a.md") }
    try desk.history("a.md").versions[1].remove()
    for file in ["refs/heads/main", "ledger"] {
      try Data().write(to: store.appending(path: file))
    }
    #expect(try desk.store.verify(document).findings.contains { $0.code == .lostReference })
    #expect(try desk.store.repair(document).losses.isEmpty)
    #expect(try desk.texts("a.md") == ["3", "2", "1"])
    try desk.expectSound()
  }

  // MARK: References of the trash

  private func removeOne() throws -> (version: FileVersion, reference: URL) {
    for text in ["1", "2", "3"] { try desk.save(text, as: "a.md") }
    let version = try desk.history("a.md").versions[1]
    try version.remove()
    let trash = store.appending(path: "refs/trash")
    let names = try FileManager.default.contentsOfDirectory(atPath: trash.path)
    return (version, trash.appending(path: try #require(names.first)))
  }

  @Test(
    "A damaged reference of the trash is written again, because its name contains its target",
    arguments: ["", "x", "0123456789012345678901234567890123456789\n"])
  func damagedTrash(bytes: String) throws {
    let (version, reference) = try removeOne()
    try Data(bytes.utf8).write(to: reference)
    #expect(!(try desk.store.verify(document).isWhole))
    #expect(try desk.store.repair(document).losses.isEmpty)
    #expect(try desk.store.removedVersions(of: document) == [version])
    try desk.store.undelete(of: document)
    #expect(try desk.texts("a.md") == ["3", "2", "1"])
    try desk.expectSound()
  }

  @Test("Contents that nothing leads to come into the trash where lost ones are searched")
  func lostTrash() throws {
    let (version, reference) = try removeOne()
    try FileManager.default.removeItem(at: reference)
    #expect(try desk.store.removedVersions(of: document).isEmpty)
    #expect(try desk.store.repair(document).steps.isEmpty)
    desk.clock.advance(bySeconds: -1_000 * 86_400)
    let repair = try desk.store.repair(document, options: findsLost)
    desk.clock.advance(bySeconds: 1_000 * 86_400)
    #expect(repair.steps.map(\.code) == [.unreachable])
    #expect(try desk.store.collect(document).forgottenRemovals == 0)
    #expect(try desk.store.repair(document, options: findsLost).steps.isEmpty)
    #expect(try desk.store.removedVersions(of: document) == [version])
    #expect(try desk.texts("a.md") == ["3", "1"])
    try desk.store.undelete(of: document)
    #expect(try desk.texts("a.md") == ["3", "2", "1"])
    try desk.expectSound()
  }

  @Test("A removal is no older than what was removed, whatever the clock says")
  func clockBehind() throws {
    for text in ["1", "2", "3"] { try desk.save(text, as: "a.md") }
    let version = try desk.history("a.md").versions[1]
    desk.clock.advance(bySeconds: -1_000 * 86_400)
    try version.remove()
    desk.clock.advance(bySeconds: 1_000 * 86_400)
    #expect(try desk.store.collect(document).forgottenRemovals == 0)
    #expect(try desk.store.removedVersions(of: document) == [version])
    #expect(try desk.store.collect(document, grace: .zero).forgottenRemovals == 1)
    #expect(try desk.store.removedVersions(of: document).isEmpty)
  }
}
