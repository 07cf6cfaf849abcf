import Foundation
import Testing

/// Tests of the rooms: the folders of each target, the size of types, and the places of the names of a
/// store's files.
@Suite("Rooms")
struct RoomTests {
  private let map: SourceMap

  init() throws {
    map = try SourceMap.project.get()
  }

  // MARK: Circles

  static let targets = [
    "DocumentMerge", "DocumentFiles", "DocumentGit", "DocumentTypes", "DocumentStore",
    "DocumentTransport", "DocumentPresenting", "DocumentCoordination", "DocumentSync",
    "DocumentConflicts", "DocumentContainers", "DocumentLifecycle",
    "DocumentVersions", "DocumentProgress", "DocumentDatabase", "DocumentScenarios", "docversions",
    "DocumentPage", "docversions-page",
  ]

  @Test("The rooms of a target do not depend on one another in a circle", arguments: targets)
  func circles(target: String) {
    for circle in map.circles(in: target) {
      Issue.record(
        "\(circle.joined(separator: ", ")) are in a circle:\n\(map.description(of: circle))")
    }
  }

  @Test("Every target is looked through")
  func everyTarget() {
    #expect(Set(map.files.map(\.target)) == Set(Self.targets))
  }

  // MARK: The order of DocumentStore's rooms

  /// The rooms, lowest first; a room may use those in its own row and in all rows before it.
  private static let storeRooms: [[String]] = [
    ["Model"], ["Layout"], ["Caches"], ["Session"], ["History"], ["Operations"],
    ["Health"], ["API"],
  ]

  @Test("A room of DocumentStore uses only what is below it")
  func order() {
    var levels: [String: Int] = [:]
    for (level, rooms) in Self.storeRooms.enumerated() {
      for room in rooms { levels["DocumentStore/\(room)"] = level }
    }
    for room in Set(map.files.filter { $0.target == "DocumentStore" }.map(\.room)) {
      #expect(levels[room] != nil, "\(room) has no place in the table")
    }
    for (edge, names) in map.edges {
      guard let from = levels[edge.from], let to = levels[edge.to] else { continue }
      #expect(from >= to, "\(edge.from) uses \(edge.to): \(names.sorted())")
    }
  }

  // MARK: Sizes

  private static let mostLines = 600

  @Test("A type has at most 600 lines over all its files")
  func sizes() {
    for (type, lines) in map.sizes {
      #expect(lines <= Self.mostLines, "\(type)")
    }
    #expect(map.sizes.count > 500)
  }

  // MARK: Names of files

  /// The names in a store and in a container's folder, git's own included.
  private static let fileNames: Set<String> = [
    "ledger", "lock", "published", "working-file", "lost-versions", "checkouts", "quarantine",
    "backup", "temporary", "documents", "types", "config", "packed-refs", "HEAD", "objects", "refs",
    "heads", "trash", "logs", "pack", "known-members", "known-chunks", "version-index",
    "change-counts", "quiet-documents", "sync",
  ]

  @Test("Only Layout knows a file name of a store")
  func names() {
    for file in map.files
    where file.target == "DocumentStore" && file.room != "DocumentStore/Layout" {
      for literal in file.text.literals {
        let first = literal.text.prefix { $0 != "/" }
        // The code of a finding may be the name of its subject.
        guard Self.fileNames.contains(String(first)),
          !file.text.precedes("case workingFile = ", literalAt: literal.offset)
        else { continue }
        Issue.record("\(file.path) has “\(literal.text)”: StoreFile has the name")
      }
    }
  }

  // MARK: The measure itself

  @Test("Edges come from names that one file declares, and not from comments and strings")
  func edges() {
    let map = SourceMap([
      "A/Low/One.swift": "struct One {\n  let two = \"Two \\(Two()) {\"\n  // Two\n}\n",
      "A/High/Two.swift": "final class Two {\n  let one: One /* Both { */\n}\n\nenum Both {}\n",
      "A/High/Three.swift":
        "extension One {\n  struct Inner { let both: Both }\n}\nstruct Own {}\n",
      "A/Other/Four.swift": "struct Own {}\nfunc make() -> One { One(Own()) }\n",
    ])
    #expect(
      map.edges == [
        .init(from: "A/High", to: "A/Low"): ["One"], .init(from: "A/Other", to: "A/Low"): ["One"],
      ])
    #expect(map.sizes == ["A.One": 7, "A.Two": 3, "A.Both": 1, "A.Own": 2])
    #expect(map.circles(in: "A").isEmpty)
  }

  @Test("A circle is found, and only what is in it")
  func circle() {
    let map = SourceMap([
      "A/One/1.swift": "struct One { let two: Two }",
      "A/Two/2.swift": "struct Two { let three: Three }",
      "A/Three/3.swift": "struct Three { let one: One }",
      "A/Four/4.swift": "struct Four { let one: One }",
      "B/Five/5.swift": "struct Five { let one: One }",
    ])
    #expect(map.circles(in: "A") == [["A/One", "A/Three", "A/Two"]])
    #expect(map.circles(in: "B").isEmpty)
  }

  @Test("Literals are found with what stands before them")
  func literals() {
    let text = SourceText(
      ##"let a = Code(rawValue: "lock"), b = #"x"y"#, c = "\(f("in"))", d = "lock""##)
    #expect(
      text.literals.map(\.text)
        == ["lock", "x\"y", "in", "\\(f(\"in\"))", "lock"].filter { $0 != "in" })
    let isCode = text.literals.map { text.precedes("rawValue: ", literalAt: $0.offset) }
    #expect(isCode == [true, false, false, false])
  }
}
