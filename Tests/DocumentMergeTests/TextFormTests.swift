import DocumentMerge
import Testing

@Suite("Encodings, line endings and last line breaks")
struct TextFormTests {
  @Test("Edits of both sides merge in every form, and the form stays", arguments: WrittenForm.all)
  func everyForm(_ form: WrittenForm) throws {
    let outcome = try engine.merge(
      MergeSides(
        base: form.write(["é", "b", "c"]), ours: form.write(["è 🍇", "b", "c"]),
        theirs: form.write(["é", "b", "C"])),
      options: MergeOptions())
    #expect(outcome.bytes == form.write(["è 🍇", "b", "C"]))
    #expect(outcome.kinds == [.ours, .theirs])
  }

  @Test("Conflict markers are written in the document's form", arguments: WrittenForm.all)
  func markers(_ form: WrittenForm) throws {
    let outcome = try engine.merge(
      MergeSides(
        base: form.write(["a", "b"]), ours: form.write(["é", "b"]), theirs: form.write(["ü", "b"])),
      options: MergeOptions(labels: MergeLabels(ours: "Büro"), conflictStyle: .merge))
    #expect(
      outcome.bytes
        == form.write(["<<<<<<< Büro", "é", "=======", "ü", ">>>>>>> theirs", "b"]))
  }

  static let pairs = WrittenForm.all.flatMap { old in
    WrittenForm.all.filter { $0.name != old.name }.map { (old, $0) }
  }

  @Test("A side that only changes the form does not clash with edits", arguments: pairs)
  func formAgainstEdit(_ old: WrittenForm, _ new: WrittenForm) throws {
    let sides = MergeSides(
      base: old.write(["a é", "b", "c"]), ours: new.write(["a é", "b", "c"]),
      theirs: old.write(["a é", "b", "C"]))
    let outcome = try engine.merge(sides, options: MergeOptions())
    #expect(outcome.bytes == new.write(["a é", "b", "C"]))
    #expect(outcome.isComplete)
    #expect(try engine.merge(sides.swapped, options: MergeOptions()).bytes == outcome.bytes)
  }

  @Test("A form that both sides change differently clashes, and ours is kept")
  func formClash() throws {
    let outcome = try merge("a\nb\nc\n", "a\r\nb\r\nC\r\n", "A\rb\rc\r")
    #expect(outcome.text == "A\r\nb\r\nC\r\n")
    #expect(outcome.kinds == [.clash, .theirs, .ours])
    #expect(outcome.decisions.first?.theirs == "CR")
    #expect(
      outcome.decisions.first?.explanation
        == "Both sides changed the line endings, differently; that of ours was kept.")
  }

  @Test("A form that both sides change alike is changed once")
  func sameFormChange() throws {
    let outcome = try merge("a\nb\nc\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nc\r\n")
    #expect(outcome.text == "A\r\nb\r\nC\r\n")
    #expect(outcome.kinds == [.same, .theirs, .ours])
  }

  @Test("Without a base, ours' form is taken, which is no clash")
  func formWithoutBase() throws {
    let outcome = try merge(nil, "a\r\nb\r\n", "\u{FEFF}a\nb")
    #expect(outcome.text == "a\r\nb\r\n")
    #expect(outcome.isComplete)
    #expect(outcome.kinds == [.ours, .ours, .ours, .same])
  }

  @Test("Mixed line endings stay in their lines")
  func mixedEndings() throws {
    #expect(try merge("a\r\nb\nc\r\n", "A\r\nb\nc\r\n", "a\r\nb\nC\r\n").text == "A\r\nb\nC\r\n")
    #expect(try merge("a\nb\nc\n", "a\rx\nb\nc\n", "a\nb\nC\n").text == "a\rx\nb\nC\n")
    let partly = try merge("a\r\nb\r\nc\r\n", "A\nb\r\nc\r\n", "a\r\nb\r\nC\r\n")
    #expect(partly.text == "A\nb\r\nC\r\n")
  }

  @Test("Tidying mixed line endings does not clash with edits")
  func tidiedEndings() throws {
    let outcome = try merge("a\r\nb\nc\r\n", "a\nb\nc\n", "a\r\nb\nC\r\n")
    #expect(outcome.text == "a\nb\nC\n")
    #expect(outcome.isComplete)
    // A change to single carriage returns does clash, because those can't be distinguished from content.
    #expect(try merge("a\rb\nc\r", "a\rb\rc\r", "a\rb\nC\r").kinds == [.ours, .clash])
  }

  @Test("A text without line breaks says nothing about line endings")
  func endingFromOneSide() throws {
    let outcome = try merge("a\r\nb\r\n", "b", "a\r\nb\r\nc\r\n")
    #expect(outcome.text == "b\r\nc")
    #expect(outcome.isComplete)
    #expect(try merge("a", "x\r\na", "a").text == "x\r\na")
  }

  @Test("Both sides appending to a last line without a break never joins lines")
  func missingLastLineBreak() throws {
    #expect(try merge("a\nb\nc", "A\nb\nc", "a\nb\nc\nd").text == "A\nb\nc\nd")
    #expect(try merge("a\nb", "x\na\nb\n", "a\nb").text == "x\na\nb\n")
    let clash = try merge("a", "a\nours", "a\ntheirs")
    #expect(
      clash.text
        == "a\n<<<<<<< ours\nours\n||||||| base\n=======\ntheirs\n>>>>>>> theirs\n")
    let pieces = try engine.openMerge(
      of: MergeSides(
        base: Array("a".utf8), ours: Array("a\nours".utf8), theirs: Array("a\ntheirs".utf8)),
      options: MergeOptions())
    #expect(try pieces.outcome(answers: [0: .both]).text == "a\nours\ntheirs")
  }

  static let latin = (
    base: [UInt8]([0xE9, 0x0A, 0x62, 0x0A, 0x63, 0x0A]),
    ours: [UInt8]([0xE8, 0x0A, 0x62, 0x0A, 0x63, 0x0A]),
    theirs: [UInt8]([0xE9, 0x0A, 0x62, 0x0A, 0xFC, 0x0A])
  )

  @Test("Bytes of an unknown encoding are merged as they are")
  func unknownEncoding() throws {
    let outcome = try engine.merge(
      MergeSides(base: Self.latin.base, ours: Self.latin.ours, theirs: Self.latin.theirs),
      options: MergeOptions())
    #expect(outcome.bytes == [0xE8, 0x0A, 0x62, 0x0A, 0xFC, 0x0A])
    let plain = try engine.merge(
      MergeSides(
        base: Array("e\nb\nc\n".utf8), ours: Array("e\nb\nC\n".utf8),
        theirs: [0xE9, 0x0A, 0x62, 0x0A, 0x63, 0x0A]),
      options: MergeOptions())
    #expect(plain.bytes == [0xE9, 0x0A, 0x62, 0x0A, 0x43, 0x0A])
  }

  @Test("A label is written plainly where the encoding is unknown")
  func unknownEncodingMarkers() throws {
    let outcome = try engine.merge(
      MergeSides(base: Self.latin.base, ours: Self.latin.ours, theirs: [0xFC, 0x0A]),
      options: MergeOptions(labels: MergeLabels(ours: "Büro")))
    #expect(outcome.bytes.starts(with: "<<<<<<< B?ro\n".utf8))
  }

  @Test("Encodings that cannot stand in one text clash as a whole")
  func mixedEncodings() throws {
    let sides = MergeSides(
      base: Self.latin.base, ours: Array("é\nb\nc\n".utf8), theirs: Self.latin.theirs)
    let outcome = try engine.merge(sides, options: MergeOptions())
    #expect(outcome.bytes == Array("é\nb\nc\n".utf8))
    #expect(outcome.kinds == [.clash])
    #expect(outcome.decisions.first?.place == .document)
  }

  @Test(
    "What only looks like UTF-16 is binary",
    arguments: [
      [0xFF, 0xFE, 0x41], [0xFF, 0xFE, 0x00, 0xD8], [0xFF, 0xFE, 0x00, 0x00, 0x41, 0, 0, 0],
    ] as [[UInt8]])
  func brokenUTF16(_ bytes: [UInt8]) throws {
    let outcome = try engine.merge(
      MergeSides(base: Array("a\n".utf8), ours: bytes, theirs: Array("b\n".utf8)),
      options: MergeOptions())
    #expect(outcome.bytes == bytes)
    #expect(outcome.kinds == [.clash])
  }
}
