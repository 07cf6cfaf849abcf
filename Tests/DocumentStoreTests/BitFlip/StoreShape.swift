import DocumentTestSupport
import DocumentWorld
import Foundation

@testable import DocumentStore

/// The shapes that a store may have when its files are damaged.
enum StoreShape: String, CaseIterable, Sendable {
  case youngPacks, afterGC, looseByGit, conflict, removal, packedReferences, package, checkouts,
    chunks

  /// Creates a document with versions in this shape, with its files from before the last step.
  func make() throws -> ShapedStore {
    let desk = try Device("Mira", in: ScratchFolder(isInMemory: true), clock: FixedClock())
    let name = self == .package ? "Trip.pack" : "a.md"
    let shaped = ShapedStore(desk: desk, name: name)
    switch self {
    case .conflict: try desk.conflict(base: "one\n", other: "two\n", current: "three\n", as: name)
    case .package: try savePackages(desk, name)
    case .chunks: for edition in 1...3 { try desk.save(Self.largeText(edition), as: name) }
    default:
      for text in ["one\n", "one\ntwo\n", "one\ntwo\nthree\n"] { try desk.save(text, as: name) }
    }
    let before = try shaped.files()
    try step(shaped)
    let older = try before.filter { try shaped.bytes($0.key) != $0.value }
    return ShapedStore(desk: desk, name: name, older: older)
  }

  /// The maximum number of flips, which doesn't cover every byte of a large file.
  var mostFlips: Int { self == .chunks ? 500 : .max }

  /// The removed texts in the trash.
  var removedTexts: Set<String> { self == .removal ? ["one\ntwo\n"] : [] }

  private func savePackages(_ desk: Device, _ name: String) throws {
    for text in ["one", "two"] {
      try desk.write(text, to: "\(name)/text/\(text).txt")
      try desk.write("the same", to: "\(name)/image.bin")
      desk.clock.advance(bySeconds: 60)
      try desk.store.save(desk[name], asPackage: true)
    }
  }

  /// A text that is stored in chunks; its editions differ in one line.
  private static func largeText(_ edition: Int) -> String {
    (0..<40_000).map { line in
      "line \(line) of a long text\(line == 20_000 ? ", edition \(edition)" : "")\n"
    }.joined()
  }

  /// Performs the last step on the store.
  private func step(_ shaped: ShapedStore) throws {
    let (desk, name, path) = (shaped.desk, shaped.name, shaped.folder.path)
    switch self {
    case .youngPacks, .conflict: try desk.save("four\n", as: name)
    case .chunks: try desk.save(Self.largeText(4), as: name)
    case .afterGC:
      try shaped.removeKeepMarks()
      try git("-C", path, "gc", "--quiet")
    case .looseByGit: try shaped.unpack()
    case .removal:
      let versions = try desk.history(name).versions
      try desk.store.remove([versions[1]], of: desk[name])
    case .packedReferences:
      try git("-C", path, "pack-refs", "--all")
      try desk.save("four\n", as: name)
      try git("-C", path, "pack-refs", "--all")
    case .package:
      try desk.write("three", to: "\(name)/text/three.txt")
      try desk.store.save(desk[name], asPackage: true)
    case .checkouts:
      for version in try desk.history(name).versions { _ = try version.checkedOutURL() }
    }
  }

  private func git(_ arguments: String...) throws {
    let result = try Command.run(
      "git", arguments,
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ])
    guard result.exitCode == 0 else { throw StoreShapeError(message: result.errorOutput) }
  }
}

struct StoreShapeError: Error {
  let message: String
}

/// A document's store that is about to be damaged.
struct ShapedStore: Sendable {
  let desk: Device
  let name: String
  /// The files from before the last step that it changed.
  var older: [String: Data] = [:]

  var document: URL { desk[name] }
  var folder: URL { desk[".docversions/documents/\(name).git"] }

  /// Every file of the store, by its path in it.
  func files() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var files: [String: Data] = [:]
    for name in names {
      var isFolder = ObjCBool(false)
      let path = folder.appending(path: name).path
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      files[name] = try bytes(name)
    }
    return files
  }

  func bytes(_ file: String) throws -> Data? {
    let url = folder.appending(path: file)
    return FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : nil
  }

  /// Replaces a file's bytes, or removes the file.
  func put(_ bytes: Data?, in file: String) throws {
    let url = folder.appending(path: file)
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try bytes?.write(to: url)
  }

  func removeKeepMarks() throws {
    for file in try files().keys where file.hasSuffix(".keep") { try put(nil, in: file) }
  }

  /// Lets git write every object into a separate file.
  func unpack() throws {
    for (file, bytes) in try files() where file.hasPrefix("objects/pack/") {
      try put(nil, in: file)
      guard file.hasSuffix(".pack") else { continue }
      let pack = desk.scratch["a.pack"]
      try bytes.write(to: pack)
      _ = try Command.run(
        "sh", ["-c", "git -C \"$1\" unpack-objects -q < \"$2\"", "sh", folder.path, pack.path],
        environment: [
          "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        ])
    }
  }
}
