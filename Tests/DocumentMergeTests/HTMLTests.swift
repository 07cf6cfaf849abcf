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
    #expect(try Array(text.utf8).outlineOfHTML.joined(separator: ",") == elements)
  }

  @Test("Documents that are nested too deeply are refused as such")
  func deep() {
    let text = String(repeating: "<b>", count: 5000) + String(repeating: "</b>", count: 5000)
    #expect { try HTMLFormat().parse(Array(text.utf8)) } throws: {
      ($0 as? MergeError)?.code == .tooDeep
    }
  }
}
