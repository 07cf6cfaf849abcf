import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// Pages of the fixtures with words and lines edited.
struct HTMLSubject: FileSubject {
  var testDescription: String { "HTML" }
  var engine: any MergeEngine { MergeEngines().engine(for: .html) }

  /// The pages that can be read.
  private static let pages: [[UInt8]] = {
    do {
      return try FixtureDocuments("html", .html) { try HTMLFormat().parse($0) }.sound
    } catch {
      Issue.record("\(error)")
      return []
    }
  }()

  func count(of law: MergeLaw) -> Int {
    switch law {
    case .identity, .symmetry, .soundness, .idempotence, .answers: caseCount(400)
    case .damage: caseCount(100)
    case .coverage: 1
    case .own: 0
    }
  }

  func batch(of law: MergeLaw) -> Int { law == .idempotence ? .max : 100 }

  /// Returns edits of words and lines of a fixture; `nil` if they break it.
  func sides(seed: Int) throws -> MergeSides<[UInt8]>? {
    var random = SeededGenerator(seed: seed)
    let base = try #require(Self.pages.randomElement(using: &random))
    let sides = (0..<2).map { _ in edited(base, &random) }
    guard sides.allSatisfy(parses) else { return nil }
    return MergeSides(base: base, ours: sides[0], theirs: sides[1])
  }

  private func parses(_ document: [UInt8]) -> Bool {
    do {
      _ = try HTMLFormat().parse(document)
      return true
    } catch { return false }
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

  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    guard outcome.isComplete else { return }
    // An optional end tag is as in ours.
    func characters(_ outcome: MergeOutcome) -> [Character] {
      outcome.text.replacing("</p>", with: "").replacing("</li>", with: "")
        .filter { !$0.isWhitespace }.sorted()
    }
    #expect(characters(outcome) == characters(swapped), merge.comment)
  }

  /// Well-nested HTML gives well-nested HTML with the same elements.
  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    try #require(parses(outcome.bytes), merge.comment)
    let known = Set(try merge.sides.all.flatMap { try $0.elementsOfHTML })
    #expect(Set(try outcome.bytes.elementsOfHTML).isSubset(of: known), merge.comment)
  }

  /// A complete result that is merged again stays the same, except for empty lines.
  func stays(_ outcome: MergeOutcome, _ again: MergeOutcome) -> Bool? {
    again.isEqual(toWordsOf: outcome)
  }

  /// Of equal lines below one another, the comparison of lines may find the wrong one new: 2 of 10,000.
  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) {
    (.max, seeds.count / 2000)
  }

  func checkCoverage() throws {
    var (read, complete, conflicts, solved) = (0, 0, 0, 0)
    for seed in 0..<400 {
      guard let sides = try sides(seed: seed) else { continue }
      read += 1
      let isComplete = try merge(sides).isComplete
      let lines = try TextMergeEngine().merge(sides, options: MergeOptions())
      complete += isComplete ? 1 : 0
      conflicts += lines.isComplete ? 0 : 1
      solved += isComplete && !lines.isComplete ? 1 : 0
    }
    #expect(
      read > 200 && complete > 100 && conflicts > 40 && solved > 15,
      "\(read) \(complete) \(conflicts) \(solved)")
  }
}

extension [UInt8] {
  /// The elements of an HTML document with their depth, as they open.
  var outlineOfHTML: [String] {
    get throws {
      var scanner = HTMLScanner(self)
      try scanner.scan()
      var ends: [Int] = []
      return scanner.elements.map { element in
        while let end = ends.last, end <= element.place.start { ends.removeLast() }
        ends.append(element.place.end)
        return "\(ends.count) \(element.name)"
      }
    }
  }

  /// The elements without their depth.
  var elementsOfHTML: [String] {
    get throws { try outlineOfHTML.map { String($0.drop { $0.isNumber }) } }
  }
}
