import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentStore

/// A device in a test: a container, somebody who saves there, and a clock.
struct Desk {
  let scratch: ScratchFolder
  let clock: FixedClock
  var store: VersionStore
  let container: URL

  /// Makes a device of its own.
  init(_ author: String = "Mira") throws {
    try self.init(author, in: ScratchFolder(), clock: FixedClock())
  }

  /// Makes a device beside others that share a folder and a clock.
  init(_ author: String, in scratch: ScratchFolder, clock: FixedClock) throws {
    self.scratch = scratch
    self.clock = clock
    store = VersionStore(identity: Identity(author: author, device: "\(author)’s laptop")) {
      clock.now
    }
    container = scratch[author]
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
  }

  /// Makes Mira’s device and Tom’s, which share a folder and a clock.
  static func pair(in scratch: ScratchFolder) throws -> (mira: Desk, tom: Desk) {
    let clock = FixedClock()
    return (
      try Desk("Mira", in: scratch, clock: clock), try Desk("Tom", in: scratch, clock: clock)
    )
  }

  subscript(_ name: String) -> URL { container.appending(path: name) }

  /// Writes a document without saving it.
  @discardableResult
  func write(_ text: String, to name: String) throws -> URL {
    try FileManager.default.createDirectory(
      at: self[name].deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: self[name])
    return self[name]
  }

  /// Writes and saves a document, a minute after what came before.
  @discardableResult
  func save(_ text: String, as name: String, note: String? = nil, base: FileVersion? = nil) throws
    -> FileVersion
  {
    clock.advance(bySeconds: 60)
    return try store.save(write(text, to: name), note: note, base: base).version
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: self[name]), as: UTF8.self)
  }

  func history(_ name: String) throws -> DocumentHistory {
    try store.history(of: self[name])
  }

  /// The texts of the versions, newest first.
  func texts(_ name: String) throws -> [String] {
    try history(name).versions.map { String(decoding: try $0.contents(), as: UTF8.self) }
  }

  /// Expects that stock git finds nothing wrong.
  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let problems = try GitCheck.problems(inContainer: container)
    #expect(problems.isEmpty, sourceLocation: sourceLocation)
  }

  /// Makes a conflict: two versions that were both made from a first one.
  ///
  /// The last is current.
  @discardableResult
  func conflict(
    base: String, other: String, current: String, as name: String
  ) throws -> (base: FileVersion, other: FileVersion, current: FileVersion) {
    let first = try save(base, as: name)
    let second = try save(other, as: name)
    let third = try save(current, as: name, base: first)
    return (first, second, third)
  }
}

/// Expects a ``VersionError`` with a code.
func expectVersionError(
  _ code: VersionError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was thrown instead of \(code.rawValue)", sourceLocation: sourceLocation)
  } catch let error as VersionError {
    #expect(error.code == code, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
