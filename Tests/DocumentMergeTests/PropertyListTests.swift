import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("Property lists")
struct PropertyListTests {
  private let documents: FixtureDocuments

  init() throws {
    documents = try FixtureDocuments("plist", .plist) { document in
      let text = DecodedText(document)?.text ?? document
      let isXML = text.first { !$0.isSpace } == UInt8(ascii: "<")
      return isXML ? try PropertyListFormat().parse(text) : try OpenStepFormat().parse(text)
    }
  }

  @Test("The parts of the tree are all bytes, in order")
  func roundTrip() throws {
    try documents.checkParts()
  }

  @Test("What only one side changed is that side’s, to the byte")
  func laws() throws {
    try documents.checkOneSided(bases: 12)
  }

  @Test("Of property lists come property lists, whatever was changed", arguments: 0..<8)
  func random(seed: Int) throws {
    let count = try documents.forEachEdit(seed: seed, 500) { sides in
      let outcome = try documents.engine.merge(sides, options: MergeOptions())
      #expect(documents.parses(outcome.bytes), "\(outcome.text)")
    }
    #expect(count > 100)
  }

  @Test("Damaged bytes are refused or read, and never trap", arguments: 0..<4)
  func damaged(seed: Int) throws {
    try documents.checkDamage(seed: seed)
  }

  @Test(
    "What is no property list is refused",
    arguments: [
      "", "<plist version=\"1.0\"><dict></plist>", "<plist><dict><key>a</key></dict></plist>",
      "<plist><string>&unknown;</string></plist>", "<plist><array><foo/></array></plist>",
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>",
      "<plist><dict><string>a</string></dict></plist>", "<plist><true/></plist><plist/>",
    ])
  func refusedXML(text: String) {
    #expect(throws: MergeError.self) { try PropertyListFormat().parse(Array(text.utf8)) }
  }

  @Test(
    "What is no property list as text is refused",
    arguments: [
      "{ a = 1 }", "{ a 1; }", "\"a\" = \"b\"", "( a b )", "{ a = \"b; }", "/* a", "= 1;",
    ])
  func refusedText(text: String) {
    #expect(throws: MergeError.self) { try OpenStepFormat().parse(Array(text.utf8)) }
  }

  @Test("Binary property lists that both changed clash as a whole, and stay what they are")
  func binary() throws {
    let lists = try (1...3).map { number in
      Array(
        try PropertyListSerialization.data(
          fromPropertyList: ["number": number], format: .binary, options: 0))
    }
    let outcome = try documents.engine.merge(
      MergeSides(base: lists[0], ours: lists[1], theirs: lists[2]), options: MergeOptions())
    #expect(!outcome.isComplete)
    #expect(outcome.bytes == lists[1])
  }
}
