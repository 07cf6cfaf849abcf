import DocumentTestSupport
import Testing

@testable import DocumentMerge

@Suite("Formats, each by its cases")
struct FormatTests {
  @Test("Every case gives the expected result, or a question", arguments: FormatCase.all)
  func result(_ formatCase: FormatCase) throws {
    #expect(Catalogue.format(ofFileName: formatCase.merge.fileName)?.name == formatCase.format)
    try formatCase.merge.check()
  }

  @Test(
    "Whatever is left of a document, it is merged, asked about or refused",
    arguments: FormatCase.all)
  func damaged(_ formatCase: FormatCase) throws {
    let engine = MergeEngines().engine(forFileName: formatCase.merge.fileName)
    let sides = formatCase.merge.sides.map { Array($0.utf8) }
    var random = SeededGenerator(seed: sides.ours.count)
    for _ in 0..<TestMode.pick(short: 6, full: 400) {
      let damaged = sides.map { side in
        switch Int.random(in: 0..<4, using: &random) {
        case 0: side
        case 1: side.damaged(&random)
        default: side.withMovedPart(&random)
        }
      }
      do { _ = try engine.merge(damaged, options: MergeOptions()) } catch is MergeError {}
    }
  }

  @Test("Every format has cases, and every case a format")
  func folders() {
    let known = Set(Catalogue.all.filter { !$0.files.isEmpty }.map(\.name))
    #expect(Set(FormatCase.all.map(\.format)) == known)
  }

  @Test("No two formats have one name of files, and all names are in small letters")
  func names() {
    let names = Catalogue.all.flatMap(\.files)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() })
    #expect(Set(Catalogue.all.map(\.name)).count == Catalogue.all.count)
  }

  /// The cases of formats that a declared type stands for.
  private static let declared: [FormatCase] = FormatCase.all.filter { formatCase in
    MergeEngines.Kind.allCases.contains { Catalogue.standard($0).name == formatCase.format }
  }

  @Test("Documents of a declared type are merged as by their name", arguments: declared)
  func declaredTypes(_ formatCase: FormatCase) throws {
    let kind = try #require(Catalogue.format(ofFileName: formatCase.merge.fileName)?.kind)
    var engines = MergeEngines()
    engines.declaredKind = { _ in kind }
    try formatCase.merge.check(by: engines, named: "document.unknown")
  }
}
