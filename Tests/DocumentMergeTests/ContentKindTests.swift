import DocumentMerge
import Testing

@Suite("Documents whose names say nothing")
struct ContentKindTests {
  private static let xml = [
    "<r>\n<a id=\"1\" x=\"1\" y=\"1\"/>\n</r>\n", "<r>\n<a id=\"1\" x=\"2\" y=\"1\"/>\n</r>\n",
    "<r>\n<a id=\"1\" x=\"1\" y=\"2\"/>\n</r>\n", "<r>\n<a id=\"1\" x=\"2\" y=\"2\"/>\n</r>\n",
  ]

  @Test(
    "XML is merged by its elements whatever the name says, with a declaration or without",
    arguments: [
      "plan.drawio", "song.musicxml", "text.fodt", "map.qgs", "mind.mm", "d.uxf", "m.dae",
      "web.config",
      "noname", "notes.txt", "x.ts",
    ], ["", "<?xml version=\"1.0\"?>\n", "<!DOCTYPE r>\n", "<!-- Made by hand. -->\n"])
  func anyName(fileName: String, head: String) throws {
    let documents = Self.xml.map { head + $0 }
    try FileMerge(fileName, documents[0], documents[1], documents[2], gives: documents[3]).check()
  }

  private static let data: [FileMerge] = [
    FileMerge(
      "data.lock", "JSON", "{\"a\": 1, \"b\": 1}\n", "{\"a\": 2, \"b\": 1}\n",
      "{\"a\": 1, \"b\": 2}\n", gives: "{\"a\": 2, \"b\": 2}\n"),
    FileMerge(
      "config", "YAML", "---\na: 1\nb: 1\n", "---\na: 2\nb: 1\n", "---\na: 1\nb: 2\n",
      gives: "---\na: 2\nb: 2\n"),
    FileMerge(
      "settings.rc", "TOML", "[t]\na = 1\nb = 1\n", "[t]\na = 2\nb = 1\n", "[t]\na = 1\nb = 2\n",
      gives: "[t]\na = 2\nb = 2\n"),
    FileMerge(
      "letter", "text", "Dear all:\nwe meet on Monday.\n", "Dear all:\nwe meet on Tuesday.\n",
      "Dear both:\nwe meet on Monday.\n"),
  ]

  @Test(
    "JSON, YAML and TOML are merged by their keys, and text is not taken for them", arguments: data)
  func anyData(_ merge: FileMerge) throws { try merge.check() }

  @Test(
    "Without a base, the result is a document of its type",
    arguments: [
      ("n.json", "{\n  \"a\": 1,\n  \"b\": %\n}\n"), ("n.xml", "<a>\n<b id=\"1\">%</b>\n</a>\n"),
      (
        "n.plist",
        "<plist version=\"1.0\">\n<dict>\n<key>a</key>\n<string>%</string>\n</dict>\n</plist>\n"
      ),
      ("n.html", "<html><body>\n<p id=\"a\">%</p>\n</body></html>\n"),
    ])
  func withoutBase(fileName: String, pattern: String) throws {
    func document(_ value: String) -> [UInt8] {
      pattern.utf8.flatMap { $0 == UInt8(ascii: "%") ? Array(value.utf8) : [$0] }
    }
    let sides = MergeSides<[UInt8]>(base: [], ours: document("1"), theirs: document("2"))
    let outcome = try MergeEngines().engine(forFileName: fileName)
      .merge(sides, options: MergeOptions())
    #expect(!outcome.isComplete)
    #expect(outcome.bytes == sides.ours)
  }
}
