import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Names of new documents")
struct NameTests {
  @Test("The first number that is free is taken, whatever the case of the others")
  func unused() throws {
    let scratch = try ScratchFolder()
    func next() throws -> String {
      try DocumentName.unused(in: scratch.url, prefix: "Note", pathExtension: "md")
        .lastPathComponent
    }
    #expect(try next() == "Note 1.md")
    for name in ["Note 1.md", "note 3.MD"] { try scratch.write("", to: name) }
    #expect(try next() == "Note 2.md")
    try scratch.write("", to: "Note 2.md")
    #expect(try next() == "Note 4.md")
  }

  @Test(
    "A title becomes a name that every file system takes",
    arguments: [
      ("Trip to Rome\nTent", "Trip to Rome"), ("a/b: c?", "a b c"), ("...hidden. ", "hidden"),
      ("\u{7}\t", "Untitled"), ("", "Untitled"), ("Zürich 🏔", "Zürich 🏔"),
    ])
  func sanitized(title: String, name: String) {
    #expect(DocumentName.sanitized(title) == name)
  }

  @Test("A long title is cut between characters")
  func long() {
    let name = DocumentName.sanitized(String(repeating: "é🏔", count: 200))
    #expect(name.utf8.count <= 180)
    #expect(name.hasPrefix("é🏔é🏔"))
  }
}
