import DocumentTestSupport
import Foundation
import Testing

/// The tables of the README and of the article about the command line, which must be complete.
@Suite("Tables in texts", .blocks)
struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let articles = "Sources/DocumentVersions/DocumentVersions.docc"

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// Returns the names of commands in the first column of a table with a certain head.
  private func commands(inTableBelow head: String, of path: String) throws -> Set<String> {
    let text = try text(path)
    let start = try #require(text.range(of: head)).upperBound
    let rows = text[start...].split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
    return Set(
      rows.flatMap { row -> [String] in
        let cell = row.replacing("\\|", with: "/").split(separator: "|").first ?? ""
        let code = cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
        return code.compactMap { $0.element.split(separator: " ").first.map(String.init) }
      })
  }

  /// Returns the commands that the program's help lists.
  private func commands() throws -> Set<String> {
    let help = try Program().run("--help").output
    let start = try #require(help.range(of: "SUBCOMMANDS:")).lowerBound
    return Set(
      help[start...].split(separator: "\n").compactMap { line in
        guard line.hasPrefix("  "), let first = line.dropFirst(2).first, first != " " else {
          return nil
        }
        let name = line.dropFirst(2).prefix { $0 != " " }
        return name == "See" ? nil : String(name)
      })
  }

  @Test(
    "A table of commands has every command, and no other",
    arguments: [
      ("README.md", "| command | does |"), ("\(Self.articles)/CommandLine.md", "## Commands"),
    ])
  func commands(path: String, head: String) throws {
    let named = try commands(inTableBelow: head, of: path)
    let present = try commands()
    #expect(present.count > 25)
    #expect(named.symmetricDifference(present).sorted() == [])
  }

  @Test("The README leads to every article")
  func leadsToArticles() throws {
    let readme = try text("README.md")
    let folder = Self.root.appending(path: Self.articles)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") && $0 != "DocumentVersions.md" }
    #expect(names.count > 10)
    #expect(names.filter { !readme.contains("\(Self.articles)/\($0)") } == [])
  }
}
