import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentScenarios

/// The article about scenarios describes exactly what the parser reads.
@Suite(.blocks)
struct ScenarioPageTests {
  private let scratch: ScratchFolder
  /// The blocks of code that are lines of scenarios.
  private let blocks: [String]

  init() throws {
    scratch = try ScratchFolder()
    for file in ["base.md", "mira.md", "tom.md", "merged.md", "Base/b.md"] {
      try scratch.write("", to: file)
    }
    let page = Fixtures.folder.appending(
      path: "../Sources/DocumentVersions/DocumentVersions.docc/Scenarios.md")
    blocks = try String(contentsOf: page, encoding: .utf8)
      .components(separatedBy: "```scenario\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  private func steps(_ block: String) throws -> [ScenarioStep] {
    let isWhole = block.split(separator: "\n").contains { $0.hasPrefix("devices") }
    try scratch.write((isWhole ? "" : "devices mira tom\n") + block, to: "scenario")
    return try Scenario(folder: scratch.url).steps
  }

  @Test func everyLineIsRead() throws {
    #expect(blocks.count > 4)
    for block in blocks { _ = try steps(block) }
  }

  @Test func everyFormHasALine() throws {
    let steps = try blocks.flatMap(steps)
    var deeds: Set<String> = []
    var claims: Set<String> = []
    for step in steps {
      switch step.event {
      case .deed(let deed, by: _): deeds.insert(Self.label(deed))
      case .claim(.document(_, .inApp(let fact)), on: _): claims.insert(Self.label(fact))
      case .claim(.document(_, let fact), on: _): claims.insert(Self.label(fact))
      case .claim(let claim, on: _): claims.insert(Self.label(claim))
      default: break
      }
    }
    let words = Set(steps.flatMap { $0.text.split(separator: " ").map(String.init) })
    #expect(ScenarioParser.verbs.allSatisfy { words.contains($0.thirdPerson) })
    #expect(deeds.count == 35)
    #expect(
      claims == [
        "conflicts", "conflictsWith", "versions", "lists", "keeps", "keepsNone", "isCurrent",
        "note",
        "equals", "exists", "state", "isNotDownloaded", "agreement", "storesAreSound", "isOpen",
        "shows",
        "hasUnsavedChanges", "showsConflict", "showsSavingError", "canUndo", "canRedo", "wasLoaded",
      ])
  }

  /// The name of a value's case.
  private static func label(_ value: some Any) -> String {
    String("\(value)".prefix { $0 != "(" })
  }
}
