import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Going through folders that others change")
struct OpenFolderTests {
  @Test("A folder that becomes a link while its parent is read leads nowhere")
  func swappedFolder() throws {
    let place = try Place()
    try place.write("secret", to: "outside/secret")
    try place.write("first", to: "P/a")
    try place.write("mine", to: "P/folder/b")
    let lister = Lister { _ in
      guard try place.status(of: "P/folder").kind == .folder else { return }
      try Folder.removeTree(place["P/folder"])
      try place.makeLink("P/folder", to: "../outside")
    }
    // The second attempt finds the link, and keeps it as one.
    let lines = try DocumentReader.read(place["P"]) { lister }.node
    #expect(lines == ["folder", "a: file first", "folder: link ../outside"])
  }

  @Test("A folder that is moved while it is used is not left to somewhere else")
  func movedFolder() throws {
    let place = try Place()
    try place.makeFolder("P/inner")
    try place.makeFolder("elsewhere")
    let folder = try OpenFolder(place["P"])
    try folder.enter(Array("inner".utf8))
    try DocumentWriter.move(place["P/inner"], to: place["elsewhere/inner"])
    expectFileError(.changing) { try folder.leave() }
  }

  @Test("A file that becomes a FIFO while it is read does not block", .timeLimit(.minutes(10)))
  func swappedFile() throws {
    let place = try Place()
    for name in ["a", "b"] { try place.write("text", to: "P/" + name) }
    let lister = Lister { _ in
      try #require(unlink(place["P/b"].string) == 0)
      try #require(mkfifo(place["P/b"].string, 0o600) == 0)
    }
    let error = expectFileError(.unsupportedKind) {
      _ = try DocumentReader.read(place["P"]) { lister }
    }
    #expect(error?.message.contains("a FIFO") == true)
  }

  @Test("Folders far deeper than a path can be are read, written and removed")
  func deep() throws {
    let place = try Place()
    let name = [UInt8](repeating: UInt8(ascii: "d"), count: 100)
    var item = DocumentItem.package([("file", .text("deep"))])
    for _ in 0..<300 {
      let inner = item
      item = .folder { [(name, inner)] }
    }
    try DocumentWriter.replace(place["P"], with: item, displacing: nil)
    let (_, count, facts) = try DocumentReader.read(place["P"]) { Deepest() }
    #expect(count == 302)
    #expect(try ItemListing(place["P"], limits: nil).isSameContent(as: facts))
    try DocumentWriter.replace(place["P"], with: .unchanged, displacing: facts)
    let second = try DocumentReader.read(place["P"]) { Deepest() }
    #expect(second.node == 302)
    try DocumentWriter.remove(place["P"], displacing: second.listing)
    #expect(try place.names().isEmpty)
  }

  private struct Deepest: DocumentVisitor {
    func file(_ contents: FileContents, isExecutable: Bool) throws -> Int {
      try #require(contents.read() == Array("deep".utf8))
      return 1
    }
    func symbolicLink(target: [UInt8]) -> Int { 1 }
    func folder(_ members: [(name: [UInt8], node: Int)]) -> Int {
      1 + (members.map(\.node).max() ?? 0)
    }
  }

  @Test(
    "A member with a name that leads elsewhere is not made",
    arguments: ["..", ".", "", "../out", "a/b", "/tmp/x", "a\0b"])
  func impossibleNames(name: String) throws {
    let place = try Place()
    expectFileError(.invalidName) {
      try DocumentWriter.replace(
        place["P"], with: .package([("first", .text("x")), (name, .text("x"))]), displacing: nil)
    }
    #expect(try place.names().isEmpty)
  }

  @Test(
    "Members whose names are one to the file system are refused with both", arguments: [0, 1, 2])
  func collision(kind: Int) throws {
    let place = try Place()
    try place.write("old", to: "P/a")
    let member: DocumentItem =
      switch kind {
      case 0: .text("new")
      case 1: .package([])
      default: .symbolicLink(target: [0x61])
      }
    // On a file system that tells all names apart, only the same name is one.
    let error = expectFileError(.invalidName) {
      try place.replace("P", with: .package([("other", .text("x")), ("a", member), ("a", member)]))
    }
    #expect(error?.message.contains("The members “a” and “a” can’t both be") == true)
    #expect(try place.text(of: "P/a") == "old")
    #expect(try place.names() == ["P"])
  }

  @Test("The reader reports the file's bytes as progress, and stops when cancelled")
  func progress() throws {
    struct Stop: Error {}
    let place = try Place()
    let size = 2 * FileContents.pieceSize + 1
    try place.write(String(repeating: "x", count: size), to: "a")
    var steps: [Int] = []
    _ = try DocumentReader.read(place["a"], progress: { steps.append($0) }) { Pieces() }
    #expect(steps == [FileContents.pieceSize, FileContents.pieceSize, 1])
    #expect(throws: Stop.self) {
      _ = try DocumentReader.read(place["a"], progress: { _ in throw Stop() }) { Pieces() }
    }
    #expect(throws: Stop.self) {
      try DocumentWriter.replace(
        place["a"], with: .text("new"), displacing: ItemListing(place["a"], limits: nil),
        progress: { _ in throw Stop() })
    }
    #expect(try place.names() == ["a"])
    #expect(try place.status(of: "a").size == size)
  }

  private struct Pieces: DocumentVisitor {
    func file(_ contents: FileContents, isExecutable: Bool) throws -> Int {
      var count = 0
      try contents.forEachPiece { count += $0.count }
      return count
    }
    func symbolicLink(target: [UInt8]) -> Int { 1 }
    func folder(_ members: [(name: [UInt8], node: Int)]) -> Int {
      members.reduce(0) { $0 + $1.node }
    }
  }

  @Test("A file is read again as long as it is the same, however many were read since")
  func rereading() throws {
    let place = try Place()
    let names = (0..<3).map { "P/\($0)" }
    for name in names { try place.write(name + " contents", to: name) }
    let files = try DocumentReader.read(place["P"]) { Rereader() }.node
    for (read, name) in zip(files, names) {
      #expect(try read(4..<12) == Array("contents".utf8), "\(name)")
    }
    try place.write("P/1 changed!", to: "P/1")
    #expect(try files[0](0..<3) == Array("P/0".utf8))
    expectFileError(.changing) { _ = try files[1](0..<3) }
    expectFileError(.changing) { _ = try files[2](0..<100) }
  }

  private struct Rereader: DocumentVisitor {
    typealias Read = @Sendable (Range<Int>) throws -> [UInt8]

    func file(_ contents: FileContents, isExecutable: Bool) throws -> [Read] {
      [try #require(contents.rereading)]
    }
    func symbolicLink(target: [UInt8]) -> [Read] { [] }
    func folder(_ members: [(name: [UInt8], node: [Read])]) -> [Read] { members.flatMap(\.node) }
  }
}

@Suite("What killed processes leave beside documents")
struct TemporaryItemTests {
  @Test("What was never completed goes, everything else stays")
  func unfinished() throws {
    let place = try Place()
    for name in [
      ".docversions-ab12-1-new.tmp", ".docversions-ab12-2-old.tmp", ".docversions-cd34-1-new.tmp",
      ".docversions-3-new.tmp", ".docversions-123.tmp", "a", ".docversions-ab12-3-new.tmp/inner",
      ".docversions-ab12-4-in-sub%2Fa-old.tmp", ".docversions-ab12-5-in-%2-old.tmp",
    ] {
      try place.write("x", to: name)
    }
    let displaced = try TemporaryItems.removeUnfinished(mark: "ab12", in: place.root)
    let member = place[".docversions-ab12-4-in-sub%2Fa-old.tmp"]
    let way = ["sub", "a"].map { Array($0.utf8) }
    let expected: [TemporaryItems.Displaced] = [
      .init(path: place[".docversions-ab12-2-old.tmp"], member: []),
      .init(path: member, member: way),
    ]
    #expect(displaced == expected)
    #expect(
      try place.names() == [
        ".docversions-123.tmp", ".docversions-3-new.tmp", ".docversions-ab12-2-old.tmp",
        ".docversions-ab12-4-in-sub%2Fa-old.tmp", ".docversions-ab12-5-in-%2-old.tmp",
        ".docversions-cd34-1-new.tmp", "a",
      ])
  }

  @Test(
    "The name of a temporary file contains the path of a member, of any bytes",
    arguments: [
      ["a"], ["sub", "a b.txt"], ["é", "-in-", "%2F", "x-old.tmp"], ["\u{1}\n", "日本語"],
    ])
  func memberNames(way: [String]) throws {
    let bytes = way.map { Array($0.utf8) + [0xFF] }
    let name = TemporaryName(mark: "ab12", member: bytes).old
    let plain: ClosedRange<UInt8> = 0x21...0x7E
    let isPlain = name.utf8.allSatisfy { plain.contains($0) && $0 != UInt8(ascii: "/") }
    #expect(isPlain)
    let rest = name.dropFirst(TemporaryName.stem("ab12").count)
    #expect(TemporaryName.member(in: rest.dropLast(TemporaryName.oldSuffix.count)) == bytes)
  }

  @Test("While an item is built its name says so, and that it is no edit")
  func names() throws {
    let place = try Place()
    try place.write("old", to: "a")
    var seen: [String] = []
    let item = DocumentItem.text("new") { seen = try place.names() }
    try DocumentWriter.replace(
      place["a"], with: item, displacing: ItemListing(place["a"], limits: nil), mark: "ab12")
    #expect(seen.count == 2)
    #expect(seen[0].hasPrefix(".docversions-ab12-") && seen[0].hasSuffix("-new.tmp"))
    #expect(try place.names() == ["a"])
  }
}
