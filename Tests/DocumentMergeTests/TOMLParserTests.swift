@testable import DocumentMerge
import DocumentTestSupport
import Testing

@Suite("Reading TOML")
struct TOMLParserTests {
  private let format = TOMLFormat()

  private func tree(_ text: String) throws -> StructureTree { try format.parse(Array(text.utf8)) }

  /// The names of all members, outer ones first.
  private func names(_ tree: StructureTree) -> [String] {
    (1..<tree.count).filter { !tree.isNameless($0) }
      .map { String(decoding: tree.name(of: $0, format), as: UTF8.self) }
  }

  @Test(
    "A tree gives back its bytes",
    arguments: [
      "", "\n\n", "# only a comment", "a = 1", " a.b . \"c d\" = 'x' # y\r\n\r\n[t] # z\r\n",
      "[a]\n[a.b]\n[[c]]\nx=1\n [c.d]\n y = 2\n[[c.e]]\n[[c]]\n# end\n",
      "a = [ # one\n  1, # two\n  # three\n  [2, 3 , ], # four\n]\nb = { c = 1 , d.e = \"}\" }\n",
      "a = \"\"\"\nx \\\n   y\"\"\"\"\"\nb = '''\n'x'\\'''\nc = \"\\u00e9\\U0001F600\\\"\"\n",
      "d = 1979-05-27 07:32:00.5-08:00\nt = 07:32:00\ne = 1e5\nn = -nan\nh = 0xdead_beef\nb = true\n",
      "\"\" = 1\n'a b' = 2\n1 = 3\n1979-05-27 = 4\n3.14 = 5\n",
    ])
  func lossless(text: String) throws {
    #expect(String(decoding: try tree(text).written(), as: UTF8.self) == text)
  }

  @Test(
    "What is not TOML is refused",
    arguments: [
      "a", "a =", "a = \n1", "= 1", "a = 1 b = 2", "a b = 1", "a. = 1", "[a", "[a]]", "[[a]", "[]",
      "[a] x = 1", "[a.]", "[ [a]]", "a = [1 2]", "a = [,]", "a = [1,,2]", "a = [1", "a = {b = 1",
      "a = {b = 1,}", "a = {b = 1\n}", "a = {,}", "a = {b = 1, b = 2}", "a = \"x", "a = \"x\ny\"",
      "a = 'x\n'", "a = \"\\x41\"", "a = \"\\ud800\"", "a = \"\\u+0ff\"", "a = \"\"\"x\"\"",
      "a = \"\\ \n\"", "\"\"\"a\"\"\" = 1", "a = \"\u{1}\"", "# \u{1}", "a = 1\r", "a = 01",
      "a = 1_", "a = _1", "a = 1__0", "a = +0x1", "a = .5", "a = 5.", "a = 1.e5", "a = 1e",
      "a = True",
      "a = infinity", "a = 2021-02-29", "a = 2021-13-01", "a = 2021-1-01", "a = 24:00:00",
      "a = 10:00",
      "a = 2021-01-01T", "a = 1979-05-27T07:32:00+8:00", "a = x",
      // Duplicate definitions.
      "a = 1\na = 2", "a = 1\n\"a\" = 2", "a = 1\na.b = 2", "a.b = 1\na = 2", "[a]\n[a]",
      "[a]\n[ 'a' ]", "a = 1\n[a]", "a.b = 1\n[a]", "a = {}\n[a.b]", "a = []\n[[a]]", "[a]\n[[a]]",
      "[[a]]\n[a]", "[a.b]\n[[a]]", "[a.b]\n[a]\nb.c = 1", "[a.b.c]\n[a]\nb.d = 1",
      "[a]\nb.c = 1\n[a.b]", "a = {b.c = 1, b = 2}", "a = {b = 1}\na.c = 2",
      // This is valid, but once members of the array are moved, the table's member is unknown.
      "[[a]]\n[b]\n[a.c]",
    ])
  func refused(text: String) {
    let error = #expect(throws: MergeError.self) { try tree(text) }
    #expect(error?.code == .invalidDocument)
    #expect(error?.message.contains("not TOML") == true)
  }

  @Test("Members are called by their full names, whatever their spelling")
  func naming() throws {
    let tree = try tree(
      "\"a\" . 'b' = 1\n\"a.b\" = 2\n[ x . 'y' ]\nk = {z = 1}\n[[l]]\n[l.m]\n[[l.n]]\n[o]\n[[l]]\n")
    #expect(
      names(tree) == [
        "a.b", "\"a.b\"", "[x.y]", "k", "z", "[[l]]", "[l.m]", "[[l.n]]", "[o]", "[[l]]",
      ])
  }

  @Test("Layout, comments and escapes are no part of a value; spelling of numbers is")
  func values() throws {
    func value(_ text: String) throws -> Int { try tree(text)[StructureTree.root].valueHash }
    #expect(
      try value("# c\na = [1, 2]\n\n[t] # d\nx = 'y'\n")
        == value("\"a\" = [\n 1, # e\n 2,\n]\n[ t ]\nx = \"\"\"\n\\u0079\"\"\""))
    let different = [
      "", "a = 1", "a = 1.0", "a = \"1\"", "a = [1]", "a = [[1]]", "[a]", "[[a]]", "a = {}",
      "a = []",
      "a.b = 1", "[a]\nb = 1", "a = {b = 1}", "[[a]]\nb = 1", "[[a]]\n[[a]]", "[[a]]\n[a.b]",
      "a = [1, 2]", "a = [2, 1]",
    ]
    #expect(Set(try different.map(value)).count == different.count)
  }

  @Test("Comments are part of the contents, in headers, too")
  func contents() throws {
    func content(_ text: String) throws -> Int {
      try tree(text).contentHash(of: StructureTree.root)
    }
    #expect(try content("[a]\n b = 1") == content("\n[ a ]\nb=1\n"))
    #expect(try content("[a]\nb = 1") != content("[a] # c\nb = 1"))
    #expect(try content("[[a]] # c\n") != content("[[a]] # d\n"))
  }

  @Test("Documents are read to the depth limit, and no deeper")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      "a = " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    // The document is a container itself.
    _ = try tree(nested(StructureTreeBuilder.depthLimit - 1))
    let error = #expect(throws: MergeError.self) {
      try tree(nested(StructureTreeBuilder.depthLimit))
    }
    #expect(error?.code == .tooDeep)
  }

  @Test("Strings are written as the one they replace, if that can say it")
  func literals() {
    func leaf(_ text: String, like model: String) -> String? {
      format.leaf(holding: Array(text.utf8), like: Array(model.utf8)[...])
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(leaf("a\n\"b", like: "'x'") == "\"a\\n\\\"b\"")
    #expect(leaf("a\nb\n", like: "\"\"\"\nx\"\"\"") == "\"\"\"\na\nb\n\"\"\"")
    #expect(leaf("a\nb", like: "'''x'''") == "'''a\nb'''")
    #expect(leaf("a\"b", like: "\"\"\"x\"\"\"") == nil)
    #expect(leaf("a", like: "\"\"\"x \\\n\"\"\"") == nil)
    #expect(leaf("\u{7F}", like: "\"x\"") == nil)
  }

  @Test("Damaged documents are read or refused, and never lose a byte", arguments: 0..<4)
  func mutations(batch: Int) throws {
    let documents = try MergeFixture.all
      .filter { try $0.engine?.name == "toml" }.flatMap { fixture in
        try ["base", "ours", "theirs"].compactMap { try fixture.contents($0) }
      }
    var generator = SeededGenerator(seed: batch)
    var valid = 0
    for _ in 0..<1500 {
      var document = try #require(documents.randomElement(using: &generator))
      for _ in 0...Int.random(in: 0..<3, using: &generator) where !document.isEmpty {
        let place = Int.random(in: 0..<document.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: document.remove(at: place)
        case 1:
          let bytes = Array("[]{}\"'#=.,\\\n\r a1-:".utf8)
          document.insert(try #require(bytes.randomElement(using: &generator)), at: place)
        default:
          let end = Int.random(in: place..<document.count, using: &generator)
          document.insert(contentsOf: document[place...end], at: place)
        }
      }
      do {
        let tree = try format.parse(document)
        #expect(tree.written() == document)
        valid += 1
      } catch let error as MergeError {
        #expect(error.code == .invalidDocument)
      }
    }
    #expect(valid > 50)
  }
}
