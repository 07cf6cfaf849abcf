import DocumentMerge
import Foundation
import Testing

/// The table of the results of all pairs is `Fixtures/merges/pairs/package`.
@Suite("All pairs of changes to a package, in both directions")
struct PackagePairsTests {
  typealias Members = [String: PackageMember]

  /// One change to the base package.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    let apply: @Sendable (inout Members) -> Void

    var testDescription: String { name }

    var result: Members {
      var members = PackagePairsTests.base
      apply(&members)
      return members
    }
  }

  static let base: Members = [
    "a": file("1\n2\n3\n"), "d/x": file("1\n2\n3\n"), "d/y": file("y"), "l": link("a"),
    "e": .folder,
  ]

  static let changes: [Change] = [
    Change(name: "nothing") { _ in },
    Change(name: "edit") { $0["a"] = file("one\n2\n3\n") },
    Change(name: "edit it differently") { $0["a"] = file("uno\n2\n3\n") },
    Change(name: "edit another line") { $0["a"] = file("1\n2\nthree\n") },
    Change(name: "make executable") { $0["a"] = file("1\n2\n3\n", isExecutable: true) },
    Change(name: "delete") { $0["a"] = nil },
    Change(name: "replace by link") { $0["a"] = link("d") },
    Change(name: "replace by folder") {
      $0["a"] = nil
      $0["a/in"] = file("in")
    },
    Change(name: "replace by empty folder") { $0["a"] = .folder },
    Change(name: "add") { $0["new"] = file("n\n") },
    Change(name: "add it differently") { $0["new"] = file("m\n") },
    Change(name: "add in the folder") { $0["d/new"] = file("n") },
    Change(name: "add below a new folder") { $0["new/n"] = file("n") },
    Change(name: "edit in the folder") { $0["d/x"] = file("one\n2\n3\n") },
    Change(name: "delete in the folder") { $0["d/x"] = nil },
    Change(name: "delete the folder") {
      $0["d/x"] = nil
      $0["d/y"] = nil
    },
    Change(name: "empty the folder") {
      $0["d/x"] = nil
      $0["d/y"] = nil
      $0["d"] = .folder
    },
    Change(name: "replace the folder by a file") {
      $0["d/x"] = nil
      $0["d/y"] = nil
      $0["d"] = file("d")
    },
    Change(name: "change the link") { $0["l"] = link("d/x") },
    Change(name: "replace the link by a file") { $0["l"] = file("l") },
    Change(name: "delete the empty folder") { $0["e"] = nil },
    Change(name: "fill the empty folder") {
      $0["e"] = nil
      $0["e/f"] = file("f")
    },
    Change(name: "replace the empty folder by a link") { $0["e"] = link("d") },
    Change(name: "rename") { $0["b"] = $0.removeValue(forKey: "a") },
    Change(name: "rename it differently") { $0["c"] = $0.removeValue(forKey: "a") },
    Change(name: "rename and edit") {
      $0["a"] = nil
      $0["b"] = file("1\n2\n3\n4\n")
    },
    Change(name: "move into the folder") { $0["d/a"] = $0.removeValue(forKey: "a") },
    Change(name: "rename to what is added") { $0["new"] = $0.removeValue(forKey: "a") },
    Change(name: "rename below a new folder") { $0["new/a"] = $0.removeValue(forKey: "a") },
    Change(name: "rename the link") { $0["k"] = $0.removeValue(forKey: "l") },
    Change(name: "rename in the folder") { $0["d/z"] = $0.removeValue(forKey: "d/x") },
    Change(name: "move out of the folder") { $0["x"] = $0.removeValue(forKey: "d/x") },
    Change(name: "rename the folder") {
      $0["f/x"] = $0.removeValue(forKey: "d/x")
      $0["f/y"] = $0.removeValue(forKey: "d/y")
    },
    Change(name: "rename the folder differently") {
      $0["g/x"] = $0.removeValue(forKey: "d/x")
      $0["g/y"] = $0.removeValue(forKey: "d/y")
    },
  ]

  /// Returns the lines in the files of ours that base doesn't have.
  private func newLines(_ members: Members) throws -> Set<Substring> {
    func lines(_ members: Members) throws -> Set<Substring> {
      var result: Set<Substring> = []
      for case .file(let file) in members.values {
        result.formUnion(String(decoding: try file.read(), as: UTF8.self).split(separator: "\n"))
      }
      return result
    }
    return try lines(members).subtracting(lines(Self.base))
  }

  @Test("Every pair merges to a package that can be, swapped or not", arguments: changes)
  func pairs(_ ours: Change) throws {
    for theirs in Self.changes {
      let outcome = try mergePackages(Self.base, ours.result, theirs.result)
      let swapped = try mergePackages(Self.base, theirs.result, ours.result)
      let names: Comment = "\(ours.name) / \(theirs.name)"
      #expect(outcome.isComplete == swapped.isComplete, names)
      if outcome.isComplete { #expect(try outcome.contents == swapped.contents, names) }
      // Of two new names ours is shown.
      let isRenamedTwice = outcome.decisions.contains { $0.explanation.contains("and theirs to ") }
      if !isRenamedTwice { #expect(outcome.clashes == swapped.clashes, names) }
      try checkPackageAnswers(openMerge(Self.base, ours.result, theirs.result), names)
      for path in outcome.members.keys {
        let isBelow = outcome.members.keys.contains { $0.bytes.starts(with: path.bytes + [0x2F]) }
        #expect(!isBelow, "\(ours.name) / \(theirs.name): \(path) has members below it")
      }
    }
  }

  @Test("One side's change alone is taken exactly", arguments: changes)
  func alone(_ change: Change) throws {
    let wanted = try change.result.mapValues { try MergedMember.kept($0).shown }
    for outcome in [
      try mergePackages(Self.base, change.result, Self.base),
      try mergePackages(Self.base, Self.base, change.result),
      try mergePackages(Self.base, change.result, change.result),
      try mergePackages(nil, change.result, change.result),
    ] {
      #expect(try outcome.contents == wanted)
      #expect(outcome.isComplete)
    }
  }

  @Test("Every pair comes out as the table says")
  func table() throws {
    var lines: [String] = []
    for ours in Self.changes {
      for theirs in Self.changes {
        let outcome = try mergePackages(Self.base, ours.result, theirs.result)
        let clashes = outcome.decisions.filter { $0.kind == .clash }.map(\.place.description)
        let members = outcome.members.keys.sorted().map(\.description).joined(separator: " ")
        let result = clashes.isEmpty ? "" : " | clash " + clashes.joined(separator: "; ")
        lines.append("\(ours.name) | \(theirs.name) | \(members)\(result)")
      }
    }
    try checkPairs(lines, "package")
  }

  @Test("Changes to different members always combine")
  func independent() throws {
    let pairs = [
      ("edit", "edit in the folder"), ("delete", "change the link"), ("add", "delete the folder"),
      ("replace by folder", "empty the folder"), ("edit", "edit another line"),
      ("make executable", "edit"), ("edit in the folder", "add in the folder"),
      ("rename", "edit"), ("move into the folder", "edit"), ("rename", "make executable"),
      ("rename and edit", "rename"), ("rename the folder", "edit in the folder"),
      ("rename the folder", "add in the folder"), ("rename the folder", "move into the folder"),
      ("rename the link", "change the link"), ("move out of the folder", "edit in the folder"),
      ("rename below a new folder", "edit"), ("rename in the folder", "add in the folder"),
    ]
    for (first, second) in pairs {
      let ours = try #require(Self.changes.first { $0.name == first })
      let theirs = try #require(Self.changes.first { $0.name == second })
      let outcome = try mergePackages(Self.base, ours.result, theirs.result)
      #expect(outcome.isComplete, "\(first) / \(second)")
    }
  }

  @Test("No line of ours is ever lost", arguments: changes)
  func oursStays(_ ours: Change) throws {
    for theirs in Self.changes {
      let outcome = try mergePackages(Self.base, ours.result, theirs.result)
      let result = Set(
        try outcome.contents.values.flatMap { $0.trimmingPrefix("*").split(separator: "\n") })
      #expect(try newLines(ours.result).isSubset(of: result), "\(ours.name) / \(theirs.name)")
    }
  }
}
