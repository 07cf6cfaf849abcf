import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Documents that were moved outside docversions, and new files in their places.
@Suite("A reused name")
struct ReusedNameTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.createDirectory(
      at: desk[other].deletingLastPathComponent(), withIntermediateDirectories: true)
    #expect(rename(desk[name].path, desk[other].path) == 0)
  }

  private func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: desk[name].path)
  }

  /// Replaces a file as editors do, so that it is another one.
  private func replace(_ name: String, with text: String) throws {
    try desk.write(text, to: "\(name).new")
    try move("\(name).new", to: name)
  }

  private func save(_ names: [String]) throws {
    for outcome in desk.store.saveEach(names.map { desk[$0] }) { _ = try outcome.get() }
  }

  @Test(
    "The versions stay with the file that was moved, in whatever order both are saved",
    arguments: ["week-47.md", "2025/week.md"],
    [["week.md", "NEW"], ["NEW", "week.md"], ["NEW"], ["week.md"]])
  func moved(to place: String, saving order: [String]) throws {
    try desk.save("47", as: "week.md")
    try desk.save("47, done", as: "week.md")
    try move("week.md", to: place)
    try replace("week.md", with: "48")
    try save(order.map { $0 == "NEW" ? place : $0 })
    // Without the other one, a file is looked for in its folder.
    guard order != ["week.md"] || !place.contains("/") else { return }
    try save(["week.md", place])
    #expect(try desk.texts("week.md") == ["48"])
    #expect(try desk.texts(place).suffix(2) == ["47, done", "47"])
    try desk.expectSound()
  }

  @Test("A package that was moved keeps its versions, too")
  func packages() throws {
    try desk.write("47", to: "week.rtfd/TXT.rtf")
    try desk.store.save(desk["week.rtfd"])
    try move("week.rtfd", to: "old.rtfd")
    try desk.write("48", to: "week.rtfd/TXT.rtf")
    try save(["week.rtfd", "old.rtfd"])
    #expect(try desk.history("week.rtfd").versions.count == 1)
    #expect(try desk.history("old.rtfd").versions.count == 2)
  }

  @Test("Files that each take the name of the next one keep their versions", arguments: [3, 20])
  func rotated(count: Int) throws {
    let names = (0...count).map { "log-\($0).md" }
    for name in names.dropLast() { try desk.write("text of \(name)", to: name) }
    // Many documents rest without stores.
    try save(names.dropLast())
    for number in (0..<count).reversed() { try move(names[number], to: names[number + 1]) }
    try desk.write("new", to: names[0])
    try save(names)
    #expect(try desk.texts(names[0]) == ["new"])
    for number in 1...count {
      #expect(Set(try desk.texts(names[number])) == ["text of \(names[number - 1])"])
    }
    try desk.expectSound()
  }

  /// Moves each file to the place of the next one, and the last one to that of the first.
  private func turn(_ names: [String]) throws {
    try move(names[names.count - 1], to: "aside")
    for (name, next) in zip(names, names.dropFirst()).reversed() { try move(name, to: next) }
    try move("aside", to: names[0])
  }

  @Test(
    "Documents that take each other’s names keep their versions",
    arguments: [2, 3, 20], [false, true])
  func turned(count: Int, isAcrossFolders: Bool) throws {
    try desk.store.makeContainer(desk.container)
    let names = (0..<count).map { isAcrossFolders ? "\($0)/n.md" : "\($0).md" }
    for name in names { try desk.write("text of \(name)", to: name) }
    // Many documents rest without stores.
    try save(names)
    try turn(names)
    let places = try desk.store.exchangedDocuments(among: names.map { desk[$0] })
    #expect(places[desk[names[0]]]?.path == desk[names[1]].path)
    #expect(places.count == count)
    // One of two in a folder suffices.
    try save(count == 2 && !isAcrossFolders ? [names[1]] : names.reversed())
    try save(names)
    for (name, former) in zip(names, names.suffix(1) + names.dropLast()) {
      #expect(try desk.texts(name) == Array(repeating: "text of \(former)", count: 2))
    }
    try desk.expectSound()
  }

  @Test(
    "One of documents that took each other’s names suffices, in any folder, for all operations",
    arguments: [2, 3])
  func oneOfCircle(count: Int) throws {
    try desk.store.makeContainer(desk.container)
    let names = (0..<count).map { "\($0)/n.md" }
    typealias Operation = (URL) throws -> Void
    let operations: [Operation] = [
      { try desk.store.save($0) }, { try desk.store.delete($0) },
      { try desk.store.move($0, to: desk["elsewhere.md"]) },
    ]
    for (round, operation) in operations.enumerated() {
      let names = names.map { "\(round)/\($0)" }
      for name in names { try desk.write("text of \(name)", to: name) }
      try save(names)
      try turn(names)
      try operation(desk[names[0]])
      try save(names.filter { has($0) })
      for (name, former) in zip(names, names.suffix(1) + names.dropLast()) where has(name) {
        #expect(Set(try desk.texts(name)) == ["text of \(former)"], "\(round)")
      }
      if round == 2 {
        #expect(Set(try desk.texts("elsewhere.md")) == ["text of \(names[count - 1])"])
      }
    }
    try desk.expectSound()
  }

  @Test(
    "The very file counts before a folder that was moved, however many files are saved",
    arguments: [2, 30])
  func withMovedFolder(others: Int) throws {
    try desk.store.makeContainer(desk.container)
    let names = ["b.md", "g/a.md"] + (0..<others).map { "g/\($0).md" }
    for name in names { try desk.write("text of \(name)", to: name) }
    try save(names)
    try turn(["b.md", "g/a.md"])
    try move("g", to: "k")
    try save(["b.md"] + names.dropFirst().map { "k" + $0.dropFirst() })
    #expect(Set(try desk.texts("b.md")) == ["text of g/a.md"])
    #expect(Set(try desk.texts("k/a.md")) == ["text of b.md"])
    #expect(Set(try desk.texts("k/0.md")) == ["text of g/0.md"])
  }

  @Test("A new file in a folder that was moved isn’t a document whose own file is elsewhere")
  func newInMovedFolder() throws {
    try desk.store.makeContainer(desk.container)
    let names = ["a.md", "f/b.md", "f/c.md"]
    for name in names { try desk.save("text of \(name)", as: name) }
    try turn(["a.md", "f/b.md"])
    try move("f/b.md", to: "f/a.md")
    try desk.write("new", to: "f/b.md")
    try move("f", to: "k")
    try save(["k/a.md", "k/b.md", "k/c.md", "a.md"])
    #expect(try desk.texts("k/b.md") == ["new"])
    #expect(Set(try desk.texts("k/a.md")) == ["text of a.md"])
    #expect(Set(try desk.texts("a.md")) == ["text of f/b.md"])
  }

  @Test("A crash leaves some of the documents in place, and the next save the others")
  func partlyTurned() throws {
    let names = ["a.md", "b/b.md", "c.md"]
    for name in names { try desk.save("text of \(name)", as: name) }
    try turn(names)
    let stores = try names.map { try DocumentLocation(of: desk[$0]).store }
    try DocumentWriter.exchange(stores[0], with: stores[1])
    try save(names)
    for (name, former) in zip(names, names.suffix(1) + names.dropLast()) {
      #expect(try desk.texts(name) == Array(repeating: "text of \(former)", count: 2))
    }
  }

  @Test("A file that was moved over a document, and its own name used again, are edits of both")
  func movedOver() throws {
    try desk.save("a", as: "a.md")
    try desk.save("b", as: "b.md")
    try move("a.md", to: "b.md")
    try replace("a.md", with: "new")
    try save(["a.md", "b.md"])
    #expect(try desk.texts("a.md") == ["new", "a"])
    #expect(try desk.texts("b.md") == ["a", "b"])
  }

  @Test(
    "A backup that a program makes while it saves doesn’t take the versions",
    arguments: [
      "n.md~", "n.md.bak", "n.md.old", "n.bak", "n.md.3", ".n.md.x7Zq", "n (conflicted copy).md",
      "kept/n.md",
    ])
  func backup(name: String) throws {
    try desk.write("kept/\n", to: ".docversionsignore")
    try desk.save("one", as: "n.md")
    try move("n.md", to: name)
    try replace("n.md", with: "two")
    try save(["n.md"])
    #expect(try desk.texts("n.md") == ["two", "one"])
    try save(["n.md"])
  }

  @Test(
    "What is unreadable in one document doesn’t affect the others", arguments: ["folder", "long"])
  func unreadable(entry: String) throws {
    try desk.save("one", as: "bad.md")
    try desk.save("47", as: "week.md")
    let location = try DocumentLocation(of: desk["bad.md"])
    let file = StoreFile.workingFile.path(in: location.store)
    try FileManager.default.removeItem(atPath: file.string)
    if entry == "folder" {
      try FileManager.default.createDirectory(
        atPath: file.string, withIntermediateDirectories: false)
    } else {
      try Data(count: 1 << 22).write(to: URL(filePath: file.string))
    }
    try desk.save("new", as: "new.md")
    try move("week.md", to: "week-47.md")
    try replace("week.md", with: "48")
    _ = desk.store.saveEach(["week.md", "week-47.md", "/nowhere/\u{1}.md"].map { desk[$0] })
    #expect(try desk.texts("week.md") == ["48"])
    #expect(try desk.texts("week-47.md") == ["47", "47"])
  }

  @Test("A copy, a link to the replaced file, and a document of its own are not the document")
  func others() throws {
    try desk.save("one", as: "n.md")
    try desk.write("one", to: "copy.md")
    #expect(link(desk["n.md"].path, desk["link.md"].path) == 0)
    try save(["copy.md", "link.md"])
    try replace("n.md", with: "two")
    try save(["n.md", "copy.md", "link.md"])
    #expect(try desk.texts("n.md") == ["two", "one"])
    #expect(try desk.texts("copy.md") == ["one"])
    #expect(try desk.texts("link.md") == ["one"])
  }

  @Test("An edit from another device is merged into the file that was moved")
  func exchanged() throws {
    let world = try World()
    let mira = try world.device("mira")
    try world.save("Week 47\n\n- mail\n\n", as: "week.md", on: "mira")
    try world.exchange("mira", "tom")
    #expect(rename(mira["week.md"].path, mira["week-47.md"].path) == 0)
    try mira.write("Week 48\n\n- mail\n\n", to: "week.md")
    for outcome in mira.store.saveEach([mira["week.md"]]) { _ = try outcome.get() }
    try world.save("Week 47\n\n- [x] mail\n\n", as: "week.md", on: "tom")
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try world.read("week-47.md", on: device) == "Week 47\n\n- [x] mail\n\n")
      #expect(try world.read("week.md", on: device) == "Week 48\n\n- mail\n\n")
    }
    try world.expectSound("mira", "tom")
  }

  @Test("An exchange follows the file that was moved, with nothing saved before")
  func exchangedUnsaved() throws {
    let world = try World()
    let mira = try world.device("mira")
    try world.save("47\n", as: "week.md", on: "mira")
    try world.exchange("mira", "tom")
    try world.save("47, edited\n", as: "week.md", on: "tom")
    #expect(rename(mira["week.md"].path, mira["week-47.md"].path) == 0)
    try mira.write("48\n", to: "week.md")
    try world.exchange("tom", "mira")
    #expect(try world.read("week-47.md", on: "mira") == "47, edited\n")
    #expect(try world.read("week.md", on: "mira") == "48\n")
    #expect(try world.read("week-47.md", on: "tom") == "47, edited\n")
  }

  @Test(
    "Edits from another device go to the documents that took each other’s names",
    arguments: [false, true])
  func turnedBetweenDevices(isSaved: Bool) throws {
    let world = try World()
    let mira = try world.device("mira")
    let list = ["milk", "bread", "tea", "rice", "salt"].map { "- \($0)\n" }
    for name in ["a.md", "b.md"] {
      try world.save("# \(name)\n\n\(list.joined())", as: name, on: "mira")
    }
    try world.exchange("mira", "tom")
    try world.save("# a.md\n\n\(list.joined())- plums\n", as: "a.md", on: "tom")
    for (name, place) in [("a.md", "t"), ("b.md", "a.md"), ("t", "b.md")] {
      #expect(rename(mira[name].path, mira[place].path) == 0)
    }
    if isSaved {
      for outcome in mira.store.saveEach([mira["b.md"], mira["a.md"]]) { _ = try outcome.get() }
    }
    try world.exchange("tom", "mira")
    try world.exchange("tom", "mira")
    for device in ["mira", "tom"] {
      #expect(try world.read("b.md", on: device) == "# a.md\n\n\(list.joined())- plums\n")
      #expect(try world.read("a.md", on: device) == "# b.md\n\n\(list.joined())")
    }
    try world.expectSound("mira", "tom")
  }
}
