import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Bad documents and selectors")
struct BadDocumentTests {
  @Test("A document that is missing, or has no versions, is named in the error")
  func missing() throws {
    let desk = try Device()
    for name in ["none.md", "none/none.md"] {
      let error = expectFileError(.notFound) { try desk.store.save(desk[name]) }
      #expect(error?.message.contains("none") == true)
      expectFileError(.notFound) { _ = try desk.history(name) }
    }
    try desk.write("1", to: "a.md")
    expectVersionError(.noVersions) { _ = try desk.history("a.md") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.container.path) == ["a.md"])
  }

  @Test("A folder where a file was is no document by accident")
  func folder() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try desk.write("x", to: "a.md/inner.md")
    expectFileError(.unsupportedKind) { try desk.store.save(desk["a.md"]) }
    #expect(try desk.texts("a.md") == ["1"])
    #expect(try desk.read("a.md/inner.md") == "x")
  }

  @Test(
    "What is no document is refused by name, at once", arguments: ["FIFO", "socket"], [false, true])
  func specialFiles(kind: String, isMember: Bool) throws {
    let desk = try Device()
    try desk.write("x", to: "P.pack/a")
    let name = isMember ? "P.pack/it" : "it"
    let mode = kind == "FIFO" ? S_IFIFO : S_IFSOCK
    try #require(mknod(desk[name].path, mode | 0o600, 0) == 0)
    let (error, time) = measured {
      expectFileError(.unsupportedKind) {
        try desk.store.save(desk[isMember ? "P.pack" : "it"])
      }
    }
    #expect(time < .milliseconds(500))
    #expect(error?.message.contains("it") == true)
    #expect(error?.message.contains("a \(kind)") == true)
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
  }

  @Test("A device is refused")
  func device() throws {
    let desk = try Device()
    expectFileError(.unsupportedKind) { try desk.store.save(URL(filePath: "/dev/null")) }
  }

  @Test("A document that became a link to elsewhere is refused, with its target")
  func linkOutside() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    try desk.scratch.write("secret", to: "outside.md")
    try FileManager.default.removeItem(at: desk["a.md"])
    try FileManager.default.createSymbolicLink(
      at: desk["a.md"], withDestinationURL: desk.scratch["outside.md"])
    let error = expectFileError(.unsupportedKind) { try desk.store.save(desk["a.md"]) }
    #expect(error?.message.contains("outside.md") == true)
    #expect(try desk.scratch.read("outside.md") == "secret")
  }

  @Test("A name that is not UTF-8 is refused")
  func invalidName() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let path = FilePath(desk.container.path).appending(bytes: [0x61, 0xFF])
    try SmallFile.create(path, [1])
    let error = expectFileError(.invalidName) { _ = try DocumentLocation(of: path) }
    #expect(error?.message.contains("a\\xFF") == true)
    // A URL may lose the bytes on the way, never the error.
    let url = path.withPlatformString {
      URL(fileURLWithFileSystemRepresentation: $0, isDirectory: false, relativeTo: nil)
    }
    expectTypedError { try desk.store.save(url) }
    #expect(try desk.texts("a.md") == ["1"])
  }

  @Test("An address that is no file's, and a folder that is no document, are refused")
  func noDocument() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let web = try #require(URL(string: "https://example.org/a.md"))
    expectVersionError(.invalidArgument) { try desk.store.save(web) }
    try desk.write("[core]\n", to: ".git/config")
    for name in [
      ".docversions", ".docversions/documents/a.md.git/HEAD", ".git/config", ".", "..", "/",
    ] {
      expectTypedError { try desk.store.save(name == "/" ? URL(filePath: "/") : desk[name]) }
    }
  }

  @Test("The error for a version that does not exist names it and the number of versions")
  func unknownVersion() throws {
    let desk = try Device()
    let version = try desk.save("1", as: "a.md")
    let other = try desk.save("2", as: "b.md")
    expectVersionError(.noSuchVersion) { _ = try desk.store.restore(other, of: desk["a.md"]) }
    expectVersionError(.noSuchVersion) {
      _ = try VersionSelector("0000000").version(in: desk.history("a.md"))
    }
    #expect(try version.contents() == Data("1".utf8))
    #expect(try desk.read("a.md") == "1")
  }

  @Test("A document that keeps changing is not saved")
  func changing() throws {
    var desk = try Device()
    try desk.save("start", as: "log.txt")
    let file = try FileHandle(forWritingTo: desk["log.txt"])
    // This runs whenever a part of it was read.
    desk.store.progress = OperationProgress { _ in
      file.seekToEndOfFile()
      file.write(Data("more".utf8))
    }
    try desk.write("begin", to: "log.txt")
    expectFileError(.changing) { try desk.store.save(desk["log.txt"]) }
    desk.store.progress = nil
    #expect(try desk.texts("log.txt") == ["start"])
    #expect(try desk.read("log.txt").hasPrefix("beginmoremore"))
  }
}
