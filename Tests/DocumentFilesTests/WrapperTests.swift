import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Document wrappers")
struct WrapperTests {
  private let place: Place

  init() throws { place = try Place() }

  private func url(_ name: String) -> URL { place.scratch[name] }

  /// A package on disk: two files, one of them in a folder, and a link.
  private func makePackage(_ name: String = "Trip.notes") throws {
    try place.write("text", to: "\(name)/text.md")
    try place.write("an image", to: "\(name)/images/1.png", permissions: 0o600)
    try place.makeLink("\(name)/latest", to: "images/1.png")
  }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  private func text(_ wrapper: DocumentWrapper?) throws -> String {
    String(decoding: try #require(wrapper).regularFileContents, as: UTF8.self)
  }

  // MARK: In memory

  @Test("A node is of one kind, and asked for another it throws")
  func kinds() throws {
    let file = DocumentWrapper(regularFileWithContents: data("x"))
    let folder = try DocumentWrapper(directoryWithFileWrappers: ["a.txt": file])
    let link = DocumentWrapper(
      symbolicLinkWithDestinationURL: URL(filePath: "a.txt", relativeTo: url("folder")))
    #expect(file.isRegularFile && !file.isDirectory && !file.isSymbolicLink)
    #expect(folder.isDirectory && !folder.isRegularFile && !folder.isSymbolicLink)
    #expect(link.isSymbolicLink && !link.isDirectory && !link.isRegularFile)
    #expect(try text(file) == "x")
    #expect(file.preferredFilename == "a.txt")
    #expect(try folder.keyForChildFileWrapper(file) == "a.txt")
    #expect(try link.symbolicLinkDestinationURL.relativePath == "a.txt")
    expectFileError(.wrongKind) { _ = try file.fileWrappers }
    expectFileError(.wrongKind) { _ = try folder.regularFileContents }
    expectFileError(.wrongKind) { _ = try file.symbolicLinkDestinationURL }
    expectFileError(.wrongKind) { try file.removeFileWrapper(link) }
    expectFileError(.wrongKind) { _ = try link.keyForChildFileWrapper(file) }
    expectFileError(.wrongKind) { try file.addFileWrapper(folder) }
  }

  @Test("Names that are taken get a number in front")
  func keys() throws {
    let folder = try DocumentWrapper(directoryWithFileWrappers: [:])
    let keys = try (1...3).map { _ in
      try folder.addRegularFile(withContents: data("x"), preferredFilename: "photo.png")
    }
    #expect(keys == ["photo.png", "1__#$!@%!#__photo.png", "2__#$!@%!#__photo.png"])
    try folder.removeFileWrapper(#require(try folder.fileWrappers["photo.png"]))
    #expect(
      try folder.addRegularFile(withContents: data("y"), preferredFilename: "photo.png")
        == "photo.png")
    expectFileError(.invalidName) {
      try folder.addFileWrapper(DocumentWrapper(regularFileWithContents: data("x")))
    }
  }

  @Test(
    "What cannot be a name is refused", arguments: ["", ".", "..", "a/b", "a\0b", "/", "../x"])
  func impossibleNames(name: String) throws {
    let file = DocumentWrapper(regularFileWithContents: data("x"))
    expectFileError(.invalidName) { try file.setPreferredFilename(name) }
    let folder = try DocumentWrapper(directoryWithFileWrappers: [:])
    expectFileError(.invalidName) {
      try folder.addRegularFile(withContents: data("x"), preferredFilename: name)
    }
    expectFileError(.invalidName) { try folder.replaceChild(forKey: name, with: file) }
    expectFileError(.invalidName) {
      _ = try DocumentWrapper(directoryWithFileWrappers: [name: file])
    }
    #expect(try folder.fileWrappers.isEmpty)
  }

  @Test("An impossible name is reported by itself, and a name may have 255 bytes")
  func longNames() throws {
    let file = DocumentWrapper(regularFileWithContents: data("x"))
    #expect(expectFileError(.invalidName) { try file.setPreferredFilename("..") }?.path == "..")
    let longest = String(repeating: "é", count: 126) + ".md"
    expectFileError(.invalidName) { try file.setPreferredFilename(longest + "a") }
    try file.setPreferredFilename(longest)
    // The key of a second one of that name is no longer.
    let folder = try DocumentWrapper(directoryWithFileWrappers: [longest: file])
    let key = try folder.addRegularFile(withContents: data("y"), preferredFilename: longest)
    #expect(key.hasPrefix("1__#$!@%!#__é") && key.hasSuffix("é.md"))
    try folder.write(to: url("Long"))
    #expect(try place.names(in: "Long").sorted() == [key, longest])
  }

  @Test(
    "Where a link leads is one text, on disk and as a URL, whatever is in it",
    arguments: [
      "~/x", "~", "~user/y", "dir/", "../a", "/abs/x", "/abs/dir/", "a b%20c", "", ".", "a//b",
      "//x", "a:b", "ä?#",
    ])
  func linkTexts(text: String) throws {
    let link = DocumentWrapper(.symbolicLink(target: Array(text.utf8)))
    let destination = try link.symbolicLinkDestinationURL
    let isSlashTold = text.count < 2 || !text.hasSuffix("/")
    #expect(destination.relativePath == (isSlashTold ? text : String(text.dropLast())))
    let again = DocumentWrapper(symbolicLinkWithDestinationURL: destination)
    guard case .symbolicLink(let target) = again.content else { throw CancellationError() }
    #expect(target == Array(text.utf8))
  }

  @Test("A new preferred filename changes the key in every folder")
  func renaming() throws {
    let file = DocumentWrapper(regularFileWithContents: data("x"))
    let first = try DocumentWrapper(directoryWithFileWrappers: ["a": file])
    let second = try DocumentWrapper(directoryWithFileWrappers: [:])
    try second.addRegularFile(withContents: data("y"), preferredFilename: "b")
    try second.addFileWrapper(file)
    try file.setPreferredFilename("b")
    #expect(try first.keyForChildFileWrapper(file) == "b")
    #expect(try second.keyForChildFileWrapper(file) == "1__#$!@%!#__b")
    try first.removeFileWrapper(file)
    try file.setPreferredFilename("c")
    #expect(try first.fileWrappers.isEmpty)
    #expect(try second.fileWrappers.keys.sorted() == ["b", "c"])
  }

  @Test("A member is replaced under its key")
  func replacing() throws {
    let folder = try DocumentWrapper(directoryWithFileWrappers: [
      "text.md": DocumentWrapper(regularFileWithContents: data("old"))
    ])
    let old = try #require(try folder.fileWrappers["text.md"])
    let new = DocumentWrapper(regularFileWithContents: data("new"))
    #expect(try folder.replaceChild(forKey: "text.md", with: new) === old)
    #expect(try folder.fileWrappers.keys.sorted() == ["text.md"])
    #expect(try text(folder.fileWrappers["text.md"]) == "new")
    #expect(new.preferredFilename == "text.md")
    #expect(try folder.keyForChildFileWrapper(old) == nil)
  }

  @Test("No folder holds itself")
  func cycles() throws {
    let inner = try DocumentWrapper(directoryWithFileWrappers: [:])
    let outer = try DocumentWrapper(directoryWithFileWrappers: ["inner": inner])
    try outer.setPreferredFilename("outer")
    expectFileError(.wrongKind) { try inner.addFileWrapper(outer) }
    expectFileError(.wrongKind) { try outer.addFileWrapper(outer) }
    expectFileError(.wrongKind) { try inner.replaceChild(forKey: "x", with: outer) }
    #expect(try inner.fileWrappers.isEmpty)
  }

  // MARK: Reading

  @Test("A package is read with names, kinds, attributes and links", arguments: [false, true])
  func reading(isImmediate: Bool) throws {
    try makePackage()
    let package = try DocumentWrapper(
      url: url("Trip.notes"), options: isImmediate ? .immediate : [])
    #expect(package.filename == "Trip.notes")
    #expect(package.preferredFilename == "Trip.notes")
    #expect(try package.fileWrappers.keys.sorted() == ["images", "latest", "text.md"])
    #expect(try text(package.fileWrappers["text.md"]) == "text")
    let image = try #require(try package.fileWrappers["images"]?.fileWrappers["1.png"])
    #expect(image.fileAttributes[.posixPermissions] as? Int == 0o600)
    #expect(image.fileAttributes[.type] as? FileAttributeType == .typeRegular)
    let link = try #require(try package.fileWrappers["latest"])
    #expect(try link.symbolicLinkDestinationURL.relativePath == "images/1.png")
    #expect(try package.matchesContents(of: url("Trip.notes")))
  }

  @Test("Bytes that went away meanwhile are an error; read at once, they stay")
  func vanishing() throws {
    try makePackage()
    let lazy = try DocumentWrapper(url: url("Trip.notes"))
    let whole = try DocumentWrapper(url: url("Trip.notes"), options: .immediate)
    try place.write("edited text", to: "Trip.notes/text.md")
    try FileManager.default.removeItem(at: url("Trip.notes/images"))
    expectFileError(.changing) { _ = try text(lazy.fileWrappers["text.md"]) }
    expectFileError(.notFound) {
      _ = try text(lazy.fileWrappers["images"]?.fileWrappers["1.png"])
    }
    expectFileError(.notFound) { try lazy.write(to: url("Copy.notes")) }
    #expect(try place.names() == ["Trip.notes"])
    #expect(try text(whole.fileWrappers["text.md"]) == "text")
    #expect(try !lazy.matchesContents(of: url("Trip.notes")))
    #expect(try !lazy.matchesContents(of: url("nothing")))
  }

  @Test("Read again, members come and go, and those that stay are the same nodes")
  func readingAgain() throws {
    try makePackage()
    let package = try DocumentWrapper(url: url("Trip.notes"))
    let before = try package.fileWrappers
    try place.write("edited", to: "Trip.notes/text.md")
    try place.write("new", to: "Trip.notes/new.md")
    try FileManager.default.removeItem(at: url("Trip.notes/latest"))
    #expect(try !package.matchesContents(of: url("Trip.notes")))
    try package.read(from: url("Trip.notes"))
    #expect(try package.fileWrappers.keys.sorted() == ["images", "new.md", "text.md"])
    #expect(try package.fileWrappers["text.md"] === before["text.md"])
    #expect(try package.fileWrappers["images"] === before["images"])
    #expect(try text(before["text.md"]) == "edited")
    #expect(try package.matchesContents(of: url("Trip.notes")))
    try place.write("a file now", to: "plain")
    try package.read(from: url("plain"))
    #expect(package.isRegularFile)
    #expect(try text(package) == "a file now")
  }

  @Test("What is no document is refused by name")
  func refused() throws {
    expectFileError(.notFound) { _ = try DocumentWrapper(url: url("nothing")) }
    try makePackage()
    try #require(mkfifo(place["Trip.notes/pipe"].string, 0o600) == 0)
    for options in [DocumentWrapper.ReadingOptions(), .immediate] {
      let error = expectFileError(.unsupportedKind) {
        _ = try DocumentWrapper(url: url("Trip.notes"), options: options)
      }
      #expect(error?.message.contains("pipe") == true)
    }
  }

  // MARK: Writing

  @Test("A tree is written as it is, and read back the same")
  func writing() throws {
    try makePackage()
    let package = try DocumentWrapper(url: url("Trip.notes"))
    try package.write(to: url("Copy.notes"))
    #expect(try place.text(of: "Copy.notes/text.md") == "text")
    #expect(try place.permissions(of: "Copy.notes/images/1.png") == 0o600)
    #expect(
      try place.status(of: "Copy.notes/images/1.png").modified
        == place.status(of: "Trip.notes/images/1.png").modified)
    #expect(try place.linkTarget(of: place["Copy.notes/latest"]) == Array("images/1.png".utf8))
    // A copy is a copy: no file is shared.
    #expect(
      try place.status(of: "Copy.notes/text.md").inode
        != place.status(of: "Trip.notes/text.md").inode)
    expectFileError(.exists) { try package.write(to: url("Copy.notes")) }
    #expect(try place.names() == ["Copy.notes", "Trip.notes"])
  }

  @Test("Saved in place, only what changed is written")
  func savingInPlace() throws {
    try makePackage()
    let package = try DocumentWrapper(url: url("Trip.notes"), options: .immediate)
    let image = try place.status(of: "Trip.notes/images/1.png")
    try package.replaceChild(
      forKey: "text.md", with: DocumentWrapper(regularFileWithContents: data("new text")))
    try package.write(
      to: url("Trip.notes"), options: [.atomic, .withNameUpdating],
      originalContentsURL: url("Trip.notes"))
    #expect(try place.text(of: "Trip.notes/text.md") == "new text")
    let kept = try place.status(of: "Trip.notes/images/1.png")
    #expect(kept.inode == image.inode && kept.modified == image.modified)
    #expect(try place.names() == ["Trip.notes"])

    // Names and status are those of the writing: the next one finds all of it.
    #expect(try package.matchesContents(of: url("Trip.notes")))
    #expect(try package.fileWrappers["text.md"]?.filename == "text.md")
    let text = try place.status(of: "Trip.notes/text.md")
    try package.addRegularFile(withContents: data("more"), preferredFilename: "more.md")
    try package.write(
      to: url("Trip.notes"), options: [.atomic, .withNameUpdating],
      originalContentsURL: url("Trip.notes"))
    #expect(try place.status(of: "Trip.notes/text.md").inode == text.inode)
    #expect(try place.names(in: "Trip.notes") == ["images", "latest", "more.md", "text.md"])
  }

  @Test("A renamed member keeps its file")
  func renamedMember() throws {
    try makePackage()
    let package = try DocumentWrapper(url: url("Trip.notes"))
    let inode = try place.status(of: "Trip.notes/images/1.png").inode
    try #require(try package.fileWrappers["images"]).setPreferredFilename("photos")
    try package.write(
      to: url("Trip.notes"), options: [.atomic, .withNameUpdating],
      originalContentsURL: url("Trip.notes"))
    #expect(try place.names(in: "Trip.notes") == ["latest", "photos", "text.md"])
    #expect(try place.status(of: "Trip.notes/photos/1.png").inode == inode)
    #expect(try package.fileWrappers["photos"]?.filename == "photos")
  }

  @Test("What is set of permissions and dates is written")
  func attributes() throws {
    let file = DocumentWrapper(regularFileWithContents: data("x"))
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    file.fileAttributes = [.posixPermissions: 0o640, .modificationDate: date]
    try file.write(to: url("file"))
    let status = try place.status(of: "file")
    #expect(status.permissions == 0o640)
    #expect(status.modified == 1_700_000_000_000_000_000)
  }

  // MARK: Serialized

  @Test("Serialized and made again, a tree is the same")
  func serialized() throws {
    try makePackage()
    let package = try DocumentWrapper(url: url("Trip.notes"))
    let again = try DocumentWrapper(serializedRepresentation: package.serializedRepresentation)
    #expect(again.filename == "Trip.notes")
    #expect(again.preferredFilename == "Trip.notes")
    #expect(try again.fileWrappers.keys.sorted() == ["images", "latest", "text.md"])
    let image = try #require(try again.fileWrappers["images"]?.fileWrappers["1.png"])
    #expect(try text(image) == "an image")
    #expect(image.fileAttributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try again.fileWrappers["latest"]?.symbolicLinkDestinationURL.relativePath == "images/1.png")
    try again.write(to: url("Copy.notes"))
    #expect(try again.serializedRepresentation == package.serializedRepresentation)
  }

  @Test("Damaged bytes are refused or another tree, never a trap", arguments: 0..<20)
  func damaged(seed: Int) throws {
    try makePackage()
    let sound = try Array(DocumentWrapper(url: url("Trip.notes")).serializedRepresentation)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var bytes = sound
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
      if seed.isMultiple(of: 3) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      do {
        let wrapper = try DocumentWrapper(serializedRepresentation: Data(bytes))
        _ = try wrapper.serializedRepresentation
      } catch {
        #expect(error is FileError)
      }
    }
  }
}
