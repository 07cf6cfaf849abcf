import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Documents are found by their properties.
struct QueryTests {
  private let desk: Device

  init() throws {
    desk = try Device()
    try desk.save("to pack: a tent\n", as: "trip.txt")
    try desk.save("# Notes\n", as: "notes/a.md")
    try desk.write("new\n", to: "notes/b.txt")
    try desk.write("12345678901", to: "notes/deep/large.txt")
    for name in [
      ".hidden.txt", "trip.txt~", "notes/.git/HEAD.txt", "apart/.docversions/x", "apart/c.txt",
    ] {
      try desk.write("no document of this folder\n", to: name)
    }
    try desk.write("page\n", to: "Trip.rtfd/TXT.rtf")
  }

  private func names(_ predicate: DocumentPredicate, in folder: String? = nil) async throws
    -> [String]
  {
    let scope = folder.map { desk[$0] } ?? desk.container
    let query = DocumentQuery(predicate, in: [scope])
    return try await query.results(in: VersionStore(desk.store)).map(\.name)
  }

  @Test func `all documents are found, and nothing else`() async throws {
    #expect(try await names(.all) == ["Trip.rtfd", "a.md", "b.txt", "large.txt", "trip.txt"])
    #expect(try await names(.all, in: "notes") == ["a.md", "b.txt", "large.txt"])
  }

  @Test(arguments: [
    (DocumentPredicate.like(\.name, "*.txt"), ["b.txt", "large.txt", "trip.txt"]),
    (.like(\.name, "?.*"), ["a.md", "b.txt"]),
    (.like(\.displayName, "large"), ["large.txt"]),
    (\.size > 10 && .like(\.name, "l*"), ["large.txt"]),
    (\.size <= 5, ["Trip.rtfd", "b.txt"]),
    (\.isPackage == true, ["Trip.rtfd"]),
    (!(\.isPackage == true) && !.like(\.name, "*.txt"), ["a.md"]),
    (\.name == "a.md" || \.name == "b.txt", ["a.md", "b.txt"]),
    (.isIn(\.name, ["a.md", "z.md"]), ["a.md"]),
    (.isIn(\.editState, [.unsaved]), ["Trip.rtfd", "b.txt", "large.txt"]),
    (\.editState == .unchanged, ["a.md", "trip.txt"]),
    (\.hasUnresolvedConflicts == true, []),
    (\.downloadingStatus != .current, []),
  ])
  func `conditions hold of those they should`(
    predicate: DocumentPredicate, expected: [String]
  ) async throws {
    #expect(try await names(predicate) == expected)
  }

  @Test func `a kind of types is found, and contents are searched`() async throws {
    #expect(try await names(.conforms(to: "public.plain-text")).contains("trip.txt"))
    #expect(try await names(.contains(.text("A TENT"))) == ["trip.txt"])
    #expect(try await names(.contains(.text("page")) && \.isPackage == true) == ["Trip.rtfd"])
    #expect(
      try await names(.contains(.expression("^new$")) || \.size > 15) == ["b.txt", "trip.txt"])
  }

  @Test func `documents that are not downloaded are found by what is known of them`() async throws {
    let world = try World()
    try world.save("base\n", as: "a.md", on: "mira")
    try world.save("a longer one\n", as: "trips/b.txt", on: "mira")
    try world.exchange("mira", "tom")
    for name in ["mira", "tom"] { try world.save("by \(name)\n", as: "a.md", on: name) }
    try world.exchange("mira", "tom")
    let jo = try world.device("jo")
    try jo.store.setListsNewDocuments(true, in: jo.container)
    try world.exchange("jo")
    func names(_ predicate: DocumentPredicate, in folder: URL? = nil) async throws -> [String] {
      try await DocumentQuery(predicate, in: [folder ?? jo.container])
        .results(in: VersionStore(jo.store)).map(\.name)
    }
    let all = try await DocumentQuery(in: [jo.container]).results(in: VersionStore(jo.store))
    #expect(all.map(\.url) == [jo["a.md"], jo["trips/b.txt"]])
    #expect(all.map(\.downloadingStatus) == [.notDownloaded, .notDownloaded])
    #expect(all.map(\.hasUnresolvedConflicts) == [true, false])
    #expect(all[1].size == 13)
    #expect(all[1].contentType == "public.plain-text")
    #expect(try await names(\.downloadingStatus == .notDownloaded) == ["a.md", "b.txt"])
    #expect(try await names(\.downloadingStatus == .current).isEmpty)
    #expect(try await names(.like(\.name, "*.txt")) == ["b.txt"])
    #expect(try await names(.contains(.text("longer"))).isEmpty)
    #expect(try await names(.isIn(\.editState, [.edited, .unsaved])).isEmpty)
    // A file in the place of a listed document is found instead.
    try jo.write("mine\n", to: "a.md")
    #expect(try await names(\.downloadingStatus == .notDownloaded) == ["b.txt"])
    #expect(try await names(.all) == ["a.md", "b.txt"])
  }

  @Test func `results are in the order that is asked for`() async throws {
    let query = DocumentQuery(
      .like(\.name, "*.txt"), in: [desk.container],
      sortedBy: [DocumentSortDescriptor(\.size, ascending: false)])
    #expect(
      try await query.results(in: VersionStore(desk.store)).map(\.name)
        == ["trip.txt", "large.txt", "b.txt"])
  }

  @Test func `folders in one another find a document once`() async throws {
    let query = DocumentQuery(
      .like(\.name, "a*"), in: [desk["notes"], desk.container, desk["notes"]])
    #expect(try await query.results(in: VersionStore(desk.store)).map(\.name) == ["a.md"])
  }

  @Test func `containers below a folder that is in none are searched`() async throws {
    let desk = try Device()
    try desk.save("one\n", as: "x/a.md")
    try desk.save("two\n", as: "y/deep/b.md")
    try desk.write("edited\n", to: "y/deep/b.md")
    try desk.write("new\n", to: "c.md")
    try desk.write("no document of y\n", to: "x/apart/.docversions/x")
    try desk.write("no document of y\n", to: "x/apart/d.md")
    func names(_ predicate: DocumentPredicate) async throws -> [String] {
      try await DocumentQuery(predicate, in: [desk.container])
        .results(in: VersionStore(desk.store)).map(\.name)
    }
    #expect(try await names(.all) == ["c.md", "a.md", "b.md"])
    #expect(try await names(\.editState == .unchanged) == ["a.md"])
    #expect(try await names(\.editState == .edited) == ["b.md"])
  }

  @Test(arguments: ["nowhere", "trip.txt"])
  func `what is no folder is refused`(name: String) async throws {
    await #expect(throws: FileError.self) {
      try await DocumentQuery(in: [desk[name]]).results(in: VersionStore(desk.store))
    }
  }

  @Test func `a document in a conflict is found`() async throws {
    let world = try World()
    try world.disagree(base: "base\n", mira: "of Mira\n", tom: "of Tom\n")
    try world.save("other\n", as: "b.md", on: "tom")
    let desk = try world.device("tom")
    let query = DocumentQuery(\.hasUnresolvedConflicts == true, in: [desk.container])
    #expect(try await query.results(in: VersionStore(desk.store)).map(\.name) == ["a.md"])
  }

  @Test(arguments: [
    ("*", "", true), ("*", "abc", true), ("?", "", false), ("?", "ä", true), ("a*c", "abbc", true),
    ("a*c", "abcd", false), ("*b*", "abc", true), ("\\*", "*", true), ("\\*", "a", false),
    ("a\\?c", "a?c", true), ("a\\?c", "abc", false), ("*.t?t", "a.b.txt", true), ("", "", true),
    ("", "a", false), ("**a", "ba", true),
  ])
  func `a pattern is like the whole name`(pattern: String, name: String, expected: Bool)
    async throws
  {
    let desk = try Device()
    // The key is a constant name, so that every text can be tried.
    try desk.write("x", to: "x.txt")
    let query = DocumentQuery(
      .like(\DocumentMetadata.[constant: name], pattern), in: [desk.container])
    #expect(try await query.results().isEmpty != expected)
  }

  @Test func `a query searches parts of a container`() async throws {
    let scratch = try ScratchFolder()
    let container = try await UbiquityContainers(in: scratch["data"])
      .url(forUbiquityContainerIdentifier: "a")
    for path in ["Documents/a.md", "Documents/sub/b.md", "c.md", "Documents 2/d.md"] {
      let file = container.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try "text".write(to: file, atomically: true, encoding: .utf8)
    }
    func names(_ scopes: Set<DocumentQuery.Scope>) async throws -> [String] {
      try await DocumentQuery(in: scopes, of: container).results().map(\.name)
    }
    #expect(try await names([.documents]) == ["a.md", "b.md"])
    #expect(try await names([.data]) == ["d.md", "c.md"])
    #expect(try await names([.documents, .data]) == ["d.md", "a.md", "b.md", "c.md"])
    #expect(try await names([]) == [])
  }
}

extension DocumentMetadata {
  fileprivate subscript(constant text: String) -> String { text }
}
