import DocumentMerge
import Foundation
import Testing

/// A merge as a folder with the three sides and the result.
///
/// | file | |
/// | --- | --- |
/// | `base`, `ours`, `theirs` | the sides, with the extension of their type; without a base both are new |
/// | `name` | the document's name, if that of ours doesn't determine the type |
/// | `expected` | the merged document |
/// | `decisions` | a line for each decision: its kind, and its path or other place |
///
/// A folder that lacks the last two gets them from the engine, to be reviewed before they are kept.
struct MergeFixture: Sendable, CustomTestStringConvertible {
  let folder: URL
  var testDescription: String { folder.lastPathComponent }

  static let root = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../../Fixtures/merges").standardizedFileURL

  /// The names of the folders, which are those of the engines.
  static let engines = [
    "bibliography", "calendar", "gettext", "html", "json", "notebook", "plist", "set", "settings",
    "sql", "table", "text", "toml", "xml", "yaml",
  ]

  /// The merges of all engines.
  static let all: [MergeFixture] = engines.flatMap { engine in
    folders(in: root.appending(path: engine)).map(MergeFixture.init)
  }

  static func folders(in folder: URL) -> [URL] {
    let found =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.isDirectoryKey])) ?? []
    return found.filter(\.hasDirectoryPath).sorted { $0.path < $1.path }
  }

  /// The engine for a file with the name of ours.
  var engine: (any MergeEngine)? {
    get throws {
      let name = try contents("name").map {
        String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      return try (name ?? file("ours")?.lastPathComponent).map {
        MergeEngines().engine(forFileName: $0)
      }
    }
  }

  /// Returns the file with this name and any extension.
  func file(_ name: String) throws -> URL? {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .first { $0.deletingPathExtension().lastPathComponent == name }
  }

  func contents(_ name: String) throws -> [UInt8]? {
    try file(name).map { [UInt8](try Data(contentsOf: $0)) }
  }

  /// Returns the decisions in the fixture's format.
  static func told(_ decisions: [MergeDecision]) -> String {
    decisions.map { decision in
      "\(decision.kind.rawValue) \(decision.place.path ?? decision.place.description)\n"
    }.joined()
  }

  /// Writes the engine's result, if there is none yet.
  func record(_ outcome: MergeOutcome) throws {
    let type = try file("ours")?.pathExtension ?? ""
    try Data(outcome.bytes).write(
      to: folder.appending(path: "expected").appendingPathExtension(type))
    try Data(Self.told(outcome.decisions).utf8).write(to: folder.appending(path: "decisions"))
  }
}
