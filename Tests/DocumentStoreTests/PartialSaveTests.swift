import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Saving a package of which it is known what changed")
struct PartialSaveTests {
  private func makePackage() throws -> Device {
    let desk = try Device()
    for folder in ["a", "b", "b/c"] {
      for number in 0..<5 {
        try desk.write("\(folder) \(number)", to: "P.notes/\(folder)/\(number)")
      }
    }
    try desk.write("top", to: "P.notes/top.txt")
    try FileManager.default.createSymbolicLink(
      atPath: desk["P.notes/link"].path, withDestinationPath: "top.txt")
    var generator = SeededGenerator(seed: 1)
    try Data(generator.bytes(ChunkedFile.threshold + 5)).write(to: desk["P.notes/b/large"])
    try desk.store.save(desk["P.notes"])
    return desk
  }

  /// Returns the facts of a version, except for its time and its parents.
  private func facts(_ version: FileVersion) throws -> [String] {
    let record = try version.environment.reading(version.documentURL) {
      try $0.knownRecord(version)
    }
    let content = try #require(record.content)
    return [
      content.tree.description, content.digest, "\(content.bytes)", "\(content.files)",
      "\(content.isPackage)",
    ]
  }

  /// A change of a package, with the members that have to be named.
  enum Change: String, CaseIterable {
    case edited, added, removed, folderAdded, folderRemoved, fileBecomesFolder, folderBecomesFile
    case link, large, executable, several, nothing, lastOfFolder

    func make(in desk: Device) throws -> [String] {
      let files = FileManager.default
      func remove(_ name: String) throws { try files.removeItem(at: desk["P.notes/\(name)"]) }
      switch self {
      case .edited:
        try desk.write("new", to: "P.notes/b/c/3")
        return ["b/c/3"]
      case .added:
        try desk.write("new", to: "P.notes/b/new")
        return ["b/new"]
      case .removed:
        try remove("a/2")
        return ["a/2"]
      case .folderAdded:
        try desk.write("new", to: "P.notes/x/y/z")
        return ["x/y/z"]
      case .folderRemoved:
        try remove("b")
        return ["b"]
      case .fileBecomesFolder:
        try remove("top.txt")
        try desk.write("new", to: "P.notes/top.txt/inside")
        return ["top.txt"]
      case .folderBecomesFile:
        try remove("b/c")
        try desk.write("new", to: "P.notes/b/c")
        return ["b/c"]
      case .link:
        try remove("link")
        try files.createSymbolicLink(
          atPath: desk["P.notes/link"].path, withDestinationPath: "a")
        return ["link"]
      case .large:
        var generator = SeededGenerator(seed: 2)
        try Data(generator.bytes(ChunkedFile.threshold + 9)).write(to: desk["P.notes/b/large"])
        return ["b/large"]
      case .executable:
        try files.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: desk["P.notes/a/1"].path)
        return ["a/1"]
      case .several:
        try desk.write("new", to: "P.notes/a/1")
        try desk.write("new", to: "P.notes/b/c/1")
        try remove("b/2")
        return ["a/1", "b/c", "b/2", "b/c/1"]
      case .nothing: return ["a/1", "b/c"]
      case .lastOfFolder:
        for number in 0..<5 { try remove("a/\(number)") }
        return (0..<5).map { "a/\($0)" }
      }
    }
  }

  @Test(
    "It is the version that reading all of it gives", arguments: Change.allCases, [true, false])
  func same(change: Change, isRecorded: Bool) throws {
    let desk = try makePackage()
    let store = try DocumentLocation(of: desk["P.notes"]).store.string
    if !isRecorded { try FileManager.default.removeItem(atPath: store + "/known-members") }
    let changed = try change.make(in: desk)
    desk.clock.advance(bySeconds: 60)
    let outcome = try desk.store.save(desk["P.notes"], changed: changed, note: "partial")
    #expect(outcome.isNew == (change != .nothing))
    // All of it is read, by another container's store.
    let other = try Device()
    try FileManager.default.copyItem(at: desk["P.notes"], to: other["P.notes"])
    #expect(try facts(outcome.version) == facts(other.store.save(other["P.notes"]).version))
    // And by this one, which has noted what it saw.
    #expect(try desk.store.state(of: desk["P.notes"]) == .unchanged)
    #expect(try !desk.store.save(desk["P.notes"]).isNew)
    try desk.expectSound()
    try desk.write("more", to: "P.notes/more")
    desk.clock.advance(bySeconds: 60)
    #expect(try desk.store.save(desk["P.notes"]).isNew)
    try desk.store.restore(outcome.version)
    #expect(try desk.store.state(of: desk["P.notes"]) == .unchanged)
  }

  @Test("What was not named stays edited, and is in the next version")
  func unnamed() throws {
    let desk = try makePackage()
    try desk.write("said", to: "P.notes/a/1")
    try desk.write("unsaid", to: "P.notes/b/1")
    let version = try desk.store.save(desk["P.notes"], changed: ["a/1"]).version
    #expect(try desk.store.contents(of: version, member: "a/1") == Data("said".utf8))
    #expect(try desk.store.contents(of: version, member: "b/1") == Data("b 1".utf8))
    #expect(try desk.store.state(of: desk["P.notes"]) == .edited)
    let next = try desk.store.save(desk["P.notes"]).version
    #expect(try desk.store.contents(of: next, member: "b/1") == Data("unsaid".utf8))
  }

  @Test("A first version has all of it, and a file is saved as it is")
  func first() throws {
    let desk = try Device()
    try desk.write("1", to: "P.notes/1")
    try desk.write("2", to: "P.notes/2")
    #expect(try desk.store.save(desk["P.notes"], changed: ["1"]).version.fileCount == 2)
    try desk.write("3", to: "folder/3")
    #expect(throws: (any Error).self) { _ = try desk.store.save(desk["folder"], changed: ["3"]) }
    let folder = try desk.store.save(desk["folder"], changed: ["3"], asPackage: true).version
    #expect(folder.isPackage)
    try desk.write("text", to: "a.md")
    #expect(try desk.store.save(desk["a.md"], changed: ["x"]).version.size == 4)
  }

  @Test(
    "Nothing outside the package is read",
    arguments: ["..", "a/../../x", ".", "", "/", "/a/1", "out/secret"])
  func outside(path: String) throws {
    let desk = try makePackage()
    try desk.write("secret", to: "elsewhere/secret")
    try FileManager.default.createSymbolicLink(
      atPath: desk["P.notes/out"].path, withDestinationPath: desk["elsewhere"].path)
    if path == "out/secret" {
      // The link is new, so it is taken as what it is.
      let version = try desk.store.save(desk["P.notes"], changed: [path]).version
      #expect(
        try desk.store.contents(of: version, member: "out") == Data(desk["elsewhere"].path.utf8))
    } else {
      expectVersionError(.invalidArgument) {
        _ = try desk.store.save(desk["P.notes"], changed: [path])
      }
    }
  }

  @Test(
    "What neither is there nor was is a mistake",
    arguments: ["a/9", "no/1", "P.notes/a/1"])
  func missing(path: String) throws {
    let desk = try makePackage()
    try desk.write("new", to: "P.notes/a/1")
    expectVersionError(.noSuchMember) {
      _ = try desk.store.save(desk["P.notes"], changed: ["a/1", path])
    }
    #expect(try desk.store.history(of: desk["P.notes"]).count == 1)
  }

  @Test("Nothing is below a file or a link, and a folder that became a file is one")
  func belowFiles() throws {
    let desk = try makePackage()
    try FileManager.default.createSymbolicLink(
      atPath: desk["P.notes/way"].path, withDestinationPath: "a")
    try desk.store.save(desk["P.notes"])
    try desk.write("new", to: "P.notes/a/1")
    for path in ["way/1", "way/none", "a/1/2"] {
      expectVersionError(.noSuchMember) {
        _ = try desk.store.save(desk["P.notes"], changed: [path])
      }
    }
    try FileManager.default.removeItem(at: desk["P.notes/a"])
    try desk.write("a file", to: "P.notes/a")
    let version = try desk.store.save(desk["P.notes"], changed: ["a/1"]).version
    #expect(try desk.store.contents(of: version, member: "a") == Data("a file".utf8))
    #expect(try desk.store.state(of: desk["P.notes"]) == .unchanged)
  }

  @Test("Chunks of large members are cached, also of those that are not read")
  func chunks() throws {
    let desk = try makePackage()
    var generator = SeededGenerator(seed: 3)
    let bytes = generator.bytes(ChunkedFile.threshold + 7)
    try Data(bytes).write(to: desk["P.notes/other"])
    try desk.store.save(desk["P.notes"], changed: ["other"])
    generator = SeededGenerator(seed: 1)
    let store = try DocumentLocation(of: desk["P.notes"]).store
    var known = CachedChunks(in: store)
    for bytes in [bytes, generator.bytes(ChunkedFile.threshold + 5)] {
      let id = known.see(ContentDigest(of: bytes[..<Chunker.firstCut(in: bytes[...])]))
      #expect(id != nil)
    }
  }

  @Test("A folder that became a link is not followed")
  func folderBecameLink() throws {
    let desk = try makePackage()
    try FileManager.default.moveItem(at: desk["P.notes/a"], to: desk["elsewhere"])
    try desk.write("secret", to: "elsewhere/1")
    try FileManager.default.createSymbolicLink(
      atPath: desk["P.notes/a"].path, withDestinationPath: desk["elsewhere"].path)
    #expect(throws: (any Error).self) {
      _ = try desk.store.save(desk["P.notes"], changed: ["a/1"])
    }
    #expect(try desk.store.history(of: desk["P.notes"]).count == 1)
  }
}
