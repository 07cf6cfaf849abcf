import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentGit
@testable import DocumentStore

/// Devices that do anything at all, each exchange beside one that knows nothing of former ones.
@Suite("Exchanges of what follows the last one, at random")
struct FollowingExchangeModelTests {
  private let scratch: ScratchFolder
  private let clock = FixedClock()
  private let desks: [Device]
  private let files = FileManager.default

  init() throws {
    let scratch = try ScratchFolder()
    let clock = clock
    self.scratch = scratch
    desks = try ["Mira", "Tom", "Ada"].map { try Device($0, in: scratch, clock: clock) }
  }

  private var cloud: URL { scratch["cloud"] }

  @Test("They have the same result as an exchange that reads everything", arguments: 1...8)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    try desks[0].save("first\n", as: "x.md")
    for desk in desks { try exchange(desk) }
    for step in 0..<40 {
      let desk = desks[Int.random(in: 0..<3, using: &random)]
      clock.advance(bySeconds: 60)
      for _ in 0...Int.random(in: 0...2, using: &random) {
        try change(desk, "\(seed) \(step)", &random)
      }
      if Int.random(in: 0..<12, using: &random) == 0 { try lose(&random) }
      try exchange(desk)
    }
    // Lost objects are sent again by a device that has them, and then all have the same.
    for _ in 0..<3 { for desk in desks { try exchange(desk) } }
    for desk in desks {
      #expect(try records(of: desk) == records(of: desks[0]))
      try desk.expectSound()
    }
  }

  /// Does something to a document of a device, if there is one.
  private func change(_ desk: Device, _ text: String, _ random: inout SeededGenerator) throws {
    clock.advance(bySeconds: 1)
    let document = try desk.store.documents(below: desk.container)?.randomElement(using: &random)
    guard let document, files.fileExists(atPath: document.path) else { return }
    let history = try desk.store.history(of: document)
    let old = history.versions.dropFirst().filter { !$0.isConflict && $0.hasLocalContents }
    switch Int.random(in: 0..<14, using: &random) {
    case 0: try Data("\(text) unsaved\n".utf8).write(to: document)
    case 1:
      let name = "\(Int.random(in: 0..<100, using: &random)).md"
      if !files.fileExists(atPath: desk[name].path) {
        try desk.store.rename(document, to: name)
      }
    case 2:
      if let base = old.randomElement(using: &random), !base.isDeletion {
        try desk.store.save(
          desk.write("\(text) other\n", to: document.lastPathComponent), base: base)
      }
    case 3:
      if let version = old.randomElement(using: &random), !version.isPinned, !version.isDeletion {
        try desk.store.remove([version], of: document)
      }
    case 4:
      if let version = old.randomElement(using: &random), !version.isDeletion {
        try desk.store.setPinned(true, [version], of: document)
      }
    case 5, 6: try desk.store.markResolved(history.unresolvedConflicts, of: document)
    default:
      try Data("\(text)\n".utf8).write(to: document)
      try desk.store.save(document)
    }
  }

  /// Takes something away from the folder for exchange, as what carries it may.
  private func lose(_ random: inout SeededGenerator) throws {
    let lost = try files.subpathsOfDirectory(atPath: cloud.path).sorted()
      .filter { $0.contains("/contents/") || $0.hasSuffix(".pack") || $0.contains("/heads/") }
      .randomElement(using: &random)
    guard let lost else { return }
    let file = cloud.appending(path: lost)
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
      return
    }
    try files.removeItem(at: file)
    if lost.hasSuffix(".pack") {
      try files.removeItem(at: file.deletingPathExtension().appendingPathExtension("idx"))
    }
  }

  /// Exchanges the documents of a device, and copies of all without what is known of former exchanges.
  private func exchange(_ desk: Device) throws {
    clock.advance(bySeconds: 60)
    SynchronousStore.waitForMaintenance()
    let (copy, copyOfCloud) = (scratch["copy"], scratch["copy of cloud"])
    for place in [copy, copyOfCloud] where files.fileExists(atPath: place.path) {
      try files.removeItem(at: place)
    }
    // With the times that documents were changed, which versions tell.
    _ = try Command.run("cp", ["-a", desk.container.path, copy.path])
    if files.fileExists(atPath: cloud.path) {
      _ = try Command.run("cp", ["-a", cloud.path, copyOfCloud.path])
    }
    let known = copy.appending(path: ".docversions/quiet-exchanges")
    if files.fileExists(atPath: known.path) { try files.removeItem(at: known) }
    let results = try ContainerExchange(desk.store.environment).exchange(
      desk.container, through: cloud, leastAge: 0)
    let expected = try ContainerExchange(desk.store.environment).exchange(
      copy, through: copyOfCloud, leastAge: 0)
    #expect(
      results.map { "\($0.document.lastPathComponent) \($0.received) \($0.sent)" }
        == expected.map { "\($0.document.lastPathComponent) \($0.received) \($0.sent)" })
    #expect(try heads(desk.container) == heads(copy))
    #expect(try contents(of: desk.container) == contents(of: copy))
    #expect(try published(in: cloud) == published(in: copyOfCloud))
  }

  /// What the references of all stores of a container are at; the names of those beside the first are of no account.
  private func heads(_ container: URL) throws -> [String: Set<ObjectID>] {
    let container = try container.filePath.resolvingLinks()
    return try Dictionary(
      uniqueKeysWithValues: Layout.storedDocuments(in: container).map { document in
        let store = try Repository(store: document.location(in: container).store)
        return (document.path, Set(try store.references(below: Head.prefix).values))
      })
  }

  /// What the heads of all documents of a device are.
  private func records(of desk: Device) throws -> [String: Set<ObjectID>] {
    let container = try desk.container.filePath.resolvingLinks()
    return try Dictionary(
      uniqueKeysWithValues: Layout.storedDocuments(in: container).map { document in
        let store = try StoreReader(document.location(in: container), in: desk.store.environment)
        return (document.path, Set(try store.heads.divergent().map(\.record.id)))
      })
  }

  private func contents(of container: URL) throws -> [String: Data] {
    let names = try files.contentsOfDirectory(atPath: container.path).filter { $0.hasSuffix(".md") }
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: container.appending(path: $0))) })
  }

  private func published(in cloud: URL) throws -> [String: ObjectID] {
    try Repository(store: cloud.filePath, besides: "docs").references(below: "refs/docs/")
  }
}
