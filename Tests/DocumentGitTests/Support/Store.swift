import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

/// A test's own bare repository.
struct Store {
  let scratch: ScratchFolder
  let url: URL

  init() throws {
    scratch = try ScratchFolder()
    url = scratch["store.git"]
    try git(["init", "--quiet", "--bare", url.path])
  }

  /// Opens it.
  func open() throws -> Repository {
    try Repository(opening: url.filePath)
  }

  subscript(_ path: String) -> URL { url.appending(path: path) }

  /// The file of a loose object.
  func looseFile(_ id: ObjectID) -> URL {
    self["objects/\(id.description.prefix(2))/\(id.description.dropFirst(2))"]
  }

  /// Returns the output of stock git without the last line end.
  @discardableResult
  func git(_ arguments: [String], input: String = "") throws -> String {
    let result = try Command.run(
      "git", arguments, in: FileManager.default.fileExists(atPath: url.path) ? url : nil,
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ], input: input)
    try #require(result.exitCode == 0, "git \(arguments): \(result.errorOutput)")
    return String(result.output.trimmingSuffix { $0 == "\n" })
  }

  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try GitCheck.problems(inStore: url).isEmpty, sourceLocation: sourceLocation)
  }

  /// Writes an object and gives its id.
  func write(_ kind: ObjectKind, _ bytes: [UInt8]) throws -> ObjectID {
    let object = GitObject(kind, bytes)
    try open().write([object])
    return object.id
  }

  /// Has stock git write a blob as a separate file.
  func writeLoose(_ bytes: [UInt8]) throws -> ObjectID {
    let text = try git(
      ["hash-object", "-w", "--stdin"], input: String(decoding: bytes, as: UTF8.self))
    return try #require(ObjectID(hexadecimal: text))
  }

  /// Writes a commit of the empty tree.
  func commit(_ message: String, parents: [ObjectID] = []) throws -> ObjectID {
    let somebody = Commit.Signature(name: "A", seconds: 1)
    let object = try Commit(
      tree: write(.tree, []), parents: parents, author: somebody, committer: somebody,
      message: message
    ).encoded()
    try open().write([object])
    return object.id
  }
}

extension String {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    self[..<(lastIndex { !predicate($0) }.map { index(after: $0) } ?? startIndex)]
  }
}

extension SeededGenerator {
  mutating func bytes(_ count: Range<Int>) -> [UInt8] {
    (0..<Int.random(in: count, using: &self)).map { _ in
      UInt8.random(in: .min ... .max, using: &self)
    }
  }

  /// The bytes after a few random changes: flips, cuts, repeats.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
      case 1: bytes.removeSubrange(place...)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
      default:
        bytes[place] = [0, 0x0A, 0x20, 0x2D, 0x39, 0x3C, 0x3E][Int.random(in: 0..<7, using: &self)]
      }
    }
    return bytes
  }
}
