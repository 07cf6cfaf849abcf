import DocumentMerge
import Testing

@Suite("Values that only mean something together, and rows of one width")
struct ValuesTogetherTests {
  /// A form of a document with two values that belong together, and a third one.
  struct Form: Sendable, CustomTestStringConvertible {
    let fileName: String
    let document: @Sendable (_ first: Int, _ second: Int, _ other: Int) -> String
    var testDescription: String { fileName }
  }

  private static let forms: [Form] = [
    Form(fileName: "t.json") {
      "{\n  \"lat\": \($0),\n  \"name\": \"x\",\n  \"lng\": \($1),\n  \"text\": \"y\",\n  \"z\": \($2)\n}\n"
    },
    Form(fileName: "line.json") {
      "[\n  {\"id\": 1, \"lat\": \($0), \"lon\": \($1)},\n  {\"id\": 2, \"lat\": 3, \"lon\": 4},\n"
        + "  {\"id\": 3, \"z\": \($2)}\n]\n"
    },
    Form(fileName: "t.yaml") {
      "- item: flour\n  amount: \($0)\n  unit: u\($1)\n- item: salt\n  amount: 5\n  unit: g\n- z: \($2)\n"
    },
    Form(fileName: "t.toml") {
      "[a]\nmin = \($0)\nname = \"x\"\nmax = \($1)\ntext = \"y\"\nz = \($2)\n"
    },
    Form(fileName: "t.ini") { "[a]\nstart_date=\($0)\nx=1\nend_date=\($1)\ny=1\nz=\($2)\n" },
    Form(fileName: "t.csv") { "id,amount,currency\n1,\($0),c\($1)\n2,5,EUR\n3,\($2),EUR\n" },
    Form(fileName: "t.gpx") {
      "<gpx>\n<wpt lat=\"\($0)\" lon=\"\($1)\"/>\n<wpt lat=\"3\" lon=\"4\"/>\n<z>\($2)</z>\n</gpx>\n"
    },
    Form(fileName: "t.ics") {
      "BEGIN:VEVENT\nUID:a\nDTSTART:\($0)\nSUMMARY:A\nDTEND:\($1)\nCOMMENT:x\nLOCATION:\($2)\nEND:VEVENT\n"
    },
  ]

  @Test("One value from each side is asked about", arguments: forms)
  func mixed(form: Form) throws {
    try FileMerge(
      form.fileName, form.document(11, 21, 1), form.document(12, 21, 1), form.document(11, 22, 1)
    ).check()
  }

  @Test("Both values of one side stand beside what the other side changed", arguments: forms)
  func together(form: Form) throws {
    try FileMerge(
      form.fileName, form.document(11, 21, 1), form.document(12, 22, 1), form.document(11, 21, 2),
      gives: form.document(12, 22, 2)
    ).check()
  }

  private static func rows(_ widths: [Int]) -> String {
    widths.enumerated().map { row, width in
      "<tr>\n" + (0..<width).map { "<td>\(row)-\($0)</td>\n" }.joined() + "</tr>\n"
    }.joined()
  }

  private static func page(_ widths: [Int]) -> String {
    "<!DOCTYPE html>\n<table>\n\(rows(widths))</table>\n"
  }

  @Test("A column on one side and a row on the other one are asked about")
  func widths() throws {
    try FileMerge("t.html", Self.page([2, 2, 2]), Self.page([3, 3, 3]), Self.page([2, 2, 2, 2]))
      .check()
    // Rows that were not of one width before say nothing.
    try FileMerge(
      "t.html", Self.page([2, 3, 2]), Self.page([2, 3, 2, 2]),
      "<!-- x -->\n" + Self.page([2, 3, 2]),
      gives: "<!-- x -->\n" + Self.page([2, 3, 2, 2])
    ).check()
  }

  @Test("A step whose name was written in another case is the same one")
  func respelled() throws {
    func steps(_ name: String, _ first: String, _ last: String) -> String {
      "steps:\n  - name: \(name)\n    run: |\n      \(first)\n      b\n      \(last)\n"
        + "  - name: Test\n    run: d\n"
    }
    try FileMerge(
      "w.yml", steps("Build", "a", "c"), steps("build", "a", "c2"), steps("Build", "a2", "c"),
      gives: steps("build", "a2", "c2")
    ).check()
    // Where both spellings are there, they are two.
    let both = steps("Build", "a", "c") + "  - name: build\n    run: e\n"
    try FileMerge(
      "w.yml", steps("Build", "a", "c"), both, steps("Build", "a2", "c"),
      gives: steps("Build", "a2", "c") + "  - name: build\n    run: e\n"
    ).check()
  }

  private static let labels: [FileMerge] = [
    FileMerge(
      "t.md", parts: ["# R\n\n", "- REQ-1: alpha\n", "- REQ-2: beta\n", "- REQ-3: gamma\n"],
      adding: "- REQ-9: it opens\n", and: "- REQ-9: it shuts\n"),
    FileMerge(
      "t.txt", parts: ["Rules\n\n", "R1. Alpha\n\n", "R2. Beta\n\n", "R3. Gamma\n"],
      adding: "R9. Opens\n\n", and: "R9. Shuts\n\n"),
    FileMerge(
      "t.rst", parts: ["Rules\n=====\n\n", "**FR-1**: A\n\n", "**FR-2**: B\n\n", "C\n"],
      adding: "**FR-9**: n\n\n", and: "**FR-9**: m\n\n"),
    FileMerge(
      "t.md", "captions", parts: ["A\n\n", "Figure 1: a\n\n", "B\n\n", "C\n"],
      adding: "Figure 2: ours\n\n", and: "Figure 2: theirs\n\n"),
    FileMerge(
      "t.md", "one issue in two releases",
      parts: ["# L\n\n", "## 2.0\n\n", "- a\n\n", "## 1.0\n\n- b\n"],
      adding: "- AB-12: a fix\n\n", and: "## 1.1\n\n- AB-12: a fix\n\n",
      gives: "# L\n\n- AB-12: a fix\n\n## 2.0\n\n- a\n\n## 1.1\n\n- AB-12: a fix\n\n## 1.0\n\n- b\n"
    ),
  ]

  @Test("A number is given once", arguments: labels)
  func numbersOnce(_ merge: FileMerge) throws { try merge.check() }
}
