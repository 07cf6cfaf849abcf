import DocumentMerge
import Testing

@Suite("Names that stand twice, or that are gone")
struct NamesTests {
  private static let keys: [FileMerge] =
    [
      "x.properties", ".env", ".env.local", "x.ini", "x.conf", "x.cfg", ".npmrc", ".editorconfig",
      "x.toml", "x.json5",
    ].map { name in
      let (equals, end) = name == "x.json5" ? (": ", ",\n") : ("=", "\n")
      let parts = ["a", "b", "c", "d"].map { "\($0)\(equals)1\(end)" }
      return FileMerge(name, parts: parts, adding: "k\(equals)1\(end)", and: "k\(equals)2\(end)")
    } + [
      FileMerge(
        "x.properties", "in other forms", parts: ["a 1\n", "b 1\n", "c 1\n"], adding: "k 1\n",
        and: "  k: 2\n"),
      FileMerge(
        ".env", "exported", parts: ["A=1\n", "B=1\n", "C=1\n"], adding: "export K=1\n", and: "K=2\n"
      ),
      FileMerge(
        ".env", "equal", parts: ["A=1\n", "B=1\n", "C=1\n"], adding: "K=1\n", and: "K=1\n",
        gives: "A=1\nK=1\nB=1\nC=1\n"),
      FileMerge(
        "x.ini", "in another section", parts: ["[a]\n", "x=1\n", "[b]\n", "x=2\n"],
        adding: "k=1\n", and: "k=2\n", gives: "[a]\nk=1\nx=1\n[b]\nk=2\nx=2\n"),
      FileMerge(
        "x.ini", "a section", parts: ["[a]\nx=1\n\n", "[b]\nx=1\n\n", "[c]\nx=1\n"],
        adding: "[n]\nq=1\n\n", and: "[n]\nr=1\n\n"),
      FileMerge(
        "x.ini", "an equal section", parts: ["[a]\nx=1\n\n", "[b]\nx=1\n\n", "[c]\nx=1\n"],
        adding: "[n]\nq=1\n\n", and: "[n]\nq=1\n\n",
        gives: "[a]\nx=1\n\n[n]\nq=1\n\n[b]\nx=1\n\n[c]\nx=1\n"),
      FileMerge(
        "x.timer", "a key that is there twice anyway",
        parts: ["[Unit]\n", "After=a\n", "After=b\n", "X=1\n"], adding: "After=c\n",
        and: "After=d\n", gives: "[Unit]\nAfter=c\nAfter=a\nAfter=b\nAfter=d\nX=1\n"),
      FileMerge(
        "x.json", "that cannot be read",
        parts: ["{\n  \"a\": 1,\n", "  \"b\": 1,\n", "  \"c\": }\n"],
        adding: "  \"k\": 1,\n", and: "  \"k\": 2,\n"),
    ]

  private static func event(_ name: String, _ summary: String) -> String {
    "BEGIN:VEVENT\nUID:\(name)\nSUMMARY:\(summary)\nEND:VEVENT\n"
  }

  private static func work(_ name: String, _ title: String = "T") -> String {
    "@book{\(name),\n  title={\(title)}\n}\n\n"
  }

  private static func message(_ text: String, _ translation: String) -> String {
    "#: a.c:1\nmsgid \"\(text)\"\nmsgstr \"\(translation)\"\n\n"
  }

  private static let records: [FileMerge] = [
    FileMerge(
      "r.bib", parts: ["a", "b", "c"].map { work($0) }, adding: work("n"), and: work("N", "U")),
    FileMerge(
      "r.bib", "equal", parts: ["a", "b", "c"].map { work($0) }, adding: work("n"), and: work("n"),
      gives: work("a") + work("n") + work("b") + work("c")),
    FileMerge(
      "de.po", parts: ["a", "b", "c"].map { message($0, "x") }, adding: message("n", "y"),
      and: message("n", "z")),
    FileMerge(
      "de.po", "equal", parts: ["a", "b", "c"].map { message($0, "x") }, adding: message("n", "y"),
      and: message("n", "y"),
      gives: message("a", "x") + message("n", "y") + message("b", "x") + message("c", "x")),
    FileMerge(
      "c.ics", parts: ["1", "2", "3"].map { event($0, "S") }, adding: event("n", "A"),
      and: event("n", "B")),
    FileMerge(
      "requirements.txt", parts: ["a==1\n", "b==1\n", "c==1\n"], adding: "flask==1\n",
      and: "Flask>=2\n"),
    FileMerge(
      "t.tex", parts: ["A\n", "\n", "B\n", "\n", "C\n"], adding: "\\section{X}\\label{n}\n",
      and: "\\section{Y}\\label{n}\n"),
    FileMerge(
      "t.rst", parts: ["A\n", "\n", "B\n", "\n", "C\n"], adding: "\n.. _n: http://a\n",
      and: "\n.. _n: http://b\n\n"),
    FileMerge(
      "t.md", parts: ["A\n", "\n", "B\n", "\n", "C\n"], adding: "\n[^n]: one\n",
      and: "\n[^n]: two\n\n"),
    FileMerge(
      "t.adoc", parts: ["A\n", "\n", "B\n", "\n", "C\n"], adding: "\n[[n]]\nX\n",
      and: "\n[[n]]\nY\n\n"),
    FileMerge(
      "t.rst", "a label of something else", parts: ["A\n", "\n", "B\n", "\n", "C\n"],
      adding: "\n.. _n:\n\nX\n", and: "\n.. _n:\n\nY\n\n"),
    FileMerge(
      "p.vue", "an attribute",
      parts: ["<template>\n  <tile\n", "    w=\"1\"\n", "    h=\"2\"\n", "  />\n</template>\n"],
      adding: "    tone=\"x\"\n", and: "    tone=\"y\"\n"),
  ]

  private static func blocks(_ keyword: String, _ names: String...) -> [String] {
    names.map { "\(keyword) \($0) {\n  x: Int\n}\n\n" }
  }

  private static let declarations: [FileMerge] = [
    FileMerge(
      "v.tf", parts: blocks("variable", "\"a\"", "\"b\"", "\"c\""),
      adding: "variable \"n\" {\n  default = 1\n}\n\n", and: "variable \"n\" {\n}\n\n"),
    FileMerge(
      "s.graphql", parts: blocks("type", "A", "B", "C"), adding: "type N {\n  q: Int\n}\n\n",
      and: "type N {\n  r: Int\n}\n\n"),
    FileMerge(
      "m.proto", "a number",
      parts: ["message A {\n", "  int32 a = 1;\n", "  int32 b = 2;\n", "  int32 c = 3;\n", "}\n"],
      adding: "  int32 n = 4;\n", and: "  int32 m = 4;\n"),
    FileMerge(
      "t.sql", parts: ["a", "b", "c"].map { "CREATE TABLE \($0) (\n  x int\n);\n\n" },
      adding: "CREATE TABLE n (\n  q int\n);\n\n", and: "CREATE TABLE n (\n  r int\n);\n\n"),
    FileMerge(
      "t.dtd", parts: ["a", "b", "c"].map { "<!ENTITY \($0) \"x\">\n" },
      adding: "<!ENTITY n \"y\">\n", and: "<!ENTITY n \"z\">\n"),
    FileMerge(
      "s.css", parts: ["p {\n", "  top: 1;\n", "  left: 1;\n", "  color: red;\n", "}\n"],
      adding: "  margin: 1;\n", and: "  margin: 2;\n"),
    FileMerge(
      "Dockerfile", parts: ["FROM x\n", "ENV A=1\n", "ENV B=1\n", "ENV C=1\n", "RUN y\n"],
      adding: "ENV N=1\n", and: "ENV N=2\n"),
    FileMerge(
      "r.ris", parts: ["a", "b", "c"].map { "TY  - JOUR\nID  - \($0)\nER  - \n\n" },
      adding: "TY  - JOUR\nID  - n\nTI  - X\nER  - \n\n",
      and: "TY  - JOUR\nID  - n\nTI  - Y\nER  - \n\n"),
    FileMerge(
      ".ssh/config", parts: ["a", "b", "c"].map { "Host \($0)\n  User x\n\n" },
      adding: "Host n\n  User y\n\n", and: "Host n\n  User z\n\n"),
    FileMerge(
      "r.tsv", "a number for two things",
      parts: ["n\tname\tto\n", "1\ta\tx\n1\ta\ty\n", "2\tb\tx\n2\tb\ty\n", "3\tc\tx\n"],
      adding: "4\td\tx\n4\td\ty\n", and: "4\te\tx\n4\te\ty\n"),
    FileMerge(
      "Makefile", parts: ["a", "b", "c"].map { "\($0):\n\tx\n\n" }, adding: "n:\n\ty\n\n",
      and: "n:\n\tz\n\n"),
  ]

  @Test(
    "A name that stands twice after a merge, and never before, is asked about",
    arguments: keys + records + declarations)
  func doubledNames(_ merge: FileMerge) throws { try merge.check() }

  /// One side removes the second part of a text, and the other one puts something before the last part.
  private static func lost(_ fileName: String, _ parts: [String], _ added: String) -> FileMerge {
    lost(fileName, "", parts, added)
  }

  private static func lost(
    _ fileName: String, _ note: String, _ parts: [String], _ added: String
  ) -> FileMerge {
    FileMerge(
      fileName, note, parts.joined(), parts[0] + parts.dropFirst(2).joined(),
      parts.dropLast().joined() + added + (parts.last ?? ""))
  }

  private static let references: [FileMerge] = [
    lost(
      "b.canvas",
      [
        "{\"nodes\":[\n", "{\"id\":\"n2\",\"text\":\"Two\"},\n",
        "{\"id\":\"n1\",\"text\":\"One\"}\n",
        "],\n\"edges\":[\n", "{\"id\":\"e1\",\"fromNode\":\"n1\",\"toNode\":\"n1\"}\n]}\n",
      ], "{\"id\":\"e2\",\"fromNode\":\"n1\",\"toNode\":\"n2\"},\n"),
    lost(
      "compose.yml", "a list",
      [
        "services:\n", "  old:\n    image: o\n", "  mid:\n    image: m\n", "  web:\n    image: w\n",
        "    tty: true\n",
      ], "    depends_on:\n      - old\n"),
    lost(
      "compose.yml", "a mapping",
      [
        "services:\n", "  old:\n    image: o\n", "  mid:\n    image: m\n", "  web:\n    image: w\n",
        "    tty: true\n",
      ], "    depends_on:\n      old:\n        condition: service_healthy\n"),
    lost(
      ".gitlab-ci.yml", "a stage",
      [
        "stages:\n  - build\n", "  - old\n", "  - test\n", "a:\n  stage: build\n",
        "z:\n  stage: test\n",
      ],
      "b:\n  stage: old\n"),
    lost(
      "s.json", "a pointer",
      [
        "{\n\"definitions\": {\n", "\"Old\": {\n\"type\": \"object\"\n},\n", "\"Z\": {}\n},\n",
        "\"a\": {},\n", "\"z\": {}\n}\n",
      ], "\"b\": {\n\"$ref\": \"#/definitions/Old/properties/x\"\n},\n"),
    lost(
      "a.yaml", "an anchor",
      ["x:\n  a: 1\n", "old: &old\n  a: 1\n", "y:\n  b: 1\n", "z:\n", "  c: 1\n"], "  <<: *old\n"),
    lost(
      "d.svg", "a style",
      ["<svg>\n", "<g id=\"old\"/>\n", "<path d=\"a\"/>\n", "<path d=\"b\"/>\n", "</svg>\n"],
      "<path style=\"stroke:red;fill:url(#old)\"/>\n"),
    lost(
      "p.drawio", "numbers",
      [
        "<root>\n", "<mxCell id=\"2\" value=\"A\"/>\n", "<mxCell id=\"3\" value=\"B\"/>\n",
        "<mxCell id=\"4\" value=\"C\"/>\n", "</root>\n",
      ], "<mxCell id=\"5\" edge=\"1\" source=\"2\" target=\"4\"/>\n"),
    lost(
      "layout.xml", "identifiers of Android",
      [
        "<L>\n", "<V android:id=\"@+id/old\"/>\n", "<V android:id=\"@+id/mid\"/>\n", "<T>\n</T>\n",
        "</L>\n",
      ], "<V android:id=\"@+id/new\" app:below=\"@id/old\"/>\n"),
    lost(
      "n.md", "a heading", ["# T\n\n", "## Old part\n\n", "Text.\n\n", "More.\n\n", "End.\n"],
      "See [above](#old-part).\n\n"),
    lost(
      "n.md", "a target", ["# T\n\n", "[x]: http://x\n\n", "Text.\n\n", "More.\n\n", "End.\n"],
      "See [there][x].\n\n"),
    lost(
      "t.rst", "a target", [".. _a:\n\n", ".. _old:\n\n", "Old\n---\n\n", "Text.\n\n", "End.\n"],
      "See :ref:`old`.\n\n"),
    lost(
      "t.adoc", "an anchor", ["= T\n\n", "[[old]]\n", "== Old\n\n", "Text.\n\n", "End.\n"],
      "See <<old>>.\n\n"),
    lost(
      "p.tex", "a work", ["A\n", "\\bibitem{old} O\n", "\\bibitem{b} B\n", "\n", "End.\n"],
      "As in \\cite{b,old}.\n"),
    lost(
      "a.properties", "a value", ["x=1\n", "base=/a\n", "y=1\n", "z=1\n", "q=1\n"],
      "path=${base}/q\n"),
    lost(
      "r.bib", "a work that another one is part of",
      ["% W\n\n", work("old"), work("b"), "@incollection{c,\n", "  title={C}\n}\n"],
      "  crossref={old},\n"),
    lost(
      "r.bib", "a string",
      ["% W\n", "@string{old = {O}}\n", "@string{mid = {M}}\n", "@book{c,\n", "  year=1\n}\n"],
      "  publisher = old,\n"),
    lost(
      "n.org", "a heading",
      ["* A\n", "* B\n:PROPERTIES:\n:CUSTOM_ID: old\n:END:\n", "* C\n", "* D\n", "* E\n"],
      "See [[#old]].\n"),
    lost(
      "c.toml", "a key", ["[features]\n", "old = []\n", "mid = []\n", "[x]\n", "y = 1\n"],
      "default = [\"old\"]\n"),
    lost(
      "s.css", "a variable", [":root {\n", "  --old: 1;\n", "  --b: 1;\n", "}\np {\n", "}\n"],
      "  margin: var(--old);\n"),
    lost(
      "m.tf", "a variable",
      [
        "# T\n", "variable \"old\" {\n}\n", "variable \"b\" {\n}\n", "resource \"x\" \"y\" {\n",
        "}\n",
      ], "  m = var.old\n"),
    lost(
      "r.csv", "a row", ["id,name,parent\n", "2,b,\n", "3,c,\n", "4,d,3\n", "5,e,3\n"], "6,f,2\n"),
    lost(
      "compose.yml", "a volume",
      [
        "volumes:\n", "  old: {}\n", "  mid: {}\n", "services:\n  web:\n    image: w\n",
        "    tty: true\n",
      ], "    volumes:\n      - old:/var/log\n"),
    lost(
      "s.ini", "a key of a section", ["[p]\n", "old = 1\n", "mid = 1\n", "[q]\n", "z = 1\n"],
      "a = ${p:old}/x\n"),
    lost(
      "s.plist", "an identifier",
      [
        "<plist version=\"1.0\">\n<dict>\n<key>styles</key>\n<array>\n",
        "<dict>\n<key>id</key>\n<string>old-one</string>\n</dict>\n",
        "<dict>\n<key>id</key>\n<string>other</string>\n</dict>\n</array>\n<key>runs</key>\n<array>\n",
        "<dict>\n<key>style</key>\n<string>other</string>\n</dict>\n",
        "</array>\n</dict>\n</plist>\n",
      ], "<dict>\n<key>style</key>\n<string>old-one</string>\n</dict>\n"),
  ]

  @Test(
    "A name that is removed on one side, and referred to on the other, is asked about",
    arguments: references)
  func lostNames(_ merge: FileMerge) throws { try merge.check() }

  @Test("A name that only changes its place, or is referred to as before, is no question")
  func keptNames() throws {
    let parts = ["a:\n  x: 1\n", "old:\n  x: 2\n", "b:\n  use: old\n", "c:\n  x: 3\n"]
    try FileMerge(
      "m.yaml", parts.joined(), parts[1] + parts[0] + parts[2] + parts[3],
      parts.joined() + "d:\n  use: old\n",
      gives: parts[1] + parts[0] + parts[2] + parts[3] + "d:\n  use: old\n"
    ).check()
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

  @Test("A record that both sides add under identifiers of their own is asked about")
  func twinRecords() throws {
    func record(_ id: String, _ text: String) -> String {
      "  {\n    \"id\": \"\(id)\",\n    \"text\": \"\(text)\",\n    \"done\": false\n  }"
    }
    func list(_ records: String...) -> String { "[\n" + records.joined(separator: ",\n") + "\n]\n" }
    let (a, b) = (record("a1", "A"), record("b2", "B"))
    try FileMerge(
      "t.json", list(a, b), list(record("n7", "Milk"), a, b), list(a, b, record("m9", "Milk"))
    ).check()
    try FileMerge(
      "t.json", list(a, b), list(record("n7", "Milk"), a, b), list(a, b, record("m9", "Eggs")),
      gives: list(record("n7", "Milk"), a, b, record("m9", "Eggs"))
    ).check()
  }

  private static let twins: [FileMerge] = [
    FileMerge(
      "t.csv", parts: ["id,text,shop\n", "a1,A,p\n", "b2,B,q\n"], adding: "x7,Milk and eggs,r\n",
      and: "y9,Milk and eggs,r\n"),
    FileMerge(
      "t.csv", "different", parts: ["id,text,shop\n", "a1,A,p\n", "b2,B,q\n"],
      adding: "x7,Milk and eggs,r\n", and: "y9,Milk and bread,r\n",
      gives: "id,text,shop\nx7,Milk and eggs,r\na1,A,p\ny9,Milk and bread,r\nb2,B,q\n"),
    FileMerge(
      "t.yaml", parts: ["- id: a1\n  text: A\n", "- id: b2\n  text: B\n", "- id: c3\n  text: C\n"],
      adding: "- id: x7\n  text: Milk and eggs\n", and: "- id: y9\n  text: Milk and eggs\n"),
    FileMerge(
      "t.json", "keys",
      parts: ["{\n", "  \"a\": {},\n", "  \"b\": {},\n", "  \"c\": {}\n}\n"],
      adding: "  \"5f0c9a52-aaaa\": {\"text\": \"Milk and eggs\", \"n\": 1},\n",
      and: "  \"9d1e7c11-bbbb\": {\"text\": \"Milk and eggs\", \"n\": 1},\n"),
    FileMerge(
      "c.ics", parts: ["1", "2", "3"].map { event($0, "S") }, adding: event("n", "Dentist at ten"),
      and: event("m", "Dentist at ten")),
    FileMerge(
      "r.bib", parts: ["a", "b", "c"].map { work($0) }, adding: work("x", "On the origin"),
      and: work("y", "On the origin")),
  ]

  @Test("What both sides add under different names is asked about", arguments: twins)
  func twinEntries(_ merge: FileMerge) throws { try merge.check() }
}
