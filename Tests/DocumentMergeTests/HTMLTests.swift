import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("HTML")
struct HTMLTests {
  private let engine = MergeEngines().engine(for: .html)

  /// The documents of all fixtures of the engine.
  private static let documents: [[UInt8]] = MergeFixture.folders(
    in: MergeFixture.root.appending(path: "html")
  ).flatMap { folder in
    ["base", "ours", "theirs"].compactMap { try? MergeFixture(folder: folder).contents($0) }
  }

  private static func parses(_ document: [UInt8]) -> Bool {
    do {
      _ = try HTMLFormat().parse(document)
      return true
    } catch {
      return false
    }
  }

  private func merge(
    _ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8],
    _ options: MergeOptions = MergeOptions()
  ) throws -> MergeOutcome {
    try engine.merge(MergeSides(base: base, ours: ours, theirs: theirs), options: options)
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
    for document in Self.documents where Self.parses(document) {
      let tree = try HTMLFormat().parse(document)
      #expect(tree[StructureTree.root].whole == 0..<document.count)
      for node in tree.nodes {
        let parts = [node.lead, node.key, node.value, node.gap, node.separator, node.trail]
        for (part, next) in zip(parts, parts.dropFirst()) {
          #expect(part.upperBound == next.lowerBound)
        }
      }
      for node in tree.nodes.indices where tree[node].kind != .leaf {
        let members = tree.members(of: node)
        for (member, next) in zip(members, members.dropFirst()) {
          #expect(tree[member].whole.upperBound == tree[next].whole.lowerBound)
        }
        let end = members.last.map { tree[$0].whole.upperBound }
        #expect(end ?? tree[node].tail.lowerBound == tree[node].tail.lowerBound)
      }
    }
  }

  @Test("What only one side changed is that side’s, to the byte")
  func laws() throws {
    #expect(Self.documents.count > 50)
    for base in Self.documents.prefix(20) {
      for other in Self.documents {
        #expect(try merge(base, other, base).bytes == other)
        #expect(try merge(base, base, other).bytes == other)
        #expect(try merge(base, other, other).bytes == other)
      }
    }
  }

  @Test(
    "Of HTML that nests comes HTML that nests, and swapped sides ask alike",
    arguments: MergeCases.batches)
  func random(seeds: Range<Int>) throws {
    let sound = Self.documents.filter(Self.parses)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let base = try #require(sound.randomElement(using: &random))
      let sides = (0..<2).map { _ in edited(base, &random) }
      guard sides.allSatisfy(Self.parses) else { continue }
      for side in sides {
        #expect(try merge(base, side, base).bytes == side, "seed \(seed)")
        #expect(try merge(base, base, side).bytes == side, "seed \(seed)")
      }
      for value in MergeOptions.ClashValue.allCases {
        let outcome = try merge(base, sides[0], sides[1], MergeOptions(clashValue: value))
        try #require(Self.parses(outcome.bytes), "seed \(seed): \(outcome.text)")
        let known = try ([base] + sides).map { try elements($0) }
        #expect(
          Set(try elements(outcome.bytes)).isSubset(of: Set(known.joined())),
          "seed \(seed): \(outcome.text)")
      }
      let outcome = try merge(base, sides[0], sides[1])
      let swapped = try merge(base, sides[1], sides[0])
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
    let sound = Self.documents.filter(Self.parses)
    var (read, complete, conflicts, solved) = (0, 0, 0, 0)
    for seed in 0..<400 {
      var random = SeededGenerator(seed: seed)
      let base = try #require(sound.randomElement(using: &random))
      let sides = (0..<2).map { _ in edited(base, &random) }
      guard sides.allSatisfy(Self.parses) else { continue }
      read += 1
      let isComplete = try merge(base, sides[0], sides[1]).isComplete
      let lines = try TextMergeEngine().merge(
        MergeSides(base: base, ours: sides[0], theirs: sides[1]), options: MergeOptions())
      complete += isComplete ? 1 : 0
      conflicts += lines.isComplete ? 0 : 1
      solved += isComplete && !lines.isComplete ? 1 : 0
    }
    #expect(
      read > 200 && complete > 100 && conflicts > 40 && solved > 15,
      "\(read) \(complete) \(conflicts) \(solved)")
  }

  @Test("Damaged bytes are refused or read, and never trap", arguments: 0..<4)
  func damaged(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<40 {
        let bytes = document.damaged(&random)
        _ = Self.parses(bytes)
        _ = try merge(document, bytes, document)
      }
    }
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
