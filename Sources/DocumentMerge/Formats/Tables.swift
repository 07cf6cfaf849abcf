/// Tables: comma- and tab-separated values.
extension DocumentFormat {
  static let csv = DocumentFormat(
    "csv", ["*.csv"],
    identifiers: [
      "public.comma-separated-values-text", "public.tab-separated-values-text",
      "public.delimited-values-text",
    ],
    kind: .table, engine: { _ in TableMergeEngine() },
    checks: [
      LostNames(RowNames(), numbersRefer: true), OutdatedTranslations(columnTranslations),
      TwinEntries(rows), ContradictingRows(), RenumberedKeys(.rows), MixedPairs(.rows),
    ])

  static let tsv = csv.narrowed(
    "tsv", ["*.tsv", "*.tab"], engine: { _ in TableMergeEngine(separator: 0x09) })
}

/// Rows, named by their first cells, and the cells of other columns that refer to them.
private struct RowNames: NameReader {
  /// The columns whose cells refer to rows.
  private var referringColumns: [Int]?

  /// If only some lines are read, the header of a table may be missing.
  mutating func begin(isPartial: Bool) { referringColumns = isPartial ? [] : nil }

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let cells = line.split(omittingEmptySubsequences: false) { ",;\t".contains($0) }
      .map { $0.filter { $0 != "\"" && $0 != " " } }
    guard let columns = referringColumns else {
      referringColumns = cells.indices.dropFirst().filter { place in
        let name = cells[place].lowercased()
        return name.has("parent")
          || ["_id", "ref", "depends_on"].contains { name.hasSuffix($0) }
      }
      return
    }
    if let name = cells.first { names.define(name) }
    for column in columns where column < cells.count { names.refer(to: cells[column]) }
  }
}

private func columnTranslations(_ text: TextLines, into translations: inout Translations) {
  translations.add(TextsByLanguage(rowsOf: text))
}

/// Returns the rows of tables whose first column is an identifier.
private func rows(in text: TextLines, _ lines: [Substring]) -> [TwinEntries.Entry] {
  func cut(_ line: Substring) -> (name: Substring, rest: Substring)? {
    line.firstIndex { ",;\t".contains($0) }.map { (line[..<$0], line[$0...]) }
  }
  guard let head = lines.first.flatMap(cut), !head.rest.contains("\""),
    ["id", "uuid", "guid", "identifier", "uid"]
      .contains(head.name.filter { $0.isLetter }.lowercased())
  else { return [] }
  return lines.dropFirst().compactMap { line in
    cut(line).map { TwinEntries.Entry(name: String($0.name), text: [$0.rest]) }
  }
}
