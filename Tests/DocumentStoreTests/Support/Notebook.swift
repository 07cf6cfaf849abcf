import DocumentTestSupport
import DocumentWorld
import Foundation

@testable import DocumentStore

/// A package in a test: texts, a picture, settings, a link, and something that may be run.
struct Notebook {
  let desk: Device
  let name: String

  var url: URL { desk[name] }

  /// Makes a package with the usual members.
  init(_ desk: Device, name: String = "Trip.imagenotes") throws {
    self.desk = desk
    self.name = name
    for page in 1...3 { try write(Self.page(page), to: "pages/page\(page).txt") }
    try write(bytes: Self.picture, to: "images/camp.png")
    try write(Self.settings, to: "Info.plist")
    try write("", to: "empty.txt")
    try write("#!/bin/sh\necho packed\n", to: "tools/pack.sh", permissions: 0o755)
    try link("cover", to: "images/camp.png")
  }

  /// Twelve lines of a page.
  static func page(_ number: Int) -> String {
    (1...12).map { "Page \(number), line \($0): what happened on the way\n" }.joined()
  }

  /// The smallest picture: eight bytes that say what it is, one pixel, and zero bytes among them.
  static let picture =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    ?? Data()

  static let settings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>title</key><string>Trip</string></dict></plist>

    """

  func write(_ text: String, to path: String, permissions: Int? = nil) throws {
    try write(bytes: Data(text.utf8), to: path)
    if let permissions { try setPermissions(permissions, of: path) }
  }

  func write(bytes: Data, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  func setPermissions(_ permissions: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: url.appending(path: path).path)
  }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appending(path: path).path, withDestinationPath: target)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: path))
  }

  func move(_ path: String, to other: String) throws {
    let target = url.appending(path: other)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: url.appending(path: path), to: target)
  }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      at: url.appending(path: path), withIntermediateDirectories: true)
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: path)), as: UTF8.self)
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url.appending(path: path).path)
  }

  /// Saves, a minute after what came before.
  @discardableResult
  func save() throws -> FileVersion {
    desk.clock.advance(bySeconds: 60)
    return try desk.store.save(url, asPackage: true).version
  }

  /// Which file each member is, when it was modified, and whether it may be run; of links, where they lead.
  func statuses() throws -> [String: String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.path).reduce(into: [:]) { found, path in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: url.appending(path: path).path)
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory: break
      case .typeSymbolicLink:
        found[path] = try FileManager.default.destinationOfSymbolicLink(
          atPath: url.appending(path: path).path)
      default:
        let modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        found[path] =
          "\(attributes[.systemFileNumber] ?? "") \(modified) \(attributes[.posixPermissions] ?? "")"
      }
    }
  }
}

extension MemberChange {
  /// The change in short, as `~ text.md`.
  var inShort: String {
    let mode = becameExecutable ? " +x" : ceasedToBeExecutable ? " -x" : ""
    let count = memberCount > 1 ? " (\(memberCount))" : ""
    switch kind {
    case .added: return "+ \(path)"
    case .removed: return "- \(path)"
    case .changed:
      return "\(isOtherKind ? "!" : isContentChanged ? "~" : "=") \(path)\(mode)"
    case .renamed:
      return "\(formerPath ?? "") \(isContentChanged ? "~>" : "->") \(path)\(count)\(mode)"
    }
  }
}
