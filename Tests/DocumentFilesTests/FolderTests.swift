import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Folders and small files")
struct FolderTests {
  @Test("Names come in the order of their bytes")
  func names() throws {
    let place = try Place()
    for name in ["b", "a", "B", "é", "a.b", ".hidden"] { try place.write("", to: name) }
    try SmallFile.create(place.root.appending(bytes: [0xFF]), [])
    #expect(try place.names() == [".hidden", "B", "a", "a.b", "b", "é", "\\xFF"])
    expectFileError(.notFound) { _ = try Folder.names(in: place["none"]) }
    expectFileError(.notFound) { _ = try Folder.names(in: place["a"]) }
  }

  @Test(
    "A full disk keeps a small file as it was, and nothing of the new one",
    .enabled(if: FullDisk.isPossible, "only root can make a small disk"), arguments: [false, true])
  func fullDisk(isCache: Bool) throws {
    let place = try Place()
    let disk = try FullDisk(at: URL(filePath: place.root.string))
    defer { disk.unmount() }
    try place.write("old", to: "file")
    try disk.fill()
    let (file, bytes) = (place["file"], [UInt8](repeating: 1, count: 10_000))
    expectFileError(.noSpace) {
      if isCache {
        try SmallFile.replaceCache(file, bytes)
      } else {
        try SmallFile.replace(file, bytes)
      }
    }
    #expect(try place.names() == ["file", "filler"])
    #expect(try SmallFile.read(file) == Array("old".utf8))
  }

  @Test("Folders are created with those above them, and a second time is nothing")
  func creating() throws {
    let place = try Place()
    for _ in 0..<2 { try Folder.create(place["a/b/c"]) }
    #expect(try place.status(of: "a/b/c").kind == .folder)
    try Folder.create(place["private"], permissions: 0o700)
    #expect(try place.permissions(of: "private") == 0o700)
    try place.write("x", to: "file")
    expectFileError(.exists) { try Folder.create(place["file"]) }
    expectFileError(.notFound) { try Folder.create(place["file/a"]) }
  }

  @Test("A tree goes with all it holds; what its links lead to stays")
  func removing() throws {
    let place = try Place()
    try place.write("stays", to: "outside/file")
    try place.write("x", to: "tree/closed/file", permissions: 0o000)
    try place.makeLink("tree/link", to: "../outside")
    try place.makeLink("tree/broken", to: "nowhere")
    try #require(mkfifo(place["tree/fifo"].string, 0o600) == 0)
    try place.setPermissions(0o000, of: "tree/closed")
    try Folder.removeTree(place["tree"])
    try Folder.removeTree(place["tree"])
    #expect(try place.names() == ["outside"])
    #expect(try place.text(of: "outside/file") == "stays")
  }

  @Test("A file goes alone: a missing one is nothing, and a folder stays")
  func removingFiles() throws {
    let place = try Place()
    try place.write("x", to: "folder/file")
    try Folder.removeFile(place["folder/file"])
    try Folder.removeFile(place["folder/file"])
    #expect(throws: FileError.self) { try Folder.removeFile(place["folder"]) }
    #expect(try place.names() == ["folder"])
  }

  @Test("A small file is read whole, and refused where it is large or no file")
  func smallFiles() throws {
    let place = try Place()
    #expect(try SmallFile.read(place["none"]) == nil)
    try SmallFile.create(place["a"], [1, 2, 3])
    #expect(try SmallFile.read(place["a"]) == [1, 2, 3])
    expectFileError(.exists) { try SmallFile.create(place["a"], [4]) }
    expectFileError(.tooLarge) { _ = try SmallFile.read(place["a"], limit: 2) }
    try SmallFile.replaceCache(place["a"], [4])
    #expect(try SmallFile.read(place["a"]) == [4])
    try #require(mkfifo(place["fifo"].string, 0o600) == 0)
    expectFileError(.unsupportedKind) { _ = try SmallFile.read(place["fifo"]) }
    #expect(try place.names() == ["a", "fifo"])
  }

  @Test(
    "The system's reasons become codes",
    arguments: [
      (Errno.noSuchFileOrDirectory, FileError.Code.notFound), (.notDirectory, .notFound),
      (.permissionDenied, .notPermitted), (.notPermitted, .notPermitted),
      (.readOnlyFileSystem, .notPermitted), (.fileExists, .exists), (.noSpace, .noSpace),
      (.diskQuotaExceeded, .noSpace), (.fileNameTooLong, .invalidName), (.ioError, .system),
      (.tooManySymbolicLinkLevels, .unsupportedKind),
    ])
  func codes(reason: Errno, code: FileError.Code) {
    let error = FileError.failed(to: "read", "/a\nb", reason)
    #expect(error.code == code)
    #expect(error.systemError == reason.rawValue)
    #expect(error.message.hasPrefix("Can’t read “/a\\nb”: "))
    #expect(error.path == "/a\\nb")
  }
}
