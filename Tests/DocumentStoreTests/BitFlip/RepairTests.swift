import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

@Suite("Repairing")
struct RepairTests {
  @Test("A whole store has nothing to repair", arguments: StoreShape.allCases)
  func whole(shape: StoreShape) throws {
    let shaped = try shape.make()
    let before = try shaped.files()
    let repair = try shaped.desk.store.repair(shaped.document)
    #expect(repair.steps.filter { $0.code != .foreignPart }.isEmpty, "\(repair.steps)")
    #expect(repair.losses.isEmpty)
    #expect(try shaped.files() == before || shape == .looseByGit || !repair.steps.isEmpty)
  }

  @Test(
    "After any damage, all that still exists is readable, and a second repair finds nothing to do",
    arguments: StoreShape.allCases)
  func repairs(shape: StoreShape) throws {
    let model = try shape.make()
    let contents = try texts(model)
    for (file, damages) in try Damage.all(
      in: model, mostFlips: 2, oneOf: TestMode.isFull ? 1 : 23)
    {
      for damage in damages {
        let files = try model.files()
        let bytes = files[file] ?? Data()
        try model.put(damage.result(of: bytes, older: model.older[file]), in: file)
        try expectRepaired(model, shape, contents, "\(file): \(damage)")
        try model.restore(files)
      }
    }
  }

  private func expectRepaired(
    _ shaped: ShapedStore, _ shape: StoreShape, _ contents: Set<String>, _ comment: Comment
  ) throws {
    let document = try? Data(contentsOf: shaped.document)
    do {
      let store = shaped.desk.store
      let repair = try store.repair(shaped.document)
      let after = try store.verify(shaped.document)
      let left = Set(after.damage.map(\.code))
      if shape == .afterGC, left.contains(.lostReference) {
        // Every version was stored as a delta of the damaged object.
        return #expect(!repair.losses.isEmpty, comment)
      }
      #expect(left.isSubset(of: [.contents, .record]), "\(comment) \(after.damage)")
      let again = try store.repair(shaped.document)
      #expect(again.steps.isEmpty, "\(comment) \(again.steps)")
      let texts = try texts(shaped)
      // Only contents that were reported as lost may be missing. If a version is lost, so may be its record
      // that another one was removed.
      if repair.losses.isEmpty {
        #expect(texts == contents, comment)
      } else {
        #expect(texts.isSubset(of: contents.union(shape.removedTexts)), comment)
      }
      #expect((try? Data(contentsOf: shaped.document)) == document, comment)
    } catch {
      Issue.record(error, comment)
    }
  }

  /// Returns the contents of all readable versions.
  private func texts(_ shaped: ShapedStore) throws -> Set<String> {
    var texts: Set<String> = []
    for version in try shaped.desk.store.history(of: shaped.document).versions
    where version.hasLocalContents && !version.isPackage {
      do {
        texts.insert(String(decoding: try version.contents(), as: UTF8.self))
      } catch is VersionError {}
    }
    return texts
  }

  @Test("A dry run changes nothing and says what would be done")
  func dryRun() throws {
    let shaped = try StoreShape.youngPacks.make()
    try shaped.put(nil, in: "refs/heads/main")
    let before = try shaped.files()
    var store = shaped.desk.store
    store.isDryRun = true
    let repair = try store.repair(shaped.document)
    #expect(repair.steps.contains { $0.code == .lostReference })
    #expect(repair.backup == nil)
    #expect(try shaped.files() == before)
  }

  @Test("What is missing comes from a folder for exchange")
  func exchange() throws {
    let shaped = try StoreShape.youngPacks.make()
    let desk = shaped.desk
    let folder = desk.scratch["exchange"]
    _ = try desk.store.exchange(desk.container, through: folder)
    let contents = try texts(shaped)
    for file in try shaped.files().keys where file.hasPrefix("objects/pack/") {
      try shaped.put(nil, in: file)
    }
    let repair = try desk.store.repair(shaped.document, from: folder)
    #expect(repair.losses.filter { $0.code != .contents }.isEmpty, "\(repair.losses)")
    #expect(try texts(shaped) == contents)
  }

  @Test("Versions that nothing leads to are found again where that is wanted")
  func findLost() throws {
    let shaped = try StoreShape.youngPacks.make()
    let contents = try texts(shaped)
    try shaped.put(nil, in: "refs/heads/main")
    try shaped.put(nil, in: "ledger")
    var options = RepairOptions()
    options.findsLost = true
    _ = try shaped.desk.store.repair(shaped.document, options: options)
    #expect(try texts(shaped) == contents)
  }

  @Test("The self-test passes")
  func selfTest() throws {
    let desk = try Device()
    let outcome = try desk.store.selfTest(in: desk.container)
    #expect(outcome.isPassed, "\(outcome.checks)")
    #expect(outcome.checks.count == 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.container.path).isEmpty)
  }
}

extension ShapedStore {
  /// Makes the store consist of these files again.
  func restore(_ files: [String: Data]) throws {
    try FileManager.default.removeItem(at: folder)
    for (file, bytes) in files {
      let url = folder.appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: url)
    }
    for name in ["objects/pack", "refs/heads"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true)
    }
  }
}
