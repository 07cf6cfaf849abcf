import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentFiles

@Suite("Document wrappers, written again")
struct WrapperSavingTests {
  private let place: Place

  init() throws { place = try Place() }

  private func url(_ name: String) -> URL { place.scratch[name] }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  /// Reads a package with a text and an image in a folder.
  private func readPackage() throws -> DocumentWrapper {
    try place.write("text", to: "Trip.notes/text.md")
    try place.write("an image", to: "Trip.notes/images/1.png", permissions: 0o600)
    return try DocumentWrapper(url: url("Trip.notes"))
  }

  /// Saves it in place.
  private func save(_ package: DocumentWrapper, as name: String) throws {
    try package.write(
      to: url(name), options: [.atomic, .withNameUpdating], originalContentsURL: url(name))
    #expect(try package.matchesContents(of: url(name)))
  }

  @Test(
    "A folder with versions of documents is not replaced", arguments: ["box", "box/.docversions"])
  func container(name: String) throws {
    let store = "box/.docversions/documents/a.md.git/HEAD"
    try place.write("ref", to: store)
    let file = DocumentWrapper(regularFileWithContents: data("new"))
    let folder = try DocumentWrapper(directoryWithFileWrappers: ["a": file])
    for wrapper in [file, folder] {
      for original in [nil, url(name)] {
        #expect {
          try wrapper.write(to: url(name), options: .atomic, originalContentsURL: original)
        } throws: { ($0 as? FileError)?.code == .unsupportedKind }
      }
    }
    #expect(try String(contentsOf: url(store), encoding: .utf8) == "ref")
  }

  @Test("What is set of a member that stays as it is otherwise is written, once")
  func changedAttributes() throws {
    let package = try readPackage()
    let image = try #require(try package.fileWrappers["images"]?.fileWrappers["1.png"])
    try #require(try package.fileWrappers["text.md"]).fileAttributes[.posixPermissions] = 0o755
    image.fileAttributes[.modificationDate] = Date(timeIntervalSince1970: 1_000_000)
    func saved() throws -> [FileStatus] {
      try save(package, as: "Trip.notes")
      return try ["text.md", "images/1.png"].map { try place.status(of: "Trip.notes/\($0)") }
    }
    let files = try saved()
    #expect(files.map(\.permissions) == [0o755, 0o600])
    #expect(files[1].modified == 1_000_000_000_000_000)
    #expect(try place.text(of: "Trip.notes/text.md") == "text")
    #expect(try place.text(of: "Trip.notes/images/1.png") == "an image")
    #expect(try saved().map(\.inode) == files.map(\.inode))
  }

  @Test("Permissions are a number of any kind, and those that FileManager reports")
  func kindsOfPermissions() throws {
    try place.write("x", to: "model", permissions: 0o750)
    let attributes = try FileManager.default.attributesOfItem(atPath: url("model").path)
    let kinds: [Any] = [
      0o750, UInt16(0o750), Int64(0o750), NSNumber(value: 0o750),
      try #require(attributes[.posixPermissions]),
    ]
    for (number, permissions) in kinds.enumerated() {
      let file = DocumentWrapper(regularFileWithContents: data("x"))
      file.fileAttributes[.posixPermissions] = permissions
      try file.write(to: url("\(number)"))
      #expect(try place.permissions(of: "\(number)") == 0o750, "\(type(of: permissions))")
    }
  }

  /// Writes files with names of any bytes into a package.
  private func makePackage(of names: [[UInt8]]) throws {
    try place.makeFolder("P")
    for name in names { try SmallFile.create(place["P"].appending(bytes: name), Array("x".utf8)) }
  }

  @Test("Names that are no UTF-8, and two that are one to a dictionary, outlast every change")
  func rawNames() throws {
    let names: [[UInt8]] = [
      [0x61, 0xFF], [0x61, 0xFE], Array("e\u{301}".utf8), Array("\u{E9}".utf8),
    ]
    try makePackage(of: names)
    let package = try DocumentWrapper(url: url("P"))
    try package.addRegularFile(withContents: data("new"), preferredFilename: "b.txt")
    try save(package, as: "P")
    #expect(try Set(Folder.names(in: place["P"])) == Set(names + [Array("b.txt".utf8)]))

    for key in try package.fileWrappers.keys {
      try package.replaceChild(
        forKey: key, with: DocumentWrapper(regularFileWithContents: data("y")))
    }
    try save(package, as: "P")
    #expect(try Set(Folder.names(in: place["P"])) == Set(names + [Array("b.txt".utf8)]))
    for name in names {
      #expect(try SmallFile.read(place["P"].appending(bytes: name)) == Array("y".utf8))
    }
  }

  @Test("Serialized and made again, members keep the names that their keys stand for")
  func serializedNames() throws {
    let names: [[UInt8]] = [Array("a\u{308}".utf8), [0x61, 0xFF], Array("\u{E4}".utf8)]
    try makePackage(of: names)
    let package = try DocumentWrapper(url: url("P"))
    let again = try DocumentWrapper(serializedRepresentation: package.serializedRepresentation)
    try again.write(to: url("Q"))
    #expect(try Folder.names(in: place["Q"]) == names)
    #expect(try again.serializedRepresentation == package.serializedRepresentation)
  }

  @Test("What was serialized before names on disk were is read")
  func formerSerialization() throws {
    let former = "docversions wrapper 1\nfolder 0 - - - - - -\nfile 1 - - 1 - - 1\nax"
    let package = try DocumentWrapper(serializedRepresentation: data(former))
    #expect(try package.fileWrappers["a"]?.regularFileContents == data("x"))
    #expect(try package.serializedRepresentation == data(former))
  }

  @Test("A name that another member has on disk is not free, whatever that one’s key is")
  func namesBehindKeys() throws {
    try makePackage(of: [Array("e\u{301}".utf8), Array("\u{E9}".utf8)])
    let package = try DocumentWrapper(url: url("P"))
    // A dictionary has only one of them under this name.
    try package.removeFileWrapper(#require(try package.fileWrappers["\u{E9}"]))
    let taken = try #require(package.members.namesOnDisk.first?.value)
    let key = try package.addRegularFile(
      withContents: data("new"), preferredFilename: String(decoding: taken, as: UTF8.self))
    try save(package, as: "P")
    #expect(try Set(Folder.names(in: place["P"])) == [taken, Array(key.utf8)])
    #expect(try SmallFile.read(place["P"].appending(bytes: taken)) == Array("x".utf8))
  }

  @Test("A key in other letters of the same meaning names the same member, which keeps its name")
  func equalKeys() throws {
    let name = Array("e\u{301}".utf8)
    try makePackage(of: [name])
    let package = try DocumentWrapper(url: url("P"))
    try package.replaceChild(
      forKey: "\u{E9}", with: DocumentWrapper(regularFileWithContents: data("y")))
    try save(package, as: "P")
    #expect(try Folder.names(in: place["P"]) == [name])
  }
}
