import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("XML")
struct XMLTests {
  private let engine = StructuredMergeEngine(format: XMLFormat())

  /// The documents of all fixtures of the engine.
  private static let documents: [[UInt8]] = MergeFixture.folders(
    in: MergeFixture.root.appending(path: "xml")
  ).flatMap { folder in
    ["base", "ours", "theirs"].compactMap { try? MergeFixture(folder: folder).contents($0) }
  }

  private func parses(_ document: [UInt8]) -> Bool {
    do {
      _ = try XMLFormat().parse(document)
      return true
    } catch {
      return false
    }
  }

  /// How often each id stands in a document.
  private func ids(_ document: [UInt8]) throws -> [[UInt8]: Int] {
    var scanner = XMLScanner(document)
    try scanner.scan()
    return scanner.identifiers.reduce(into: [:]) { $0[Array($1), default: 0] += 1 }
  }

  @Test("The parts of the tree are all bytes, in order")
  func roundTrip() throws {
    for document in Self.documents where parses(document) {
      let tree = try XMLFormat().parse(document)
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
    #expect(Self.documents.count > 40)
    for base in Self.documents.prefix(20) {
      for other in Self.documents {
        func merged(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8] {
          try engine.merge(
            MergeSides(base: base, ours: ours, theirs: theirs), options: MergeOptions()
          ).bytes
        }
        #expect(try merged(base, other, base) == other)
        #expect(try merged(base, base, other) == other)
        #expect(try merged(base, other, other) == other)
      }
    }
  }

  @Test("Of XML comes XML without new doubled ids, whatever was changed", arguments: 0..<8)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let sound = Self.documents.filter(parses)
    var count = 0
    for _ in 0..<800 {
      guard let base = sound.randomElement(using: &random) else { return }
      let sides = (0..<2).map { _ in base.withEditedLines(&random) }
      guard sides.allSatisfy(parses) else { continue }
      count += 1
      for value in [MergeOptions.ClashValue.ours, .base] {
        var options = MergeOptions()
        options.clashValue = value
        let outcome = try engine.merge(
          MergeSides(base: base, ours: sides[0], theirs: sides[1]), options: options)
        let said = "\(String(decoding: outcome.bytes, as: UTF8.self))"
        try #require(parses(outcome.bytes), "\(said)")
        let known = try ([base] + sides).map(ids)
        for (id, often) in try ids(outcome.bytes) {
          #expect(often == 1 || known.contains { $0[id, default: 0] >= often }, "\(said)")
        }
      }
    }
    #expect(count > 100)
  }

  @Test("An element moved to another parent and edited is asked about, and never there twice")
  func movedAndEdited() throws {
    func document(_ left: String, _ right: String) -> [UInt8] {
      Array("<d>\n<left>\n\(left)</left>\n<right>\n\(right)</right>\n</d>\n".utf8)
    }
    let base = document("<view id=\"v\" hidden=\"YES\"/>\n", "")
    let moved = document("", "<view id=\"v\" hidden=\"YES\"/>\n")
    let changed = document("<view id=\"v\" hidden=\"NO\"/>\n", "")
    for sides in [
      MergeSides(base: base, ours: moved, theirs: changed),
      MergeSides(base: base, ours: changed, theirs: moved),
    ] {
      let outcome = try engine.merge(sides, options: MergeOptions())
      #expect(!outcome.isComplete)
      #expect(outcome.bytes == sides.ours)
      #expect(try ids(outcome.bytes) == [Array("v".utf8): 1])
    }
  }

  @Test("Damaged bytes are refused or read, and never trap", arguments: 0..<4)
  func damaged(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<40 {
        let bytes = document.damaged(&random)
        _ = parses(bytes)
        _ = try engine.merge(
          MergeSides(base: document, ours: bytes, theirs: document), options: MergeOptions())
      }
    }
  }

  @Test(
    "What is not well-formed is refused",
    arguments: [
      "", "text", "<a>", "<a></b>", "<a/><b/>", "<a b=\"1\" b=\"2\"/>", "<a b=1/>", "<a b/>",
      "<a b=\"1\"c=\"2\"/>", "<a>&</a>", "<a>&x</a>", "<a>&#xZ;</a>", "<a b=\"<\"/>", "<a>]]></a>",
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "<a><!-- -- --></a>", "<a/>text", "<1/>",
      "<a><?xml version=\"1.0\"?></a>", "<a>\u{1}</a>", "<a", "<a b=\"", "<a><![CDATA[</a>", "</a>",
    ])
  func refused(text: String) {
    #expect(throws: MergeError.self) { try XMLFormat().parse(Array(text.utf8)) }
  }

  @Test(
    "What is well-formed is read",
    arguments: [
      "<a/>", "<a\n b='\"'\n/>", "<!DOCTYPE a SYSTEM \"[>\"><a>&b;&#x41;</a><!-- c --><?d e?>",
      "<?xml version=\"1.0\"?><a:b xmlns:a=\"c\">d<e/>f</a:b >", "<a><![CDATA[<&]]></a>", "<é/>",
    ])
  func read(text: String) throws {
    let tree = try XMLFormat().parse(Array(text.utf8))
    #expect(tree[StructureTree.root].whole == 0..<text.utf8.count)
  }

  @Test("Documents that are nested too deeply are refused as such")
  func deep() {
    let text = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
    #expect { try XMLFormat().parse(Array(text.utf8)) } throws: {
      ($0 as? MergeError)?.code == .tooDeep
    }
  }
}
