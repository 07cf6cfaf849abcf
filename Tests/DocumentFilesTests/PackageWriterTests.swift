import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Replacing packages")
struct PackageWriterTests {
  /// A package with all that one can hold.
  private func makePackage(in place: Place) throws {
    try place.write("text", to: "P.pack/text", permissions: 0o640)
    try place.write("run", to: "P.pack/tools/run", permissions: 0o755)
    try place.write("keep", to: "P.pack/sealed/inner/kept")
    try place.makeLink("P.pack/link", to: "../outside")
    try place.makeFolder("P.pack/empty", permissions: 0o750)
    try place.setPermissions(0o555, of: "P.pack/sealed/inner")
    try place.setPermissions(0o555, of: "P.pack/sealed")
    try place.setPermissions(0o711, of: "P.pack/tools")
    try place.setPermissions(0o770, of: "P.pack")
  }

  @Test("Unchanged members stay the same files, and folders keep their permissions")
  func unchanged() throws {
    let place = try Place()
    try makePackage(in: place)
    func inode(_ name: String) throws -> UInt64 { try place.status(of: "P.pack/" + name).inode }
    let before = try (inode("tools/run"), inode("sealed/inner/kept"), inode("text"))
    try place.replace(
      "P.pack",
      with: .package([
        ("text", .text("new")), ("tools", .unchanged), ("sealed", .unchanged),
        ("empty", .unchanged), ("link", .unchanged), ("added", .text("added")),
      ]))
    #expect(try inode("tools/run") == before.0)
    #expect(try inode("sealed/inner/kept") == before.1)
    #expect(try inode("text") != before.2)
    #expect(try place.text(of: "P.pack/text") == "new")
    #expect(try place.permissions(of: "P.pack/text") == 0o640)
    #expect(try place.permissions(of: "P.pack/sealed") == 0o555)
    #expect(try place.permissions(of: "P.pack/sealed/inner") == 0o555)
    #expect(try place.permissions(of: "P.pack/tools") == 0o711)
    #expect(try place.permissions(of: "P.pack/empty") == 0o750)
    #expect(try place.permissions(of: "P.pack") == 0o770)
    #expect(try place.linkTarget(of: place["P.pack/link"]) == Array("../outside".utf8))
    #expect(try place.names() == ["P.pack"])
    try place.setPermissions(0o755, of: "P.pack/sealed")
    try place.setPermissions(0o755, of: "P.pack/sealed/inner")
  }

  @Test(
    "A package of many members is written whole, or not at all",
    arguments: [(10, nil), (300, nil), (300, 0), (300, 20), (300, 150), (300, 299)] as [(Int, Int?)]
  )
  func many(count: Int, failing: Int?) throws {
    struct NoContents: Error {}
    let place = try Place()
    try place.write("old", to: "P.pack/5")
    try place.setPermissions(0o600, of: "P.pack/5")
    let members = (0..<count).map { number in
      (
        "\(number)",
        DocumentItem.text("new \(number)") { if number == failing { throw NoContents() } }
      )
    }
    let package = DocumentItem.package([("folder", .package(members))] + members)
    if failing != nil {
      #expect(throws: NoContents.self) { try place.replace("P.pack", with: package) }
      #expect(try place.names(in: "P.pack") == ["5"])
    } else {
      try place.replace("P.pack", with: package)
      #expect(try place.names(in: "P.pack/folder").count == count)
      for number in 0..<count {
        #expect(try place.text(of: "P.pack/\(number)") == "new \(number)")
        #expect(try place.text(of: "P.pack/folder/\(number)") == "new \(number)")
      }
      #expect(try place.permissions(of: "P.pack/5") == 0o600)
    }
    #expect(try place.names() == ["P.pack"])
  }

  @Test("Read-only folders in a package do not hinder its owner")
  func readOnlyFolders() async throws {
    let place = try Place()
    try place.setPermissions(0o777, of: "")
    let root = place.root.string
    await #expect(processExitsWith: .success) { [root = root as String] in
      Nobody.become()
      let folder = FilePath(root)
      let path = folder.appending("P.pack")
      let sealed = { (text: String) -> DocumentItem in
        .package([("sealed", .package([("inner", .package([("kept", .text(text))]))]))])
      }
      try DocumentWriter.replace(path, with: sealed("1"), displacing: nil)
      for name in ["sealed/inner", "sealed", ""] {
        _ = chmod(path.pushing(FilePath(name)).string, 0o555)
      }
      try DocumentWriter.replace(
        path, with: sealed("2"), displacing: ItemListing(path, limits: nil))
      #expect(
        try DocumentReader.read(path) { Lister() }.node.last == "sealed: inner: kept: file 2")
      #expect(try FileStatus.of(path.appending("sealed"))?.permissions == 0o555)
      try DocumentWriter.remove(path, displacing: ItemListing(path, limits: nil))
      #expect(try Folder.names(in: folder).isEmpty)
    }
  }

  @Test(
    "An edit of a member in the last instant is kept, and reported",
    arguments: ["rewritten", "added", "removed", "renamed"])
  func lastInstant(edit: String) throws {
    let place = try Place()
    try place.write("1", to: "P.pack/sub/one")
    try place.write("2", to: "P.pack/sub/two")
    expectFileError(.changing) {
      try place.replace(
        "P.pack",
        with: .package([
          ("sub", .package([("one", .unchanged), ("two", .unchanged)])),
          (
            "new",
            .text("x") {
              switch edit {
              case "rewritten":
                let file = try FileHandle(forWritingTo: place.scratch["P.pack/sub/one"])
                try file.write(contentsOf: Data("9".utf8))
              case "added": try place.write("3", to: "P.pack/sub/three")
              case "removed": try Folder.removeTree(place["P.pack/sub/two"])
              default: try DocumentWriter.move(place["P.pack/sub/two"], to: place["P.pack/two"])
              }
            }
          ),
        ]))
    }
    let expected = [
      "rewritten": ["sub: one: file 9", "sub: two: file 2"],
      "added": ["sub: one: file 1", "sub: three: file 3", "sub: two: file 2"],
      "removed": ["sub: one: file 1"], "renamed": ["sub: one: file 1", "two: file 2"],
    ]
    let found = try DocumentReader.read(place["P.pack"]) { Lister() }.node
    #expect(found.filter { $0.contains("file") } == expected[edit])
    #expect(try place.names() == ["P.pack"])
  }

  @Test("Names and link targets are bytes, whatever they say")
  func rawNames() throws {
    let place = try Place()
    let names: [[UInt8]] = [
      [0xFF, 0xFE], [0xC3], Array("é".utf8), Array("e\u{301}".utf8), Array("a\nb".utf8), [1],
      [0x80],
      Array("日本語".utf8), Array("-rf".utf8), Array(repeating: 0xFF, count: 255),
    ]
    let target: [UInt8] = [0xFF, 0x2F, 0xFE]
    try DocumentWriter.replace(
      place["P.pack"],
      with: .folder {
        names.map { ($0, .text("x")) } + [([0xAA], .symbolicLink(target: target))]
      }, displacing: nil)
    #expect(
      try Folder.names(in: place["P.pack"])
        == (names + [[0xAA]]).sorted { $0.lexicographicallyPrecedes($1) })
    #expect(try place.linkTarget(of: place["P.pack"].appending(bytes: [0xAA])) == target)
    let read = try DocumentReader.read(place["P.pack"]) { Lister() }.node
    #expect(read.contains("\\xFF\\xFE: file x"))
    #expect(read.contains("\\xAA: link \\xFF/\\xFE"))
  }

  @Test(
    "A link with an impossible target is refused", arguments: [[], [0x61, 0, 0x62]] as [[UInt8]])
  func impossibleTarget(target: [UInt8]) throws {
    let place = try Place()
    expectFileError(.invalidName) {
      try DocumentWriter.replace(
        place["a"], with: .symbolicLink(target: target), displacing: nil)
    }
    #expect(try place.names().isEmpty)
  }

  @Test("A package is there, whole, at every moment")
  func wholeAtEveryMoment() throws {
    let place = try Place()
    try place.write("a", to: "P.pack/one")
    let reading = Meanwhile { _ in _ = try place.status(of: "P.pack/one") }
    for number in 1...40 {
      try place.replace("P.pack", with: .package([("one", .text("\(number)"))]))
    }
    try reading.stop()
  }

  @Test("A package can be made read-only for every user")
  func readOnly() throws {
    let place = try Place()
    try makePackage(in: place)
    try DocumentWriter.makeReadOnly(place["P.pack"])
    #expect(try place.permissions(of: "P.pack") == 0o550)
    #expect(try place.permissions(of: "P.pack/tools/run") == 0o555)
    #expect(try place.permissions(of: "P.pack/text") == 0o440)
  }
}
