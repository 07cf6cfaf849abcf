import Testing

@testable import DocumentMerge

@Suite("Members that both sides gave the same new name")
struct RenamedAlikeTests {
  typealias Case = DoubtfulChangeTests.Case

  /// Documents of all formats with a member of some fields, such as `a1 b2`, and another one behind it.
  private static func documents(_ name: String, _ fields: String) -> [(MergeEngines.Kind, String)] {
    let fields = fields.split(separator: " ").map { ($0.prefix(1), $0.dropFirst()) }
    func text(_ separator: String = "", _ field: (Substring, Substring) -> String) -> String {
      fields.map(field).joined(separator: separator)
    }
    let members = text(",\n") { "\"\($0)\": \($1)" }
    let inYAML = text { "  \($0): \($1)\n" }
    let inTOML = text { "\($0) = \($1)\n" }
    let inText = text { "\($0) = \($1);\n" }
    let inXML = text { "<key>\($0)</key>\n<integer>\($1)</integer>\n" }
    return [
      (.json, "{\n\"\(name)\": {\n\(members)\n},\n\"z\": 0\n}\n"),
      (.json, "[\n{\n\"id\": \"\(name)\",\n\(members)\n},\n{\n\"id\": \"z\"\n}\n]\n"),
      (.yaml, "\(name):\n\(inYAML)z: 0\n"),
      (.yaml, "\(name): {" + text(", ") { "\($0): \($1)" } + "}\nz: 0\n"),
      (.yaml, "- name: \(name)\n\(inYAML)- name: z\n"),
      (.yaml, "kind: k\nmetadata:\n  name: \(name)\nspec:\n\(inYAML)---\nkind: z\nname: z\n"),
      (.toml, "[\(name)]\n\(inTOML)\n[z]\nb = 0\n"),
      (.toml, "[[l]]\nname = \"\(name)\"\n\(inTOML)\n[[l]]\nname = \"z\"\n"),
      (.plist, "{\n\(name) = {\n\(inText)};\nz = 0;\n}\n"),
      (
        .plist,
        "<plist version=\"1.0\">\n<dict>\n<key>\(name)</key>\n<dict>\n\(inXML)</dict>\n"
          + "<key>z</key>\n<integer>0</integer>\n</dict>\n</plist>\n"
      ),
      (
        .xml,
        "<r>\n<i id=\"\(name)\">\n" + text { "<f id=\"\($0)\" v=\"\($1)\"/>\n" }
          + "</i>\n<i id=\"z\"/>\n</r>\n"
      ),
    ]
  }

  private static func cases(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> [Case] {
    documents("", "").indices.map { index in
      let (kind, document) = documents("xenon", base)[index]
      func renamed(_ fields: String) -> String { documents("pepper", fields)[index].1 }
      return Case(
        "\(name): \(kind) \(index)", kind, document, renamed(ours), renamed(theirs),
        gives: expected.map(renamed))
    }
  }

  @Test(
    "What one side changed in them is changed",
    arguments: cases("removed", "a1 b2 c3", "a1 c3", "a1 b2 c3", gives: "a1 c3")
      + cases("the first removed", "a1 b2", "b2", "a1 b2", gives: "b2")
      + cases("most removed", "a1 b2 c3 d4 e5", "e5", "a1 b2 c3 d4 e5", gives: "e5")
      + cases("changed", "a1 b2 c3", "a1 b2 c7", "a1 b2 c3", gives: "a1 b2 c7")
      + cases("added", "a1 b2 c3", "a1 b2 c3 d4", "a1 b2 c3", gives: "a1 b2 c3 d4"))
  func changed(_ merge: Case) throws { try merge.check() }

  @Test(
    "What both sides changed in them is a question",
    arguments:
      cases("differently", "a1 b2 c3", "a1 b7 c3", "a1 b8 c3")
      + cases("removed, and changed", "a1 b2 c3", "a1 c3", "a1 b8 c3"))
  func clash(_ merge: Case) throws { try merge.check() }
}
