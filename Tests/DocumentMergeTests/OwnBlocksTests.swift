import DocumentMerge
import Testing

@Suite("What each side adds to a block of its own, and what stands twice already")
struct OwnBlocksTests {
  /// A document with two blocks, to each of which one side adds a line.
  struct Blocks: Sendable, CustomTestStringConvertible {
    let fileName: String
    let first: String
    let second: String
    let end: String
    let line: String

    var testDescription: String { "\(fileName): \(line)" }

    func document(_ ours: Bool, _ theirs: Bool) -> String {
      "\(first)\n  a 'x'\n\(ours ? line + "\n" : "")\(end)\n\n"
        + "\(second)\n  a 'y'\n  b 'z'\n\(theirs ? line + "\n" : "")\(end)\n"
    }
  }

  private static let blocks: [Blocks] = [
    Blocks(
      fileName: "Podfile", first: "target 'App' do", second: "target 'Widget' do", end: "end",
      line: "  pod 'SwiftyJSON'"),
    Blocks(
      fileName: "Gemfile", first: "platforms :ruby do", second: "platforms :jruby do", end: "end",
      line: "  gem \"rake\", \"~> 13\""),
    Blocks(
      fileName: "Gemfile", first: "group :test do", second: "group :development do", end: "end",
      line: "  gem 'pry'"),
    Blocks(
      fileName: "Brewfile", first: "if OS.mac?", second: "if OS.linux?", end: "end",
      line: "  brew \"coreutils\""),
    Blocks(
      fileName: "Caddyfile", first: "a.example {", second: "b.example {", end: "}",
      line: "  reverse_proxy localhost:8080"),
    Blocks(
      fileName: "n.conf", first: "location /a {", second: "location /b {", end: "}",
      line: "  proxy_pass http://backend;"),
  ]

  @Test("A line that each side adds to another block stands in both", arguments: blocks)
  func addedToOtherBlocks(_ blocks: Blocks) throws {
    try FileMerge(
      blocks.fileName, blocks.document(false, false), blocks.document(true, false),
      blocks.document(false, true), gives: blocks.document(true, true)
    ).check()
  }

  @Test("A line that both sides add to one block at different places stands there once")
  func addedToOneBlock() throws {
    let lines = ["a", "b", "c", "d"].map { "  pod '\($0)'\n" }
    func document(_ lines: [String]) -> String { "target 'App' do\n\(lines.joined())end\n" }
    let added = "  pod 'n'\n"
    try FileMerge(
      "Podfile", document(lines), document([added] + lines),
      document(Array(lines[..<3]) + [added, lines[3]]), gives: document([added] + lines)
    ).check()
  }

  private static func added(
    _ fileName: String, _ first: String, _ second: String, below rest: String, _ ours: String,
    _ theirs: String
  ) -> FileMerge {
    FileMerge(
      fileName, parts: [first, second, rest], adding: ours, and: theirs,
      gives: first + ours + second + theirs + rest)
  }

  private static let fallbacks = ["s.css", "s.scss", "s.less"].map { name in
    added(
      name, "a {\n  b: c;\n}\n", "\n.x {\n  margin: 0;\n}\n\n.y {\n  margin: 1px;\n}\n",
      below: """

        .hero {
          background: #fff;
          background: linear-gradient(#fff, #000);
          display: -webkit-box;
          display: flex;
        }

        """, "\n.n {\n  top: 0;\n}\n", "\n.m {\n  top: 2px;\n}\n")
  }

  private static let options: [FileMerge] = [
    added(
      "pyproject.toml", "[a]\nmods = [\n  \"m0\",\n", "  \"m1\",\n  \"m2\",\n  \"m3\",\n",
      below: "  \"m4\",\n]\n\n[b]\nopts = [\n  \"--ignore=a\",\n  \"--ignore=b\",\n]\n",
      "  \"n0\",\n", "  \"n1\",\n"),
    added(
      "p.toml", "[b]\nopts = [\n  \"--x=0\",\n", "  \"--x=1\",\n  \"--x=2\",\n",
      below: "  \"--x=3\",\n]\n", "  \"--x=5\",\n", "  \"--x=7\",\n"),
    added(
      "f.html", "<div>\n<p>a</p>\n", "<p>b</p>\n<p>c</p>\n",
      below: """
        <select>
        <option value="1">One</option>
        <option value="1">Uno</option>
        </select>
        </div>

        """, "<select>\n<option value=\"3\">x</option>\n</select>\n",
      "<select>\n<option value=\"4\">y</option>\n</select>\n"),
  ]

  @Test("What stood twice below is no question", arguments: fallbacks + options)
  func stoodTwice(_ merge: FileMerge) throws { try merge.check() }

  private static func needs(_ ours: String, _ theirs: String, asks: Bool = false) -> FileMerge {
    let (first, second, rest) = ("a==1\nb==2\n", "c==3\nd==4\n", "e==5\nf==6\n")
    return FileMerge(
      "requirements.txt", "\(ours) | \(theirs)", first + second + rest,
      "\(first)\(ours)\n\(second)\(rest)", "\(first)\(second)\(theirs)\n\(rest)",
      gives: asks ? nil : "\(first)\(ours)\n\(second)\(theirs)\n\(rest)")
  }

  private static let systems: [FileMerge] = [
    needs("n==1 ; python_version < \"3\"", "n==2 ; python_version >= \"3\""),
    needs("n==1; python_version<='3.8'", "n==2; python_version>'3.8' and extra == 'x'"),
    needs("n==1; sys_platform == 'win32'", "n==2; sys_platform == 'linux'"),
    needs("n==1; sys_platform == 'win32'", "n==2; sys_platform != 'win32'"),
    needs("n[x]>=1", "n[y]>=1"),
    needs("n==1; python_version < '3.10'", "n==2; python_version >= '3.9'", asks: true),
    needs("n==1; sys_platform == 'win32'", "n==2; os_name == 'posix'", asks: true),
    needs("n==1; python_version < '3' or x == '1'", "n==2; python_version >= '3'", asks: true),
    needs("n==1", "n==2; python_version >= '3'", asks: true),
    needs("n[x]==1", "n[y]==2", asks: true),
    needs("n==1", "n==2", asks: true),
  ]

  @Test("A package is needed in versions of which never two apply", arguments: systems)
  func packages(_ merge: FileMerge) throws { try merge.check() }

  @Test("What stands in code refers to nothing", arguments: ["[a](#old)", "[[#Old]]", "((old))"])
  func codeInText(link: String) throws {
    let base = "# Notes\n\nText.\n\n## Old\n\nMore.\n\nLast.\n"
    let renamed = base.replacing("## Old", with: "## New")
    func linked(_ text: String) -> String {
      text.replacing("Last.", with: "Last: `\(link)` and ``a ` \(link)``.")
    }
    try FileMerge("t.md", base, renamed, linked(base), gives: linked(renamed)).check()
  }

  @Test("A translation that both sides gave is not one of an older text")
  func equalTranslations() throws {
    let rest = "\n/* Other */\n\"b\" = \"Anderes\";\n\n/* Third */\n\"c\" = \"Drittes\";\n"
    let base = "/* Loading... */\n\"a\" = \"Laden...\";\n" + rest
    let ours = "/* Loading… */\n\"a\" = \"Laden…\";\n" + rest
    let theirs = "/* Loading... */\n\"a\" = \"Laden…\";\n" + rest
    try FileMerge("t.strings", base, ours, theirs, gives: ours).check()
  }
}
