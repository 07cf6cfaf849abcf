import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
import DocumentSync

/// Names under which devices show what they exchanged.
@Suite("Names after an exchange")
struct ExchangedNamesTests {
  private let scratch: ScratchFolder
  private let desks: [Device]

  init() throws {
    scratch = try ScratchFolder()
    let clock = FixedClock()
    var desks: [Device] = []
    for name in ["Mira", "Tom", "Ida"] { desks.append(try Device(name, in: scratch, clock: clock)) }
    self.desks = desks
  }

  private func exchange(_ desk: Device) throws -> [DocumentExchange] {
    try desk.store.exchange(desk.container, through: scratch["cloud"]).documents
  }

  /// The texts of a device’s documents, by their names.
  private func texts(_ desk: Device) throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.container.path)
    where !name.hasPrefix(".") {
      texts[name] = try desk.read(name)
    }
    return texts
  }

  @Test("A document that can't be moved to its new name here is exchanged all the same")
  func noMove() throws {
    let (mira, tom) = (desks[0], desks[1])
    try mira.save("1", as: "a.md")
    _ = try exchange(mira)
    _ = try exchange(tom)
    try FileManager.default.createDirectory(
      at: mira.container.appending(path: "sub"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: mira["a.md"], to: mira["sub/b.md"])
    try mira.save("2", as: "sub/b.md")
    _ = try exchange(mira)
    // The item in the place of the store hinders no other operation.
    try tom.write("", to: ".docversions/documents/sub")
    #expect(try exchange(tom).compactMap(\.failure).count == 1)
    #expect(try tom.read("a.md") == "2")
    try tom.save("3", as: "a.md")
    let result = try #require(try exchange(tom).first)
    #expect(result.sent == 1)
    #expect(result.document.lastPathComponent == "a.md")
    _ = try exchange(mira)
    #expect(try mira.read("sub/b.md") == "3")
    try FileManager.default.removeItem(at: tom[".docversions/documents/sub"])
    #expect(try exchange(tom).allSatisfy { $0.failure == nil })
    #expect(try tom.read("sub/b.md") == "3")
    try tom.expectSound()
  }

  @Test("A name that is only composed differently from now on is exchanged once")
  func otherComposition() throws {
    let (mira, tom) = (desks[0], desks[1])
    let names = ["u\u{308}.md", "\u{fc}.md"]
    try mira.save("1", as: names[0])
    for desk in [mira, tom] { _ = try exchange(desk) }
    _ = try mira.store.rename(mira[names[0]], to: names[1])
    #expect(try exchange(mira).map(\.sent) == [1])
    #expect(try exchange(tom).map(\.received) == [1])
    for desk in [mira, tom, mira] { #expect(try exchange(desk).isEmpty) }
    // The branch of each device has the document under its present name alone.
    let repository = try Repository(sharedAt: scratch["cloud"].filePath)
    let branches = try repository.references.all(below: "refs/heads/")
    #expect(branches.count == 2)
    for end in branches.values {
      let found = try repository.tree(repository.commit(end).tree).entries.map(\.name)
      #expect(found.filter { $0 == Array(names[0].utf8) } == [])
      #expect(found.contains(Array(names[1].utf8)))
    }
  }

  @Test("A document whose folder can't be read is reported, and the others are exchanged")
  func unreadableFolder() throws {
    let (mira, tom) = (desks[0], desks[1])
    for name in ["a.md", "sub/b.md"] { try mira.save("1", as: name) }
    for desk in [mira, tom] { _ = try exchange(desk) }
    // A link to itself, which no one can follow.
    try FileManager.default.removeItem(at: tom["sub"])
    try FileManager.default.createSymbolicLink(
      atPath: tom["sub"].path, withDestinationPath: tom["sub"].path)
    for name in ["a.md", "sub/b.md"] { try mira.save("2", as: name) }
    _ = try exchange(mira)
    let results = try exchange(tom)
    #expect(results.compactMap(\.failure).count == 1)
    #expect(try tom.read("a.md") == "2")
    // Once the folder is there again, the rest arrives.
    try FileManager.default.removeItem(at: tom["sub"])
    #expect(try exchange(tom).allSatisfy { $0.failure == nil })
    #expect(try tom.texts("sub/b.md").contains("2"))
  }

  @Test(
    "Documents of one name get the same numbers everywhere, in whatever order they arrive",
    arguments: [[0, 1, 2, 1, 0], [2, 1, 0, 2], [1, 0, 2, 0, 1]])
  func numbers(order: [Int]) throws {
    for desk in desks { try desk.save("\(desk.store.identity.author)’s\n", as: "a.md") }
    for number in order + [0, 1, 2, 0, 1, 2, 0, 1, 2] { _ = try exchange(desks[number]) }
    let found = try desks.map { try texts($0) }
    #expect(Set(found[0].keys) == ["a.md", "a 2.md", "a 3.md"])
    #expect(Set(found).count == 1)
    for desk in desks {
      for result in try exchange(desk) {
        #expect(result.failure == nil)
        #expect(result.received + result.sent == 0)
      }
      for name in found[0].keys { #expect(try desk.history(name).versions.count == 1) }
      try desk.expectSound()
    }
  }

  @Test(
    "The document that has had a name longest keeps it, and all devices agree, with any clocks",
    arguments: [
      [0, 0, 0], [3_600, 0, -3_600], [0, 90_000, -1_700_000_000], [-60, -60, 4_000_000_000],
    ],
    [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func firstOfOneName(offsets: [Double], order: [Int]) throws {
    let (clock, names) = (FixedClock(), ["Mira", "Tom", "Ida"])
    let desks = try zip(names, offsets).map {
      try Device($0, in: scratch, clock: clock, clockOffset: $1)
    }
    func expectAgreement() throws {
      for number in order + order + order { _ = try exchange(desks[number]) }
      let found = try desks.map { try texts($0) }
      #expect(Set(found).count == 1)
      #expect(Set(found[0].keys) == ["a.md", "a 2.md", "a 3.md"])
      for desk in desks { #expect(try exchange(desk).allSatisfy { $0.formerDocument == nil }) }
    }
    // Ten minutes apart; Tom's has another name first, but is the oldest of the documents.
    try desks[1].save("Tom’s\n", as: "t.md")
    for number in [0, 2, 1] {
      clock.advance(bySeconds: 600)
      let text = "\(names[number])’s\n"
      if number == 1 {
        try desks[1].store.rename(desks[1]["t.md"], to: "a.md")
      } else {
        try desks[number].save(text, as: "a.md")
      }
    }
    try expectAgreement()
    if offsets == [0, 0, 0] {
      #expect(
        try texts(desks[0]) == ["a.md": "Mira’s\n", "a 2.md": "Ida’s\n", "a 3.md": "Tom’s\n"])
    }
    // Later versions don't change that.
    let before = try texts(desks[0]).mapValues { $0 + "more\n" }
    clock.advance(bySeconds: 600)
    for name in before.keys {
      try desks[1].save(try desks[1].read(name) + "more\n", as: name)
    }
    try expectAgreement()
    #expect(try texts(desks[0]) == before)
  }

  @Test("An exchange reports the documents that it has moved")
  func movedDocuments() throws {
    for desk in desks.prefix(2) { try desk.save(desk.store.identity.author, as: "a.md") }
    _ = try exchange(desks[0])
    let moved = (try exchange(desks[1]) + exchange(desks[0])).filter { $0.formerDocument != nil }
    #expect(moved.map(\.document.lastPathComponent) == ["a 2.md"])
    #expect(moved.map(\.formerDocument?.lastPathComponent) == ["a.md"])
    #expect(try exchange(desks[1]).allSatisfy { $0.formerDocument == nil })
  }

  @Test("A document with edits keeps its name until they are saved")
  func edited() throws {
    for desk in desks { try desk.save("\(desk.store.identity.author)’s\n", as: "a.md") }
    for desk in desks + desks { _ = try exchange(desk) }
    let name = try #require(texts(desks[2]).first { $0.value == "Ida’s\n" }?.key)
    try desks[2].write("edit\n", to: name)
    for desk in desks + desks { _ = try exchange(desk) }
    #expect(try desks[2].read(name) == "edit\n")
    try desks[2].save("edit\n", as: name)
    for desk in desks + desks + desks { _ = try exchange(desk) }
    #expect(try Set(desks.map { try texts($0) }).count == 1)
  }

  @Test("Each document is reported under its final name")
  func reported() throws {
    for desk in desks { try desk.save("\(desk.store.identity.author)’s\n", as: "a.md") }
    for desk in desks {
      let results = try exchange(desk)
      let reported = Set(results.map(\.document.lastPathComponent))
      #expect(reported.count == results.count)
      #expect(try reported == Set(texts(desk).keys))
    }
  }

  @Test("A document whose store did not follow it, because of a crash, is whole again")
  func cutMove() throws {
    try desks[0].save("one\n", as: "a.md")
    let store = try DocumentLocation(of: desks[0]["a.md"]).store
    try FileManager.default.moveItem(at: desks[0]["a.md"], to: desks[0]["a 2.md"])
    let mark = try #require(try WorkingFileEntry.mark(of: desks[0]["a 2.md"].filePath))
    try WorkingFileEntry(mark: mark, path: "a 2.md").write(in: store)
    for result in try exchange(desks[0]) { #expect(result.failure == nil) }
    #expect(try texts(desks[0]) == ["a.md": "one\n"])
    #expect(try desks[0].history("a.md").versions.count == 1)
  }

  @Test("The published heads of a document that was deleted before it arrived can be read")
  func deleted() throws {
    try desks[0].save("one\n", as: "a.md")
    try desks[0].store.delete(desks[0]["a.md"])
    for desk in desks { _ = try exchange(desk) }
    let verification = try desks[1].store.verify(desks[1]["a.md"])
    #expect(verification.findings.isEmpty)
  }

  @Test("What is no folder is refused", arguments: ["https://localhost/x.git", "ssh://me@host/x"])
  func address(text: String) throws {
    let address = try #require(URL(string: text))
    expectVersionError(.invalidArgument) {
      _ = try desks[0].store.exchange(desks[0].container, through: address)
    }
  }

  @Test(
    "A document below a folder that is a package elsewhere is reported there, and not put into it",
    arguments: ["text.txt", "x.txt"])
  func folderIsPackage(member: String) throws {
    let (mira, tom) = (desks[0], desks[1])
    try mira.write("x\n", to: "P.pack/\(member)")
    try mira.store.save(mira["P.pack"])
    try tom.save("first\n", as: "a.md")
    try tom.save("x\n", as: "P.pack/x.txt")
    for round in 0..<3 {
      for desk in [mira, tom] {
        let results = try exchange(desk)
        let failures = results.compactMap(\.failure)
        let isFirst = round == 0 && desk.container == mira.container
        #expect(failures.count == (desk.container == mira.container && !isFirst ? 1 : 0))
        for failure in failures { #expect((failure as? FileError)?.code == .exists) }
        if round > 1 { #expect(results.allSatisfy { $0.received + $0.sent == 0 }) }
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: mira["P.pack"].path) == [member])
    #expect(try mira.store.state(of: mira["P.pack"]) == .unchanged)
    #expect(try tom.read("P 2.pack/\(member)") == "x\n")
    #expect(try tom.texts("P.pack/x.txt") == ["x\n"])

    try FileManager.default.moveItem(at: tom["P.pack"], to: tom["Notes"])
    try tom.store.save(tom["Notes/x.txt"])
    for desk in [tom, mira, tom, mira] {
      for result in try exchange(desk) { #expect(result.failure == nil) }
    }
    for desk in [mira, tom] {
      #expect(try desk.texts("Notes/x.txt") == ["x\n", "x\n"])
      #expect(try desk.read("P.pack/\(member)") == "x\n")
      #expect(try desk.history("P.pack").versions.count == 1)
      try desk.expectSound()
    }
  }

  @Test(
    "A file gives way to a folder with its name, on every device and in any order",
    arguments: [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 2, 1]], [false, true])
  func fileAndFolder(order: [Int], isEdited: Bool) throws {
    try desks[0].save("file\n", as: "sub")
    try desks[1].store.makeContainer(desks[1].container)
    try desks[1].save("inside\n", as: "sub/deep/y.md")
    if isEdited { try desks[0].write("edited\n", to: "sub") }
    for number in order + order + order {
      for result in try exchange(desks[number]) {
        #expect(result.failure == nil, "\(result.failure.map { "\($0)" } ?? "")")
      }
    }
    for (number, desk) in desks.enumerated() {
      #expect(try desk.read("sub/deep/y.md") == "inside\n")
      #expect(try desk.read("sub 2") == (number == 0 && isEdited ? "edited\n" : "file\n"))
      #expect(try desk.texts("sub 2") == ["file\n"])
      for result in try exchange(desk) { #expect(result.received + result.sent == 0) }
      try desk.expectSound()
    }
  }

  @Test("A document that is moved below a folder that is a package elsewhere stays there, whole")
  func movedIntoPackage() throws {
    let (mira, tom) = (desks[0], desks[1])
    try mira.save("one\n", as: "x.txt")
    for desk in [mira, tom] { _ = try exchange(desk) }
    try mira.write("p\n", to: "P.pack/text.txt")
    try mira.store.save(mira["P.pack"])
    try FileManager.default.createDirectory(at: tom["P.pack"], withIntermediateDirectories: false)
    try FileManager.default.moveItem(at: tom["x.txt"], to: tom["P.pack/x.txt"])
    try tom.save("two\n", as: "P.pack/x.txt")
    for round in 0..<3 {
      for desk in [tom, mira] {
        let results = try exchange(desk)
        let failures = results.compactMap(\.failure)
        #expect(failures.count == (desk.container == mira.container ? 1 : 0))
        for failure in failures { #expect((failure as? FileError)?.code == .exists) }
        if round > 1 { #expect(results.allSatisfy { $0.received + $0.sent == 0 }) }
      }
    }
    #expect(try mira.texts("x.txt") == ["two\n", "one\n"])
    #expect(try mira.read("x.txt") == "two\n")
    #expect(try mira.store.state(of: mira["P.pack"]) == .unchanged)
    #expect(try tom.texts("P.pack/x.txt") == ["two\n", "one\n"])
    #expect(try tom.read("P 2.pack/text.txt") == "p\n")
    for desk in [mira, tom] { try desk.expectSound() }
  }

  @Test(
    "A store that does not name its document keeps no other one from being received",
    arguments: ["[core", "[core]\n\tbare = true\n[docversions]\n\tformat = 1\n", nil])
  func unknownDocument(configuration: String?) throws {
    let (mira, tom) = (desks[0], desks[1])
    try mira.save("one\n", as: "a.md")
    for desk in [mira, tom] { _ = try exchange(desk) }
    try mira.save("other\n", as: "b.md")
    // Its store no longer names it, but its versions do, so it isn't new.
    try mira.save("two\n", as: "a.md")
    _ = try exchange(mira)
    let config = try store(of: "a.md", on: tom).appending(path: "config")
    let sound = try Data(contentsOf: config)
    try FileManager.default.removeItem(at: config)
    if let configuration { try Data(configuration.utf8).write(to: config) }
    for _ in 0..<2 {
      let failures = try exchange(tom).compactMap { $0.failure as? VersionError }
      #expect(failures.map(\.code) == [.damaged])
      #expect(try texts(tom) == ["a.md": "one\n", "b.md": "other\n"])
    }
    try sound.write(to: config)
    for result in try exchange(tom) { #expect(result.failure == nil) }
    #expect(try texts(tom) == ["a.md": "two\n", "b.md": "other\n"])
    #expect(try tom.history("a.md").versions.count == 2)
    try tom.expectSound()
  }

  @Test("Of which document a store is, nothing may say: then only one of its name waits")
  func namelessStore() throws {
    let (mira, tom) = (desks[0], desks[1])
    try mira.save("one\n", as: "a.md")
    for desk in [mira, tom] { _ = try exchange(desk) }
    try mira.save("other\n", as: "b.md")
    try mira.save("two\n", as: "a.md")
    _ = try exchange(mira)
    let mend = try makeNameless("a.md", on: tom)
    for _ in 0..<2 {
      let failures = try exchange(tom).compactMap { $0.failure as? VersionError }
      #expect(failures.contains { $0.message.contains("A “a.md” waits") })
      #expect(try texts(tom) == ["a.md": "one\n", "b.md": "other\n"])
    }
    try mend()
    for result in try exchange(tom) { #expect(result.failure == nil) }
    #expect(try texts(tom) == ["a.md": "two\n", "b.md": "other\n"])
    try tom.expectSound()
  }

  @Test("A document that was renamed while its store could not be read is one again when it can")
  func renamedMeanwhile() throws {
    let (mira, tom) = (desks[0], desks[1])
    try mira.save("one\n", as: "a.md")
    for desk in [mira, tom] { _ = try exchange(desk) }
    _ = try mira.store.rename(mira["a.md"], to: "c.md")
    _ = try exchange(mira)
    let mend = try makeNameless("a.md", on: tom)
    _ = try exchange(tom)
    #expect(try texts(tom) == ["a.md": "one\n", "c.md": "one\n"])
    try mend()
    for _ in 0..<2 { for result in try exchange(tom) { #expect(result.failure == nil) } }
    #expect(try texts(tom) == ["c.md": "one\n"])
    try tom.expectSound()
  }

  /// Removes from a store everything that identifies its document.
  ///
  /// - Returns: a closure that restores it.
  private func makeNameless(_ path: String, on desk: Device) throws -> () throws -> Void {
    let files = FileManager.default
    let damaged = try store(of: path, on: desk)
    let saved = damaged.deletingLastPathComponent().appending(path: "saved")
    try files.copyItem(at: damaged, to: saved)
    for part in ["config", "refs", "packed-refs"].map({ damaged.appending(path: $0) })
    where files.fileExists(atPath: part.path) {
      try files.removeItem(at: part)
    }
    return {
      try files.removeItem(at: damaged)
      try files.moveItem(at: saved, to: damaged)
    }
  }

  private func store(of path: String, on desk: Device) throws -> URL {
    URL(filePath: try DocumentLocation(of: desk[path]).store.string)
  }

  @Test("Documents with the longest names get numbers like others")
  func longName() throws {
    let desks = Array(desks.prefix(2))
    for name in [
      String(repeating: "é", count: 123) + ".mdx", String(repeating: "a", count: 251),
    ] {
      for desk in desks { try desk.save("\(desk.store.identity.author)’s\n", as: name) }
    }
    for desk in desks + desks + desks {
      for result in try exchange(desk) { #expect(result.failure == nil) }
    }
    let found = try desks.map { try texts($0) }
    #expect(found[0].count == 4)
    #expect(Set(found).count == 1)
    #expect(found[0].keys.allSatisfy { $0.utf8.count <= ContainerPath.longestName })
    #expect(found[0].keys.count { $0.hasSuffix(".mdx") } == 2)
    for desk in desks {
      for result in try exchange(desk) { #expect(result.received + result.sent == 0) }
      try desk.expectSound()
    }
  }
}
