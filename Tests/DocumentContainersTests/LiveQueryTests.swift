import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// A live query: changes of documents and of their versions make updates.
struct LiveQueryTests {
  /// A running query, and the documents that it has found so far.
  private struct Running {
    let query: DocumentQuery
    var updates: DocumentQuery.Updates.Iterator
    var items: [DocumentMetadata] = []

    init(
      _ predicate: DocumentPredicate = .all, in folder: String = "", on desk: Device
    ) async throws {
      query = DocumentQuery(predicate, in: [folder.isEmpty ? desk.container : desk[folder]])
      updates = query.updates(in: VersionStore(desk.store)).makeAsyncIterator()
      let first = try #require(try await updates.next())
      #expect(first.isInitial && first.changed.isEmpty && first.removed.isEmpty)
      query.apply(first, to: &items)
    }

    var names: [String] { items.map(\.name) }

    mutating func next() async throws -> DocumentQuery.Update {
      let update = try #require(try await updates.next())
      #expect(!update.isInitial)
      query.apply(update, to: &items)
      return update
    }

    /// Takes updates until the results meet a condition.
    mutating func take(until isDone: ([DocumentMetadata]) -> Bool) async throws {
      while !isDone(items) { _ = try await next() }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `files that come, change and go make updates`() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "a.txt")
    var running = try await Running(.like(\.name, "*.txt"), on: desk)
    #expect(running.names == ["a.txt"])
    try desk.write("new\n", to: "new/deep/b.txt")
    try desk.write("new\n", to: "new/deep/b.md")
    try await running.take { $0.count == 2 }
    try desk.write("changed\n", to: "a.txt")
    try await running.take { $0[0].size == 8 }
    try FileManager.default.moveItem(at: desk["new"], to: desk["old"])
    try await running.take { $0.last?.url.path.contains("/old/") == true && $0.count == 2 }
    try FileManager.default.removeItem(at: desk["old"])
    let last = try await running.next()
    #expect(last.removed.map(\.name) == ["b.txt"])
    #expect(last.added.isEmpty && last.changed.isEmpty)
    #expect(running.names == ["a.txt"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a folder that is moved away and comes back makes updates`() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "a.txt")
    var running = try await Running(on: desk)
    let files = FileManager.default
    let away = desk.container.deletingLastPathComponent().appending(path: "away")
    for _ in 1...2 {
      try files.moveItem(at: desk.container, to: away)
      try await running.take(until: \.isEmpty)
      try files.moveItem(at: away, to: desk.container)
      try await running.take { $0.map(\.name) == ["a.txt"] }
    }
    try desk.write("new\n", to: "b.txt")
    try await running.take { $0.map(\.name) == ["a.txt", "b.txt"] }
  }

  @Test(.timeLimit(.minutes(10)))
  func `folders that take each other’s places make updates, and are observed further`() async throws
  {
    let desk = try Device()
    for (name, text) in [("x/in/a.txt", "1"), ("x/in/b.txt", "12"), ("y/in/a.txt", "123")] {
      try desk.write(text, to: name)
    }
    var running = try await Running(on: desk)
    for (folder, place) in [("x", "z"), ("y", "x"), ("z", "y")] {
      try FileManager.default.moveItem(at: desk[folder], to: desk[place])
    }
    func paths(_ items: [DocumentMetadata]) -> [String: Int] {
      Dictionary(
        items.map { ($0.url.pathComponents.suffix(3).joined(separator: "/"), $0.size) },
        uniquingKeysWith: +)
    }
    let expected = ["x/in/a.txt": 3, "y/in/a.txt": 1, "y/in/b.txt": 2]
    try await running.take { paths($0) == expected }
    try desk.write("1234", to: "x/in/a.txt")
    try await running.take { paths($0)["x/in/a.txt"] == 4 }
    try desk.write("12345", to: "y/in/b.txt")
    try await running.take { paths($0)["y/in/b.txt"] == 5 }
    #expect(running.items.count == 3)
  }

  @Test(.timeLimit(.minutes(10)))
  func `documents that are saved for the first time stay in the results`() async throws {
    let desk = try Device()
    for name in ["x/a.txt", "y/b.txt", "y/c.txt"] { try desk.write("new\n", to: name) }
    var running = try await Running(.isIn(\.editState, [.edited, .unsaved]), on: desk)
    var others = try await Running(on: desk)
    #expect(running.names == ["a.txt", "b.txt", "c.txt"])
    try desk.store.save(desk["x/a.txt"])
    try desk.store.save(desk["y/b.txt"])
    try await running.take { $0.map(\.name) == ["c.txt"] }
    try desk.write("edited\n", to: "x/a.txt")
    try await running.take { $0.map(\.editState) == [.edited, .unsaved] }
    try await others.take { $0.first?.size == 7 }
    #expect(others.names == ["a.txt", "b.txt", "c.txt"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `containers that come, are moved and go make updates`() async throws {
    let desk = try Device()
    let other = try Device()
    try other.save("one\n", as: "x/a.txt")
    try other.save("two\n", as: "x/b.txt")
    var running = try await Running(on: desk)
    let files = FileManager.default
    try files.moveItem(at: other["x"], to: desk["x"])
    try await running.take { $0.map(\.name) == ["a.txt", "b.txt"] }
    try files.moveItem(at: desk["x"], to: desk["y"])
    try await running.take { $0.map(\.url) == [desk["y/a.txt"], desk["y/b.txt"]] }
    try files.moveItem(at: desk["y"], to: other["y"])
    try await running.take(until: \.isEmpty)
    try desk.store.save(other["y/a.txt"])
    try files.moveItem(at: other["y"], to: desk["x"])
    try await running.take { $0.count == 2 }
    try files.removeItem(at: desk["x"])
    try await running.take(until: \.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)), arguments: 1...10)
  func `a container can be removed while a query watches it`(round: Int) async throws {
    let desk = try Device()
    for number in 0..<20 { try desk.save("\(number)\n", as: "x/\(number).txt") }
    var running = try await Running(in: round.isMultiple(of: 2) ? "x" : "", on: desk)
    #expect(running.items.count == 20)
    async let isRemoved = Command.run("/bin/rm", ["-rf", desk["x"].path])
    try await running.take(until: \.isEmpty)
    #expect(try await isRemoved.exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: desk["x"].path))
  }

  @Test(.timeLimit(.minutes(10)))
  func `a running query makes nothing in a container`() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "a.txt")
    var running = try await Running(on: desk)
    let journal = desk[".docversions/sync/changes"]
    try FileManager.default.removeItem(at: journal)
    for name in ["b.txt", "c.txt"] {
      try desk.write("new\n", to: name)
      try await running.take { $0.last?.name == name }
      #expect(!FileManager.default.fileExists(atPath: journal.path))
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `documents that are listed, downloaded and listed again make updates`() async throws {
    let world = try World()
    try world.save("one\n", as: "a.md", on: "mira")
    try world.exchange("mira")
    let jo = try world.device("jo")
    try jo.store.setListsNewDocuments(true, in: jo.container)
    var running = try await Running(on: jo)
    #expect(running.items.isEmpty)
    try world.exchange("jo")
    try await running.take { $0.map(\.downloadingStatus) == [.notDownloaded] }
    try world.save("one and more\n", as: "a.md", on: "mira")
    try world.exchange("mira", "jo")
    try await running.take { $0.map(\.size) == [13] }
    try jo.store.setListsNewDocuments(false, in: jo.container)
    try world.exchange("jo")
    try await running.take { $0.map(\.downloadingStatus) == [.current] }
    #expect(running.names == ["a.md"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a folder that is only listed can be searched, before and after it appears`() async throws {
    let world = try World()
    let mira = try world.device("mira")
    try mira.store.makeContainer(mira.container)
    try world.save("one\n", as: "f1/sub/a.md", on: "mira")
    try world.save("two\n", as: "f2/b.md", on: "mira")
    try world.exchange("mira")
    let jo = try world.device("jo")
    try jo.store.setListsNewDocuments(true, in: jo.container)
    try world.exchange("jo")
    var deep = try await Running(in: "f1/sub", on: jo)
    var live = try await Running(in: "f1", on: jo)
    #expect(live.names == ["a.md"] && deep.names == ["a.md"])
    let overlapping = DocumentQuery(in: [jo["f1"], jo.container, jo["f2"]])
    #expect(
      try await overlapping.results(in: VersionStore(jo.store)).map(\.name) == ["a.md", "b.md"])
    for folder in ["f3", "f1/a"] {
      await #expect(throws: FileError.self) {
        try await DocumentQuery(in: [jo[folder]]).results(in: VersionStore(jo.store))
      }
    }
    try world.save("one and more\n", as: "f1/sub/a.md", on: "mira")
    try world.exchange("mira", "jo")
    try await live.take { $0.map(\.size) == [13] }
    try jo.store.setListsNewDocuments(false, in: jo.container)
    try world.exchange("jo")
    try await live.take { $0.map(\.downloadingStatus) == [.current] }
    try await deep.take { $0.map(\.downloadingStatus) == [.current] }
    try jo.write("new\n", to: "f1/sub/c.md")
    try await deep.take { $0.count == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what is done in one go is one update`() async throws {
    let desk = try Device()
    for number in 0..<20 { try desk.write("\(number)\n", to: "many/\(number).txt") }
    var running = try await Running(on: desk)
    #expect(running.items.count == 20)
    try FileManager.default.moveItem(at: desk["many"], to: desk.scratch["elsewhere"])
    let update = try await running.next()
    #expect(update.removed.count == 20)
    #expect(running.items.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a file that an editor replaces is one that changed`() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "a.txt")
    var running = try await Running(on: desk)
    try desk.write("longer\n", to: ".a.txt.new")
    try FileManager.default.removeItem(at: desk["a.txt"])
    try FileManager.default.moveItem(at: desk[".a.txt.new"], to: desk["a.txt"])
    let update = try await running.next()
    #expect(update.changed.map(\.name) == ["a.txt"])
    #expect(update.added.isEmpty && update.removed.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `members of packages that change, change the package`() async throws {
    let desk = try Device()
    try desk.write("1", to: "Trip.rtfd/pictures/1.txt")
    var running = try await Running(on: desk)
    #expect(running.items.map(\.size) == [1])
    try desk.write("22", to: "Trip.rtfd/pictures/2.txt")
    try await running.take { $0.map(\.size) == [3] }
    try desk.write("333", to: "Trip.rtfd/new/3.txt")
    try await running.take { $0.map(\.size) == [6] }
    try desk.write("4444", to: "Trip.rtfd/new/3.txt")
    try await running.take { $0.map(\.size) == [7] }
  }

  @Test(.timeLimit(.minutes(10)))
  func `conflicts that an exchange brings show, and go when they are resolved`() async throws {
    let world = try World()
    try world.save("base\n", as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    let mira = try world.device("mira")
    var running = try await Running(\.hasUnresolvedConflicts == true, on: mira)
    #expect(running.items.isEmpty)
    try world.save("of Mira\n", as: "a.md", on: "mira")
    try world.save("of Tom\n", as: "a.md", on: "tom")
    try world.exchange("mira", "tom")
    try await running.take { $0.map(\.name) == ["a.md"] }
    world.clock.advance(bySeconds: 60)
    let conflicts = try mira.store.history(of: mira["a.md"]).unresolvedConflicts
    for version in conflicts { try await version.markResolved() }
    try await running.take { $0.isEmpty }
  }

  @Test(.timeLimit(.minutes(10)))
  func `documents are edited until they are saved`() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "a.md")
    var running = try await Running(.isIn(\.editState, [.edited, .unsaved]), on: desk)
    try desk.write("edited\n", to: "a.md")
    try await running.take { $0.map(\.editState) == [.edited] }
    try desk.write("new\n", to: "b.md")
    try await running.take { $0.map(\.editState) == [.edited, .unsaved] }
    try desk.store.save(desk["a.md"])
    try desk.store.save(desk["b.md"])
    try await running.take { $0.isEmpty }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a query ends with its task`() async throws {
    let desk = try Device()
    let query = DocumentQuery(in: [desk.container])
    let store = VersionStore(desk.store)
    let (began, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for try await _ in query.updates(in: store) {
        count += 1
        signal.yield()
      }
      return count
    }
    for await _ in began { break }
    task.cancel()
    #expect(try await task.value == 1)
  }

  /// After any changes of files and folders, the updates lead to the results of a new search.
  @Test(.timeLimit(.minutes(10)), arguments: 1...8, [true, false])
  func `updates lead to what a new search finds`(seed: Int, isContainer: Bool) async throws {
    var random = SeededGenerator(seed: seed)
    let desk = try Device()
    if isContainer { try desk.save("one\n", as: "a.txt") }
    let predicate = .like(\.name, "*.txt") && \.size > 1
    var running = try await Running(predicate, on: desk)
    let places = ["", "x/", "x/y/", "z/", "P.rtfd/", "x/P.rtfd/in/"]
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = places.randomElement(using: &random) ?? ""
        let name =
          place + (["a.txt", "b.txt", "c.md", ".h.txt"].randomElement(using: &random) ?? "")
        let other = (places.randomElement(using: &random) ?? "") + "b.txt"
        try? act(Int.random(in: 0..<7, using: &random), name, other, place, desk, &random)
      }
      // One more, so that there is something to wait for.
      try desk.write(String(repeating: "x", count: 10 + round), to: "last.txt")
      try await running.take { $0.contains { $0.name == "last.txt" && $0.size == 10 + round } }
      let found = try await running.query.results(in: VersionStore(desk.store))
      // Reports may still come; each leads nearer.
      while running.items != found { _ = try await running.next() }
    }
  }

  private func act(
    _ number: Int, _ name: String, _ other: String, _ place: String, _ desk: Device,
    _ random: inout SeededGenerator
  ) throws {
    let files = FileManager.default
    switch number {
    case 0, 1:
      try desk.write(
        String(repeating: "y", count: Int.random(in: 0...4, using: &random)), to: name)
    case 2: try desk.save("\(random.next())\n", as: name)
    case 3: try files.removeItem(at: desk[name])
    case 4: if !place.isEmpty { try files.removeItem(at: desk[place]) }
    case 5: try files.moveItem(at: desk[name], to: desk[other])
    default:
      if !place.isEmpty {
        try files.moveItem(at: desk[place], to: desk["moved\(random.next() % 3)"])
      }
    }
  }
}
