import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("HTML")
struct HTMLTests {
  private let documents: FixtureDocuments

  init() throws {
    documents = try FixtureDocuments("html", .html) { try HTMLFormat().parse($0) }
  }

  /// The elements with their depth, as they open.
  private func outline(_ document: [UInt8]) throws -> [String] {
    var scanner = HTMLScanner(document)
    try scanner.scan()
    var ends: [Int] = []
    return scanner.elements.map { element in
      while let end = ends.last, end <= element.place.start { ends.removeLast() }
      ends.append(element.place.end)
      return "\(ends.count) \(element.name)"
    }
  }

  /// The elements without their depth.
  private func elements(_ document: [UInt8]) throws -> [String] {
    try outline(document).map { String($0.drop { $0.isNumber }) }
  }

  @Test("The parts of the tree are all bytes, in order")
  func roundTrip() throws {
    try documents.checkParts()
  }

  @Test(
    "Attributes that differ in more than ASCII capitals are two",
    arguments: [("\u{C9}", "\u{E9}"), ("K", "\u{212A}"), ("\u{E9}", "e\u{301}")])
  func attributes(one: String, other: String) throws {
    func page(_ attribute: String) -> [UInt8] { Array("<p a=\"1\"\(attribute)>x</p>\n".utf8) }
    let (ours, theirs) = (" data-\(one)=\"1\"", " data-\(other)=\"1\"")
    let outcome = try MergeEngines().engine(for: .html)
      .merge(
        MergeSides(base: page(""), ours: page(ours), theirs: page(theirs)), options: MergeOptions())
    let merged = [ours + theirs, theirs + ours].map(page)
    #expect(!outcome.isComplete || merged.contains(outcome.bytes))
  }

  @Test("What only one side changed is that side’s, to the byte")
  func laws() throws {
    try documents.checkOneSided(bases: 20)
  }

  /// Edits of words and lines of a fixture, as `DOCVERSIONS_MERGE_CASES` says; `nil` where they break it.
  private func sides(seed: Int) throws -> MergeSides<[UInt8]>? {
    var random = SeededGenerator(seed: seed)
    let base = try #require(documents.sound.randomElement(using: &random))
    let sides = (0..<2).map { _ in edited(base, &random) }
    guard sides.allSatisfy(documents.parses) else { return nil }
    return MergeSides(base: base, ours: sides[0], theirs: sides[1])
  }

  /// Of equal lines below one another, the comparison of lines may find the wrong one new: 2 of 10,000.
  @Test("A complete result merged again with either side stays, but for empty lines")
  func idempotence() throws {
    var differing: [Int: String] = [:]
    for seed in 0..<MergeCases.count {
      guard let sides = try sides(seed: seed), let base = sides.base else { continue }
      let outcome = try documents.merge(base, sides.ours, sides.theirs)
      guard outcome.isComplete else { continue }
      for side in [sides.ours, sides.theirs] {
        let again = try documents.merge(base, outcome.bytes, side)
        if !again.isEqual(toWordsOf: outcome) { differing[seed] = sides.told }
      }
    }
    #expect(differing.count <= MergeCases.count / 2000, "\(differing)")
  }

  @Test(
    "Of HTML that nests comes HTML that nests, and swapped sides ask alike",
    arguments: MergeCases.batches)
  func random(seeds: Range<Int>) throws {
    for seed in seeds {
      guard let sides = try sides(seed: seed), let base = sides.base else { continue }
      for side in [sides.ours, sides.theirs] {
        #expect(try documents.merge(base, side, base).bytes == side, "seed \(seed)")
        #expect(try documents.merge(base, base, side).bytes == side, "seed \(seed)")
      }
      for value in MergeOptions.ClashValue.allCases {
        let options = MergeOptions(clashValue: value)
        let outcome = try documents.merge(base, sides.ours, sides.theirs, options)
        try #require(documents.parses(outcome.bytes), "seed \(seed): \(outcome.text)")
        let known = try sides.all.map { try elements($0) }
        #expect(
          Set(try elements(outcome.bytes)).isSubset(of: Set(known.joined())),
          "seed \(seed): \(outcome.text)")
      }
      let outcome = try documents.merge(base, sides.ours, sides.theirs)
      let swapped = try documents.merge(base, sides.theirs, sides.ours)
      #expect(outcome.isComplete == swapped.isComplete, "seed \(seed)")
      guard outcome.isComplete else { continue }
      // An end tag that may be left out is as ours has it.
      func told(_ outcome: MergeOutcome) -> [Character] {
        outcome.text.replacing("</p>", with: "").replacing("</li>", with: "")
          .filter { !$0.isWhitespace }.sorted()
      }
      #expect(told(outcome) == told(swapped), "seed \(seed)")
    }
  }

  /// The document with words changed, and lines edited.
  private func edited(_ document: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    guard Bool.random(using: &random) else { return document.withEditedLines(&random) }
    var words = document.split(separator: 0x20, omittingEmptySubsequences: false).map { Array($0) }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let index = words.indices.randomElement(using: &random) else { break }
      let isMarkup = words[index].contains { "<>=\"'".utf8.contains($0) }
      guard !isMarkup, !words[index].isEmpty else { continue }
      words[index] += Array("\(Int.random(in: 0..<9, using: &random))".utf8)
    }
    return Array(words.joined(separator: [0x20]))
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    var (read, complete, conflicts, solved) = (0, 0, 0, 0)
    for seed in 0..<400 {
      guard let sides = try sides(seed: seed), let base = sides.base else { continue }
      read += 1
      let isComplete = try documents.merge(base, sides.ours, sides.theirs).isComplete
      let lines = try TextMergeEngine().merge(sides, options: MergeOptions())
      complete += isComplete ? 1 : 0
      conflicts += lines.isComplete ? 0 : 1
      solved += isComplete && !lines.isComplete ? 1 : 0
    }
    #expect(
      read > 200 && complete > 100 && conflicts > 40 && solved > 15,
      "\(read) \(complete) \(conflicts) \(solved)")
  }

  @Test("A clash at the end of a document loses no byte where one side ends without a line break")
  func unendedLastLine() throws {
    let outcome = try documents.merge(
      Array("<p>See the map.</p>\n".utf8), Array("<p>See <a href=\"m\">a map</a>.</p>\n".utf8),
      Array("<p>See <b>no</b> map.<".utf8))
    #expect(!outcome.isComplete)
    #expect(outcome.text == "<p>See <a href=\"m\">a map</a>.</p>")
  }

  @Test("Damaged bytes are refused or read, and never trap", arguments: 0..<4)
  func damaged(seed: Int) throws {
    try documents.checkDamage(seed: seed)
  }

  @Test(
    "What does not nest for certain is refused",
    arguments: [
      "<b><i>a</b></i>", "<div>", "</p>", "<p>a</div>", "<p><b>a<div>b</div></b></p>", "<div/>",
      "<a b=\"c>", "<a b=c\"d>x</a>", "<a b b>x</a>", "<script>a", "<a {{b}}>c</a>",
      "<![CDATA[a]]>",
      "<?php if ($a > 1) ?>", "<p a=\"1\"b>", "<a", "<!-- a", "<plaintext>a", "<a =b>c</a>",
      "<head><head></head></head>",
    ])
  func refused(text: String) {
    #expect(throws: MergeError.self) { try HTMLFormat().parse(Array(text.utf8)) }
  }

  @Test(
    "What nests is read",
    arguments: [
      ("", ""), ("text", ""), ("<!doctype HTML><P>a<P>b", "1 p,1 p"),
      ("<ul><li>a<ul><li>b</ul><li>c</ul>", "1 ul,2 li,3 ul,4 li,2 li"),
      ("<table><tr><td>a<td>b<tr><th>c</table>", "1 table,2 tr,3 td,3 td,2 tr,3 th"),
      ("<dl><dt>a<dd>b<dt>c</dl>", "1 dl,2 dt,2 dd,2 dt"),
      ("<br/><img src=a/b.png><input disabled>", "1 br,1 img,1 input"),
      ("<script>if (a</b) \"<p>\"</SCRIPT ><p>x", "1 script,1 p"),
      ("<svg><path d='a'/><g><a/></g></svg>", "1 svg,2 path,2 g,3 a"),
      ("<p>a < b &amp; c<div>d</div>", "1 p,1 div"),
      ("<select><option>a<option>b</select>", "1 select,2 option,2 option"),
    ])
  func read(text: String, elements: String) throws {
    _ = try HTMLFormat().parse(Array(text.utf8))
    #expect(try outline(Array(text.utf8)).joined(separator: ",") == elements)
  }

  @Test("Documents that are nested too deeply are refused as such")
  func deep() {
    let text = String(repeating: "<b>", count: 5000) + String(repeating: "</b>", count: 5000)
    #expect { try HTMLFormat().parse(Array(text.utf8)) } throws: {
      ($0 as? MergeError)?.code == .tooDeep
    }
  }
}
