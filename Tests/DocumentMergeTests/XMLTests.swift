import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("XML")
struct XMLTests {
  private let documents: FixtureDocuments

  init() throws {
    documents = try FixtureDocuments("xml", .xml) { try XMLFormat().parse($0) }
  }

  /// Returns the number of occurrences of each id in a document.
  private func ids(_ document: [UInt8]) throws -> [[UInt8]: Int] {
    var scanner = XMLScanner(document)
    try scanner.scan()
    return scanner.identifiers.reduce(into: [:]) { $0[Array($1), default: 0] += 1 }
  }

  @Test("The parts of the tree are all bytes, in order")
  func roundTrip() throws {
    try documents.checkParts()
  }

  @Test("What only one side changed is that side’s, to the byte")
  func laws() throws {
    try documents.checkOneSided(bases: 20)
  }

  @Test("Of XML comes XML without new doubled ids, whatever was changed", arguments: 0..<8)
  func random(seed: Int) throws {
    let count = try documents.forEachEdit(seed: seed, 800) { sides in
      let outcome = try documents.engine.merge(sides, options: MergeOptions())
      try #require(documents.parses(outcome.bytes), "\(outcome.text)")
      let known = try sides.all.map(ids)
      for (id, often) in try ids(outcome.bytes) {
        #expect(often == 1 || known.contains { $0[id, default: 0] >= often }, "\(outcome.text)")
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
      let outcome = try documents.engine.merge(sides, options: MergeOptions())
      #expect(!outcome.isComplete)
      #expect(outcome.bytes == sides.ours)
      #expect(try ids(outcome.bytes) == [Array("v".utf8): 1])
    }
  }

  @Test("Attributes that both sides give to an element without any stand apart")
  func firstAttributes() throws {
    func document(_ attribute: String) -> [UInt8] {
      Array("<d>\n  <a\(attribute)>\n    <b/>\n  </a>\n</d>\n".utf8)
    }
    let outcome = try documents.merge(
      document(""), document(" x=\"1\""), document(" y=\"2\""))
    #expect(outcome.isComplete)
    #expect(outcome.bytes == document(" x=\"1\" y=\"2\""))
  }

  @Test("The outermost element is one, also where a side changes what it is called by")
  func outermost() throws {
    func document(_ name: String, _ text: String) -> [UInt8] {
      Array("<d name=\"\(name)\">\n  <a>\(text)</a>\n</d>\n".utf8)
    }
    let (base, renamed, edited) = (document("a", "1"), document("b", "1"), document("a", "2"))
    for (ours, theirs) in [(renamed, edited), (edited, renamed)] {
      let outcome = try documents.merge(base, ours, theirs)
      #expect(outcome.isComplete)
      #expect(outcome.bytes == document("b", "2"))
    }
  }

  @Test("Damaged bytes are refused or read, and never trap", arguments: 0..<4)
  func damaged(seed: Int) throws {
    try documents.checkDamage(seed: seed)
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
