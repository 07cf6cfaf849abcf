import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Users who can't read a document can't read its versions.
@Suite("Private documents")
struct PrivateDocumentTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  private func permissions(of item: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: item.path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func set(_ permissions: Int, of item: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: item.path)
  }

  /// Returns the read permissions that a store may have in addition to its owner's.
  private func readable(by permissions: Int) -> Int { permissions & 0o044 }

  /// Checks that nothing in the store of a document, nor beside the document, can be read by more users.
  private func expectStore(of name: String, readableAtMostAs permissions: Int) throws {
    let store = desk.storeFolder(of: name)
    let items = try FileManager.default.subpathsOfDirectory(atPath: store.path)
    for item in [store] + items.map({ store.appending(path: $0) }) {
      let found = try self.permissions(of: item)
      #expect(readable(by: found) & ~permissions == 0, "\(item.path): \(String(found, radix: 8))")
    }
    #expect(items.contains { $0.hasSuffix(".pack") })
  }

  @Test(
    "A store is no more readable than its document, after any operation",
    arguments: [0o600, 0o640, 0o604, 0o660, 0o644, 0o400])
  func storePermissions(permissions: Int) throws {
    let note = try desk.write("one\n", to: "a.md")
    for number in 1...3 {
      try set(0o600, of: note)
      try desk.write("\(number)\n", to: "a.md")
      try set(permissions, of: note)
      desk.clock.advance(bySeconds: 60)
      try desk.store.save(note)
    }
    try expectStore(of: "a.md", readableAtMostAs: permissions)
    let versions = try desk.history("a.md").versions
    try desk.store.remove([versions[1]], of: note)
    _ = try desk.store.restore(versions[2])
    _ = try Exporting(desk.store.environment).checkout(versions[2])
    _ = try desk.store.collect(note, grace: .zero)
    _ = try desk.store.repair(note)
    try expectStore(of: "a.md", readableAtMostAs: permissions)
    #expect(try readable(by: self.permissions(of: note)) & ~permissions == 0)
  }

  @Test("A store follows when its document is made private, also by a save of nothing new")
  func narrowedLater() throws {
    try desk.save("one\n", as: "a.md")
    try desk.save("two\n", as: "a.md")
    try set(0o600, of: desk["a.md"])
    #expect(try desk.store.state(of: desk["a.md"]) == .unchanged)
    #expect(try !desk.store.save(desk["a.md"]).isNew)
    try expectStore(of: "a.md", readableAtMostAs: 0o600)
    // It never becomes readable again, because it holds private contents.
    try set(0o644, of: desk["a.md"])
    try desk.save("three\n", as: "a.md")
    try expectStore(of: "a.md", readableAtMostAs: 0o600)
  }

  @Test("One private member makes the store of a package private", arguments: [false, true])
  func privateMember(isLater: Bool) throws {
    let package = try Notebook(desk)
    if isLater { try desk.store.save(package.url, asPackage: true) }
    try package.write("secret\n", to: "pages/secret.txt", permissions: 0o600)
    if isLater {
      try desk.store.save(package.url, changed: ["pages/secret.txt"])
    } else {
      try desk.store.save(package.url, asPackage: true)
    }
    try expectStore(of: package.name, readableAtMostAs: 0o600)
    try FileManager.default.removeItem(at: package.url)
    _ = try desk.store.restore(desk.history(package.name).versions[0])
    #expect(try permissions(of: package.url.appending(path: "pages/secret.txt")) == 0o600)
    #expect(try permissions(of: package.url.appending(path: "tools/pack.sh")) & 0o700 == 0o700)
  }

  @Test(
    "What is written anew has the bits that were recorded",
    arguments: [(0o600, 0o600), (0o640, 0o640), (0o700, 0o700), (0o4755, 0o755), (0o2644, 0o644)])
  func writtenAnew(saved: Int, wanted: Int) throws {
    let note = try desk.write("one\n", to: "a.md")
    try set(saved, of: note)
    let version = try desk.store.save(note).version
    try FileManager.default.removeItem(at: note)
    _ = try desk.store.restore(version)
    let umask = try 0o666 & ~permissions(of: desk.write("", to: "usual"))
    #expect(try permissions(of: note) == wanted & ~umask)
    try desk.store.export(version, to: desk["copy.md"])
    #expect(try permissions(of: desk["copy.md"]) == wanted & ~umask)
  }

  @Test("What replaces a file has the bits that were recorded and those of the file")
  func replacing() throws {
    let note = try desk.write("one\n", to: "a.md")
    try set(0o640, of: note)
    let first = try desk.store.save(note).version
    try set(0o604, of: note)
    #expect(try desk.store.state(of: note) == .unchanged)
    try desk.save("two\n", as: "a.md")
    _ = try desk.store.restore(first)
    #expect(try permissions(of: note) == 0o600)
    try FileManager.default.removeItem(at: note)
    _ = try desk.store.restore(desk.history("a.md").versions[0])
    #expect(try permissions(of: note) == 0o600)
  }

  /// A way in which a document that is gone comes back.
  enum Return: CaseIterable { case undo, restore, restoreEarlier, synced, exported }

  @Test(
    "What was made private since it was saved comes back private", arguments: Return.allCases,
    [false, true])
  func madePrivateSince(way: Return, isPackage: Bool) throws {
    let world = try World()
    let mira = try world.device("mira")
    let (name, file) = isPackage ? ("a.imagenotes", "a.imagenotes/b.txt") : ("a.md", "a.md")
    var versions: [FileVersion] = []
    for text in ["one\n", "two\n"] {
      world.clock.advance(bySeconds: 60)
      try mira.write(text, to: file)
      versions.append(try mira.store.save(mira[name], asPackage: isPackage).version)
    }
    try world.exchange("mira", "tom")
    try set(0o600, of: mira[file])
    let tom = try world.device("tom")
    let deleter = way == .synced ? tom : mira
    world.clock.advance(bySeconds: 60)
    _ = try deleter.store.delete(deleter[name])
    if way == .synced { try world.exchange("tom", "mira") }
    #expect(!FileManager.default.fileExists(atPath: mira[file].path))
    world.clock.advance(bySeconds: 60)
    switch way {
    case .undo: _ = try mira.store.undo(mira[name])
    case .restore: _ = try mira.store.restore(versions[1])
    case .restoreEarlier: _ = try mira.store.restore(versions[0])
    case .synced:
      _ = try tom.store.undo(tom[name])
      try world.exchange("tom", "mira")
    case .exported: try mira.store.export(versions[1], to: mira["copy-" + name])
    }
    let place = way == .exported ? "copy-" + file : file
    #expect(try permissions(of: mira[place]) == 0o600)
    #expect(try permissions(of: tom[file]) == 0o644 || way != .synced)
    // Another device that writes it anew knows it, too.
    guard way == .undo || way == .restore else { return }
    _ = try world.exchange("mira", "ida")
    #expect(try permissions(of: world.device("ida")[file]) == 0o600)
  }

  @Test("What was made private since it was saved is moved, joined and exported as private")
  func movedAsPrivate() throws {
    try desk.write("x", to: "p.imagenotes/x.txt")
    let version = try desk.store.save(desk["p.imagenotes"], asPackage: true).version
    try set(0o600, of: desk["p.imagenotes/x.txt"])
    try desk.store.export(version, to: desk["copy.imagenotes"])
    #expect(try permissions(of: desk["copy.imagenotes/x.txt"]) == 0o600)
    for name in ["a.md", "b.md", "c.md"] { try desk.save("\(name)\n", as: name) }
    for name in ["a.md", "b.md"] { try set(0o600, of: desk[name]) }
    let other = try Device("other", in: desk.scratch, clock: desk.clock)
    try other.save("other\n", as: "other.md")
    let moved = try desk.store.move(desk["a.md"], to: other["a.md"]).documentURL
    #expect(try permissions(of: moved) == 0o600)
    #expect(try permissions(of: other.storeFolder(of: "a.md")) == 0o700)
    _ = try desk.store.join(desk["c.md"], with: desk["b.md"])
    #expect(try permissions(of: desk["c.md"]) == 0o600)
    try expectStore(of: "c.md", readableAtMostAs: 0o600)
  }

  @Test("A private package and its members are written anew as they were")
  func package() throws {
    let package = desk["p.imagenotes"]
    try desk.write("x", to: "p.imagenotes/a.txt")
    try desk.write("y", to: "p.imagenotes/in/b.txt")
    for (path, bits) in [("", 0o700), ("a.txt", 0o600), ("in", 0o750), ("in/b.txt", 0o640)] {
      try set(bits, of: package.appending(path: path))
    }
    let version = try desk.store.save(package, asPackage: true).version
    try FileManager.default.removeItem(at: package)
    _ = try desk.store.restore(version)
    try desk.store.export(version, to: desk["copy.imagenotes"])
    for copy in [package, desk["copy.imagenotes"]] {
      for (path, bits) in [("", 0o700), ("a.txt", 0o600), ("in", 0o750), ("in/b.txt", 0o640)] {
        #expect(try permissions(of: copy.appending(path: path)) == bits, "\(path)")
      }
    }
    try desk.store.export(version, to: desk["b.txt"], member: "in/b.txt")
    #expect(try permissions(of: desk["b.txt"]) == 0o640)
  }

  @Test("Many members with bits of their own get those that all of them have")
  func manyMembers() throws {
    for number in 0..<600 {
      let file = try desk.write("\(number)", to: "p.imagenotes/\(number)")
      try set(number % 2 == 0 ? 0o640 : 0o604, of: file)
    }
    let version = try desk.store.save(desk["p.imagenotes"], asPackage: true).version
    try FileManager.default.removeItem(at: desk["p.imagenotes"])
    _ = try desk.store.restore(version)
    #expect(try permissions(of: desk["p.imagenotes/0"]) == 0o600)
  }

  @Test("A store that was made before is found and narrowed")
  func doctor() throws {
    let note = try desk.write("one\n", to: "a.md")
    try desk.store.save(note)
    try set(0o600, of: note)
    let finding = try #require(
      try desk.store.verify(note).findings.first { $0.code == .permissions })
    #expect(finding.severity == .notice)
    #expect(try desk.store.repair(note).steps.contains { $0.code == .permissions })
    try expectStore(of: "a.md", readableAtMostAs: 0o600)
    #expect(try !desk.store.verify(note).findings.contains { $0.code == .permissions })
    // Within a private folder, too.
    let ledger = desk.storeFolder(of: "a.md").appending(path: "ledger")
    try set(0o644, of: ledger)
    #expect(try desk.store.verify(note).findings.contains { $0.code == .permissions })
    _ = try desk.store.repair(note)
    #expect(try permissions(of: ledger) == 0o600)
  }

  @Test(
    "An exchange folder that more users can read is warned of",
    arguments: [
      (0o600, 0o755, true), (0o600, 0o700, false), (0o600, 0o750, true), (0o640, 0o755, true),
      (0o640, 0o750, false), (0o644, 0o755, false), (0o600, 0o711, false),
    ])
  func exchangeFolder(document: Int, folder: Int, isWarned: Bool) throws {
    let note = try desk.write("one\n", to: "a.md")
    try set(document, of: note)
    try desk.store.save(note)
    let exchange = desk.scratch["exchange"]
    try FileManager.default.createDirectory(at: exchange, withIntermediateDirectories: true)
    try set(folder, of: exchange)
    func warning() throws -> String? {
      try desk.store.environment.reading(note) {
        try $0.warningOfReaders(in: FilePath(exchange.path))
      }
    }
    #expect(try (warning() != nil) == isWarned)
    // No other user gets there.
    try set(0o700, of: desk.scratch.url)
    #expect(try warning() == nil)
    try FileManager.default.removeItem(at: note)
    try set(0o755, of: desk.scratch.url)
    #expect(try (warning() != nil) == isWarned)
  }

  @Test("Bits are merged: what both sides of a conflict allow")
  func merged() throws {
    let note = try desk.write("one\n", to: "a.md")
    try set(0o664, of: note)
    let base = try desk.store.save(note).version
    try set(0o640, of: note)
    let other = try desk.save("two\n", as: "a.md")
    try set(0o604, of: note)
    _ = try desk.save("three\n", as: "a.md", base: base)
    _ = try desk.store.markResolved([other], of: note)
    try FileManager.default.removeItem(at: note)
    _ = try desk.store.restore(desk.history("a.md").versions[0])
    #expect(try permissions(of: note) == 0o600)
  }
}
