import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Replacing one file of a package")
struct MemberWriterTests {
  /// Creates a package whose other members must stay unchanged.
  private func makePackage() throws -> Place {
    let place = try Place()
    try place.write("1", to: "P.pack/sub/one", permissions: 0o640)
    try place.write("2", to: "P.pack/sub/two")
    try place.write("3", to: "P.pack/three")
    return place
  }

  private func stage(
    _ item: DocumentItem, in place: Place, mark: String? = "ab12"
  ) throws -> DocumentWriter.StagedItem {
    try DocumentWriter.stage(
      place["P.pack"], item, displacing: ItemListing(place["P.pack"], limits: nil), mark: mark)
  }

  private func lines(of name: String = "P.pack", in place: Place) throws -> [String] {
    try DocumentReader.read(place[name]) { Lister() }.node.filter { $0.contains(": file ") }
  }

  /// A change of one file, and its result.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let item: @Sendable () -> DocumentItem
    let result: [String]
  }

  private static let changes = [
    Change(
      testDescription: "another one", item: { package(sub: [("one", .text("new")), two]) },
      result: ["sub: one: file new", "sub: two: file 2", "three: file 3"]),
    Change(
      testDescription: "a new one", item: { package(sub: [one, two, ("zero", .text("0"))]) },
      result: ["sub: one: file 1", "sub: two: file 2", "sub: zero: file 0", "three: file 3"]),
    Change(
      testDescription: "one less", item: { package(sub: [two]) },
      result: ["sub: two: file 2", "three: file 3"]),
  ]

  private typealias Member = (String, DocumentItem)
  private static var one: Member { ("one", .unchanged) }
  private static var two: Member { ("two", .unchanged) }
  private static var three: Member { ("three", .unchanged) }

  /// Returns the package with different members in its folder, and others beside it.
  private static func package(sub: [Member], _ others: [Member] = [three]) -> DocumentItem {
    let folder: Member = ("sub", .package(sub))
    return .package([folder] + others)
  }

  @Test("Nothing but the file is touched", arguments: changes)
  func onlyMember(change: Change) throws {
    let place = try makePackage()
    let untouched = ["P.pack", "P.pack/sub", "P.pack/sub/two", "P.pack/three"]
    let before = try untouched.map { try place.status(of: $0) }
    let staged = try stage(change.item(), in: place)
    #expect(!staged.member.isEmpty)
    #expect(try lines(in: place) == ["sub: one: file 1", "sub: two: file 2", "three: file 3"])
    try staged.place()
    #expect(try lines(in: place) == change.result)
    for (name, status) in zip(untouched, before) {
      #expect(try place.status(of: name).isSameItem(as: status))
    }
    // The two files haven't even been renamed in the meantime.
    #expect(try place.status(of: "P.pack/three") == before[3])
    if change.result.contains("sub: one: file new") {
      #expect(try place.permissions(of: "P.pack/sub/one") == 0o640)
    }
    #expect(try place.names() == ["P.pack"])
  }

  @Test("Where more than one file is another one, the package is replaced as a whole")
  func whole() throws {
    let place = try makePackage()
    let sub = [Self.one, Self.two]
    let new: Member = ("new", .package([("x", .text("x"))]))
    let renamed: Member = ("four", .replacing(Array("three".utf8), .unchanged))
    var items = [DocumentItem.package([Self.three]), Self.package(sub: sub, [Self.three, new])]
    items.append(Self.package(sub: [("one", .text("x")), Self.two], [("three", .text("x"))]))
    items.append(Self.package(sub: sub, [("three", .symbolicLink(target: [0x61]))]))
    items.append(Self.package(sub: sub, [("three", .package([("x", .text("x"))]))]))
    items.append(Self.package(sub: sub, [renamed]))
    let long: Member = (String(repeating: "n", count: 250), .text("x"))
    items.append(Self.package(sub: sub, [Self.three, long]))
    for item in items { #expect(try stage(item, in: place).member.isEmpty) }
    // No process would remove the rest of it.
    let one = Self.package(sub: [("one", .text("x")), Self.two])
    #expect(try stage(one, in: place, mark: nil).member.isEmpty)
    #expect(try place.names() == ["P.pack"])
  }

  @Test("A member that other users can't reach never lies beside the package where they can")
  func privateFolders() throws {
    let place = try makePackage()
    try place.setPermissions(0o755, of: "")
    func isAlone(_ package: DocumentItem) throws -> Bool {
      let staged = try stage(package, in: place)
      let status = try #require(try FileStatus.of(staged.location))
      if staged.member.isEmpty {
        #expect(try status.permissions == place.permissions(of: "P.pack"))
      }
      return !staged.member.isEmpty
    }
    let changed = Self.package(sub: [("one", .text("new")), Self.two])
    let added = Self.package(sub: [Self.one, Self.two, ("zero", .text("0"))])
    let removed = Self.package(sub: [Self.two])
    for folder in ["P.pack", "P.pack/sub"] {
      try place.setPermissions(0o700, of: folder)
      for package in [changed, added, removed] { #expect(try !isAlone(package)) }
      try place.setPermissions(0o600, of: "P.pack/sub/one")
      #expect(try isAlone(changed))
      // Users of the group can pass the folder, and read the member.
      try place.setPermissions(0o640, of: "P.pack/sub/one")
      try place.setPermissions(0o710, of: folder)
      #expect(try isAlone(changed))
      try place.setPermissions(0o755, of: folder)
      #expect(try isAlone(added))
    }
    // Other users reach neither of the places.
    try place.setPermissions(0o700, of: "P.pack")
    try place.setPermissions(0o700, of: "")
    #expect(try isAlone(added))
  }

  @Test(
    "A change of another process in between is kept, and reported",
    arguments: ["rewritten", "another file", "added elsewhere", "folder moved", "package moved"])
  func lastInstant(edit: String) throws {
    let place = try makePackage()
    let staged = try stage(Self.package(sub: [("one", .text("new")), Self.two]), in: place)
    switch edit {
    case "rewritten": try place.write("9", to: "P.pack/sub/one")
    case "another file":
      try DocumentWriter.move(place.write("9", to: "other"), to: place["P.pack/other"])
    case "added elsewhere": try place.write("9", to: "P.pack/nine")
    case "folder moved": try DocumentWriter.move(place["P.pack/sub"], to: place["sub"])
    default:
      try DocumentWriter.move(place["P.pack"], to: place["Q.pack"])
      try place.write("9", to: "P.pack/nine")
    }
    let before = try snapshot(place)
    expectFileError(.changing) { try staged.place() }
    #expect(try snapshot(place) == before)
    withExtendedLifetime(staged) {}
  }

  /// Returns all files except temporary ones, by their paths.
  private func snapshot(_ place: Place) throws -> [String] {
    try lines(of: "", in: place).filter { !$0.hasPrefix(".docversions-") }
  }

  /// Replaces one file of the present package.
  ///
  /// - Returns: whether it was the other package; nil if another thread was faster.
  private func replaceFirst(in place: Place, with text: String) throws -> Bool? {
    do {
      let listing = try ItemListing(place["P.pack"], limits: nil)
      let isOther = listing.members?.count == 1
      let new: Member = ("one", .text(text))
      let item = isOther ? Self.package(sub: [new], []) : Self.package(sub: [new, Self.two])
      try DocumentWriter.replace(place["P.pack"], with: item, displacing: listing, mark: "ab12")
      return isOther
    } catch let error as FileError where [.changing, .notFound].contains(error.code) {
      return nil
    }
  }

  @Test("A process that replaces the package at any moment loses nothing")
  func exchangedMeanwhile() throws {
    let place = try makePackage()
    try place.write("other", to: "Q.pack/sub/one")
    let swapping = Meanwhile { _ in
      _ = try ItemPlace.at(place["P.pack"]).exchange(with: .at(place["Q.pack"]))
    }
    var texts = ["1", "other"]
    for number in 0..<300 {
      if let isOther = try replaceFirst(in: place, with: "new \(number)") {
        texts[isOther ? 1 : 0] = "new \(number)"
      }
    }
    try swapping.stop()
    let isSwapped = try FileStatus.of(place["P.pack/three"]) == nil
    let (first, second) = isSwapped ? ("Q", "P") : ("P", "Q")
    let found = [
      try place.text(of: first + ".pack/sub/one"), try place.text(of: second + ".pack/sub/one"),
    ]
    #expect(found == texts)
    #expect(try place.names() == ["P.pack", "Q.pack"])
  }

  @Test("Where the folder is read-only, its owner gets the package replaced as a whole")
  func readOnlyFolder() async throws {
    let place = try Place()
    try place.setPermissions(0o777, of: "")
    let root = place.root.string
    await #expect(processExitsWith: .success) { [root = root as String] in
      Nobody.become()
      let path = FilePath(root).appending("P.pack")
      let sealed = { (text: String) -> DocumentItem in
        .package([("sealed", .package([("one", .text(text))]))])
      }
      try DocumentWriter.replace(path, with: sealed("1"), displacing: nil)
      _ = chmod(path.appending("sealed").string, 0o555)
      let staged = try DocumentWriter.stage(
        path, sealed("2"), displacing: ItemListing(path, limits: nil), mark: "ab12")
      #expect(!staged.member.isEmpty)
      try staged.place()
      #expect(try DocumentReader.read(path) { Lister() }.node.last == "sealed: one: file 2")
      #expect(try FileStatus.of(path.appending("sealed"))?.permissions == 0o555)
      #expect(try Folder.names(in: FilePath(root)).count == 1)
    }
  }
}
