import DocumentMerge
import Testing

@Suite("Values, records and maps whose meaning is known")
struct KnownMeaningTests {
  private static func drawing(_ x: Int, _ y: Int, _ version: Int, _ nonce: Int, _ updated: Int)
    -> String
  {
    """
    {
      "elements": [
        {
          "id": "a",
          "x": \(x),
          "y": \(y),
          "version": \(version),
          "versionNonce": \(nonce),
          "updated": \(updated)
        }
      ]
    }

    """
  }

  private static func plan(_ date: String, _ tag: String, _ a: String, _ b: String) -> String {
    "<mxfile modified=\"2026-04-\(date)T23:39:15.405Z\" etag=\"\(tag)\">\n<diagram id=\"d\">\n"
      + "<mxCell id=\"a\" value=\"\(a)\"/>\n<mxCell id=\"b\" value=\"\(b)\"/>\n</diagram>\n</mxfile>\n"
  }

  private static func card(_ name: String, _ phone: String, _ date: String) -> String {
    "BEGIN:VCARD\nUID:1\nFN:\(name)\nNOTE:n\nTEL:\(phone)\nREV:202601\(date)T000000Z\nEND:VCARD\n"
  }

  private static func catalog(_ date: String, _ line: Int, _ text: String) -> String {
    "msgid \"\"\nmsgstr \"\"\n\"POT-Creation-Date: 2026-05-\(date) 01:50+0200\\n\"\n\"Language: de\\n\"\n\n"
      + "#: a.c:\(line)\nmsgid \"b\"\nmsgstr \"\(text)\"\n"
  }

  private static let revisions: [FileMerge] = [
    FileMerge(
      "d.excalidraw", drawing(1, 1, 5, 111, 1000), drawing(2, 1, 6, 222, 2000),
      drawing(1, 3, 8, 333, 1500), gives: drawing(2, 3, 8, 333, 2000)),
    FileMerge(
      "p.drawio", plan("08", "a", "A", "B"), plan("09", "b", "A2", "B"), plan("10", "c", "A", "B2"),
      gives: plan("10", "c", "A2", "B2")),
    FileMerge(
      "c.vcf", card("A", "1", "01"), card("AA", "1", "02"), card("A", "2", "03"),
      gives: card("AA", "2", "03")),
    FileMerge(
      "de.po", catalog("01", 20, ""), catalog("02", 22, ""), catalog("03", 21, "B"),
      gives: catalog("03", 22, "B")),
  ]

  @Test("Of dates and counters that programs write, the newer ones are taken", arguments: revisions)
  func newerRevision(_ merge: FileMerge) throws { try merge.check() }

  private static func features(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n" + features.joined(separator: ",\n")
      + "\n]}\n"
  }

  private static func feature(_ name: String, _ place: String) -> String {
    "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\"},\"geometry\":{\"type\":\"Point\","
      + "\"coordinates\":[\(place)]}}"
  }

  private static func way(_ points: String...) -> String {
    "<gpx>\n"
      + points.map { "<wpt lat=\"\($0)\" lon=\"1\">\n<name>\($0)</name>\n</wpt>\n" }.joined()
      + "</gpx>\n"
  }

  private static let records: [FileMerge] = [
    FileMerge(
      "p.geojson", "both add one", features(feature("A", "1,1")),
      features(feature("A", "1,1"), feature("B", "2,2")),
      features(feature("A", "1,1"), feature("C", "3,3")),
      gives: features(feature("A", "1,1"), feature("B", "2,2"), feature("C", "3,3"))),
    FileMerge(
      "p.geojson", "both change one", features(feature("A", "1,1")), features(feature("B", "1,1")),
      features(feature("A", "2,2")), gives: features(feature("B", "2,2"))),
    FileMerge("w.gpx", way("1"), way("1", "2"), way("1", "3"), gives: way("1", "2", "3")),
    FileMerge(
      "package.json", "{\n  \"name\": \"x\"\n}\n",
      "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"a\": \"1\"\n  }\n}\n",
      "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"b\": \"2\"\n  }\n}\n",
      gives:
        "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"a\": \"1\",\n    \"b\": \"2\"\n  }\n}\n"),
  ]

  @Test("Records without ids, and maps that both sides added, are merged", arguments: records)
  func mergedRecords(_ merge: FileMerge) throws { try merge.check() }

  private static let elements: [FileMerge] = [
    FileMerge(
      "n.html", "<p class=\"a\">x</p>\n", "<p class=\"a b\">x</p>\n",
      "<p class=\"a\" id=\"q\">x</p>\n",
      gives: "<p class=\"a b\" id=\"q\">x</p>\n"),
    FileMerge(
      "n.html", "<body>\n<div class=\"a\">\n<p>x</p>\n</div>\n<p>y</p>\n</body>\n",
      "<body>\n<div class=\"a\" lang=\"de\">\n<p>x</p>\n</div>\n<p>y</p>\n</body>\n",
      "<body>\n<div class=\"a\" id=\"q\">\n<p>x</p>\n</div>\n<p>y</p>\n</body>\n",
      gives: "<body>\n<div class=\"a\" lang=\"de\" id=\"q\">\n<p>x</p>\n</div>\n<p>y</p>\n</body>\n"
    ),
    FileMerge(
      "n.xml", "<r>\n<p class=\"a\">x</p>\n<q/>\n</r>\n", "<r>\n<p class=\"b\">x</p>\n<q/>\n</r>\n",
      "<r>\n<p class=\"a\" id=\"q\">x</p>\n<q/>\n</r>\n",
      gives: "<r>\n<p class=\"b\" id=\"q\">x</p>\n<q/>\n</r>\n"),
    FileMerge(
      "n.html", "<p class=\"a\">x</p>\n", "<p class=\"a\" title=\"1\">x</p>\n",
      "<p title=\"2\" class=\"a\">x</p>\n"),
  ]

  @Test(
    "Attributes of one element that both sides changed are merged, also if one is its id",
    arguments: elements)
  func mergedAttributes(_ merge: FileMerge) throws { try merge.check() }

  private static let sentences: [FileMerge] = [
    FileMerge(
      "n.md", "Take 5 mg once daily after a meal.\n", "Take 10 mg once daily after a meal.\n",
      "Take 5 mg twice daily after a meal.\n"),
    FileMerge(
      "n.txt", "The train leaves at 9:00 from platform 4 and is on time.\n",
      "The train leaves at 9:30 from platform 4 and is on time.\n",
      "The train leaves at 9:00 from platform 7 and is on time.\n"),
    FileMerge(
      "n.md", "We take 5 eggs. Then we go home and sleep 8 hours.\n",
      "We take 6 eggs. Then we go home and sleep 8 hours.\n",
      "We take 5 eggs. Then we go home and sleep 9 hours.\n",
      gives: "We take 6 eggs. Then we go home and sleep 9 hours.\n"),
    FileMerge(
      "n.md", "- a\n- b\n", "- a\n- b\n* x\n", "- a\n- b\n- y\n", gives: "- a\n- b\n- x\n- y\n"),
  ]

  @Test("Numbers of one sentence belong together, and items to one list", arguments: sentences)
  func belongingTogether(_ merge: FileMerge) throws { try merge.check() }

  /// Records that are called by running numbers.
  private static func numbered(_ fileName: String, _ names: String, done: String) -> String {
    let records = zip(1..., names).map { number, name in
      let isDone = "\(done.contains(name))"
      switch fileName {
      case "x.json":
        return "  \"\(number)\": {\n    \"name\": \"\(name)\",\n    \"done\": \"\(isDone)\"\n  }"
      case "x.yaml": return "\(number):\n  name: \(name)\n  done: \(isDone)\n"
      default:
        return "<dict>\n<key>id</key>\n<integer>\(number)</integer>\n<key>name</key>\n"
          + "<string>\(name)</string>\n<key>done</key>\n<string>\(isDone)</string>\n</dict>\n"
      }
    }
    switch fileName {
    case "x.json": return "{\n" + records.joined(separator: ",\n") + "\n}\n"
    case "x.yaml": return records.joined()
    default:
      return "<plist version=\"1.0\">\n<array>\n" + records.joined() + "</array>\n</plist>\n"
    }
  }

  @Test(
    "A change follows its record where the numbers that records are called by were given anew",
    arguments: ["x.json", "x.yaml", "x.plist"])
  func renumbered(fileName: String) throws {
    func document(_ names: String, done: String = "") -> String {
      Self.numbered(fileName, names, done: done)
    }
    try FileMerge(
      fileName, document("abcd"), document("bcd"), document("abcd", done: "c"),
      // The lines of blocks contain their keys; if these don't fit together, a person has to decide.
      gives: fileName == "x.yaml" ? nil : document("bcd", done: "c")
    ).check()
  }

  @Test(
    "What one side removed does not come back because the other one moved it",
    arguments: ["x.ini", "x.srt", "x"])
  func movedAndRemoved(fileName: String) throws {
    let parts = ["[a]\nfirst=one\n\n", "[b]\nsecond=two\n\n", "[c]\nthird=three\n\n"]
    try FileMerge(
      fileName, parts.joined(), parts[1] + parts[2], parts[1] + parts[2] + parts[0],
      // The order of sections means nothing, so that only its removal is a change.
      gives: fileName == "x.ini" ? parts[1] + parts[2] : nil
    ).check()
  }
}
