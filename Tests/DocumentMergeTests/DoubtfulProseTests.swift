import Testing

@testable import DocumentMerge

@Suite("Changes of lists, tables and sentences that may contradict each other")
struct DoubtfulProseTests {
  typealias Case = DoubtfulChangeTests.Case

  /// The same lists as Markdown and as plain text; each word is an item, and a dot before it nests it.
  private static func lists(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> [Case] {
    func list(_ words: String) -> String {
      words.split(separator: " ").map { word in
        let depth = word.prefix { $0 == "." }.count
        return String(repeating: "  ", count: depth) + "- \(word.dropFirst(depth))\n"
      }.joined()
    }
    return [MergeEngines.Kind.markdown, .plain].map { kind in
      Case(
        "\(name) (\(kind))", kind, list(base), list(ours), list(theirs),
        gives: expected.map { list($0) })
    }
  }

  private static let nesting: [Case] =
    lists("a child of what is gone", "a b c", "a c", "a b .x c")
    + lists("another child of what is gone", "a b .b1 c", "a c", "a b .b1 .b2 c")
    + lists("a child of a child that is gone", "a b .b1 ..q c", "a b c", "a b .b1 ..q ..r c")
    + lists("a tree below what is gone", "a b c", "a c", "a b .x ..y c")
    + lists("a new parent beside a new item", "a z", "b .a z", "c a z")
    + lists("nested items with one between them", "a b c", "a .b .c", "a b x c")
    + lists("one child, two new parents", "p .y", "p q .y", "p r .y")
    + lists("a parent that is gone, and a new one", "p b .y", "p .y", "p b x .y")
    + lists("an item beside what is gone", "a b c", "a c", "a b x c", gives: "a x c")
    + lists("an item beside a tree that is gone", "a b .y c", "a c", "a b .y x c", gives: "a x c")
    + lists("a sister of what is gone", "a .b c", "a c", "a .b .x c", gives: "a .x c")
    + lists("children of both", "a c", "a .x c", "a .y c", gives: "a .x .y c")
    + lists("a tree nested deeper", "a b .c z", "a .b ..c z", "a b .c z1", gives: "a .b ..c z1")

  /// The same items as Markdown and as plain text; each one is a line.
  private static func items(
    _ name: String, _ base: [String], _ ours: [String], _ theirs: [String],
    gives expected: [String]? = nil
  ) -> [Case] {
    func list(_ items: [String]) -> String { items.map { $0 + "\n" }.joined() }
    return [MergeEngines.Kind.markdown, .plain].map { kind in
      Case(
        "\(name) (\(kind))", kind, list(base), list(ours), list(theirs),
        gives: expected.map { list($0) })
    }
  }

  private static let added: [Case] =
    items(
      "a new task, done on one side", ["- [ ] a"], ["- [ ] a", "- [ ] b"], ["- [ ] a", "- [x] b"])
    + items("a new item, a task on one side", ["- a"], ["- a", "- b"], ["- a", "- [ ] b"])
    + items(
      "new tasks, done on one side", ["- [ ] a"], ["- [ ] a", "- [ ] b", "- [x] c"],
      ["- [ ] a", "- [x] b", "- [x] c", "- [ ] d"])
    + items(
      "a new task in a new one, done on one side", ["- [ ] a"],
      ["- [ ] a", "- [ ] b", "  - [x] c"],
      ["- [ ] a", "- [ ] b", "  - [ ] c"])
    + items(
      "new tasks, done by both", ["- [ ] a"], ["- [ ] a", "- [x] b", "- [ ] c"],
      ["- [ ] a", "- [X] b", "- [ ] d"], gives: ["- [ ] a", "- [x] b", "- [ ] c", "- [ ] d"])
    + items(
      "new steps in two orders", ["1. z"], ["1. z", "2. a", "3. b"], ["1. z", "2. b", "3. a"])
    + items(
      "new steps between one that both have", ["1. z"], ["1. z", "2. a", "3. b"],
      ["1. z", "2. b", "3. c"])
    + items(
      "new steps after one that both have", ["1. z"], ["1. z", "2. a", "3. b"],
      ["1. z", "2. a", "3. c"], gives: ["1. z", "2. a", "3. b", "4. c"])
    + items(
      "new steps, more of them on one side", ["1. z"], ["1. z", "2. a", "3. b"],
      ["1. z", "2. b"], gives: ["1. z", "2. a", "3. b"])
    + items(
      "new items in two orders", ["- z"], ["- z", "- a", "- b"], ["- z", "- b", "- a"],
      gives: ["- z", "- a", "- b"])

  /// Tables in Markdown; rows are parted by slashes, and each letter is a cell.
  private static func table(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> Case {
    func table(_ rows: String) -> String {
      let lines = rows.split(separator: "/").map { row in
        "| " + row.map(String.init).joined(separator: " | ") + " |\n"
      }
      let rule = "|" + lines[0].filter { $0 == "|" }.dropFirst().map { _ in " - |" }.joined() + "\n"
      return lines[0] + rule + lines.dropFirst().joined()
    }
    return Case(
      name, .markdown, table(base), table(ours), table(theirs), gives: expected.map { table($0) })
  }

  private static let tables: [Case] = [
    table("columns swapped beside a new row", "ab/12", "ba/21", "ab/12/45"),
    table("a column removed beside a new row", "abc/123", "ac/13", "abc/123/456"),
    table("a column removed beside an edited row", "abc/111/234", "ac/11/24", "abc/111/239"),
    table("a column inserted beside a new row", "ab/12", "axb/192", "ab/12/45"),
    table("a column replaced beside a new row", "ab/12/34", "ac/18/39", "ab/12/34/56"),
    table("a column renamed beside a new row", "ab/12", "ac/12", "ab/12/45", gives: "ac/12/45"),
    table(
      "a row edited above a new one", "ab/12/34", "ab/12/39", "ab/12/34/56", gives: "ab/12/39/56"),
    table("rows of both", "ab/12", "ab/12/34", "ab/12/56", gives: "ab/12/34/56"),
    Case(
      "columns of one table, a row of another", .markdown,
      "| a | b |\n| - | - |\n| 1 | 2 |\n\nText.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
      "| b | a |\n| - | - |\n| 2 | 1 |\n\nText.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
      "| a | b |\n| - | - |\n| 1 | 2 |\n\nText.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 4 | 5 |\n",
      gives:
        "| b | a |\n| - | - |\n| 2 | 1 |\n\nText.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 4 | 5 |\n"),
  ]

  private static let removed: [Case] =
    items(
      "an item removed, and one removed that the other side changed beside its own",
      ["- call Ann", "- call Bob", "- call Cid", "- call Dan"],
      ["- call Ann", "- call Cid at noon", "- call Dan"],
      ["- call Ann", "- call Bob", "- call Dan"])
    + items(
      "different steps removed", ["1. Walk", "2. Ride", "3. Sail", "4. Rest"],
      ["1. Walk", "2. Sail", "3. Rest"], ["1. Walk", "2. Ride", "3. Rest"],
      gives: ["1. Walk", "2. Rest"])
    + [
      table(
        "a row removed, and one that the other side changed", "ab/12/34/56", "ab/57", "ab/12/34")
    ]

  private static let sentences: [Case] = [
    Case(
      "the first item of a numbered list removed, and one added behind it", .markdown,
      "1. a\n2. b\n", "1. b\n", "1. a\n2. x\n3. b\n", gives: "1. x\n2. b\n"),
    Case(
      "a sentence moved and removed", .markdown,
      "One fox runs. A house burns down. Config comes before use.\n",
      "One fox runs. Config comes before use. A house burns down.\n",
      "One fox runs. Config comes before use.\n"),
    Case(
      "a word moved and removed", .plain,
      "We often go home by train on Monday with all our friends.\n",
      "We go home by train on Monday with all our friends.\n",
      "We go home by train on Monday often with all our friends.\n"),
    Case(
      "a sentence removed by both, and another one added", .plain,
      "One fox runs. A house burns down. Config comes before use.\n",
      "One fox runs. Config comes before use. Nobody knows why.\n",
      "One fox runs. Config comes before use.\n",
      gives: "One fox runs. Config comes before use. Nobody knows why.\n"),
  ]

  /// Sentences that one side put on separate lines, while the other one removed the first.
  private static let wrapped: [Case] =
    paragraphs(
      "a sentence removed before a wrap", ["Some intro.", "We sail at nine. We come back at ten."],
      ["Some intro.", "We sail at nine.\nWe come back at ten."],
      ["Some intro.", "We come back at ten."], gives: ["Some intro.", "We come back at ten."])
    + paragraphs(
      "a sentence removed from a text alone", ["We sail at nine. We come back at ten."],
      ["We sail at nine.\nWe come back at ten."], ["We come back at ten."],
      gives: ["We come back at ten."])
    + items(
      "a sentence removed from an item", ["- a", "- We sail at nine. We come back at ten.", "- b"],
      ["- a", "- We sail at nine.\n  We come back at ten.", "- b"],
      ["- a", "- We come back at ten.", "- b"], gives: ["- a", "- We come back at ten.", "- b"])
    + paragraphs(
      "a sentence removed between wraps", ["It is cold. We sail at nine. We come back at ten."],
      ["It is cold.\nWe sail at nine.\nWe come back at ten."],
      ["It is cold. We come back at ten."], gives: ["It is cold.\nWe come back at ten."])

  /// The same paragraphs as Markdown and as plain text.
  private static func paragraphs(
    _ name: String, _ base: [String], _ ours: [String], _ theirs: [String],
    gives expected: [String]? = nil
  ) -> [Case] {
    func text(_ paragraphs: [String]) -> String { paragraphs.joined(separator: "\n\n") + "\n" }
    return [MergeEngines.Kind.markdown, .plain].map { kind in
      Case(
        "\(name) (\(kind))", kind, text(base), text(ours), text(theirs),
        gives: expected.map { text($0) })
    }
  }

  private static let moved: [Case] =
    paragraphs(
      "a paragraph moved, and removed beside an edit",
      ["The first paragraph has some words.", "- one", "The last one stands here with words."],
      ["- one", "The last one stands here with more words."],
      ["- one", "The first paragraph has some words.", "The last one stands here with words."])
    + paragraphs(
      "a paragraph moved to the end, and removed", ["We sail\nat nine.", "Bring tea.", "The end."],
      ["Bring tea.", "The end."], ["Bring tea.", "The end.", "We sail\nat nine."])
    + paragraphs(
      "a paragraph moved to the end and edited, and removed",
      ["We sail from the old harbour at nine.", "Bring tea.", "The end."],
      ["Bring tea.", "The end."],
      ["Bring tea.", "The end.", "We sail from the old harbour at ten."])
    + paragraphs(
      "a paragraph moved to the end and edited in many places, and removed",
      ["We sail from the old harbour at nine.", "Bring tea.", "The end."],
      ["Bring tea.", "The end."],
      ["Bring tea.", "The end.", "Today we all sail early from the harbour at ten."])
    + items(
      "an item moved and edited, and removed", ["- a red kite", "- b", "- c", "- d"],
      ["- b", "- c", "- d"], ["- b", "- c", "- a blue kite", "- d"])
    + items(
      "a line moved and edited above an edited one, and removed", ["Red kites fly", "b", "c", "d"],
      ["b", "c", "d"], ["b", "c", "Blue kites fly", "D"])
    + items(
      "a line moved and edited, and removed above an edited one",
      ["Ships sail out at noon", "b", "Red kites fly", "Cats and dogs sleep", "c"],
      ["Ships sail out at noon", "b", "Cats and dogs eat", "c"],
      ["Ships sail out at noon", "Blue kites fly", "b", "Cats and dogs sleep", "c"])
    + paragraphs(
      "a paragraph moved to two places", ["We sail.", "Bring tea.", "Then", "bread.", "The end."],
      ["Bring tea.", "We sail.", "Then", "bread.", "The end."],
      ["Bring tea.", "Then", "bread.", "We sail.", "The end."])
    + paragraphs(
      "a paragraph moved alike beside an edit", ["We sail.", "Bring tea.", "Then", "The end."],
      ["Bring tea.", "Then", "We sail.", "The end."],
      ["Bring more tea.", "Then", "We sail.", "The end."],
      gives: ["Bring more tea.", "Then", "We sail.", "The end."])
    + paragraphs(
      "a paragraph removed by both, and another one added",
      ["We sail from the old harbour at nine.", "Bring tea.", "The end."],
      ["Bring tea.", "The end."], ["Bring tea.", "The end.", "We walk to the new mill at nine."],
      gives: ["Bring tea.", "The end.", "We walk to the new mill at nine."])
    + paragraphs(
      "a heading removed by both, and one like those that stay added",
      ["Fixed", "One.", "Fixed", "Two.", "The end."], ["One.", "Fixed", "Two.", "The end."],
      ["One.", "Fixed", "Two.", "The end.", "Fixed", "Three."],
      gives: ["One.", "Fixed", "Two.", "The end.", "Fixed", "Three."])
    + items(
      "a step moved before one like it, and changed",
      ["1. See the old castle", "2. See the old market", "3. See the old garden"],
      ["1. See the old market", "2. See the old castle", "3. See the old garden"],
      ["1. See the old castle in spring", "2. See the old market", "3. See the old garden"])
    + items(
      "an item moved to where one like it is gone, which was changed",
      [
        "- call Ann today", "- call Bob today", "- call Cid today", "- call Dan today",
        "- call Eve today",
      ],
      ["- call Ann today", "- call Cid today", "- call Bob today", "- call Eve today"],
      [
        "- call Ann today", "- call Bob today", "- call Cid today", "- call Dan today at noon",
        "- call Eve today",
      ])
    + paragraphs(
      "paragraphs moved that are like each other, and one of them changed",
      ["We meet Ann in Rome.", "We meet Bob in Rome.", "We meet Cid in Rome."],
      ["We meet Cid in Rome.", "We meet Bob in Rome.", "We meet Ann in Rome."],
      ["We meet Ann in Rome.", "We meet Bob in Rome.", "We meet Cid in Rome at noon."])
    + lists("an item moved, and removed", "a b c d", "b c d", "b c d a")
    + lists("an item moved to two places", "a b c d e", "b a c d e", "b c d a e")
    + lists("an item moved alike beside new ones", "a b", "b a c", "b a d", gives: "b a c d")
    + lists("an item moved, and removed beside a new one", "a b c d", "b c d e", "b c d a")
    + lists("an item removed by both, and one added", "a b c", "b c", "b c d", gives: "b c d")
    + [table("a row moved, and removed", "ab/12/34/56", "ab/34/56", "ab/34/56/12")]

  /// One value in documents of many kinds.
  private static func values(
    _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> [Case] {
    let documents: [(MergeEngines.Kind, String, String)] = [
      (.json, "{\"a\": \"", "\"}\n"), (.toml, "a = \"", "\"\n"), (.yaml, "a: \"", "\"\n"),
      (.yaml, "a: >-\n  ", "\n"), (.plist, "\"a\" = \"", "\";\n"),
      (.plist, "<plist version=\"1.0\"><dict><key>a</key><string>", "</string></dict></plist>\n"),
      (.xml, "<r><a>", "</a></r>\n"),
    ]
    return documents.map { kind, start, end in
      Case(
        "\(base) (\(kind))", kind, start + base + end, start + ours + end, start + theirs + end,
        gives: expected.map { start + $0 + end })
    }
  }

  private static let values: [Case] =
    values("0 3 * * 1", "30 3 * * 1", "0 3 * * 5")
    + values("rgb(10, 20, 30)", "rgb(11, 20, 30)", "rgb(10, 20, 31)")
    + values("10 20 30 40 50", "11 20 30 40 50", "10 20 30 40 51")
    + values("M0 0 L10 10 L20 20 Z", "M1 0 L10 10 L20 20 Z", "M0 0 L10 10 L21 20 Z")
    + values("node --trace app", "deno --trace app", "node --trace api")
    + values(
      "The quick fox jumps over the dog", "The slow fox jumps over the dog",
      "The quick fox jumps over the cat", gives: "The slow fox jumps over the cat")

  private static func rows(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> Case {
    func rows(_ text: String) -> String {
      text.split(separator: " ").map { $0 + "\n" }.joined()
    }
    return Case(
      name, .table, rows(base), rows(ours), rows(theirs), gives: expected.map { rows($0) })
  }

  private static let keys: [Case] = [
    rows(
      "nameless columns swapped beside a new row", "1,Ann,red 2,Bob,blue", "1,red,Ann 2,blue,Bob",
      "1,Ann,red 2,Bob,blue 3,Cid,green"),
    rows(
      "a row moved by both, with two new keys", "id,name,city 1,Ann,Kiel 2,Bob,Bonn",
      "id,name,city 2,Bob,Bonn 7,Ann,Kiel", "id,name,city 2,Bob,Bonn 8,Ann,Kiel"),
    rows(
      "a row removed, and moved with a new key", "id,name,city 1,Ann,Kiel 2,Bob,Bonn 3,Cid,Ulm",
      "id,name,city 2,Bob,Bonn 3,Cid,Ulm", "id,name,city 3,Cid,Ulm 7,Ann,Kiel 2,Bob,Bonn"),
    rows(
      "a row removed, and another one added", "id,name,city 1,Ann,Kiel 2,Bob,Bonn 3,Cid,Ulm",
      "id,name,city 2,Bob,Bonn 3,Cid,Ulm",
      "id,name,city 1,Ann,Kiel 2,Bob,Bonn 3,Cid,Ulm 7,Eve,Kiel",
      gives: "id,name,city 2,Bob,Bonn 3,Cid,Ulm 7,Eve,Kiel"),
    rows(
      "a new key below, a cell edited", "id,name,city 1,Ann,Kiel 2,Bob,Bonn 3,Cid,Ulm",
      "id,name,city 2,Bob,Bonn 3,Cid,Ulm 7,Ann,Kiel",
      "id,name,city 1,Ann,Bern 2,Bob,Bonn 3,Cid,Ulm",
      gives: "id,name,city 2,Bob,Bonn 3,Cid,Ulm 7,Ann,Bern"),
  ]

  @Test(
    "What is in doubt is asked about, and nothing else",
    arguments: nesting + added + removed + moved + tables + sentences + wrapped + values + keys)
  func outcome(of merge: Case) throws { try merge.check() }

  @Test(
    "What one side wrapped and the other one cut is the same with swapped sides", arguments: wrapped
  )
  func swapped(_ merge: Case) throws {
    let outcome = try MergeEngines().engine(for: merge.kind)
      .merge(merge.sides.map { Array($0.utf8) }.swapped, options: MergeOptions())
    #expect(outcome.text == merge.expected)
  }
}
