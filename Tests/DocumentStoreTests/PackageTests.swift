import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Packages")
struct PackageTests {
  /// Makes a package with everything that a package can hold.
  private func makePackage(_ desk: Device) throws -> URL {
    try desk.write("Day one\n", to: "Trip.imagenotes/text.txt")
    try desk.write("#!/bin/sh\n", to: "Trip.imagenotes/tools/run.sh")
    try desk.write("[core]\n", to: "Trip.imagenotes/.git/config")
    try desk.write("*.log\n", to: "Trip.imagenotes/.gitignore")
    try desk.write("x\n", to: "Trip.imagenotes/ignored.log")
    try desk.write("Übersicht\n", to: "Trip.imagenotes/Überblick 写真.txt")
    let package = desk["Trip.imagenotes"]
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: package.appending(path: "tools/run.sh").path)
    try FileManager.default.createDirectory(
      at: package.appending(path: "empty/inner"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: package.appending(path: "link").path, withDestinationPath: "../../outside")
    return package
  }

  /// Every item below a folder with its kind and contents.
  private func listing(_ folder: URL) throws -> [String: String] {
    var items: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let path = folder.appending(path: name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      switch attributes[.type] as? FileAttributeType {
      case .typeSymbolicLink:
        items[name] = "link " + (try FileManager.default.destinationOfSymbolicLink(atPath: path))
      case .typeDirectory: items[name] = "folder"
      default:
        let mode = attributes[.posixPermissions] as? Int ?? 0
        items[name] =
          "\(String(mode, radix: 8)) "
          + String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      }
    }
    return items
  }

  @Test("Everything in a package comes back: links, empty folders, executables, .git members")
  func roundTrip() throws {
    let desk = try Device()
    let package = try makePackage(desk)
    let before = try listing(package)
    let first = try desk.store.save(package).version
    #expect(first.isPackage)
    #expect(first.fileCount == 7)
    try desk.expectSound()

    try FileManager.default.removeItem(at: package.appending(path: "tools"))
    try FileManager.default.removeItem(at: package.appending(path: ".git"))
    try desk.write("changed\n", to: "Trip.imagenotes/text.txt")
    try desk.store.save(package)
    _ = try desk.store.restore(first)
    #expect(try listing(package) == before)
    try desk.expectSound()
  }

  @Test("A restore touches only the members that differ")
  func unchangedMembersStay() throws {
    let desk = try Device()
    let package = try makePackage(desk)
    let first = try desk.store.save(package).version
    try desk.write("Day two\n", to: "Trip.imagenotes/text.txt")
    try desk.store.save(package)
    func inode(_ name: String) throws -> UInt64 {
      let path = package.appending(path: name).path
      return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
        ?? 0
    }
    let before = try (inode("tools/run.sh"), inode("text.txt"))
    _ = try desk.store.restore(first)
    #expect(try inode("tools/run.sh") == before.0)
    #expect(try inode("text.txt") != before.1)
  }

  @Test("A single member of an old version can be read")
  func memberContents() throws {
    let desk = try Device()
    let version = try desk.store.save(makePackage(desk)).version
    #expect(try version.contents(ofMember: "tools/run.sh") == Data("#!/bin/sh\n".utf8))
    expectVersionError(.noSuchMember) { _ = try version.contents(ofMember: "nothing") }
    expectVersionError(.noSuchMember) { _ = try version.contents(ofMember: "tools") }
    expectVersionError(.noSuchMember) { _ = try version.contents() }
    #expect(
      try desk.store.members(of: version).map(\.path).sorted()
        == [
          ".git", ".git/config", ".gitignore", "empty", "empty/inner", "ignored.log", "link",
          "text.txt",
          "tools", "tools/run.sh", "Überblick 写真.txt",
        ])
  }

  @Test(
    "A folder is not taken for a document by accident",
    arguments: ["Notes", "notes.md", ".config", "v1.2"])
  func plainFolder(name: String) throws {
    let desk = try Device()
    try desk.write("x", to: "\(name)/inner.txt")
    let error = #expect(throws: FileError.self) { try desk.store.save(desk[name]) }
    #expect(error?.code == .unsupportedKind)
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
    #expect(try desk.store.save(desk[name], asPackage: true).version.isPackage)
    // From now on it is known.
    try desk.write("y", to: "\(name)/inner.txt")
    #expect(try desk.store.save(desk[name]).isNew)
  }

  @Test("A file with the name of a former package, and the reverse, is another content")
  func kindChanges() throws {
    let desk = try Device()
    try desk.save("flat", as: "a.thing")
    try FileManager.default.removeItem(at: desk["a.thing"])
    try desk.write("x", to: "a.thing/inner.txt")
    let package = try desk.store.save(desk["a.thing"]).version
    #expect(package.isPackage)
    let flat = try #require(try desk.history("a.thing").versions.last)
    _ = try desk.store.restore(flat)
    #expect(try desk.read("a.thing") == "flat")
    _ = try desk.store.restore(package)
    #expect(try desk.read("a.thing/inner.txt") == "x")
    try desk.expectSound()
  }

  @Test("A package of many members is saved and restored whole")
  func manyMembers() throws {
    let desk = try Device()
    for number in 0..<500 { try desk.write("\(number)", to: "Big.pack/\(number % 7)/\(number)") }
    let first = try desk.store.save(desk["Big.pack"]).version
    #expect(first.fileCount == 500)
    try FileManager.default.removeItem(at: desk["Big.pack"])
    _ = try desk.store.restore(first)
    #expect(try desk.read("Big.pack/3/241") == "241")
    try desk.expectSound()
  }
}
