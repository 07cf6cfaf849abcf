import Testing

@testable import DocumentMerge

/// Documents whose lines are entries, keys or properties, in the forms that occur in files.
@Suite("Catalogues, settings, calendars and bibliographies as files come")
struct LineDocumentTests {
  /// A document with a change on each side, next to each other, and the result.
  struct Document: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let base: [String]
    let old: (String, String)
    let ours: String
    let theirs: String

    init(
      _ fileName: String, _ text: String, _ old: (String, String), _ ours: String, _ theirs: String
    ) {
      testDescription = fileName
      base = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      (self.old, self.ours, self.theirs) = (old, ours, theirs)
    }

    func lines(ours isOurs: Bool, theirs isTheirs: Bool) -> [String] {
      base.map { line in
        let first = isOurs ? line.replacing(old.0, with: ours) : line
        return isTheirs ? first.replacing(old.1, with: theirs) : first
      }
    }

    var sides: MergeSides<[String]> {
      MergeSides(
        base: base, ours: lines(ours: true, theirs: false), theirs: lines(ours: false, theirs: true)
      )
    }
  }

  static let documents = [
    Document(
      "a.po", "msgid \"a\"\nmsgstr \"é one\"\n\nmsgid \"b\"\nmsgstr \"two\"", ("one", "two"), "1",
      "2"),
    Document("a.ini", "[s]\na = é one\nb = two\n[t]\nc = 3", ("one", "two"), "1", "2"),
    Document("a.properties", "a=é one\nb : two\nc 3", ("one", "two"), "1", "2"),
    Document(
      "a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nSUMMARY:é one\nLOCATION:two\nEND:VEVENT\nEND:VCALENDAR",
      ("one", "two"), "1", "2"),
    Document("a.bib", "@misc{k,\n  title = {é one},\n  note = {two}\n}", ("one", "two"), "1", "2"),
    Document("requirements.txt", "# é\none==1\ntwo==2\nthree==3", ("e==1", "o==2"), "e==4", "o==5"),
  ]

  @Test(
    "Changes next to each other are merged in every encoding and with every line ending",
    arguments: documents, WrittenForm.all)
  func everyForm(_ document: Document, _ form: WrittenForm) throws {
    let engine = MergeEngines().engine(forFileName: document.testDescription)
    let outcome = try engine.merge(
      document.sides.map { form.write($0) }, options: MergeOptions())
    #expect(outcome.isComplete)
    #expect(outcome.bytes == form.write(document.lines(ours: true, theirs: true)))
  }

  @Test(
    "A side that was cut anywhere is kept alone, and merged or asked about", arguments: documents)
  func cut(_ document: Document) throws {
    let engine = MergeEngines().engine(forFileName: document.testDescription)
    let sides = document.sides.map { Array(($0.joined(separator: "\n") + "\n").utf8) }
    let base = try #require(sides.base)
    for end in sides.ours.indices {
      let ours = Array(sides.ours[..<end])
      let alone = try engine.merge(
        MergeSides(base: base, ours: ours, theirs: base), options: MergeOptions())
      #expect(alone.bytes == ours)
      let outcome = try engine.merge(
        MergeSides(base: base, ours: ours, theirs: sides.theirs), options: MergeOptions())
      // The other side's change is in the result, or a question.
      let isThere = outcome.text.contains(document.theirs) || !outcome.isComplete
      #expect(isThere, "\(document.testDescription) cut at \(end): \(outcome.text)")
    }
  }

  @Test("Lines with two kinds of line endings are merged or asked about", arguments: documents)
  func mixedLineEndings(_ document: Document) throws {
    func mixed(_ lines: [String]) -> [UInt8] {
      lines.enumerated().flatMap { Array(($1 + ($0 % 2 == 0 ? "\r\n" : "\n")).utf8) }
    }
    let engine = MergeEngines().engine(forFileName: document.testDescription)
    let outcome = try engine.merge(document.sides.map(mixed), options: MergeOptions())
    #expect(
      !outcome.isComplete || outcome.bytes == mixed(document.lines(ours: true, theirs: true)))
  }
}
