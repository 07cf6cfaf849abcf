import DocumentMerge
import Testing

@Suite("Names that one side took away and the other one refers to, format by format")
struct ReferencesInFormatsTests {
  /// A text of some parts, of which one side removes or renames one, and to which the other one adds what names it.
  private static func removal(
    _ fileName: String, _ note: String, _ parts: [String], without gone: Int,
    renamed: String = "", adding text: String, at place: Int? = nil
  ) -> FileMerge {
    var (ours, theirs) = (parts, parts)
    ours[gone] = renamed
    theirs.insert(text, at: place ?? parts.count)
    return FileMerge(fileName, note, parts.joined(), ours.joined(), theirs.joined())
  }

  private static func removal(
    _ fileName: String, _ parts: [String], without gone: Int, adding text: String,
    at place: Int? = nil
  ) -> FileMerge {
    removal(fileName, "", parts, without: gone, adding: text, at: place)
  }

  /// The same, where the other side names what is kept.
  private static func harmless(
    _ fileName: String, _ parts: [String], without gone: Int, adding text: String,
    at place: Int? = nil
  ) -> FileMerge {
    var (ours, theirs, both) = (parts, parts, parts)
    let place = place ?? parts.count
    ours[gone] = ""
    theirs.insert(text, at: place)
    both[gone] = ""
    both.insert(text, at: place)
    return FileMerge(
      fileName, "a name that is kept", parts.joined(), ours.joined(), theirs.joined(),
      gives: both.joined())
  }

  private static func resource(_ kind: String, _ name: String, _ more: String = "") -> String {
    "apiVersion: v1\nkind: \(kind)\nmetadata:\n  name: \(name)\n\(more)---\n"
  }

  private static let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n"

  private static func cluster(
    _ note: String, _ kind: String, renamed: Bool, _ use: String
  ) -> FileMerge {
    removal(
      "k.yaml", note,
      [resource(kind, "one"), resource(kind, "two"), resource("Namespace", "x"), pod], without: 1,
      renamed: renamed ? resource(kind, "second") : "", adding: use)
  }

  private static let clusters: [FileMerge] =
    [true, false].flatMap { renamed in
      [
        cluster(
          "a map", "ConfigMap", renamed: renamed,
          "  containers:\n    - name: c\n      envFrom:\n        - configMapRef:\n            name: two\n"
        ),
        cluster(
          "a key", "Secret", renamed: renamed,
          "  containers:\n    - env:\n        - valueFrom:\n            secretKeyRef:\n              name: two\n"
        ),
        cluster(
          "a claim", "PersistentVolumeClaim", renamed: renamed,
          "  volumes:\n    - name: v\n      persistentVolumeClaim:\n        claimName: two\n"),
        cluster("an account", "ServiceAccount", renamed: renamed, "  serviceAccountName: two\n"),
        cluster("a service", "Service", renamed: renamed, "  backend:\n    serviceName: two\n"),
      ]
    } + [
      removal(
        "k.yaml", "a label",
        [
          "kind: Pod\nmetadata:\n  name: a\n  labels:\n    app: web\n---\n",
          resource("Secret", "s"),
        ],
        without: 0, renamed: "kind: Pod\nmetadata:\n  name: a\n  labels:\n    app: front\n---\n",
        adding: "kind: Service\nmetadata:\n  name: b\nspec:\n  selector:\n    app: web\n"),
      harmless(
        "k.yaml", [resource("Secret", "one"), resource("Secret", "two"), pod], without: 1,
        adding: "  secretName: one\n"),
    ]

  @Test("Resources of a cluster", arguments: clusters)
  func inClusters(_ merge: FileMerge) throws { try merge.check() }

  private static let graph = [
    "digraph {\n", "  a [label=A];\n", "  b [label=B];\n", "  c [label=C];\n", "  a -> b;\n", "}\n",
  ]

  private static let graphs: [FileMerge] = [
    removal("g.dot", graph, without: 3, adding: "  b -> c;\n", at: 5),
    removal(
      "g.gv", "renamed", graph, without: 3, renamed: "  d [label=C];\n",
      adding: "  b -> c [color=red];\n", at: 5),
    removal(
      "g.dot", "in quotes",
      [
        "graph {\n", "  \"a x\";\n", "  \"b x\";\n", "  \"c x\";\n", "  \"a x\" -- \"b x\";\n",
        "}\n",
      ],
      without: 3, adding: "  \"b x\" -- \"c x\";\n", at: 5),
    harmless("g.dot", graph, without: 3, adding: "  b -> a;\n", at: 5),
    removal(
      "g.mmd", ["flowchart TD\n", "  a[A]\n", "  b[B]\n", "  c[C]\n", "  a --> b\n"], without: 3,
      adding: "  b -->|yes| c\n"),
    removal(
      "g.md", "between fences",
      [
        "# T\n\n```mermaid\ngraph LR\n", "  a[A]\n", "  b[B]\n", "  c[C]\n", "  a --> b\n", "```\n",
      ],
      without: 3, renamed: "  d[C]\n", adding: "  b --> c\n", at: 5),
    removal(
      "g.puml", ["@startuml\n", "class A\n", "class B\n", "class C\n", "A --> B\n", "@enduml\n"],
      without: 3, adding: "B --> C : has\n", at: 5),
    removal(
      "g.puml", "participants",
      ["@startuml\n", "actor Ann as a\n", "actor Bob as b\n", "actor Cy as c\n", "a -> b : x\n"],
      without: 3, adding: "b -> c : hello\n"),
    removal(
      "g.dbml", ["users", "posts", "tags", "x"].map { "Table \($0) {\n  id int\n}\n\n" },
      without: 2,
      adding: "Ref: posts.id > tags.id\n"),
  ]

  @Test("Nodes of graphs", arguments: graphs)
  func inGraphs(_ merge: FileMerge) throws { try merge.check() }

  private static let jobs = [
    "env:\n", "  ONE: 1\n", "  TWO: 2\n", "jobs:\n  a:\n    steps:\n",
    "      - id: one\n        run: a\n",
    "      - id: two\n        run: b\n", "      - run: c\n",
  ]

  private static let data: [FileMerge] = [
    removal("w.yml", "a variable", jobs, without: 2, adding: "      - run: ${{ env.TWO }}\n"),
    removal(
      "w.yml", "a step", jobs, without: 5, adding: "      - run: ${{ steps.two.outputs.x }}\n"),
    harmless("w.yml", jobs, without: 5, adding: "      - run: ${{ steps.one.outputs.x }}\n"),
    removal(
      "play.yml", "a name of words",
      [
        "- tasks:\n", "    - name: a\n", "  handlers:\n", "    - name: reload db\n",
        "    - name: b c\n",
      ],
      without: 3, renamed: "    - name: restart db\n", adding: "      notify: reload db\n", at: 2),
    removal(
      "azure.yml", "a job",
      ["jobs:\n", "- job: A\n  x: 1\n", "- job: B\n  x: 2\n", "- job: C\n  x: 3\n"], without: 2,
      adding: "  dependsOn: B\n"),
    removal(
      "stack.yaml", "a resource",
      ["R:\n", "  Bucket:\n    T: A\n", "  Queue:\n    T: B\n", "  F:\n"],
      without: 2, renamed: "  Jobs:\n    T: B\n", adding: "    Q: !GetAtt Queue.Arn\n"),
    removal(
      "package.json", "a script",
      [
        "{\n  \"scripts\": {\n", "    \"a\": \"x\",\n", "    \"lint\": \"y\",\n",
        "    \"b\": \"z\",\n",
      ],
      without: 2, adding: "    \"c\": \"npm run lint\"\n  }\n}\n"),
    removal(
      "Cargo.toml", "a package",
      ["[dependencies]\n", "a = \"1\"\n", "b = \"1\"\n", "[features]\n"],
      without: 2, adding: "big = [\"b/std\"]\n"),
    removal(
      "pom.xml", "a property",
      ["<p>\n", "<a.v>1</a.v>\n", "<b.v>2</b.v>\n", "<c>1</c>\n", "</p>\n"], without: 2,
      adding: "<d>${b.v}</d>\n", at: 4),
    removal(
      "api.yaml", "a scheme",
      ["s:\n", "  basic:\n    t: 1\n", "  apiKey:\n    t: 2\n", "p:\n  a: 1\n"],
      without: 2, adding: "  security:\n    - apiKey: []\n"),
    removal(
      "t.html", "a class",
      [
        "<!DOCTYPE html>\n<style>\n", ".one { x: 1 }\n", ".two { x: 2 }\n", "</style>\n<p>a</p>\n",
        "<p>b</p>\n",
      ],
      without: 2, adding: "<p class=\"two\">c</p>\n"),
    removal(
      "w.xaml",
      ["<W xmlns:x=\"u\">\n", "<S x:Key=\"one\"/>\n", "<S x:Key=\"two\"/>\n", "<B/>\n", "</W>\n"],
      without: 2, adding: "<C S=\"{StaticResource two}\"/>\n", at: 4),
  ]

  @Test("Names in data and in the expressions of tools", arguments: data)
  func inData(_ merge: FileMerge) throws { try merge.check() }

  private static let texts: [FileMerge] = [
    removal(
      "t.tex", ["\\newcommand{\\foo}{x}\n", "\\newcommand{\\bar}{y}\n", "A\n\n", "B\n"], without: 1,
      adding: "\nC \\bar{}\n"),
    harmless(
      "t.tex", ["\\newcommand{\\foo}{x}\n", "\\newcommand{\\bar}{y}\n", "A\n\n", "B\n"], without: 1,
      adding: "\nC \\foo{}\n"),
    removal(
      "t.wiki", ["A<ref name=\"a\">x</ref>\n\n", "B<ref name=\"b\">y</ref>\n\n", "C\n\n", "D\n"],
      without: 1, adding: "E<ref name=\"b\" />\n"),
    removal(
      "t.md", "a block", ["a ^one\n\n", "b ^two\n\n", "c\n\n", "d\n"], without: 1,
      adding: "\nsee [[#^two]]\n"),
    removal(
      "t.ftl", ["-a = A\n", "-b = B\n", "c = C\n", "d = D\n"], without: 1, adding: "e = { -b }\n"),
    FileMerge(
      "t.md", "numbered notes", "A[^1].\n\nB.\n\nC.\n\n[^1]: one\n",
      "N[^1].\n\nA[^2].\n\nB.\n\nC.\n\n[^1]: new\n[^2]: one\n",
      "A[^1].\n\nB.\n\nC[^1].\n\n[^1]: one\n"),
    FileMerge(
      "t.rst", "numbered notes", "A [1]_\n\nB\n\nC\n\n.. [1] one\n",
      "N [1]_\n\nA [2]_\n\nB\n\nC\n\n.. [1] new\n.. [2] one\n",
      "A [1]_\n\nB\n\nC [1]_\n\n.. [1] one\n"),
    removal(
      "t.ged", ["0 HEAD\n", "0 @I1@ INDI\n", "0 @I2@ INDI\n", "0 @F1@ FAM\n"], without: 2,
      adding: "1 WIFE @I2@\n"),
    removal(
      "t.beancount",
      ["a", "b", "c"].map { "2020-01-01 open Assets:\($0)\n" } + ["\n2026-01-01 * \"x\"\n"],
      without: 1, adding: "  Assets:b  1 EUR\n"),
    removal(
      "t.vcf", ["a", "b", "c"].map { "BEGIN:VCARD\nUID:urn:uuid:\($0)1\nEND:VCARD\n" }, without: 1,
      adding: "BEGIN:VCARD\nUID:urn:uuid:g1\nMEMBER:urn:uuid:b1\nEND:VCARD\n"),
  ]

  @Test("Names in texts and records", arguments: texts)
  func inTexts(_ merge: FileMerge) throws { try merge.check() }

  private static let programs: [FileMerge] = [
    removal(
      "Makefile", ["A = 1\n", "B = 2\n", "\nall:\n\tdo\n", "\nx:\n\tdo\n"], without: 1,
      adding: "\tdo $(B)\n"),
    removal(
      "Makefile", "a target", ["all: a\n\tdo\n\n", "a:\n\tdo\n\n", "b:\n\tdo\n\n", "c:\n\tdo\n"],
      without: 2, adding: "\nd: b\n\tdo\n"),
    removal(
      "Dockerfile", "a stage", ["FROM a AS one\n\n", "FROM b AS two\n\n", "FROM c\n", "RUN z\n"],
      without: 1, adding: "COPY --from=two /a /b\n"),
    removal(
      "Dockerfile", "an argument", ["FROM a\n", "ARG X=1\n", "ARG Y=2\n", "RUN z\n"], without: 2,
      adding: "RUN echo $Y\n"),
    removal(".env", ["A=1\n", "B=2\n", "C=3\n", "D=4\n"], without: 1, adding: "E=$B/x\n"),
    removal(
      "b.gradle", ["ext {\n", "  aV = '1'\n", "  bV = '2'\n", "}\n", "x 'a'\n"], without: 2,
      adding: "x \"b:$bV\"\n"),
    removal(
      "l.tf", ["locals {\n", "  a = 1\n", "  b = 2\n", "}\n\n", "resource \"x\" \"y\" {\n"],
      without: 2, adding: "  q = local.b\n}\n"),
    removal(
      "t.sql", ["CREATE TABLE t (\n", "  a INT,\n", "  age INT,\n", "  b INT\n", ");\n\n"],
      without: 2, adding: "CREATE INDEX i ON t (age);\n"),
    removal(
      "n.conf", ["upstream a {\n}\n", "upstream b {\n}\n", "server {\n", "  listen 80;\n"],
      without: 1,
      adding: "  proxy_pass http://b/x;\n}\n"),
    removal(
      "x.desktop",
      ["[Desktop Entry]\n", "N=x\n\n", "[Desktop Action a]\nN=a\n\n", "[Desktop Action b]\n"],
      without: 2, adding: "Actions=a;b;\n", at: 1),
    removal(
      "t.qml", ["I {\n", "  R { x: 1 }\n", "  R {\n    id: two\n  }\n", "  T { y: 1 }\n"],
      without: 2, adding: "  U { w: two.width }\n}\n"),
  ]

  @Test("Names in settings and programs", arguments: programs)
  func inPrograms(_ merge: FileMerge) throws { try merge.check() }
}
