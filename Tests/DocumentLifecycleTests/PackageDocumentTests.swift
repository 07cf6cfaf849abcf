import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// A document with a text and a picture, each a member of a package.
@MainActor
private final class Album: Document {
  var text: String {
    do {
      let data = try wrapper?.fileWrappers["text.md"]?.regularFileContents
      return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    } catch {
      return "\(error)"
    }
  }

  func setText(_ text: String) throws {
    if let former = try wrapper?.fileWrappers["text.md"] { try wrapper?.removeFileWrapper(former) }
    _ = try wrapper?.addRegularFile(
      withContents: Data(text.utf8), preferredFilename: "text.md")
    updateChangeCount(.done)
  }

  override func contents(forType type: String) throws -> DocumentContents {
    if wrapper == nil { wrapper = try DocumentWrapper(directoryWithFileWrappers: [:]) }
    guard let wrapper else { throw CocoaError(.fileWriteUnknown) }
    return .package(try wrapper.snapshot())
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    guard case .package(let package) = contents else { throw CocoaError(.fileReadCorruptFile) }
    wrapper = package.wrapper()
  }
}

@Suite("A document that is a package")
@MainActor
struct PackageDocumentTests {
  private func album(_ desk: Desk) throws -> Album {
    try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: true)
    try Data("a tent".utf8).write(to: desk.url.appending(path: "text.md"))
    try Data(repeating: 7, count: 100_000).write(to: desk.url.appending(path: "photo.png"))
    return Album(fileURL: desk.url, environment: desk.environment)
  }

  private func inode(_ url: URL) throws -> UInt64? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return attributes[.systemFileNumber] as? UInt64
  }

  @Test("A save writes the member that changed, and leaves the others as they are")
  func incremental() async throws {
    let desk = try Desk(name: "Trip.album")
    let album = try album(desk)
    try await album.open()
    #expect(album.text == "a tent")
    let photo = desk.url.appending(path: "photo.png")
    let before = try inode(photo)
    for text in ["a map", "a boat"] {
      try album.setText(text)
      try await album.save()
      #expect(try inode(photo) == before)
      #expect(
        try Data(contentsOf: desk.url.appending(path: "text.md")) == Data(text.utf8))
      #expect(try await desk.store.state(of: desk.url) == .unchanged)
    }
    #expect(try await desk.versions.count == 3)
    try await album.close()
    #expect(try await desk.versions.count == 3)
  }

  @Test("A member that another program changes is shown, or kept beside unsaved changes")
  func others() async throws {
    let desk = try Desk(name: "Trip.album")
    let album = try album(desk)
    try await album.open()
    try await album.save()
    try Data("a boat".utf8).write(to: desk.url.appending(path: "text.md"))
    #expect(try await comesTrue { album.text == "a boat" })
    try await album.save()
    try album.setText("mine")
    try Data(repeating: 8, count: 1_000).write(to: desk.url.appending(path: "photo.png"))
    try await album.save()
    #expect(album.state == .inConflict)
    _ = try await album.resolve(.merge)
    #expect(album.text == "mine")
    #expect(
      try Data(contentsOf: desk.url.appending(path: "photo.png"))
        == Data(repeating: 8, count: 1_000))
  }

  @Test("It is moved to another container with its versions", arguments: [false, true])
  func moved(isByItself: Bool) async throws {
    let desk = try Desk(name: "Trip.album")
    let album = try album(desk)
    try await album.open()
    try await album.save()
    try album.setText("a map")
    let folder = desk.scratch["other"]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let place = folder.appending(path: "Trip.album")
    if isByItself {
      try await album.move(to: place)
    } else {
      try await FileVersion.move(desk.url, to: place, store: desk.store)
    }
    #expect(try await comesTrue { album.fileURL.path.hasSuffix("other/Trip.album") })
    await album.check()
    #expect(album.text == "a map")
    try album.setText("a boat")
    try await album.save()
    #expect(album.state == [])
    #expect(try Data(contentsOf: place.appending(path: "text.md")) == Data("a boat".utf8))
    #expect(try await desk.store.history(of: place).versions.count == 4)
    #expect(!FileManager.default.fileExists(atPath: desk.url.path))
  }
}
