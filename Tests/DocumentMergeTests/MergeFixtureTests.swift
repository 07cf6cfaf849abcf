import DocumentMerge
import Foundation
import Testing

/// The engines by the name of their fixtures' folder in `Fixtures/merges`.
enum FixtureEngine: String, CaseIterable {
  case text, table

  /// The engine for a file of this name.
  func engine(fileName: String) -> any MergeEngine {
    switch self {
    case .text: TextMergeEngine(lineTools: GitLineTools(), style: TextStyle(fileName: fileName))
    case .table: TableMergeEngine(lineTools: GitLineTools())
    }
  }
}

/// A merge told as a folder: base, ours, theirs and expected, and the decisions in words.
struct MergeFixture: Sendable, CustomTestStringConvertible {
  static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../Fixtures/merges").standardizedFileURL

  let engine: FixtureEngine
  let name: String
  var testDescription: String { "\(engine.rawValue)/\(name)" }

  /// All fixtures of the engines in the table.
  static var all: [MergeFixture] {
    FixtureEngine.allCases.flatMap { engine in
      names(in: folder.appending(path: engine.rawValue)).map {
        MergeFixture(engine: engine, name: $0)
      }
    }
  }

  static func names(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  private var files: URL { Self.folder.appending(path: testDescription) }

  /// The content of the file of a name, with any extension; `nil` if there is none.
  func bytes(_ name: String) throws -> [UInt8]? {
    let file = Self.names(in: files).first { $0 == name || $0.hasPrefix(name + ".") }
    return try file.map { Array(try Data(contentsOf: files.appending(path: $0))) }
  }

  func merged() throws -> MergeOutcome {
    let fileName = try #require(Self.names(in: files).first { $0.hasPrefix("ours.") })
    let sides = MergeSides(
      base: try bytes("base"), ours: try #require(try bytes("ours")),
      theirs: try #require(try bytes("theirs")))
    return try engine.engine(fileName: fileName).merge(sides, options: MergeOptions())
  }
}

@Suite("Merges told in fixtures")
struct MergeFixtureTests {
  @Test("Each merge goes as it is told", arguments: MergeFixture.all)
  func goesAsTold(_ fixture: MergeFixture) throws {
    let outcome = try fixture.merged()
    let expected = try #require(try fixture.bytes("expected"))
    #expect(outcome.text == String(decoding: expected, as: UTF8.self))
    #expect(outcome.bytes == expected)
    let decisions = outcome.decisions.map { "\($0.kind.rawValue) \($0.place)\n" }.joined()
    let told = try #require(try fixture.bytes("decisions"))
    #expect(decisions == String(decoding: told, as: UTF8.self))
  }

  @Test("Every engine in the table has fixtures", arguments: FixtureEngine.allCases)
  func everyEngineHasFixtures(_ engine: FixtureEngine) {
    #expect(MergeFixture.all.count { $0.engine == engine } >= 12)
  }
}
