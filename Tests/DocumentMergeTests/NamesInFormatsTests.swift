import DocumentMerge
import Testing

@Suite("Names that stand twice, format by format")
struct NamesInFormatsTests {
  private static func lines(_ fileName: String, _ lines: [String], _ one: String, _ other: String)
    -> FileMerge
  {
    FileMerge(
      fileName, parts: lines.map { $0 + "\n" }, adding: one + "\n", and: other + "\n")
  }

  private static let lineTables: [FileMerge] = [
    lines(
      "etc/hosts", ["127.0.0.1 localhost", "10.0.0.1 a", "10.0.0.2 b"], "10.0.0.9 n",
      "10.0.0.8 m n # new"),
    lines(
      "etc/hosts", ["127.0.0.1\tlocalhost", "10.0.0.1\ta", "10.0.0.2\tb"], "10.0.0.9\tn",
      "10.0.0.9\tm"),
    lines(
      "etc/fstab",
      ["UUID=1 / ext4 defaults 0 1", "UUID=2 /home ext4 defaults 0 2", "x /x t d 0 0"],
      "UUID=3 /data ext4 defaults 0 2", "UUID=4 /data xfs defaults 0 2"),
    lines(
      "etc/passwd", ["root:x:0:0::/:/bin/sh", "a:x:1:1::/:/bin/sh", "b:x:2:2::/:/bin/sh"],
      "n:x:1000:1000::/:/bin/sh", "m:x:1000:1001::/:/bin/sh"),
    lines("etc/group", ["root:x:0:", "a:x:1:", "b:x:2:"], "n:x:1000:", "n:x:1001:"),
    lines(
      ".ssh/known_hosts", ["a.example ssh-rsa A1", "b.example ssh-rsa A2", "c.example ssh-rsa A3"],
      "n.example ssh-rsa A4", "n.example ssh-rsa A5"),
    lines(
      ".ssh/authorized_keys", ["ssh-rsa A1 a", "ssh-rsa A2 b", "ssh-rsa A3 c"], "ssh-rsa A9 n",
      "no-pty ssh-rsa A9 n"),
    lines("CODEOWNERS", ["*.a @a", "*.b @b", "*.c @c"], "/docs/ @n", "/docs/ @m"),
    lines(".mailmap", ["A <a@x>", "B <b@x>", "C <c@x>"], "N <n@x>", "Nn <N@x>"),
    lines(".tool-versions", ["a 1", "b 1", "c 1"], "node 20", "node 22"),
  ]

  private static let settings: [FileMerge] = [
    lines(
      "sshd_config", ["Port 22", "UsePAM yes", "X no"], "PermitRootLogin no", "PermitRootLogin yes"),
    lines("redis.conf", ["port 1", "timeout 0", "x y"], "maxmemory 1gb", "maxmemory 2gb"),
    lines("Procfile", ["web: a", "job: b", "cron: c"], "n: x", "n: y"),
    lines("Dockerfile", ["FROM a", "RUN a", "RUN b"], "CMD [\"x\"]", "CMD [\"y\"]"),
    lines("CMakeLists.txt", ["a(x)", "b(x)", "c(x)"], "add_library(n n.c)", "add_library(n m.c)"),
    lines("x.zone", ["a IN A 1", "b IN A 2", "c IN A 3"], "n IN CNAME a", "n IN CNAME b"),
    lines("t.ldif", ["dn: a\n", "dn: b\n", "dn: c"], "dn: n\ncn: n\n", "dn: n\ncn: m\n"),
    lines(
      "m.sql", ["a", "b", "c"].map { "ALTER TABLE t ADD COLUMN \($0) INT;" },
      "ALTER TABLE t ADD COLUMN n INT;", "ALTER TABLE t ADD COLUMN n TEXT;"),
    lines(
      "t.tex", ["a", "b", "c"].map { "\\usepackage{\($0)}" }, "\\usepackage[x]{n}",
      "\\usepackage{n}"),
    lines("t.md", ["x\n", "*[AA]: a", "*[BB]: b", "*[CC]: c"], "*[NN]: one", "*[NN]: two"),
  ]

  private static let apart: [FileMerge] = [
    FileMerge(
      "n.conf", "what may be there often", parts: ["include a\n", "x 1\n", "y 2\n"],
      adding: "include b\n", and: "include c\n",
      gives: "include a\ninclude b\nx 1\ninclude c\ny 2\n"),
    FileMerge(
      "etc/hosts", "two kinds of addresses",
      parts: ["127.0.0.1 localhost\n", "10.0.0.1 a\n", "10.0.0.2 b\n"], adding: "10.0.0.3 n\n",
      and: "fe80::1 n\n",
      gives: "127.0.0.1 localhost\n10.0.0.3 n\n10.0.0.1 a\nfe80::1 n\n10.0.0.2 b\n"),
    FileMerge(
      "etc/fstab", "mounted nowhere", parts: ["a / t d 0 1\n", "b /b t d 0 2\n", "c /c t d 0 2\n"],
      adding: "d none swap sw 0 0\n", and: "e none swap sw 0 0\n",
      gives: "a / t d 0 1\nd none swap sw 0 0\nb /b t d 0 2\ne none swap sw 0 0\nc /c t d 0 2\n"),
    FileMerge(
      "hosts", "groups of another tool",
      parts: ["[web]\n", "a.example\n", "[db]\n", "b.example\n"],
      adding: "n.example\n", and: "n.example\n",
      gives: "[web]\nn.example\na.example\n[db]\nn.example\nb.example\n"),
    FileMerge(
      "n.conf", "blocks without names",
      parts: ["1", "2", "3"].map { "server {\n  location / {\n    x \($0);\n  }\n}\n" },
      adding: "server {\n  location / {\n    x 4;\n  }\n}\n",
      and: "server {\n  location / {\n    x 5;\n  }\n}\n",
      gives: ["1", "4", "2", "5", "3"]
        .map { "server {\n  location / {\n    x \($0);\n  }\n}\n" }.joined()),
    FileMerge(
      "t.md", "headings below others",
      parts: ["# T\n\n", "## A\n\n### Use\n\na\n\n", "## B\n\n### Use\n\nb\n\n", "## C\n\nc\n"],
      adding: "## N\n\n### Use\n\nn\n\n", and: "## M\n\n### Use\n\nm\n\n",
      gives: "# T\n\n## N\n\n### Use\n\nn\n\n## A\n\n### Use\n\na\n\n## B\n\n### Use\n\nb\n\n"
        + "## M\n\n### Use\n\nm\n\n## C\n\nc\n"),
  ]

  @Test("A line of a table is there once", arguments: lineTables + settings + apart)
  func rowsOfLines(_ merge: FileMerge) throws { try merge.check() }

  private static func resource(_ kind: String, _ name: String, _ value: String = "b") -> String {
    "apiVersion: v1\nkind: \(kind)\nmetadata:\n  name: \(name)\ndata:\n  a: \(value)\n---\n"
  }

  private static let data: [FileMerge] = [
    FileMerge(
      "k.yaml", "a resource", parts: ["a", "b", "c"].map { resource("ConfigMap", $0) },
      adding: resource("ConfigMap", "n", "1"), and: resource("ConfigMap", "n", "2")),
    FileMerge(
      "k.yaml", "resources of two kinds", parts: ["a", "b", "c"].map { resource("ConfigMap", $0) },
      adding: resource("ConfigMap", "n"), and: resource("Secret", "n"),
      gives: resource("ConfigMap", "a") + resource("ConfigMap", "n") + resource("ConfigMap", "b")
        + resource("Secret", "n") + resource("ConfigMap", "c")),
    FileMerge(
      "compose.yaml", "a port",
      parts: [
        "services:\n", "  a:\n    image: a\n", "  b:\n    image: b\n", "  c:\n    image: c\n",
      ],
      adding: "  n:\n    ports:\n      - \"9000:1\"\n",
      and: "  m:\n    ports:\n      - \"9000:2\"\n"),
    FileMerge(
      "compose.yaml", "a name",
      parts: [
        "services:\n", "  a:\n    image: a\n", "  b:\n    image: b\n", "  c:\n    image: c\n",
      ],
      adding: "  n:\n    container_name: x\n", and: "  m:\n    container_name: x\n"),
    FileMerge(
      "api.yaml", "an operation",
      parts: ["paths:\n", "  /a:\n    x: 1\n", "  /b:\n    x: 2\n", "  /c:\n    x: 3\n"],
      adding: "  /n:\n    operationId: get\n", and: "  /m:\n    operationId: get\n"),
    FileMerge(
      "package.json", "a package",
      parts: [
        "{\n  \"dependencies\": {\n", "    \"a\": \"1\",\n    \"b\": \"1\"\n  },\n",
        "  \"devDependencies\": {\n", "    \"c\": \"1\"\n  }\n}\n",
      ], adding: "    \"n\": \"1\",\n", and: "    \"n\": \"2\",\n"),
    FileMerge(
      "pyproject.toml", "a package",
      parts: ["l = [\n", "  \"a>=1\",\n", "  \"b>=1\",\n", "  \"c>=1\",\n", "]\n"],
      adding: "  \"n>=2\",\n", and: "  \"n>=3\",\n"),
    lines("a.gradle", ["dependencies {", "  api 'g:a:1'", "}"], "  api 'g:n:1'", "  api 'g:n:2'"),
    FileMerge(
      "pom.xml", "a package",
      parts: ["<p>\n<dependencies>\n"] + ["a", "b", "c"].map { need($0, "1") }
        + ["</dependencies>\n</p>\n"], adding: need("n", "1"), and: need("n", "2")),
    FileMerge(
      "pubspec.yaml", "a package",
      parts: ["dependencies:\n", "  a: 1\n  b: 1\n", "dev_dependencies:\n", "  c: 1\n  d: 1\n"],
      adding: "  n: 1\n", and: "  n: 2\n"),
    FileMerge(
      "composer.json", "a package",
      parts: [
        "{\n  \"require\": {\n", "    \"a\": \"1\",\n    \"b\": \"1\"\n  },\n",
        "  \"require-dev\": {\n",
        "    \"c\": \"1\"\n  }\n}\n",
      ], adding: "    \"n\": \"1\",\n", and: "    \"n\": \"2\",\n"),
    lines("t.jsonl", ["a", "b", "c"].map { record($0, 1) }, record("n", 1), record("n", 2)),
  ]

  private static func record(_ name: String, _ value: Int) -> String {
    "{\"id\": \"\(name)\", \"v\": \(value)}"
  }

  private static func need(_ name: String, _ version: String) -> String {
    """
    <dependency>
      <groupId>g</groupId>
      <artifactId>\(name)</artifactId>
      <version>\(version)</version>
    </dependency>

    """
  }

  @Test("What a document names once is there once", arguments: data)
  func namedOnce(_ merge: FileMerge) throws { try merge.check() }

  private static let texts: [FileMerge] = [
    FileMerge(
      "t.md", "a heading", parts: ["# T\n\n", "## A\n\na\n\n", "## B\n\nb\n\n", "## C\n\nc\n"],
      adding: "## Help\n\nTurn it off.\n\n", and: "## Help\n\nCall us.\n\n"),
    FileMerge(
      "t.md", "a number of a heading", "## 1. A\n\na\n\n## 2. B\n\nb\n\n## 3. C\n\nc\n",
      "## 1. N\n\nn\n\n## 2. A\n\na\n\n## 3. B\n\nb\n\n## 4. C\n\nc\n",
      "## 1. A\n\na\n\n## 2. B\n\nb\n\n## 3. C\n\nc\n\n## 4. M\n\nm\n"),
    FileMerge(
      "t.md", "a row", parts: ["| k | v |\n|---|---|\n| a | 1 |\n", "| b | 2 |\n", "| c | 3 |\n"],
      adding: "| n | 1 |\n", and: "| n | 2 |\n"),
    FileMerge(
      "t.md", "a term", parts: ["# G\n\n", "**A**: a\n\n", "**B**: b\n\n", "**C**: c\n"],
      adding: "**N**: one\n\n", and: "**N**: two\n\n"),
    lines(
      "t.md", ["- alpha", "- beta", "- gamma", "- delta"], "- Buy milk and eggs",
      "- Buy milk and eggs"),
    lines("t.org", ["* A", "* B", "* C"], "* Help\nTurn it off.", "* Help\nCall us."),
    FileMerge(
      "t.adoc", "a heading", parts: ["= T\n\n", "== A\n\na\n\n", "== B\n\nb\n"],
      adding: "== N\n\n1\n\n", and: "== N\n\n2\n\n"),
    FileMerge(
      "t.rst", "a heading", parts: ["Top\n===\n\n", "Aaa\n---\n\na\n\n", "Bbb\n---\n\nb\n"],
      adding: "Nnn\n---\n\n1\n\n", and: "Nnn\n---\n\n2\n\n"),
    FileMerge(
      "t.tex", "a heading",
      parts: ["\\section{A}\na\n\n", "\\section{B}\nb\n\n", "\\section{C}\n"],
      adding: "\\section{N}\n1\n\n", and: "\\section{N}\n2\n\n"),
    FileMerge(
      "t.html", "a term",
      parts: ["<!DOCTYPE html>\n<dl>\n", "<dt>A<dd>a\n", "<dt>B<dd>b\n", "</dl>\n"],
      adding: "<dt>N<dd>one\n", and: "<dt>N<dd>two\n"),
    FileMerge(
      "t.html", "a choice",
      parts: [
        "<!DOCTYPE html>\n<select>\n", "<option value=\"a\">A</option>\n",
        "<option value=\"b\">B</option>\n", "</select>\n",
      ], adding: "<option value=\"n\">N</option>\n", and: "<option value=\"n\">M</option>\n"),
    FileMerge(
      "t.wiki", parts: ["A\n\n", "B\n\n", "C\n"], adding: "X<ref name=\"n\">x</ref>\n\n",
      and: "Y<ref name=\"n\">y</ref>\n\n"),
    FileMerge(
      "t.feature", parts: ["Feature: f\n", "  Scenario: a\n", "  Scenario: b\n"],
      adding: "  Scenario: n\n    Given x\n", and: "  Scenario: n\n    Given y\n"),
  ]

  @Test("Headings, terms and rows are there once", arguments: texts)
  func inTexts(_ merge: FileMerge) throws { try merge.check() }

  @Test("What stands below something that is there twice is no question of its own")
  func below() throws {
    let section = "## N\n\n### Use\n\n- Buy milk and eggs\n\n"
    let parts = ["# T\n\n", "## A\n\na\n\n", "## B\n\nb\n\n", "## C\n\nc\n"]
    let merge = FileMerge("t.md", parts: parts, adding: section, and: section)
    let outcome = try MergeEngines().engine(forFileName: "t.md")
      .merge(merge.sides.map { Array($0.utf8) }, options: MergeOptions())
    #expect(outcome.decisions.count { $0.kind == .clash } == 1)
  }

  private static let records: [FileMerge] = [
    FileMerge(
      "t.sql", "a row", parts: ["1", "2", "3"].map { "INSERT INTO t VALUES (\($0), 'a');\n" },
      adding: "INSERT INTO t VALUES (9, 'x');\n", and: "INSERT INTO t VALUES (9, 'y');\n"),
    lines("t.sql", ["CREATE TABLE t (", "  a INT,", "  b INT", ");"], "  n INT,", "  n TEXT,"),
    lines("t.tf", ["resource \"a\" \"b\" {", "  a = 1", "  b = 2", "}"], "  n = 1", "  n = 2"),
    lines("t.graphql", ["type A {", "  a: Int", "  b: Int", "}"], "  n: Int", "  n: String"),
    lines(
      "t.beancount", ["a", "b", "c"].map { "2020-01-01 open Assets:\($0)" },
      "2020-01-01 open Assets:n", "2021-01-01 open Assets:n EUR"),
    lines(
      "t.ged", ["0 HEAD", "0 @I1@ INDI", "0 @I2@ INDI"], "0 @I9@ INDI", "0 @I9@ INDI\n1 SEX F"),
    lines(
      "t.ics", ["BEGIN:VEVENT", "UID:a", "DTSTART:2026", "END:VEVENT"], "LOCATION:Here",
      "LOCATION:There"),
    lines(
      "n.conf", ["server {", "  listen 80;", "  location /a {", "  }", "}"],
      "  location /n {\n    x 1;\n  }", "  location /n {\n    x 2;\n  }"),
    lines(
      "h.conf", ["<VirtualHost *:80>", "  ErrorLog x", "  CustomLog y", "</VirtualHost>"],
      "  ServerName a", "  ServerName b"),
    lines(
      "Caddyfile", ["a.example {\n  x\n}", "b.example {\n  x\n}"], "n.example {\n  x\n}",
      "n.example {\n  y\n}"),
    FileMerge(
      "robots.txt", parts: ["a", "b", "c"].map { "User-agent: \($0)\nDisallow: /\n\n" },
      adding: "User-agent: n\nDisallow: /\n\n", and: "User-agent: n\nAllow: /\n\n"),
    lines("t.dot", ["digraph {", "  a [x=1];", "  b [x=1];", "}"], "  n [x=1];", "  n [x=2];"),
    lines("t.ttl", ["e:a e:p 1 .", "e:b e:p 2 .", "e:c e:p 3 ."], "e:n e:p 4 .", "e:n e:p 5 ."),
    FileMerge(
      "sitemap.xml", parts: ["<urlset>\n"] + ["a", "b", "c"].map { page($0) } + ["</urlset>\n"],
      adding: page("n"), and: page("n", "<priority>1</priority>")),
  ]

  private static func page(_ address: String, _ more: String = "") -> String {
    "<url><loc>\(address)</loc>\(more)</url>\n"
  }

  @Test("Records, fields and blocks are there once", arguments: records)
  func inRecords(_ merge: FileMerge) throws { try merge.check() }

  private static func drawing(_ state: String, _ x: Int, _ more: String = "") -> String {
    """
    {
      "elements": [
        {
          "id": "aa",
          "x": \(x),
          "isDeleted": \(state)
        },
        {
          "id": "bb",
          "x": 2,\(more)
          "isDeleted": false
        }
      ]
    }

    """
  }

  private static let drawings: [FileMerge] = [
    FileMerge(
      "d.excalidraw", "changed", drawing("false", 1), drawing("true", 1), drawing("false", 9)),
    FileMerge(
      "d.excalidraw", "used", drawing("false", 1), drawing("true", 1),
      drawing("false", 1, "\n      \"to\": \"aa\",")),
    FileMerge(
      "d.excalidraw", "something else changed", drawing("false", 1), drawing("true", 1),
      drawing("false", 1, "\n      \"y\": 3,"), gives: drawing("true", 1, "\n      \"y\": 3,")),
  ]

  @Test("What is marked as deleted was not changed or used meanwhile", arguments: drawings)
  func deleted(_ merge: FileMerge) throws { try merge.check() }
}
