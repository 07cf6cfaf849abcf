import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The code of the articles “Packages” and “Resolving conflicts in an open document”, compiled and run.
@Suite("Articles about documents")
@MainActor
struct DocumentArticleTests {
  final class Album: Document {
    private(set) var text = ""

    override func contents(forType type: String) throws -> DocumentContents {
      let tree = try wrapper ?? DocumentWrapper(directoryWithFileWrappers: [:])
      wrapper = tree
      if try tree.fileWrappers["text.md"] == nil {
        _ = try tree.addRegularFile(withContents: Data(text.utf8), preferredFilename: "text.md")
      }
      return .package(try tree.snapshot())
    }

    override func load(
      _ contents: DocumentContents, ofType type: String, because reason: LoadReason
    ) throws {
      guard case .package(let package) = contents else { throw CocoaError(.fileReadCorruptFile) }
      let tree = package.wrapper()
      let member = try tree.fileWrappers["text.md"]
      text = String(decoding: try member?.regularFileContents ?? Data(), as: UTF8.self)
      wrapper = tree
    }

    func setText(_ new: String) throws {
      text = new
      if let old = try wrapper?.fileWrappers["text.md"] { try wrapper?.removeFileWrapper(old) }
      updateChangeCount(.done)
    }

    func addPicture(_ data: Data, named name: String) throws {
      _ = try wrapper?.addRegularFile(withContents: data, preferredFilename: name)
      updateChangeCount(.done)
    }
  }

  private func inode(_ url: URL) throws -> UInt64? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return attributes[.systemFileNumber] as? UInt64
  }

  @Test("Packages")
  func packages() async throws {
    let scratch = try ScratchFolder()
    let folder = scratch.url
    let photo = Data(repeating: 7, count: 100_000)

    var environment = DocumentEnvironment()
    environment.store.types.add(
      DocumentType("org.example.album", filenameExtensions: ["album"], isPackage: true))

    let album = Album(fileURL: folder.appending(path: "Trip.album"), environment: environment)
    try await album.create()
    try album.addPicture(photo, named: "photo.png")
    try album.setText("A tent by the lake.")
    try await album.save(note: "with the photo")
    let before = try inode(folder.appending(path: "Trip.album/photo.png"))

    try album.setText("Two tents by the lake.")
    try await album.save()
    #expect(try inode(folder.appending(path: "Trip.album/photo.png")) == before)
    try await album.close()

    let again = Album(fileURL: album.fileURL, environment: environment)
    try await again.open()
    #expect(again.text == "Two tents by the lake.")
    #expect(again.fileType == "org.example.album")
    #expect(try await environment.store.history(of: album.fileURL).versions.count == 3)
    try await again.close()
  }

  private final class Banner {
    var isHidden = true
    var changes: [Bool] = []
  }

  /// A dialogue in which a person picks the first version that is offered.
  private struct Picker {
    func choose(among versions: [FileVersion]) async throws -> FileVersion {
      try #require(versions.first)
    }
  }

  @Test("Resolving conflicts in an open document")
  func conflicts() async throws {
    let scratch = try ScratchFolder()
    let url = try scratch.write("line 1\nline 2\nline 3\n", to: "note.md")
    let note = FirstDocumentTests.Note(fileURL: url)
    try await note.open()
    try await note.save()
    let banner = Banner()
    let showing = Task {
      for await state in note.states {
        banner.isHidden = !state.contains(.inConflict)
        if state.contains(.closed) { break }
      }
    }
    note.text = "mine\nline 2\nline 3\n"
    try scratch.write("theirs\nline 2\nline 3\n", to: "note.md")
    try await note.save()
    #expect(try await comesTrue { !banner.isHidden })

    var lines: [String] = []
    func log(_ words: String...) { lines.append(words.joined(separator: " ")) }
    func log(_ author: String, _ device: String, _ date: Date) { log(author, device, "\(date)") }
    if let conflict = try await note.conflict() {
      for version in conflict.versions {
        log(version.author, version.savingDevice, version.savingDate)
      }
    }
    #expect(lines.count == 2)

    let outcome = try await note.resolve(.merge)

    let picker = Picker()
    if case .unresolved = outcome, let conflict = try await note.conflict() {
      let chosen = try await picker.choose(among: conflict.versions)
      try await note.resolve(.keep(chosen.id))
    }
    #expect(note.state == [])
    #expect(["mine\nline 2\nline 3\n", "theirs\nline 2\nline 3\n"].contains(note.text))
    #expect(try await comesTrue { banner.isHidden })

    note.text += "line 4\n"
    try scratch.write("line 0\n" + note.text, to: "note.md")
    try await note.save()
    try await note.resolve(.merge(else: .latest))
    #expect(note.state == [])
    try await note.close()
    await showing.value
  }
}
