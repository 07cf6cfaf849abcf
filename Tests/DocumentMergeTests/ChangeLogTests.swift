import DocumentMerge
import Testing

@Suite("Change logs whose next release one side makes")
struct ChangeLogTests {
  /// A form of headings.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fileName: String
    let heading: @Sendable (String) -> String
  }

  private static let forms: [Form] = [
    Form(testDescription: "Markdown", fileName: "CHANGELOG.md") { "## \($0)" },
    Form(testDescription: "Setext", fileName: "History.md") { "\($0)\n-----" },
    Form(testDescription: "reStructuredText", fileName: "CHANGES.rst") {
      "\($0)\n" + String(repeating: "=", count: $0.count)
    },
    Form(testDescription: "plain text", fileName: "NEWS") {
      "\($0)\n\(String(repeating: "~", count: $0.count))"
    },
    Form(testDescription: "AsciiDoc", fileName: "CHANGELOG.adoc") { "== \($0)" },
    Form(testDescription: "LaTeX", fileName: "changes.tex") { "\\section{\($0)}" },
    Form(testDescription: "a line in bold", fileName: "CHANGES.md") { "**\($0)**" },
  ]

  private static let names = [
    "Unreleased", "[Unreleased]", "Unreleased (2026-03-01)", "Upcoming", "Upcoming release", "Next",
    "NEXT VERSION", "HEAD", "__NEXT__", "TBD", "vNext", "master", "1.1.0 (unreleased)",
    "[1.1.0] - TBD", "1.1.0 - YYYY-MM-DD", "1.1.0-SNAPSHOT", "1.1.0 (not yet released)",
    "Version 1.1.0 (in development)", "To be released",
  ]

  private func document(_ form: Form, _ heads: [String], _ items: [String]) -> String {
    heads.map { form.heading($0) + "\n\n" }.joined() + items.map { "- \($0)\n" }.joined() + "\n"
      + form.heading("1.0.0 (2026-01-01)") + "\n\n- z\n"
  }

  @Test(
    "An entry under what is not released does not come under a release", arguments: forms, names)
  func entry(form: Form, name: String) throws {
    let release = "1.1.0 (2026-03-01)"
    func merge(_ heads: [String], gives expected: String?) throws {
      try FileMerge(
        form.fileName, document(form, [name], ["a", "b"]), document(form, heads, ["a", "b"]),
        document(form, [name], ["a", "b", "c"]), gives: expected
      ).check()
    }
    try merge([release], gives: nil)
    try merge(
      [name, release],
      gives: form.heading(name) + "\n\n- c\n\n" + document(form, [release], ["a", "b"]))
  }

  @Test("A question about such an entry says which side released the section")
  func reason() throws {
    let log = "# Log\n\n## Unreleased\n\n- a\n\n## 1.0.0\n\n- z\n"
    let sides = MergeSides(
      base: log, ours: log.replacing("Unreleased", with: "1.1.0"),
      theirs: log.replacing("- a\n", with: "- a\n- b\n"))
    let outcome = try MergeEngines().engine(forFileName: "CHANGELOG.md")
      .merge(sides.map { Array($0.utf8) }, options: MergeOptions())
    #expect(
      outcome.decisions.map(\.explanation).contains(
        "This was added by theirs to unreleased changes, which ours released."))
  }

  @Test("An entry stays below the heading that it had among what is not released")
  func subheadings() throws {
    func log(_ heads: String, _ added: String..., fixed: String = "- f\n") -> String {
      "# Log\n\n" + heads + "### Added\n\n- a\n" + added.joined() + "\n### Fixed\n\n" + fixed
        + "\n## [1.0.0]\n\n- z\n"
    }
    let (next, release) = ("## [Unreleased]\n\n", "## [1.1.0]\n\n")
    try FileMerge(
      "CHANGELOG.md", log(next), log(next + release),
      log(next, "- b\n", fixed: "- f\n- g\n"),
      gives: log(next + "### Added\n\n- b\n\n### Fixed\n\n- g\n\n" + release)
    ).check()
    // What is not released has entries again: it is not clear in which order.
    try FileMerge(
      "CHANGELOG.md", log(next), log(next + "### Added\n\n- n\n\n" + release), log(next, "- b\n")
    ).check()
    // A text that is no entry.
    try FileMerge("CHANGELOG.md", log(next), log(next + release), log(next, "\nText.\n")).check()
  }

  @Test("Targets of links that are added below what is not released are no entries")
  func targets() throws {
    func log(_ heads: String, _ targets: String) -> String {
      "\(heads)* a\n\n.. _#1: http://x/1\n\(targets)\n1.0 (2026-01-01)\n----------------\n\n* z\n"
    }
    let next = "1.1 (unreleased)\n----------------\n\n"
    let heads = "1.2 (unreleased)\n----------------\n\n1.1 (2026-02-02)\n----------------\n\n"
    try FileMerge(
      "CHANGES.rst", log(next, ""), log(heads, ""), log(next, ".. _#2: http://x/2\n"),
      gives: log(heads, ".. _#2: http://x/2\n")
    ).check()
  }

  @Test("An entry under what both sides leave unreleased is no question", arguments: forms, names)
  func plainEntry(form: Form, name: String) throws {
    let base = document(form, [name], ["a", "b"])
    try FileMerge(
      form.fileName, base, document(form, [name], ["a", "b", "c"]), base + "- y\n",
      gives: document(form, [name], ["a", "b", "c"]) + "- y\n"
    ).check()
  }

  /// A change log with a release that is or is not yet out, and its entries.
  private static let structured: [(String, @Sendable (String, String) -> String)] = [
    (
      "index.html",
      {
        "<!DOCTYPE html>\n<h2>\($0)</h2>\n<ul>\n\($1)</ul>\n<h2>1.0</h2>\n<ul>\n<li>z</li>\n</ul>\n"
      }
    ),
    (
      "a.spec",
      {
        "%changelog\n* Mon Jan 05 2026 A B <a@b.c> - \($0)\n\($1)\n"
          + "* Mon Jan 06 2025 A B <a@b.c> - 1.0-1\n- z\n"
      }
    ),
    (
      "changelog.yaml",
      { "- version: \($0)\n  changes:\n\($1)- version: 1.0.0\n  changes:\n    - z\n" }
    ),
    (
      "changes.xml",
      {
        "<c>\n<release version=\"\($0)\">\n\($1)</release>\n<release version=\"1.0\">\n<li>z</li>\n"
          + "</release>\n</c>\n"
      }
    ),
  ]

  @Test("No entry comes under a release in markup and data", arguments: structured.indices)
  func structuredLog(index: Int) throws {
    let (fileName, log) = Self.structured[index]
    func entries(_ names: String...) -> String {
      names.map { name in
        fileName.hasSuffix("ml") && !fileName.hasSuffix(".yaml")
          ? "<li>\(name)</li>\n" : fileName.hasSuffix(".yaml") ? "    - \(name)\n" : "- \(name)\n"
      }.joined()
    }
    let base = log("Unreleased", entries("one", "two"))
    let added = log("Unreleased", entries("one", "two", "three"))
    try FileMerge(fileName, base, log("2.0.0", entries("one", "two")), added).check()
    try FileMerge(
      fileName, base, log("Unreleased", entries("none", "one", "two")), added,
      gives: log("Unreleased", entries("none", "one", "two", "three"))
    ).check()
  }

  @Test("A release of Debian's form takes no entry of another side")
  func debian() throws {
    func log(_ suite: String, _ items: String...) -> String {
      func release(_ version: String, _ suite: String, _ items: [String]) -> String {
        "a (\(version)) \(suite); urgency=low\n\n" + items.map { "  * \($0)\n" }.joined()
          + "\n -- Mira <m@example.org>  Mon, 02 Mar 2026 10:00:00 +0000\n\n"
      }
      return release("1.1-1", suite, items) + release("1.0-1", "unstable", ["Z"])
    }
    try FileMerge(
      "debian/changelog", log("UNRELEASED", "A", "B"), log("unstable", "A", "B"),
      log("UNRELEASED", "A", "B", "C")
    ).check()
  }
}
