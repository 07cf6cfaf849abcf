import DocumentMerge
import Testing

@Suite("Sections that look alike")
struct AlikeSectionTests {
  /// A kind of sections of which only the first line is unique.
  struct Form: Sendable, CustomTestStringConvertible {
    let fileName: String
    let head: @Sendable (Int) -> String
    let lines: [String]
    /// The lines that are edited.
    let edited: [Int]

    var testDescription: String { fileName }

    func section(_ number: Int, edited line: Int? = nil) -> String {
      let lines = lines.enumerated().map { $0 == line ? $1 + " now" : $1 }
      return ([head(number)] + lines).map { $0 + "\n" }.joined()
    }
  }

  private static let forms: [Form] = [
    Form(
      fileName: "notes.md", head: { "## Day \($0)" },
      lines: ["", "- [ ] water the plants", "- [ ] feed the cat", "- [ ] read the mail", ""],
      edited: [1, 2, 3]),
    Form(
      fileName: "hosts.conf", head: { "[host \($0)]" },
      lines: ["enabled = yes", "path = /srv", "timeout = 10", ""], edited: [0, 1, 2]),
    Form(
      fileName: "steps.swift", head: { "func step\($0)() {" },
      lines: ["  if isOpen {", "    count += 1", "  }", "  return", "}", ""], edited: [0, 1, 3]),
  ]

  @Test(
    "An edit stays in its section if the other side removed one and added one", arguments: forms)
  func removedAndAdded(_ form: Form) throws {
    let engine = MergeEngines().engine(forFileName: form.fileName)
    let base = Array(0..<5)
    for removed in base {
      for place in 0...base.count {
        var sections = base
        sections.insert(7, at: place)
        sections.removeAll { $0 == removed }
        for section in base where section != removed {
          for line in form.edited {
            func text(_ sections: [Int], isEdited: Bool = false) -> [UInt8] {
              let texts = sections.map {
                form.section($0, edited: isEdited && $0 == section ? line : nil)
              }
              return Array(texts.joined().utf8)
            }
            let sides = MergeSides(
              base: text(base), ours: text(sections), theirs: text(base, isEdited: true))
            let expected = text(sections, isEdited: true)
            #expect(try engine.merge(sides, options: MergeOptions()).bytes == expected)
            #expect(try engine.merge(sides.swapped, options: MergeOptions()).bytes == expected)
          }
        }
      }
    }
  }
}
