import Testing

@testable import DocumentMerge

/// Parts with their own engines that can't be identified or read with certainty.
@Suite("Parts of a text")
struct PartsOfTextTests {
  private func merge(
    _ name: String, _ base: String, _ ours: String, _ theirs: String
  ) throws -> MergeOutcome {
    let sides = MergeSides(base: base, ours: ours, theirs: theirs).map { Array($0.utf8) }
    let engine = MergeEngines().engine(forFileName: name)
    let outcome = try engine.merge(sides, options: MergeOptions())
    let swapped = try engine.merge(
      MergeSides(base: sides.base, ours: sides.theirs, theirs: sides.ours), options: MergeOptions())
    #expect(outcome.isComplete == swapped.isComplete)
    return outcome
  }

  private func section(_ name: String, _ code: String) -> String {
    "\(name) config:\n\n```json\n\(code)\n```\n\n"
  }

  private var alpha: String { section("Alpha", "{\n  \"a\": 1\n}") }
  private var beta: String { section("Beta", "{\n  \"b\": 2\n}") }

  @Test("An edit of code stays with it where the other side moves or removes it")
  func movedCode() throws {
    let edited = section("Alpha", "{\n  \"a\": 1,\n  \"z\": 9\n}")
    let moved = try merge(
      "a.md", "# A\n\n" + alpha + beta, "# A\n\n" + beta + alpha, "# A\n\n" + edited + beta)
    if moved.isComplete { #expect(moved.text == "# A\n\n" + beta + edited) }
    let gamma = section("Gamma", "{\n  \"c\": 3\n}")
    let removed = try merge(
      "a.md", "# A\n\n" + alpha + beta, "# A\n\n" + beta + gamma, "# A\n\n" + edited + beta)
    #expect(!removed.isComplete)
  }

  @Test(
    "A key that both sides add to code in other lines is asked about", arguments: ["json", "yaml"])
  func doubledKey(_ language: String) throws {
    func text(_ lines: [String]) -> String {
      let code =
        language == "json"
        ? "{\n" + lines.map { "  \"\($0.prefix(1))\": \($0.suffix(1))" }.joined(separator: ",\n")
          + "\n}"
        : lines.joined(separator: "\n")
      return "Text.\n\n```\(language)\n\(code)\n```\n"
    }
    let outcome = try merge(
      "a.md", text(["a: 1", "b: 2", "c: 3", "d: 4"]),
      text(["a: 1", "x: 5", "b: 2", "c: 3", "d: 4"]),
      text(["a: 1", "b: 2", "c: 3", "x: 6", "d: 4"]))
    #expect(!outcome.isComplete)
  }

  @Test("Rows stay in their database where the other side moves it")
  func movedRows() throws {
    func shop(_ name: String, _ rows: [String]) -> String {
      "USE \(name);\nINSERT INTO users VALUES\n\(rows.joined(separator: ",\n"));\n"
    }
    let (a, b) = (["(1, 'ann')", "(2, 'bob')"], ["(8, 'cy')", "(9, 'di')"])
    let outcome = try merge(
      "a.sql", shop("a", a) + shop("b", b), shop("b", b) + shop("a", a),
      shop("a", a + ["(3, 'eve')"]) + shop("b", b))
    if outcome.isComplete { #expect(outcome.text == shop("b", b) + shop("a", a + ["(3, 'eve')"])) }
  }

  /// Rows in SQL that may not be taken apart, each with a change on both sides.
  struct Rows: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let base, ours, theirs: String
    /// The result; nil if there must be a question.
    let result: String?
  }

  @Test(
    "Rows that say more than their values are lines, and one key for two rows is asked about",
    arguments: [
      Rows(
        testDescription: "empty row", base: "INSERT INTO t VALUES (1);\nINSERT INTO t VALUES ();\n",
        ours: "INSERT INTO t VALUES (1);\nINSERT INTO t VALUES ();\nINSERT INTO t VALUES (2);\n",
        theirs: "INSERT INTO t VALUES (1);\nINSERT INTO t VALUES ();\nINSERT INTO t VALUES (3);\n",
        result: nil),
      Rows(
        testDescription: "one key twice",
        base: "INSERT INTO p (id, a) VALUES\n  (1, 'x'),\n  (2, 'y'),\n  (3, 'z');\n",
        ours: "INSERT INTO p (id, a) VALUES\n  (1, 'x'),\n  (2, 'y'),\n  (4, 'n'),\n  (3, 'z');\n",
        theirs:
          "INSERT INTO p (id, a) VALUES\n  (1, 'x'),\n  (4, 'm'),\n  (2, 'y'),\n  (3, 'z');\n",
        result: nil),
      Rows(
        testDescription: "other quotes", base: "INSERT INTO t VALUES\n  (1, $$a,b$$, 2, 3);\n",
        ours: "INSERT INTO t VALUES\n  (1, $$a,b$$, 20, 3);\n",
        theirs: "INSERT INTO t VALUES\n  (1, $$a,b$$, 2, 30);\n", result: nil),
      Rows(
        testDescription: "comments", base: "INSERT INTO t VALUES\n  (1, 2 /* a,b */, 3);\n",
        ours: "INSERT INTO t VALUES\n  (1, 20 /* a,b */, 3);\n",
        theirs: "INSERT INTO t VALUES\n  (1, 2 /* a,b */, 30);\n", result: nil),
    ])
  func rows(_ rows: Rows) throws {
    let outcome = try merge("a.sql", rows.base, rows.ours, rows.theirs)
    #expect(outcome.isComplete == (rows.result != nil))
    if let result = rows.result { #expect(outcome.text == result) }
  }

  @Test("A long run of rows with one that is longer takes no time")
  func longRun() throws {
    let rows = (0..<20_000).map { "INSERT INTO t VALUES (\($0), 'a');\n" }.joined()
    let base = "-- one\n" + rows + "INSERT INTO t VALUES (1, 2, 3);\n-- two\n"
    let outcome = try merge(
      "a.sql", base, base.replacing("-- one", with: "-- 1"), base.replacing("-- two", with: "-- 2"))
    #expect(outcome.isComplete)
  }

  @Test("A long line of commands that are never closed takes no time")
  func openCommands() throws {
    let line = String(repeating: "\\begin{x", count: 100_000) + "\n"
    let outcome = try merge("a.tex", line, "one " + line, "two " + line)
    #expect(!outcome.isComplete)
  }

  @Test("Settings that end with three full stops are part of the text")
  func otherEnd() throws {
    let text = { (words: String) in
      "---\ntitle: x\n...\n\(words) one two three.\n\n---\n\nMore.\n"
    }
    let outcome = try merge(
      "a.md", text("Body text"), text("Body words"), text("The text"))
    #expect(!outcome.text.contains("could not be read"))
    #expect(outcome.decisions.allSatisfy { !$0.explanation.contains("YAML") })
  }
}
