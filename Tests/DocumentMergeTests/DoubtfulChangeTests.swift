import Testing

@testable import DocumentMerge

@Suite("Changes that may or may not be about the same thing")
struct DoubtfulChangeTests {
  /// A merge and its result.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: MergeEngines.Kind
    let sides: MergeSides<String>
    /// The result; `nil` if a person has to decide.
    let expected: String?

    init(
      _ name: String, _ kind: MergeEngines.Kind, _ base: String, _ ours: String, _ theirs: String,
      gives expected: String? = nil
    ) {
      testDescription = name
      self.kind = kind
      sides = MergeSides(base: base, ours: ours, theirs: theirs)
      self.expected = expected
    }

    /// A list of words in JSON, one on each line.
    init(
      list name: String, _ base: String, _ ours: String, _ theirs: String,
      gives expected: String? = nil
    ) {
      func json(_ words: String) -> String {
        let lines = words.split(separator: " ").map { "  \"\($0)\"" }
        return "{\"list\": [\n" + lines.joined(separator: ",\n") + "\n]}\n"
      }
      self.init(
        name, .json, json(base), json(ours), json(theirs), gives: expected.map { json($0) })
    }

    /// Steps in YAML, by their commands.
    init(
      steps name: String, _ base: String, _ ours: String, _ theirs: String,
      gives expected: String? = nil
    ) {
      func yaml(_ commands: String) -> String {
        "steps:\n" + commands.split(separator: " ").map { "- run: \($0)\n" }.joined()
      }
      self.init(
        name, .yaml, yaml(base), yaml(ours), yaml(theirs), gives: expected.map { yaml($0) })
    }
  }

  private static let lists: [Case] = [
    Case(
      list: "each of two equal texts changed by one side", "-p 1 -q 1 -r x", "-p 2 -q 1 -r x",
      "-p 1 -q 3 -r x", gives: "-p 2 -q 3 -r x"),
    Case(
      list: "each of two equal texts removed by one side", "-p 1 -q 1 -r x", "-q 1 -r x",
      "-p 1 -r x", gives: "-r x"),
    Case(
      list: "texts appended beside one that is there twice", "a a b", "a a b c", "a a b d",
      gives: "a a b c d"),
    Case(list: "one of two equal texts changed by both", "b b", "v b", "z b"),
    Case(list: "an equal text added behind different ones", "-p 1", "-p 1 -s 5", "-p 1 -t 5"),
    Case(list: "an equal text added before different ones", "run", "run --out x", "run --out y"),
    Case(
      list: "an equal text added before one, and behind another one", "run", "run x --out",
      "run --out y"),
    Case(
      "an equal flag added before different values", .toml, "a = [\"run\", \"-v\"]\n",
      "a = [\"run\", \"--out\", \"x\", \"-v\"]\n", "a = [\"run\", \"--out\", \"y\", \"-v\"]\n"),
    Case(
      "an equal flag added before different names", .plist, "{ F = (\"-a\"); }\n",
      "{ F = (\"-a\", \"-framework\", \"X\"); }\n", "{ F = (\"-a\", \"-framework\", \"Y\"); }\n"),
    Case(
      list: "a text added behind a replaced one", "-f A -ObjC", "-f A -lz -ObjC", "-f B -ObjC",
      gives: "-f B -lz -ObjC"),
    Case(
      list: "a text added before a replaced one", "a b c", "a x b c", "a B c", gives: "a x B c"),
    Case(
      list: "texts next to each other replaced", "run --in x", "run --src x", "run --in y",
      gives: "run --src y"),
    Case(list: "a text added between two that were replaced", "a b c d", "a b x c d", "a y d"),
    Case(list: "a text moved, and replaced", "a b c", "b c a", "A b c"),
    Case(
      list: "a text moved, and one beside its place replaced", "a b c", "b c a", "a B c",
      gives: "B c a"),
    Case(
      "an element added behind a replaced one", .xml, "<r><s id=\"a\"/><s id=\"b\"/></r>\n",
      "<r><s id=\"a\"/><s id=\"x\"/><s id=\"b\"/></r>\n", "<r><s id=\"A\"/><s id=\"b\"/></r>\n",
      gives: "<r><s id=\"A\"/><s id=\"x\"/><s id=\"b\"/></r>\n"),
    Case(
      "an entry added behind a replaced one", .yaml, "- name: a\n- name: b\n",
      "- name: a\n- name: x\n- name: b\n", "- name: A\n- name: b\n",
      gives: "- name: A\n- name: x\n- name: b\n"),
    Case(
      "a record moved, and replaced", .json, "[{\"id\":1},{\"id\":2},{\"id\":3}]\n",
      "[{\"id\":2},{\"id\":3},{\"id\":1}]\n", "[{\"id\":4},{\"id\":2},{\"id\":3}]\n",
      gives: "[{\"id\":2},{\"id\":3},{\"id\":4}]\n"),
    Case(
      "a record replaced by different ones", .json, "[{\"id\":1,\"a\":2},{\"id\":2}]\n",
      "[{\"id\":3,\"b\":4},{\"id\":2}]\n", "[{\"id\":5,\"c\":6},{\"id\":2}]\n"),
    Case(
      list: "different texts added at the end by both", "home work", "home work red",
      "home work blue", gives: "home work red blue"),
    Case(list: "an equal text added in different places", "-p -q -r", "-p 5 -q -r", "-p -q 5 -r"),
    Case(
      list: "an equal text added behind the same one", "a b", "a b c", "a b c d", gives: "a b c d"),
    Case(list: "a text replaced, and removed", "src old", "src new", "src"),
    Case(
      list: "a text removed by both, and another one added elsewhere", "a b c", "a c", "z a c",
      gives: "z a c"),
    Case(
      list: "a text removed by one, and replaced with the next one by the other", "a b c d",
      "a b d",
      "a x d", gives: "a x d"),
    Case(
      steps: "a step that is there twice removed and changed", "clean make clean", "clean make",
      "distclean make clean", gives: "distclean make"),
    Case(steps: "a step changed, and removed", "install test", "install", "install test-all"),
  ]

  private static let renames: [Case] = [
    Case(
      "a key renamed differently", .json, "{\n\"a\": {\"x\": 1},\n\"b\": 2\n}\n",
      "{\n\"c\": {\"x\": 1},\n\"b\": 2\n}\n", "{\n\"d\": {\"x\": 1},\n\"b\": 2\n}\n"),
    Case(
      "a key renamed, and removed", .yaml, "a:\n  x: 1\nb: 2\n", "c:\n  x: 1\nb: 2\n", "b: 2\n"),
    Case(
      "a key renamed alike", .json, "{\"a\": {\"x\": 1}, \"b\": 2}\n",
      "{\"c\": {\"x\": 1}, \"b\": 2}\n", "{\"c\": {\"x\": 1}, \"b\": 3}\n",
      gives: "{\"c\": {\"x\": 1}, \"b\": 3}\n"),
    Case(
      "a key removed by both, and another one added", .json, "{\n\"a\": 1,\n\"b\": 2\n}\n",
      "{\n\"b\": 2\n}\n", "{\n\"b\": 2,\n\"z\": 7\n}\n", gives: "{\n\"b\": 2,\n\"z\": 7\n}\n"),
    Case(
      "an id changed differently", .json, "[{\"id\":1,\"v\":\"a\"},{\"id\":2}]\n",
      "[{\"id\":3,\"v\":\"a\"},{\"id\":2}]\n", "[{\"id\":4,\"v\":\"a\"},{\"id\":2}]\n"),
    Case(
      "an id changed, and the record removed", .json, "[{\"id\":1,\"v\":\"a\"},{\"id\":2}]\n",
      "[{\"id\":3,\"v\":\"a\"},{\"id\":2}]\n", "[{\"id\":2}]\n"),
    Case(
      "an element's id changed, and the element removed", .xml,
      "<r>\n<i id=\"1\">a</i>\n<i id=\"2\">b</i>\n</r>\n",
      "<r>\n<i id=\"3\">a</i>\n<i id=\"2\">b</i>\n</r>\n", "<r>\n<i id=\"2\">b</i>\n</r>\n"),
    Case(
      "a record with little else renamed differently", .json, "[{\"name\":\"Bob\",\"port\":81}]\n",
      "[{\"name\":\"Bill\",\"port\":81}]\n", "[{\"name\":\"Bert\",\"port\":81}]\n"),
    Case(
      "a record with little else renamed, and removed", .json,
      "[{\"name\":\"Ann\",\"port\":80},{\"name\":\"Bob\",\"port\":81}]\n",
      "[{\"name\":\"Ann\",\"port\":80}]\n",
      "[{\"name\":\"Ann\",\"port\":80},{\"name\":\"Bert\",\"port\":81}]\n"),
    Case(
      "a step renamed differently", .yaml, "- name: Test\n  run: npm t\n",
      "- name: Unit tests\n  run: npm t\n", "- name: Run tests\n  run: npm t\n"),
    Case(
      "a table of a list renamed differently", .toml, "[[srv]]\nname = \"Bob\"\nport = 81\n",
      "[[srv]]\nname = \"Bill\"\nport = 81\n", "[[srv]]\nname = \"Bert\"\nport = 81\n"),
    Case(
      "an element with little else renamed, and removed", .xml,
      "<r><s id=\"Ann\" port=\"80\"/><s id=\"Bob\" port=\"81\"/></r>\n",
      "<r><s id=\"Ann\" port=\"80\"/></r>\n",
      "<r><s id=\"Ann\" port=\"80\"/><s id=\"Bert\" port=\"81\"/></r>\n"),
    Case(
      "a record removed by both, and another one added elsewhere", .json,
      "[{\"id\":1,\"v\":2},{\"id\":2,\"v\":3},{\"id\":3,\"v\":4}]\n",
      "[{\"id\":1,\"v\":2},{\"id\":3,\"v\":4}]\n",
      "[{\"id\":1,\"v\":2},{\"id\":3,\"v\":4},{\"id\":5,\"v\":6}]\n",
      gives: "[{\"id\":1,\"v\":2},{\"id\":3,\"v\":4},{\"id\":5,\"v\":6}]\n"),
    Case(
      "a table renamed differently", .toml, "[a]\nx = 1\n", "[c]\nx = 1\n", "[d]\nx = 1\n"),
    Case(
      "an inline table removed, and written as a table", .toml, "a = 1\nx = { q = 1 }\nb = 2\n",
      "a = 1\nb = 2\n", "a = 1\nb = 2\n\n[x]\nq = 1\nr = 2\n"),
    Case(
      "a key renamed, and changed inside", .yaml, "a:\n  x: 1\n  y: 2\n  z: 3\nb: 4\n",
      "a:\n  x: 1\n  y: 5\n  z: 3\nb: 4\n", "c:\n  x: 1\n  y: 2\n  z: 3\nb: 4\n",
      gives: "c:\n  x: 1\n  y: 5\n  z: 3\nb: 4\n"),
    Case(
      "a key renamed in the line that was changed", .yaml, "a: {x: 1, y: 2, z: 3}\nb: 4\n",
      "a: {x: 1, y: 5, z: 3}\nb: 4\n", "c: {x: 1, y: 2, z: 3}\nb: 4\n"),
    Case(
      "a key replaced by another one with little of the same, and changed inside", .yaml,
      "a:\n  x: 1\n  y: 2\n  z: 3\nb: 4\n", "a:\n  x: 1\n  y: 2\n  z: 5\nb: 4\n",
      "c:\n  p: 1\n  y: 7\n  z: 3\nb: 4\n"),
    Case(
      "a record's id changed, and the record changed inside", .json,
      "[\n{\n\"id\": 1,\n\"v\": 2,\n\"w\": 3\n},\n{\n\"id\": 4\n}\n]\n",
      "[\n{\n\"id\": 5,\n\"v\": 2,\n\"w\": 3\n},\n{\n\"id\": 4\n}\n]\n",
      "[\n{\n\"id\": 1,\n\"v\": 2,\n\"w\": 6\n},\n{\n\"id\": 4\n}\n]\n"),
    Case(
      "an element renamed, and given an attribute", .xml,
      "<r>\n<a\nid=\"1\"\nx=\"2\">\n<s/>\n</a>\n</r>\n",
      "<r>\n<b\nid=\"1\"\nx=\"2\">\n<s/>\n</b>\n</r>\n",
      "<r>\n<a\nid=\"1\"\nx=\"2\"\ny=\"3\">\n<s/>\n</a>\n</r>\n",
      gives: "<r>\n<b\nid=\"1\"\nx=\"2\"\ny=\"3\">\n<s/>\n</b>\n</r>\n"),
    Case(
      "an element renamed differently", .xml, "<r>\n<a id=\"1\"\nx=\"2\"/>\n</r>\n",
      "<r>\n<b id=\"1\"\nx=\"2\"/>\n</r>\n", "<r>\n<c id=\"1\"\nx=\"2\"/>\n</r>\n"),
    Case(
      "a table replaced by a value, and removed", .toml, "a = 1\n\n[x]\nm = 1\n\n[y]\nz = 1\n",
      "a = 1\nx = \"s\"\n\n[y]\nz = 1\n", "a = 1\n\n[y]\nz = 1\n"),
    Case(
      "a key of a table removed, and written as a table", .toml, "[t]\nx = { q = 1 }\nb = 2\n",
      "[t]\nb = 2\n", "[t]\nb = 2\n\n[t.x]\nq = 1\nr = 2\n"),
  ]

  /// Tables that one side removed, and to which the other one added something.
  private static let nested: [Case] = [
    Case(
      "a table added in one that is gone", .toml, "[a]\ny = 1\n\n[t]\nx = 1\n",
      "[a]\ny = 1\n\n[t]\nx = 1\n\n[t.u]\nz = 1\n", "[a]\ny = 1\n"),
    Case(
      "a table added elsewhere in one that is gone", .toml, "[s.t]\nx = 1\n[a]\ny = 1\n",
      "[s.t]\nx = 1\n[a]\ny = 1\n[s.t.u]\nz = 1\n", "[a]\ny = 1\n"),
    Case(
      "a table added in one that was renamed", .toml, "[t]\nx = 1\n[a]\ny = 1\n",
      "[t]\nx = 1\n[t.u]\nz = 1\n[a]\ny = 1\n", "[q]\nx = 1\n[a]\ny = 1\n"),
    Case(
      "a table added beside one that is gone", .toml, "[t.v]\nx = 1\n[a]\ny = 1\n",
      "[t.v]\nx = 1\n[a]\ny = 1\n[t.u]\nz = 1\n", "[a]\ny = 1\n",
      gives: "[a]\ny = 1\n[t.u]\nz = 1\n"),
    Case(
      "a table added in one without lines that is gone", .toml, "[t]\n[a]\ny = 1\n",
      "[t]\n[a]\ny = 1\n[t.u]\nz = 1\n", "[a]\ny = 1\n",
      gives: "[a]\ny = 1\n[t.u]\nz = 1\n"),
    Case(
      "a table added in one of which others stay", .toml, "[t]\nx = 1\n[t.v]\ny = 1\n",
      "[t]\nx = 1\n[t.v]\ny = 1\n[t.u]\nz = 1\n", "[t.v]\ny = 1\n",
      gives: "[t.v]\ny = 1\n[t.u]\nz = 1\n"),
    Case(
      "an object added in one that is gone", .json,
      "{\"a\": 1,\n\"t\": {\n\"x\": 1\n},\n\"z\": 1}\n",
      "{\"a\": 1,\n\"t\": {\n\"x\": 1,\n\"u\": {}\n},\n\"z\": 1}\n", "{\"a\": 1,\n\"z\": 1}\n"),
    Case(
      "a mapping added in one that is gone", .yaml, "a: 1\nt:\n  x: 1\nz: 1\n",
      "a: 1\nt:\n  x: 1\n  u:\n    y: 1\nz: 1\n", "a: 1\nz: 1\n"),
  ]

  private static let anchors: [Case] = [
    Case(
      "an anchor given again before a new reference to it", .yaml,
      "a: &x 1\nm: 0\nb: 2\nk: 1\nc: 1\nd: 3\n", "a: &x 1\nm: 0\nb: &x 2\nk: 1\nc: 1\nd: 3\n",
      "a: &x 1\nm: 0\nb: 2\nk: 1\nc: 1\nd: *x\n"),
    Case(
      "anchors of one name, and other changes", .yaml, "a: &x 1\nb: &x 2\nc: *x\nd: 3\ne: 4\n",
      "a: &x 0\nb: &x 2\nc: *x\nd: 3\ne: 4\n", "a: &x 1\nb: &x 2\nc: *x\nd: 3\ne: 5\n",
      gives: "a: &x 0\nb: &x 2\nc: *x\nd: 3\ne: 5\n"),
    Case(
      "a key added twice beside braces with a key alone", .yaml, "a: {b, c: 1}\nk: 1\nl: 2\nm: 3\n",
      "a: {b, c: 1}\nn: 5\nk: 1\nl: 2\nm: 3\n", "a: {b, c: 1}\nk: 1\nl: 2\nm: 3\nn: 6\n"),
    Case(
      "a key added twice to what cannot be read", .yaml, "? [a]\n: b\nk: 1\nl: 2\nm: 3\n",
      "? [a]\n: b\nn: 5\nk: 1\nl: 2\nm: 3\n", "? [a]\n: b\nk: 1\nl: 2\nm: 3\nn: 6\n"),
    Case(
      "different keys added to what cannot be read", .yaml, "? [a]\n: b\nk: 1\nl: 2\nm: 3\n",
      "? [a]\n: b\nn: 5\nk: 1\nl: 2\nm: 3\n", "? [a]\n: b\nk: 1\nl: 2\nm: 3\no: 6\n",
      gives: "? [a]\n: b\nn: 5\nk: 1\nl: 2\nm: 3\no: 6\n"),
  ]

  /// Objects of a cluster that one side exchanged, while the other one changed the first.
  private static let clusters: [Case] = [
    cluster("a name in braces", "kind: _\nmetadata: {name: x}\n"),
    cluster("a name in braces behind others", "kind: _\nmetadata: {labels: {name: y}, name: x}\n"),
    cluster("a deeper name in quotes", "kind: \"_\"\nmetadata:\n    labels: {}\n    name: 'x'\n"),
    cluster("a name before the kind", "metadata:\n  name: x # short\nkind: _ # long\n"),
    cluster("a name of its own", "kind: _\nname: x\n"),
    cluster("a namespace", "kind: Role\nmetadata: {name: x, namespace: _}\n"),
  ]

  private static func cluster(_ name: String, _ head: String) -> Case {
    func stream(_ objects: String...) -> String {
      objects.map { object in
        "\(head.replacing("_", with: object.prefix(1)))spec:\n  r: \(object.dropFirst())\n"
      }.joined(separator: "---\n")
    }
    return Case(
      "objects of a cluster: \(name)", .yaml, stream("A1", "B1"), stream("B1", "A1"),
      stream("A5", "B1"), gives: stream("B1", "A5"))
  }

  /// Members without their own names, which both sides moved: one to the end, the other less far.
  private static let moved: [Case] = [
    moved(
      .json, "[\n", ["  {\"v\": \"a\"}", "  {\"v\": \"b\"}", "  {\"v\": \"c\"}"], ",\n", "\n]\n"),
    moved(.yaml, "l:\n", ["- v: a\n", "- v: b\n", "- v: c\n"], "", ""),
    moved(.toml, "", ["[[k]]\nv = \"a\"\n", "[[k]]\nv = \"b\"\n", "[[k]]\nv = \"c\"\n"], "", ""),
    moved(.xml, "<r>\n", ["<v>a</v>\n", "<v>b</v>\n", "<v>c</v>\n"], "", "</r>\n"),
    moved(.html, "<ul>\n", ["<li>a</li>\n", "<li>b</li>\n", "<li>c</li>\n"], "", "</ul>\n"),
  ]

  private static func moved(
    _ kind: MergeEngines.Kind, _ start: String, _ members: [String], _ between: String,
    _ end: String
  ) -> Case {
    func document(_ order: [Int]) -> String {
      start + order.map { members[$0] }.joined(separator: between) + end
    }
    return Case(
      "moved by both: \(kind)", kind, document([0, 1, 2]), document([1, 2, 0]),
      document([1, 0, 2]))
  }

  @Test(
    "What is in doubt is asked about, and nothing else",
    arguments: lists + renames + nested + anchors + clusters + moved)
  func outcome(of merge: Case) throws { try merge.check() }

  @Test("What is nested too deeply is merged by lines, and a decision says so")
  func depth() throws {
    let (open, close) = (
      String(repeating: "<a>\n", count: 99), String(repeating: "</a>\n", count: 99)
    )
    func document(_ first: Int, _ last: Int) -> String {
      "<r>\n<b>\(first)</b>\n\(open)\(close)<b>\(last)</b>\n</r>\n"
    }
    let sides = MergeSides(base: document(1, 1), ours: document(2, 1), theirs: document(1, 2))
    let engine = MergeEngines().engine(for: .xml)
    let outcome = try engine.merge(sides.map { Array($0.utf8) }, options: MergeOptions())
    #expect(outcome.text == document(2, 2))
    #expect(outcome.isComplete)
    #expect(outcome.decisions.first?.explanation.contains("merged by lines") ?? false)
  }
}

extension DoubtfulChangeTests.Case {
  /// Expects the result or a question, in both directions, and that each answer leads to a result.
  func check() throws {
    let engine = MergeEngines().engine(for: kind)
    let sides = sides.map { Array($0.utf8) }
    for sides in [sides, sides.swapped] {
      let outcome = try engine.merge(sides, options: MergeOptions())
      #expect(outcome.isComplete == (expected != nil), "\(outcome.text)")
    }
    let outcome = try engine.merge(sides, options: MergeOptions())
    if let expected { #expect(outcome.text == expected) }
    try checkAnswers(engine, sides, "\(testDescription)")
  }
}
