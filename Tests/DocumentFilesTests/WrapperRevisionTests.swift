import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentFiles

@Suite("Document wrappers, and other programs that write where they do")
struct WrapperRevisionTests {
  private let place: Place

  init() throws {
    place = try Place()
    try place.write("text", to: "P/text.md")
    try place.write("an image", to: "P/images/1.png")
    try place.makeLink("P/latest", to: "images/1.png")
  }

  private func url(_ name: String) -> URL { place.scratch[name] }

  private func file(_ text: String) -> DocumentWrapper {
    DocumentWrapper(regularFileWithContents: Data(text.utf8))
  }

  private func save(
    _ wrapper: DocumentWrapper, to name: String = "P", like original: String? = "P",
    options: DocumentWrapper.WritingOptions = [.atomic, .withNameUpdating]
  ) throws {
    try wrapper.write(to: url(name), options: options, originalContentsURL: original.map(url))
  }

  enum Change: CaseIterable {
    case text, permissions, newMember, newMemberInside, removal, removalInside, link
  }

  private func make(_ change: Change) throws {
    switch change {
    case .text: try place.write("their text", to: "P/text.md")
    case .permissions: try place.write("text", to: "P/text.md", permissions: 0o600)
    case .newMember: try place.write("theirs", to: "P/theirs.md")
    case .newMemberInside: try place.write("theirs", to: "P/images/2.png")
    case .removal: try FileManager.default.removeItem(at: url("P/text.md"))
    case .removalInside: try FileManager.default.removeItem(at: url("P/images/1.png"))
    case .link:
      try FileManager.default.removeItem(at: url("P/latest"))
      try place.makeLink("P/latest", to: "text.md")
    }
  }

  @Test("What another program changed in a package is not written over", arguments: Change.allCases)
  func changedPackage(change: Change) throws {
    let package = try DocumentWrapper(url: url("P"), options: .immediate)
    // They change the same members that are replaced or removed here.
    try package.replaceChild(forKey: "text.md", with: file("my text"))
    try package.removeFileWrapper(#require(try package.fileWrappers["images"]))
    try make(change)
    let theirs = try ItemListing(place["P"])
    let error = expectFileError(.changing) { try save(package) }
    #expect(error?.path == place["P"].printable)
    #expect(try theirs.isUnchanged(at: place["P"]))
    #expect(try place.names() == ["P"])

    // It is written if it was read again, or if overwriting is intended.
    let again = try DocumentWrapper(url: url("P"))
    try again.replaceChild(forKey: "text.md", with: file("my text"))
    try save(again)
    expectFileError(.changing) { try save(package) }
    try save(package, like: nil)
    #expect(try place.names(in: "P") == ["latest", "text.md"])
    #expect(try place.text(of: "P/text.md") == "my text")
    try save(package)
  }

  @Test("What another program changed in a file is not written over")
  func changedFile() throws {
    try place.write("text", to: "note.md")
    let note = try DocumentWrapper(url: url("note.md"), options: .immediate)
    try place.write("their text", to: "note.md")
    expectFileError(.changing) { try save(note, to: "note.md", like: "note.md") }
    #expect(try place.text(of: "note.md") == "their text")
    try save(note, to: "note.md", like: nil)
    try save(note, to: "note.md", like: "note.md")
    #expect(try place.text(of: "note.md") == "text")
  }

  @Test(
    "Whatever is changed in memory is written, again and again",
    arguments: [[.atomic], [.atomic, .withNameUpdating]] as [DocumentWrapper.WritingOptions])
  func again(options: DocumentWrapper.WritingOptions) throws {
    let package = try DocumentWrapper(url: url("P"), options: .immediate)
    try package.removeFileWrapper(#require(try package.fileWrappers["latest"]))
    try save(package, options: options)
    try #require(try package.fileWrappers["images"]).setPreferredFilename("photos")
    try save(package, options: options)
    try #require(try package.fileWrappers["text.md"]).fileAttributes[.posixPermissions] = 0o600
    try save(package, options: options)
    try package.replaceChild(forKey: "text.md", with: file("more"))
    try save(package, options: options)
    #expect(try place.names(in: "P") == ["photos", "text.md"])
    #expect(try place.text(of: "P/text.md") == "more")
  }

  @Test("Another place may be written to, and so may the first one then")
  func elsewhere() throws {
    let package = try DocumentWrapper(url: url("P"), options: .immediate)
    try package.replaceChild(forKey: "text.md", with: file("my text"))
    try place.write("in the way", to: "Q/text.md")
    try save(package, to: "Q", options: .atomic)
    try save(package, to: "Q", like: "Q")
    try save(package)
    try save(package, to: "Q", like: "Q")
    try make(.newMember)
    try save(package, to: "R")
    expectFileError(.changing) { try save(package) }
    #expect(try place.text(of: "P/theirs.md") == "theirs")
    try FileManager.default.removeItem(at: url("P"))
    try save(package)
    #expect(try place.text(of: "P/text.md") == "my text")
  }

  @Test("A new wrapper replaces the item on disk, and notices later changes")
  func madeAnew() throws {
    let package = try DocumentWrapper(directoryWithFileWrappers: ["text.md": file("my text")])
    try save(package)
    #expect(try place.names(in: "P") == ["text.md"])
    try make(.newMember)
    expectFileError(.changing) { try save(package) }
    #expect(try place.names(in: "P") == ["text.md", "theirs.md"])
  }
}
