import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Temporary files of a killed process beside the document")
struct DisplacedDocumentTests {
  /// Creates a document with two versions, and the file that a process left that was killed while it restored
  /// one.
  private func makeDesk(displaced: String) throws -> (desk: Device, temporary: String) {
    let desk = try Device()
    try desk.save("1\n", as: "a.md")
    try desk.save("2\n", as: "a.md")
    let location = try DocumentLocation(of: desk["a.md"])
    let mark = try StoreReader(location, in: desk.store.environment).documentIdentifier
    try desk.write("2", to: ".docversions-\(mark)-1-new.tmp")
    let temporary = ".docversions-\(mark)-2-old.tmp"
    try desk.write(displaced, to: temporary)
    return (desk, temporary)
  }

  private func die(_ desk: Device) throws {
    try desk.write("pid 1", to: ".docversions/documents/a.md.git/lock")
  }

  @Test("A file whose contents a version has goes with the next change")
  func known() throws {
    let (desk, _) = try makeDesk(displaced: "1\n")
    try die(desk)
    try desk.save("3\n", as: "a.md")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.container.path).sorted()
        == [".docversions", "a.md"])
    #expect(try desk.texts("a.md") == ["3\n", "2\n", "1\n"])
  }

  @Test("An edit of the last instant becomes a version before its file goes")
  func edit() throws {
    let (desk, _) = try makeDesk(displaced: "edit\n")
    try die(desk)
    try desk.save("3\n", as: "a.md")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.container.path).sorted()
        == [".docversions", "a.md"])
    let texts = try desk.texts("a.md")
    #expect(try desk.history("a.md").current?.contents() == Data("3\n".utf8))
    #expect(texts.sorted() == ["1\n", "2\n", "3\n", "edit\n"])
    #expect(try desk.history("a.md").unresolvedConflicts.isEmpty)
    try desk.expectSound()
  }

  @Test("The same holds without a sign of a killed process, as after a power cut")
  func powerCut() throws {
    let (desk, temporary) = try makeDesk(displaced: "edit\n")
    try desk.save("3\n", as: "a.md")
    #expect(!FileManager.default.fileExists(atPath: desk[temporary].path))
    #expect(try desk.texts("a.md").sorted() == ["1\n", "2\n", "3\n", "edit\n"])
    #expect(try desk.history("a.md").current?.contents() == Data("3\n".utf8))
  }

  @Test("An unreadable file stays, and hinders no operation")
  func unreadable() throws {
    let (desk, temporary) = try makeDesk(displaced: "edit\n")
    try FileManager.default.removeItem(at: desk[temporary])
    try FileManager.default.createSymbolicLink(
      at: desk[temporary], withDestinationURL: desk["nowhere"])
    try die(desk)
    try desk.save("3\n", as: "a.md")
    #expect(try desk.texts("a.md").first == "3\n")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: desk[temporary].path)
        .hasSuffix("nowhere"))
  }

  // MARK: Members of packages

  /// Creates a package with two versions, and the member that a process left that was killed while it
  /// restored one.
  private func makePackageDesk(displaced: String) throws -> (desk: Device, temporary: String) {
    let desk = try Device()
    for text in ["1", "2"] {
      try desk.write("a", to: "P.pack/a.txt")
      try desk.write(text, to: "P.pack/sub/b.txt")
      _ = try desk.store.save(desk["P.pack"], asPackage: true)
    }
    let location = try DocumentLocation(of: desk["P.pack"])
    let mark = try StoreReader(location, in: desk.store.environment).documentIdentifier
    let temporary = ".docversions-\(mark)-2-in-sub%2Fb.txt-old.tmp"
    try desk.write(displaced, to: temporary)
    return (desk, temporary)
  }

  @Test("A member that a version holds goes with the next change")
  func knownMember() throws {
    let (desk, temporary) = try makePackageDesk(displaced: "1")
    try desk.write("3", to: "P.pack/a.txt")
    _ = try desk.store.save(desk["P.pack"])
    #expect(!FileManager.default.fileExists(atPath: desk[temporary].path))
    #expect(try desk.history("P.pack").versions.count == 3)
  }

  @Test("A member with an edit of the last instant becomes a version with the rest of the document")
  func editedMember() throws {
    let (desk, temporary) = try makePackageDesk(displaced: "edit")
    try desk.write("3", to: "P.pack/a.txt")
    _ = try desk.store.save(desk["P.pack"])
    #expect(!FileManager.default.fileExists(atPath: desk[temporary].path))
    let versions = try desk.history("P.pack").versions
    let members = try versions.map { version in
      try ["a.txt", "sub/b.txt"].map {
        String(decoding: try desk.store.contents(of: version, member: $0), as: UTF8.self)
      }
    }
    #expect(members.count == 4)
    #expect(members.contains(["3", "edit"]))
    #expect(try desk.history("P.pack").unresolvedConflicts.isEmpty)
    try desk.expectSound()
  }

  @Test("A member stays where the document is no package any more")
  func memberOfNothing() throws {
    let (desk, temporary) = try makePackageDesk(displaced: "edit")
    try FileManager.default.removeItem(at: desk["P.pack"])
    try desk.write("file", to: "P.pack")
    _ = try desk.store.save(desk["P.pack"], asPackage: true)
    #expect(try String(contentsOf: desk[temporary], encoding: .utf8) == "edit")
  }
}
