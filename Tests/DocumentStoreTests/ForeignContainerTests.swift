import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder with versions that belongs to another user.
@Suite("Another user’s container", .enabled(if: geteuid() == 0, "only root can make one"))
struct ForeignContainerTests {
  private let desk: Device
  private let inner: URL

  init() throws {
    desk = try Device()
    inner = try desk.write("one\n", to: "in/a.md")
    try FileManager.default.createDirectory(
      at: desk[".docversions"], withIntermediateDirectories: true)
    try #require(chown(desk[".docversions"].path, 1_234, 1_234) == 0)
  }

  @Test("It is not used unless the person says so, and the message says what to do")
  func unused() throws {
    let error = try #require(throws: VersionError.self) { try desk.store.save(inner) }
    #expect(error.code == .foreignContainer)
    #expect(
      error.recovery
        == .makeContainer(
          folder: inner.deletingLastPathComponent().path, foreign: desk.container.path)
    )
    #expect(error.message.contains(desk.container.path))
    #expect(throws: VersionError.self) { try desk.store.history(of: inner) }
    let left = try FileManager.default.subpathsOfDirectory(atPath: desk.container.path)
    #expect(Set(left) == [".docversions", "in", "in/a.md"])
  }

  @Test("A nearer one of the person’s own is used")
  func own() throws {
    try FileManager.default.createDirectory(
      at: desk["in/.docversions"], withIntermediateDirectories: true)
    try desk.store.save(inner)
    #expect(FileManager.default.fileExists(atPath: desk["in/.docversions/documents/a.md.git"].path))
    #expect(try desk.store.documents(below: desk["in"])?.count == 1)
  }

  @Test("One that was named is used")
  func named() throws {
    let result = try Command.run(
      BuiltProgram.url.path, ["save", inner.path],
      environment: [
        "DOCVERSIONS_CONTAINER": desk.container.path, "DOCVERSIONS_AUTHOR": "Mira",
        "DOCVERSIONS_DEVICE": "laptop",
      ])
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    #expect(FileManager.default.fileExists(atPath: desk[".docversions/documents/in/a.md.git"].path))
  }
}
