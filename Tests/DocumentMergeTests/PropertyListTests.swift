import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("Property lists")
struct PropertyListTests {
  private let engine = PropertyListMergeEngine()

  /// The documents of all fixtures of the engine.
  private static let documents: [[UInt8]] = MergeFixture.folders(
    in: MergeFixture.root.appending(path: "plist")
  ).flatMap { folder in
    ["base", "ours", "theirs"].compactMap { try? MergeFixture(folder: folder).contents($0) }
  }

  private func parses(_ document: [UInt8]) -> Bool {
    guard let text = DecodedText(document)?.text else { return false }
    let isXML = text.first { !$0.isSpace } == UInt8(ascii: "<")
    do {
      _ = isXML ? try PropertyListFormat().parse(text) : try OpenStepFormat().parse(text)
      return true
    } catch {
      return false
    }
  }

  @Test("What only one side changed is that side’s, to the byte")
  func laws() throws {
    #expect(Self.documents.count > 40)
    for base in Self.documents.prefix(12) {
      for other in Self.documents {
        let options = MergeOptions()
        func merged(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8] {
          try engine.merge(
            MergeSides(base: base, ours: ours, theirs: theirs), options: options
          ).bytes
        }
        #expect(try merged(base, other, base) == other)
        #expect(try merged(base, base, other) == other)
        #expect(try merged(base, other, other) == other)
      }
    }
  }

  @Test("Of property lists come property lists, whatever was changed", arguments: 0..<8)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let sound = Self.documents.filter(parses)
    var count = 0
    for _ in 0..<400 {
      guard let base = sound.randomElement(using: &random) else { return }
      let sides = (0..<2).map { _ in base.withEditedLines(&random) }
      guard sides.allSatisfy(parses) else { continue }
      count += 1
      let outcome = try engine.merge(
        MergeSides(base: base, ours: sides[0], theirs: sides[1]), options: MergeOptions())
      #expect(parses(outcome.bytes), "\(String(decoding: outcome.bytes, as: UTF8.self))")
    }
    #expect(count > 100)
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
    let outcome = try engine.merge(
      MergeSides(base: lists[0], ours: lists[1], theirs: lists[2]), options: MergeOptions())
    #expect(!outcome.isComplete)
    #expect(outcome.bytes == lists[1])
  }
}
