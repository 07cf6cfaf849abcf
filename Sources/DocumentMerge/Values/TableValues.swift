/// The cells of a table, each with its row and column.
struct TableValues: ReadValues {
  private let table: TableText
  private let hasHeader: Bool
  let values: [DocumentValues.Value]

  private var first: Int { hasHeader ? 1 : 0 }

  init(_ table: TableText) {
    self.table = table
    hasHeader = table.hasHeader
    let first = table.hasHeader ? 1 : 0
    let same = MergeSides(base: table, ours: table, theirs: table)
    let key = Self.columns(same, hasHeader: table.hasHeader)
      .flatMap { TableKey(among: $0.merged, same, first: first) }?.columns.compactMap(\.ours)
    let names = (0..<table.columnCount).map { column in
      table.hasHeader
        ? String(decoding: table.value(0, column), as: UTF8.self) : "\(column + 1)"
    }
    values = (first..<max(first, table.rowCount)).flatMap { row in
      let name =
        key.map { $0.map { excerpt(table.value(row, $0)) }.joined(separator: ", ") }
        ?? "\(row + 1)"
      return names.indices.map { column in
        DocumentValues.Value(
          path: "row \(name), column \(names[column])", text: Array(table.cell(row, column)))
      }
    }
  }

  func places(in former: any ReadValues) -> [Int?] {
    var places = [Int?](repeating: nil, count: values.count)
    guard let former = former as? TableValues, hasHeader == former.hasHeader else { return places }
    let sides = MergeSides(base: former.table, ours: table, theirs: table)
    guard let columns = Self.columns(sides, hasHeader: hasHeader) else { return places }
    let key = TableKey(among: columns.merged, sides, first: first)
    let pair = TablePair(former.table, table, columns, \.base, \.ours, key, first)
    guard let rows = RowMatching(pair) else { return places }
    let both = (columns.merged + columns.removed).compactMap { column in
      column.ours.flatMap { new in column.base.map { (new: new, old: $0) } }
    }
    for (row, origin) in rows.origins.enumerated() {
      guard let origin else { continue }
      for column in both
      where table.value(row + first, column.new)
        == former.table.value(origin + first, column.old)
      {
        places[row * table.columnCount + column.new] =
          origin * former.table.columnCount + column.old
      }
    }
    return places
  }

  private static func columns(
    _ tables: MergeSides<TableText>, hasHeader: Bool
  ) -> TableColumns? {
    TableColumns(tables, hasHeader: hasHeader, labels: MergeLabels(), log: ClashLog()) { _ in false
    }
  }
}

extension TableMergeEngine: ValueReader {
  func values(of document: [UInt8]) -> (any ReadValues)? {
    guard let text = DecodedText(document),
      let (_, tables) = tables(
        MergeSides(base: nil, ours: text, theirs: text), labels: MergeLabels())
    else { return nil }
    return TableValues(tables.ours)
  }
}
