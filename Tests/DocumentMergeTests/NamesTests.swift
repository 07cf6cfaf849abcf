import DocumentMerge
import Testing

@Suite("Names that stand twice")
struct NamesTests {
  @Test("What stands below something that is there twice is no question of its own")
  func below() throws {
    let section = "## N\n\n### Use\n\n- Buy milk and eggs\n\n"
    let parts = ["# T\n\n", "## A\n\na\n\n", "## B\n\nb\n\n", "## C\n\nc\n"]
    let merge = FileMerge("t.md", parts: parts, adding: section, and: section)
    let outcome = try MergeEngines().engine(forFileName: "t.md")
      .merge(merge.sides.map { Array($0.utf8) }, options: MergeOptions())
    #expect(outcome.decisions.count { $0.kind == .clash } == 1)
  }

  private static let project: [String] = [
    "// !$*UTF8*$!\n{\n  objects = {\n",
    "    AAAAAAAAAAAAAAAAAAAAAA01 = {isa = PBXFileReference; path = A.swift; };\n",
    "    AAAAAAAAAAAAAAAAAAAAAA99 = {\n      isa = PBXGroup;\n      children = (\n",
    "        AAAAAAAAAAAAAAAAAAAAAA01,\n", "      );\n    };\n  };\n}\n",
  ]

  @Test("A file that both sides add to a group of a project is asked about", arguments: ["N", "M"])
  func twiceInProject(name: String) throws {
    func added(_ identifier: String, _ name: String) -> String {
      Self.project[0] + Self.project[1]
        + "    \(identifier) = {isa = PBXFileReference; path = \(name).swift; };\n"
        + Self.project[2] + Self.project[3] + "        \(identifier),\n" + Self.project[4]
    }
    let (first, second) = ("BBBBBBBBBBBBBBBBBBBBBB02", "CCCCCCCCCCCCCCCCCCCCCC03")
    let sides = MergeSides(
      base: Self.project.joined(), ours: added(first, "N"), theirs: added(second, name))
    let outcome = try MergeEngines().engine(forFileName: "p.pbxproj")
      .merge(sides.map { Array($0.utf8) }, options: MergeOptions())
    #expect(outcome.isComplete == (name != "N"), "\(outcome.text)")
  }
}
