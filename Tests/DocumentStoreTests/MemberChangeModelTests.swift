import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Random edits of a package, compared with a model that identifies each file.
@Suite("Changes of members against a model")
struct MemberChangeModelTests {
  /// A file of the model, with its identity independent of names and edits.
  private struct File: Equatable {
    let identity: Int
    var lines: [String]
    var isExecutable = false

    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  private struct Model {
    var files: [String: File] = [:]
    var count = 0

    mutating func newFile(using generator: inout SeededGenerator) -> File {
      count += 1
      let lines = (0..<40).map { _ in "\(UInt64.random(in: 0...(.max), using: &generator))" }
      return File(identity: count, lines: lines)
    }

    mutating func freePath(using generator: inout SeededGenerator) -> String {
      let folders = ["", "pages/", "images/", "pages/old/", "a/b/c/"]
      while true {
        let folder = folders.randomElement(using: &generator) ?? ""
        let path = "\(folder)\(Int.random(in: 0..<60, using: &generator)).txt"
        if files[path] == nil { return path }
      }
    }

    /// Adds, removes, renames, edits, or does two of these to one file.
    mutating func edit(using generator: inout SeededGenerator) {
      let path = files.keys.sorted().randomElement(using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: files[freePath(using: &generator)] = newFile(using: &generator)
      case 1: if let path { files[path] = nil }
      case 2:
        if let path {
          let file = files.removeValue(forKey: path)
          files[freePath(using: &generator)] = file
        }
      case 3:
        if let path, var file = files.removeValue(forKey: path) {
          change(&file, using: &generator)
          files[freePath(using: &generator)] = file
        }
      case 4: if let path { files[path]?.isExecutable.toggle() }
      case 5: if let path { files[path] = newFile(using: &generator) }
      default:
        if let path, var file = files[path] {
          change(&file, using: &generator)
          files[path] = file
        }
      }
    }

    /// Changes a file, leaving more than half of the lines unchanged even after all edits of a test.
    private func change(_ file: inout File, using generator: inout SeededGenerator) {
      file.lines[Int.random(in: 0..<10, using: &generator)] = "edited"
      file.lines[0] += "."
    }

    /// Returns the changes since another model, in the words of ``MemberChange/inShort``.
    func changes(since old: Model) -> Set<String> {
      var found: Set<String> = []
      let added = files.filter { old.files[$0.key] == nil }
      var renamed: Set<String> = []
      for (path, before) in old.files {
        if let after = files[path] {
          if let words = Self.words(path, path, before, after) { found.insert(words) }
        } else if let (newPath, after) = added.first(where: { $0.value.identity == before.identity }
        ) {
          renamed.insert(newPath)
          found.insert(Self.words(path, newPath, before, after) ?? "")
        } else {
          found.insert("- \(path)")
        }
      }
      for path in added.keys where !renamed.contains(path) { found.insert("+ \(path)") }
      return found
    }

    private static func words(
      _ path: String, _ newPath: String, _ before: File, _ after: File
    ) -> String? {
      let isEdited = before.lines != after.lines
      let mode =
        before.isExecutable == after.isExecutable ? "" : after.isExecutable ? " +x" : " -x"
      guard path == newPath else { return "\(path) \(isEdited ? "~>" : "->") \(newPath)\(mode)" }
      return isEdited || !mode.isEmpty ? "\(isEdited ? "~" : "=") \(path)\(mode)" : nil
    }
  }

  /// Returns a renamed folder as changes of its members.
  private func singly(_ changes: [MemberChange], in old: Model) -> [String] {
    changes.flatMap { change -> [String] in
      guard change.after?.kind == "folder", let former = change.formerPath else {
        return [change.inShort]
      }
      let paths = old.files.keys.filter { $0.hasPrefix(former + "/") }
      #expect(paths.count == change.memberCount)
      return paths.map { "\($0) -> \(change.path)\($0.dropFirst(former.count))" }
    }
  }

  private func write(_ model: Model, as notebook: Notebook) throws {
    if FileManager.default.fileExists(atPath: notebook.url.path) {
      try FileManager.default.removeItem(at: notebook.url)
    }
    try notebook.makeFolder("")
    for (path, file) in model.files {
      try notebook.write(file.text, to: path, permissions: file.isExecutable ? 0o755 : 0o644)
    }
  }

  @Test("Random edits are reported as the model has them", arguments: 1...24)
  func randomEdits(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let desk = try Device()
    let notebook = try Notebook(desk)
    var old = Model()
    for _ in 0..<25 { old.files[old.freePath(using: &generator)] = old.newFile(using: &generator) }
    try write(old, as: notebook)
    let first = try notebook.save()
    var new = old
    for _ in 0..<Int.random(in: 1...15, using: &generator) { new.edit(using: &generator) }
    if seed.isMultiple(of: 4) {
      for path in new.files.keys.sorted() where path.hasPrefix("pages/") {
        new.files["book" + path.dropFirst(5)] = new.files.removeValue(forKey: path)
      }
    }
    try write(new, as: notebook)
    let onDisk = try desk.store.memberChangesOnDisk(since: first)
    let second = try notebook.save()
    let changes = try desk.store.memberChanges(from: first, to: second)
    #expect(onDisk == changes, "seed \(seed)")
    let reported = singly(changes, in: old)
    #expect(Set(reported) == new.changes(since: old), "seed \(seed)")
    #expect(Set(reported).count == reported.count, "seed \(seed)")
    let paths = changes.map { Array($0.path.utf8) }
    #expect(paths == paths.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
  }
}
