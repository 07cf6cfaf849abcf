import Foundation
import Testing

@testable import DocumentMerge

/// A law, a kind of document, and the seeds with which it is tested.
struct LawCase: Sendable, CustomTestStringConvertible {
  let law: MergeLaw
  let subject: any LawSubject
  let seeds: Range<Int>

  var testDescription: String { "\(subject.testDescription) \(seeds)" }

  /// The kinds of documents; `DOCVERSIONS_MERGE_FORMAT` selects one, to test more cases of it.
  private static let subjects: [any LawSubject] = {
    let structured: [any LawSubject] = StructuredSubject.all
    let all: [any LawSubject] =
      structured + [
        HTMLSubject(), NotebookSubject(), TextSubject(hasForms: false), TextSubject(hasForms: true),
        TableSubject.keyed, TableSubject.uneven, TableSubject.pairs, PackageSubject(),
        FrontMatterSubject(), SQLSubject(),
      ] + ProseSubject.all
    let name = ProcessInfo.processInfo.environment["DOCVERSIONS_MERGE_FORMAT"]
    return all.filter { name == nil || $0.testDescription == name }
  }()

  static func all(_ law: MergeLaw) -> [LawCase] {
    subjects.flatMap { subject in
      let (count, batch) = (subject.count(of: law), subject.batch(of: law))
      return stride(from: 0, to: count, by: batch).map { start in
        LawCase(law: law, subject: subject, seeds: start..<start + min(batch, count - start))
      }
    }
  }

  func check() throws { try subject.check(law, seeds: seeds) }
}

@Suite("Laws of merging, for every engine, on random documents")
struct MergeLawTests {
  @Test(
    "An unchanged side, and equal sides, give the other side", arguments: LawCase.all(.identity))
  func identity(_ law: LawCase) throws { try law.check() }

  @Test("Swapped sides give the same, and swapped decisions", arguments: LawCase.all(.symmetry))
  func symmetry(_ law: LawCase) throws { try law.check() }

  @Test("The result is valid, and nothing new is lost", arguments: LawCase.all(.soundness))
  func soundness(_ law: LawCase) throws { try law.check() }

  @Test(
    "A complete result merged again with either side stays", arguments: LawCase.all(.idempotence))
  func idempotence(_ law: LawCase) throws { try law.check() }

  @Test(
    "Clashes can be answered, and nothing is left when all are", arguments: LawCase.all(.answers))
  func answers(_ law: LawCase) throws { try law.check() }

  @Test(
    "Damaged documents are refused, or merged without a byte lost", arguments: LawCase.all(.damage))
  func damage(_ law: LawCase) throws { try law.check() }

  @Test("Random merges are of all sorts", arguments: LawCase.all(.coverage))
  func coverage(_ law: LawCase) throws { try law.check() }

  @Test("The laws of one kind of document alone", arguments: LawCase.all(.own))
  func own(_ law: LawCase) throws { try law.check() }
}
