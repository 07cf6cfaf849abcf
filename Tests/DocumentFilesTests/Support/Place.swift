import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

/// A test's own folder, whose items are named by raw paths.
struct Place {
  let scratch: ScratchFolder
  let root: FilePath

  init() throws {
    scratch = try ScratchFolder(isInMemory: false)
    root = FilePath(scratch.url.path)
  }

  /// The path of an item.
  subscript(_ name: String) -> FilePath { root.pushing(FilePath(name)) }

  /// Writes a file, with the folders above it.
  @discardableResult
  func write(_ text: String, to name: String, permissions: UInt32? = nil) throws -> FilePath {
    try scratch.write(text, to: name)
    if let permissions { try setPermissions(permissions, of: name) }
    return self[name]
  }

  func makeFolder(_ name: String, permissions: UInt32? = nil) throws {
    try Folder.create(self[name])
    if let permissions { try setPermissions(permissions, of: name) }
  }

  func makeLink(_ name: String, to target: String) throws {
    try OpenFolder(self[name].parentFolder).makeLink(
      self[name].lastName, target: Array(target.utf8))
  }

  func setPermissions(_ permissions: UInt32, of name: String) throws {
    try #require(chmod(self[name].string, mode_t(permissions)) == 0)
  }

  func text(of name: String) throws -> String { try scratch.read(name) }

  func linkTarget(of path: FilePath) throws -> [UInt8] {
    try OpenFolder(path.parentFolder).linkTarget(of: path.lastName)
  }

  func status(of name: String) throws -> FileStatus {
    try #require(try FileStatus.of(self[name]), "there is no \(name)")
  }

  func permissions(of name: String) throws -> UInt32 { try status(of: name).permissions }

  /// Returns the names in the folder, including files that an operation must not leave behind.
  func names(in folder: String = "") throws -> [String] {
    try Folder.names(in: self[folder]).map { Printable.text($0) }
  }

  /// Replaces an item that hasn't changed since it was read.
  func replace(_ name: String, with item: DocumentItem) throws {
    try DocumentWriter.replace(
      self[name], with: item, displacing: ItemListing(self[name], limits: nil))
  }
}

extension DocumentItem {
  /// A file with a text.
  static func text(_ text: String, isExecutable: Bool = false) -> DocumentItem {
    .file(isExecutable: isExecutable, contents: FileContents(Array(text.utf8)))
  }

  /// Returns a file that runs an action before it is written.
  static func text(_ text: String, after action: @escaping () throws -> Void) -> DocumentItem {
    let contents = FileContents(
      size: text.utf8.count,
      readingAll: {
        try action()
        return Array(text.utf8)
      })
    return .file(isExecutable: false, contents: contents)
  }

  /// A package with members.
  static func package(_ members: [(String, DocumentItem)]) -> DocumentItem {
    .folder { members.map { (Array($0.0.utf8), $0.1) } }
  }
}

/// Reads a document as lines of text: one for each member, in order.
struct Lister: DocumentVisitor {
  /// Called for every file, with its text.
  var action: (String) throws -> Void = { _ in }

  func file(_ contents: FileContents, isExecutable: Bool) throws -> [String] {
    let text = String(decoding: try contents.read(), as: UTF8.self)
    try action(text)
    return [(isExecutable ? "program " : "file ") + text]
  }

  func symbolicLink(target: [UInt8]) throws -> [String] {
    ["link " + Printable.text(target)]
  }

  func folder(_ members: [(name: [UInt8], node: [String])]) throws -> [String] {
    ["folder"]
      + members.flatMap { name, lines in lines.map { "\(Printable.text(name)): \($0)" } }
  }
}

/// An unprivileged user, whom permissions restrict, unlike root.
enum Nobody {
  static let identifier: UInt32 = 65_534

  /// Makes the process run as that user from now on if it runs as root; any other user will do.
  static func become() {
    guard geteuid() == 0 else { return }
    LeakCheck.doNow()
    _ = setgroups(0, nil)
    _ = setgid(identifier)
    _ = setuid(identifier)
  }
}
