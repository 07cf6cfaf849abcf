@testable import DocumentMerge
import Testing

@Suite("Reading JSON")
struct JSONParserTests {
  private let format = JSONFormat()

  private func tree(_ text: String) throws -> StructureTree { try format.parse(Array(text.utf8)) }

  @Test(
    "A tree gives back its bytes",
    arguments: [
      "1", " \n[ ]\n", "{}", "[1,2 , 3]\r\n", "{\"a\" : [ {} , [] ] }",
      "// c\n{ // d\n  \"a\": 1 /* e */ , // f\n  /* g */ \"b\": [true, // h\n null,], \"\\u00e9\": \"\\\"\",\n}\n// i",
      "{\"a\":1,\"a\":2}", "[-0, -1.5e+10, 0.1E-2, 123456789012345678901234567890]", "/**/1/***/",
    ])
  func lossless(text: String) throws {
    let tree = try tree(text)
    #expect(String(decoding: tree.written(), as: UTF8.self) == text)
  }

  @Test(
    "What is not JSON is refused, at its place",
    arguments: [
      ("", 0), ("{", 1), ("[1", 2), ("[1 2]", 3), ("[,]", 1), ("[1,,2]", 3), ("{\"a\"}", 4),
      ("{\"a\":}", 5),
      ("{a:1}", 1), ("01", 1), ("1.", 2), ("+1", 0), ("1e", 2), ("tru", 3), ("nulL", 3), ("'a'", 0),
      ("\"a", 2), ("\"a\nb\"", 2), ("\"\\x\"", 2), ("\"\\u12g4\"", 5), ("/", 0), ("/* ", 0),
      ("1 2", 2),
      ("[1]]", 3), ("{\"a\":1]", 6), ("[1}", 2), ("NaN", 0), ("\u{FEFF}1", 0), ("{,}", 1),
      (".5", 0), ("-", 1),
    ])
  func refused(text: String, place: Int) {
    let error = #expect(throws: MergeError.self) { try tree(text) }
    #expect(error?.code == .invalidDocument)
    #expect(error?.message.contains("at byte \(place),") == true, "\(error?.message ?? "")")
  }

  @Test("Layout, comments and escapes are no part of a value; spelling of numbers is")
  func values() throws {
    func value(_ text: String) throws -> Int { try tree(text)[StructureTree.root].valueHash }
    #expect(
      try value("{\"a\": [1, 2], \"b\": null}") == value("{ // c\n \"b\":null,\"\\u0061\":[1,2,]}"))
    #expect(try value("\"caf\\u00e9 \\ud83c\\udf47\\/\\n\"") == value("\"café 🍇/\\u000A\""))
    let different = [
      "1", "1.0", "\"1\"", "[1]", "[[1]]", "{\"1\":1}", "{}", "[]", "null", "\"\"", "[1,2]",
      "[2,1]",
      "{\"a\":{\"b\":1}}", "{\"a\":1,\"b\":1}", "{\"b\":{\"a\":1}}", "\"\\ud800\"", "\"e\u{301}\"",
      "\"\u{E9}\"",
    ]
    #expect(Set(try different.map(value)).count == different.count)
  }

  @Test("Comments are part of the contents")
  func contents() throws {
    func content(_ text: String) throws -> Int {
      try tree(text).contentHash(of: StructureTree.root)
    }
    #expect(try content("[1 , 2]") == content("[\n1,2\n]"))
    #expect(try content("[1, 2]") != content("[1, /*a*/ 2]"))
    #expect(try content("[1, 2 /*a*/]") != content("[1, 2 /*b*/]"))
  }

  @Test("Documents are read to the depth limit, on a small stack, and no deeper")
  func depth() throws {
    let limit = StructureTreeBuilder.depthLimit
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try tree(nested(limit))
    let error = #expect(throws: MergeError.self) { try tree(nested(limit + 1)) }
    #expect(error?.code == .tooDeep)
  }

  @Test("Strings are written with the escapes JSON asks for")
  func literals() {
    let text = Array("a\"b\\c\n\u{1}é/".utf8)
    let literal = JSONString.literal(for: text)
    #expect(String(decoding: literal, as: UTF8.self) == "\"a\\\"b\\\\c\\n\\u0001é/\"")
    #expect(JSONString.text(of: literal[...]) == text)
  }
}
