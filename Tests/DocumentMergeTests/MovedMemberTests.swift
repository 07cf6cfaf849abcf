import Testing

@testable import DocumentMerge

@Suite("Members without a name that were taken away here, and stand there")
struct MovedMemberTests {
  typealias Case = DoubtfulChangeTests.Case

  /// Returns documents of all formats, with members that have two values.
  private static func documents(_ members: [String]) -> [(MergeEngines.Kind, String)] {
    let pairs = members.map { ($0.prefix(1), $0.dropFirst()) }
    func text(_ separator: String, _ member: (Substring, Substring) -> String) -> String {
      pairs.map(member).joined(separator: separator)
    }
    return [
      (.json, "[" + text(",") { "{\"x\":\"\($0)\",\"y\":\($1)}" } + "]\n"),
      (.json, "[\n" + text(",\n") { "{\"x\":\"\($0)\",\"y\":\($1)}" } + "\n]\n"),
      (.yaml, "l:\n" + text("") { "- x: \($0)\n  y: \($1)\n" }),
      (.toml, text("") { "[[l]]\nx = \"\($0)\"\ny = \($1)\n\n" }),
      (.xml, "<r>\n" + text("") { "<i x=\"\($0)\" y=\"\($1)\"/>\n" } + "</r>\n"),
      (.xml, "<r>\n" + text("") { "<i><x>\($0)</x><y>\($1)</y></i>\n" } + "</r>\n"),
      (.plist, "(\n" + text(",\n") { "{ x = \($0); y = \($1); }" } + "\n)\n"),
      (.table, "a,b,c\n" + text("") { "k,\($0),\($1)\n" } + "k,,\nk,,\n"),
    ]
  }

  /// Returns documents whose members have several lines, some of them equal, so that a merge by lines mixes
  /// members.
  private static func longDocuments(_ members: [String]) -> [(MergeEngines.Kind, String)] {
    func text(_ separator: String, _ start: String, _ end: String = "") -> String {
      members.map { "\(start.replacing("_", with: $0.prefix(1)))\($0.dropFirst())\(end)" }
        .joined(separator: separator)
    }
    return [
      (.json, "[\n" + text(",\n", "{\n\"x\": \"_\",\n\"y\": ", "\n}") + "\n]\n"),
      (
        .json,
        "[\n" + text(",\n", "{\n\"x\": \"_\",\n\"z\": 0,\n\"y\": ", "\n}") + "\n]\n"
      ),
      (.yaml, text("---\n", "kind: _\nspec:\n  y: ", "\n")),
      (.yaml, text("---\n", "# _\nx: _\ny: ", "\n")),
      (.toml, text("", "[[l]]\nx = \"_\"\n[l.z]\ny = ", "\n")),
      (.xml, "<r>\n" + text("\n", "<i>\n<x>_</x>\n<y>", "</y>\n</i>") + "\n</r>\n"),
      (.html, "<ul>\n" + text("\n", "<li>\n<b>_</b>\n<i>", "</i>\n</li>") + "\n</ul>\n"),
      (.plist, "(\n" + text(",\n", "{\nx = _;\nz = {\ny = ", ";\n};\n}") + "\n)\n"),
    ]
  }

  private static func cases(
    _ name: String, _ base: String, _ ours: String, _ theirs: String, gives expected: String? = nil
  ) -> [Case] {
    func documents(_ members: String) -> [(MergeEngines.Kind, String)] {
      Self.documents(members.split(separator: " ").map(String.init))
    }
    return documents(base).indices.map { index in
      let (kind, document) = documents(base)[index]
      return Case(
        "\(name): \(kind) \(index)", kind, document, documents(ours)[index].1,
        documents(theirs)[index].1, gives: expected.map { documents($0)[index].1 })
    }
  }

  @Test(
    "What both sides moved and changed is one thing",
    arguments: cases("both changed", "a1 b2 c3 d4", "a1 c3 d4 b9", "b8 a1 c3 d4")
      + cases("one changed", "a1 b2 c3 d4", "a1 c3 d4 b2", "b8 a1 c3 d4").filter {
        $0.kind != .table
      }
      + cases("beside others", "a1 b2 c3 d4 e5", "a1 c3 d4 b9 e5", "b8 a1 c3 d4 e5"))
  func movedAndChanged(_ merge: Case) throws { try merge.check() }

  @Test(
    "What one side moved, and the other one removed, is asked about, unless it is a row as it was",
    arguments: cases("changed", "a1 b2 c3 d4", "a1 c3 d4", "a1 c3 d4 b9")
      + cases("as it was", "a1 b2 c3 d4", "a1 c3 d4", "a1 c3 d4 b2").filter { $0.kind != .table }
      + [
        Case(
          "elements", .xml, "<r>\n<i>a</i>\n<i>b</i>\n<i>c</i>\n</r>\n",
          "<r>\n<i>a</i>\n<i>c</i>\n</r>\n", "<r>\n<i>a</i>\n<i>c</i>\n<i>b</i>\n</r>\n"),
        Case(
          "records", .json, "[{\"x\":\"a\"},{\"x\":\"b\"},{\"x\":\"c\"}]\n",
          "[{\"x\":\"a\"},{\"x\":\"c\"}]\n", "[{\"x\":\"a\"},{\"x\":\"c\"},{\"x\":\"b\"}]\n"),
        Case(
          "a row", .table, "x,y\na,1\nb,2\na,\n", "x,y\na,1\na,\n", "x,y\na,1\na,\nb,2\n",
          gives: "x,y\na,1\na,\n"),
        Case(
          "a row, changed by one side", .table, "x,y\na,1\nb,2\na,\n", "x,y\na,1\na,\nb,2\n",
          "x,y\nb,3\na,1\na,\n", gives: "x,y\nb,3\na,1\na,\n"),
      ])
  func movedAndRemoved(_ merge: Case) throws { try merge.check() }

  @Test(
    "What one side changed is changed where the other one moved it, or is asked about",
    arguments: longDocuments([]).indices)
  func movedByOneChangedByOther(form: Int) throws {
    func document(_ members: [String]) -> (kind: MergeEngines.Kind, text: String) {
      Self.longDocuments(members)[form]
    }
    let base = ["a1", "b1", "c1", "d1"]
    for order in base.indices.orders {
      for edited in base.indices {
        var theirs = base
        theirs[edited] = base[edited].prefix(1) + "5"
        let sides = MergeSides(base: base, ours: order.map { base[$0] }, theirs: theirs)
          .map { Array(document($0).text.utf8) }
        for sides in [sides, sides.swapped] {
          let engine = MergeEngines().engine(for: document(base).kind)
          let outcome = try engine.merge(sides, options: MergeOptions())
          guard outcome.isComplete else { continue }
          #expect(outcome.text == document(order.map { theirs[$0] }).text)
        }
      }
    }
  }

  @Test("A named document that one side moved, and the other removed, is removed by either side")
  func movedAndRemovedDocument() throws {
    func text(_ names: [String], edited: Bool) -> String {
      names.map { name in
        let keys = edited && name == "b" ? [2, 3, 4, 5, 1] : [1, 2, 3, 4, 5]
        return "kind: k\nmetadata:\n  name: \(name)\ndata:\n"
          + keys.map { "  \(name)\($0): \"\($0)\"\n" }.joined()
      }
      .joined(separator: "---\n")
    }
    let names = ["a", "b", "c"]
    for order in names.indices.orders {
      for removed in ["a", "c"] {
        for edited in [true, false] {
          let rest = names.filter { $0 != removed }
          let ours = order.map { names[$0] }
          let sides = MergeSides(
            base: text(names, edited: false), ours: text(ours, edited: edited),
            theirs: text(rest, edited: false)
          ).map { Array($0.utf8) }
          for sides in [sides, sides.swapped] {
            let outcome = try MergeEngines().engine(for: .yaml)
              .merge(sides, options: MergeOptions())
            // Without the first document, the next one has no marker on one side.
            #expect(outcome.isComplete || removed == "a")
            guard outcome.isComplete else { continue }
            // The marker that one side put above a document may stay there.
            let merged = text(ours.filter { $0 != removed }, edited: edited)
            #expect([merged, "---\n" + merged].contains(outcome.text))
          }
        }
      }
    }
  }

  /// Returns documents whose members follow each other in any order, and may be added by both sides.
  private static func additiveDocuments(_ members: [String]) -> [(MergeEngines.Kind, String)] {
    func text(_ separator: String, _ member: (Substring, Substring) -> String) -> String {
      members.map { member($0.prefix(1), $0.dropFirst()) }.joined(separator: separator)
    }
    return [
      (.html, "<ul>\n" + text("") { "<li><b>\($0)</b> is \($1)</li>\n" } + "</ul>\n"),
      (
        .json,
        "[" + text(",") { "\n{\"type\": \"Feature\", \"n\": {\"x\": \"\($0)\", \"y\": \($1)}}" }
          + "\n]\n"
      ),
      (.xml, "<rss>\n" + text("") { "<item><t>\($0)</t><d>\($1)</d></item>\n" } + "</rss>\n"),
    ]
  }

  @Test(
    "What both sides moved alike, and one changed, stands there once, or is asked about",
    arguments: 0..<19)
  func movedAlikeChangedByOne(form: Int) throws {
    func document(_ members: [String]) -> (kind: MergeEngines.Kind, text: String) {
      (Self.additiveDocuments(members) + Self.longDocuments(members) + Self.documents(members))[
        form]
    }
    let base = ["a1", "b1", "c1", "d1"]
    for order in base.indices.orders {
      let ours = order.map { base[$0] }
      for edited in base.indices {
        var theirs = ours
        theirs[edited] = theirs[edited].prefix(1) + "5"
        let sides = MergeSides(base: base, ours: ours, theirs: theirs)
          .map { Array(document($0).text.utf8) }
        for sides in [sides, sides.swapped] {
          let engine = MergeEngines().engine(for: document(base).kind)
          let outcome = try engine.merge(sides, options: MergeOptions())
          #expect(!outcome.isComplete || outcome.text == document(theirs).text)
        }
      }
    }
  }

  @Test(
    "What one side moved, and the other one did not touch, is moved",
    arguments: cases("moved", "a1 b2 c3 d4", "a1 c3 d4 b2", "a1 b2 c3 d4", gives: "a1 c3 d4 b2")
      + cases(
        "removed by both, others added", "a1 b2 c3 d4", "a1 c3 d4 z7", "y6 a1 c3 d4",
        gives: "y6 a1 c3 d4 z7"))
  func moved(_ merge: Case) throws { try merge.check() }
}

extension Range<Int> {
  /// All orders in which the numbers can stand.
  fileprivate var orders: [[Int]] {
    reduce([[]]) { orders, number in
      orders.flatMap { order in
        (0...order.count).map { place in Array(order[..<place]) + [number] + order[place...] }
      }
    }
  }
}
