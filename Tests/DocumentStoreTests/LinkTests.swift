import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

/// Symbolic links: an operation that moves or removes an item never does so through a link.
struct LinkTests {
  /// The operations that can move or remove an item.
  enum Operation: CaseIterable {
    case delete, rename, move, undo, join, release, replaceByAnotherKind

    func run(on link: URL, at desk: Device, _ version: FileVersion) throws {
      switch self {
      case .delete: try desk.store.delete(link)
      case .rename: try desk.store.rename(link, to: "new.md")
      case .move: try desk.store.move(link, to: desk["folder/new.md"])
      case .undo: _ = try desk.store.undo(link)
      case .join: try desk.store.join(desk["other.md"], with: link)
      case .release: try desk.store.release(link) { _ in }
      case .replaceByAnotherKind: _ = try version.replaceItem(at: link)
      }
    }
  }

  /// The targets of links.
  static let targets = ["a.md", "unsaved.md", "folder", "nowhere", "link.md", "other.txt", "/"]

  private let desk: Device
  private let version: FileVersion

  init() throws {
    desk = try Device()
    for text in ["1", "2"] { try desk.save(text, as: "a.md") }
    version = try desk.save("text", as: "other.txt")
    try desk.save("other", as: "other.md")
    try desk.write("unsaved", to: "unsaved.md")
    try FileManager.default.createDirectory(
      at: desk["folder"], withIntermediateDirectories: false)
  }

  private func link(to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: desk["link.md"].path, withDestinationPath: target)
  }

  private func items() throws -> [String: String?] {
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.container.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let isFile = try FileStatus.of(desk[name].filePath)?.kind == .file
        return (name, isFile ? try desk.read(name) : nil)
      })
  }

  @Test(arguments: Operation.allCases, targets)
  func `no operation moves or removes what a link leads to`(
    operation: Operation, target: String
  ) throws {
    try link(to: target)
    let (before, count) = (try items(), try desk.history("a.md").count)
    // A kind of document that the link's name doesn't have: only documents get another name then.
    if operation == .replaceByAnotherKind, !["a.md", "unsaved.md"].contains(target) { return }
    let error = try #require(
      expectFileError(.unsupportedKind) {
        try operation.run(on: desk["link.md"], at: desk, version)
      })
    #expect(error.message.contains("is a link to “\(target)”"))
    #expect(try items() == before)
    #expect(try desk.history("a.md").count == count)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: desk["link.md"].path) == target)
  }

  @Test(arguments: targets)
  func `nothing is moved over a link, or through it`(target: String) throws {
    try link(to: target)
    let before = try items()
    for error in [
      expectFileError(.exists) { try desk.store.rename(desk["a.md"], to: "link.md") },
      expectFileError(.exists) { try desk.store.move(desk["a.md"], to: desk["link.md"]) },
    ] {
      #expect(error?.message == "There already is a “link.md”.")
    }
    #expect(try items() == before)
  }

  @Test func `reading, saving and restoring work through a link`() throws {
    try link(to: "a.md")
    let first = try #require(try desk.history("link.md").versions.last)
    try desk.write("3", to: "a.md")
    #expect(try desk.store.state(of: desk["link.md"]) == .edited)
    try desk.store.save(desk["link.md"])
    try desk.store.restore(first, of: desk["link.md"])
    #expect(try desk.read("a.md") == "1")
    #expect(try desk.history("link.md").versions.count == 4)
  }

  @Test func `a document in a folder that a link leads to is deleted and renamed itself`() throws {
    try desk.save("inside", as: "folder/b.md")
    try FileManager.default.createSymbolicLink(
      atPath: desk["way"].path, withDestinationPath: "folder")
    try desk.store.rename(desk["way/b.md"], to: "c.md")
    #expect(try desk.read("folder/c.md") == "inside")
    try desk.store.delete(desk["way/c.md"])
    #expect(!FileManager.default.fileExists(atPath: desk["folder/c.md"].path))
  }
}
