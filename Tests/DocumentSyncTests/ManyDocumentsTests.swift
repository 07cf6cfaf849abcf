import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync

/// Enough documents for them to wait for the disk together.
@Suite("Many documents at once")
struct ManyDocumentsTests {
  private let world: World

  init() throws {
    world = try World()
    for name in ["mira", "tom", "ida"] {
      let device = try world.device(name)
      try device.store.makeContainer(device.container)
    }
    for number in 0..<12 {
      try world.save("\(number)\n", as: "plain/\(number % 3)/\(number).md", on: "mira")
    }
  }

  @discardableResult
  private func exchange(_ name: String) throws -> ExchangeOutcome {
    world.clock.advance(bySeconds: 60)
    let device = try world.device(name)
    return try device.store.exchange(device.container, through: world.cloud)
  }

  /// Exchanges the devices, and expects that no document is left out and no temporary file stays.
  private func meet(_ names: String...) throws {
    for name in names + names {
      for result in try exchange(name).documents { #expect(result.failure == nil) }
    }
    for name in names {
      try world.device(name).expectSound()
      let litter = try FileManager.default.subpathsOfDirectory(
        atPath: world.device(name).container.path
      ).filter { $0.contains(".new-") || $0.hasSuffix(".tmp") }
      #expect(litter.isEmpty)
    }
  }

  @Test("Histories, packages, deletions and permissions arrive as they are")
  func everyKind() throws {
    let mira = try world.device("mira")
    for text in ["one\n", "two\n", "three\n"] { try world.save(text, as: "history.md", on: "mira") }
    for member in ["a.txt", "sub/b.txt"] { _ = try mira.write(member, to: "Trip.pkg/\(member)") }
    try mira.store.save(mira["Trip.pkg"], asPackage: true)
    try world.save("gone\n", as: "deleted.md", on: "mira")
    try mira.store.delete(mira["deleted.md"])
    for name in ["private.md", "secret.md"] {
      _ = try mira.write("private\n", to: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: mira[name].path)
      try mira.store.save(mira[name])
    }
    try world.save("more\n", as: "secret.md", on: "mira")
    try meet("mira", "tom")

    let tom = try world.device("tom")
    for number in 0..<12 {
      #expect(try tom.read("plain/\(number % 3)/\(number).md") == "\(number)\n")
    }
    #expect(try tom.texts("history.md").count == 3)
    #expect(try tom.read("Trip.pkg/sub/b.txt") == "sub/b.txt")
    #expect(try tom.history("deleted.md").versions.contains { $0.isDeletion })
    #expect(!FileManager.default.fileExists(atPath: tom["deleted.md"].path))
    let shelf = tom.container.appending(path: ".docversions/shelf")
    for path in [
      tom["private.md"], shelf, tom["secret.md"], tom.storeFolder(of: "secret.md"),
    ] {
      let bits = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions]
      #expect((bits as? Int ?? 0o777) & 0o077 == 0)
    }
    // Each is known as unchanged, and found again under another name.
    for state in [
      try tom.store.state(of: tom["history.md"]), try tom.store.state(of: tom["Trip.pkg"]),
    ] {
      #expect(state == .unchanged)
    }
    try FileManager.default.moveItem(at: tom["history.md"], to: tom["renamed.md"])
    #expect(try tom.texts("renamed.md").count == 3)
    // And is published no more than once.
    #expect(try exchange("ida").received > 12)
    #expect(try exchange("ida").sent == 0)
  }

  @Test("A conflict arrives with all its sides")
  func conflict() throws {
    try world.save("base\n", as: "a.md", on: "mira")
    try meet("mira", "tom")
    try world.save("Mira’s\n", as: "a.md", on: "mira")
    try world.save("Tom’s\n", as: "a.md", on: "tom")
    try meet("mira", "tom")
    try meet("ida")
    #expect(try world.history("a.md", on: "ida").unresolvedConflicts.count == 1)
    #expect(try world.read("a.md", on: "ida") == world.read("a.md", on: "mira"))
  }

  @Test("What is in their places already decides as if they came one by one")
  func taken() throws {
    let tom = try world.device("tom")
    // An unsaved file with the same contents, one with other contents, and a document with the same name.
    _ = try tom.write("0\n", to: "plain/0/0.md")
    _ = try tom.write("Tom’s own\n", to: "plain/1/1.md")
    try world.save("Tom’s\n", as: "plain/2/2.md", on: "tom")
    try meet("mira", "tom")
    #expect(try tom.history("plain/0/0.md").versions.count == 1)
    #expect(try tom.read("plain/1/1.md") == "Tom’s own\n")
    #expect(try tom.read("plain/1/1 2.md") == "1\n")
    let texts = try ["plain/2/2.md", "plain/2/2 2.md"].map { try tom.read($0) }
    #expect(Set(texts) == ["2\n", "Tom’s\n"])
  }

  @Test(
    "Names that differ in case alone get places of their own",
    arguments: [["a.md", "A.md"], ["é.md", "e\u{301}.md"]])
  func spelling(names: [String]) throws {
    // Made apart, so that no device has seen both before.
    try world.save("1\n", as: names[0], on: "mira")
    try world.save("2\n", as: names[1], on: "tom")
    try meet("mira", "tom")
    try meet("ida")
    let ida = try world.device("ida")
    let found = try FileManager.default.contentsOfDirectory(atPath: ida.container.path)
      .filter { $0.hasSuffix(".md") }
    #expect(Set(try found.map { try ida.read($0) }) == ["1\n", "2\n"])
    #expect(Set(found.map { $0.lowercased() }).count == 2)
  }

  @Test("A document that is below another one waits for a free place, and the others arrive")
  func below() throws {
    try world.save("a file\n", as: "x", on: "mira")
    try meet("mira")
    try world.save("in a folder\n", as: "x/y.md", on: "tom")
    _ = try exchange("tom")
    _ = try exchange("mira")
    _ = try exchange("tom")
    let outcome = try exchange("ida")
    #expect(outcome.documents.count { $0.failure != nil } <= 1)
    #expect(try world.read("plain/0/0.md", on: "ida") == "0\n")
    try world.device("ida").expectSound()
  }

  @Test(
    "Documents that exchange their names have them after one exchange, whichever arrives first",
    arguments: [2, 3, 12])
  func exchangedNames(count: Int) throws {
    try meet("mira", "tom")
    let mira = try world.device("mira")
    func name(_ number: Int) -> String { "plain/0/\(number % count).md" }
    for number in 0..<count { try world.save("\(number)\n", as: name(number), on: "mira") }
    try meet("mira", "tom")
    // Each gets the name of the next one.
    _ = try mira.store.rename(mira[name(count - 1)], to: "free.md")
    for number in (0..<count - 1).reversed() {
      _ = try mira.store.rename(mira[name(number)], to: "\(number + 1).md")
    }
    _ = try mira.store.rename(mira["plain/0/free.md"], to: "0.md")
    _ = try exchange("mira")
    let outcome = try exchange("tom")
    for number in 0..<count {
      #expect(try world.read(name(number + 1), on: "tom") == "\(number)\n")
    }
    #expect(
      Set(outcome.documents.map(\.document.lastPathComponent))
        == Set((0..<count).map { "\($0).md" }))
    try meet("mira", "tom")
    for number in 0..<count {
      #expect(try world.read(name(number + 1), on: "mira") == "\(number)\n")
    }
  }

  @Test("Changes of many documents arrive as one by one")
  func changes() throws {
    try meet("mira", "tom")
    let mira = try world.device("mira")
    let tom = try world.device("tom")
    func name(_ number: Int) -> String { "plain/\(number % 3)/\(number).md" }
    for number in 0..<12 { try world.save("\(number)\nMira’s\n", as: name(number), on: "mira") }
    _ = try mira.store.rename(mira[name(3)], to: "x.md")
    _ = try mira.store.rename(mira[name(6)], to: "3.md")
    try world.save("7\nTom’s\n", as: name(7), on: "tom")
    _ = try tom.write("8\nnot saved yet\n", to: name(8))
    _ = try exchange("mira")
    let outcome = try exchange("tom")
    let paths = outcome.documents.map(\.document.path)
    #expect(paths.count == 12)
    #expect(outcome.documents.allSatisfy { $0.received >= 1 && $0.failure == nil })
    let kept = paths.filter { !$0.hasSuffix("/x.md") && !$0.hasSuffix("/0/3.md") }
    #expect(kept == kept.sorted())
    #expect(try tom.read("plain/0/3.md") == "6\nMira’s\n")
    for number in [0, 1, 2, 4, 5, 9, 10, 11] {
      #expect(try tom.read(name(number)) == "\(number)\nMira’s\n")
    }
    #expect(try tom.read("plain/0/x.md") == "3\nMira’s\n")
    for conflict in [name(7), name(8)] {
      #expect(try tom.history(conflict).unresolvedConflicts.count == 1, "\(conflict)")
    }
    try meet("mira", "tom")
  }

  @Test("An exchange that was stopped begins anew, and leaves nothing temporary")
  func stopped() throws {
    _ = try exchange("mira")
    var store = world.store("tom")
    let tom = try world.device("tom")
    let progress = OperationProgress { progress in
      if progress.completedUnitCount > 4 { progress.cancel() }
    }
    store.progress = progress
    #expect(throws: CancellationError.self) {
      try store.exchange(tom.container, through: world.cloud)
    }
    try meet("tom", "mira")
    for number in 0..<12 {
      #expect(try tom.read("plain/\(number % 3)/\(number).md") == "\(number)\n")
    }
  }

  @Test("What a process left that was killed goes with the next exchange")
  func killed() throws {
    let tom = try world.device("tom")
    try world.save("Tom’s\n", as: "t.md", on: "tom")
    _ = try tom.write("", to: ".docversions/documents/.new-0123456789abcdef0123456789abcdef/lock")
    _ = try tom.write("", to: ".docversions/documents/.new-0123456789abcdef0123456789abcdef/1/HEAD")
    try meet("mira", "tom")
  }
}
