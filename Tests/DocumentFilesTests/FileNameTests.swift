import Testing

@testable import DocumentFiles

@Suite("Names made of others")
struct FileNameTests {
  @Test("What is added goes around the stem")
  func short() {
    #expect(FileName.extending("report.md", after: " 2") == "report 2.md")
    #expect(FileName.extending("a.tar.gz", before: "ours-") == "ours-a.tar.gz")
    #expect(FileName.extending("report", after: " 2") == "report 2")
    #expect(FileName.extending(".profile", after: " 2") == ".profile 2")
  }

  @Test(
    "A long name loses whole characters of its stem, and keeps what it ends with",
    arguments: ["a", "é", "e\u{301}", "日", "🇩🇪", "👩‍👩‍👧"])
  func long(character: String) {
    for ending in ["", ".md", ".日本"] {
      let stem = String(repeating: character, count: 300)
      let name = FileName.extending(stem + ending, before: "theirs-", after: " 12")
      #expect(name.utf8.count <= 255)
      #expect(name.utf8.count > 255 - character.utf8.count)
      #expect(name.hasPrefix("theirs-\(character)") && name.hasSuffix("\(character) 12\(ending)"))
    }
  }

  @Test("An ending that leaves no room is no ending")
  func longEnding() {
    let name = FileName.extending("a." + String(repeating: "b", count: 253), after: " 2")
    #expect(name == "a." + String(repeating: "b", count: 251) + " 2")
  }
}
