/// Merges SQL: rows of values as table rows, and everything else by lines.
///
/// Rows are merged separately if it is clear which of them belong to one table, and if that leaves no
/// question; otherwise they are merged as lines.
struct SQLMergeEngine: OpenMergeEngine {
  private let text = TextMergeEngine(style: .lines, asksAboutMoves: true)
  private let table = TableMergeEngine(separator: 0x09, hasHeader: true)

  var name: String { "sql" }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    guard let texts = NormalisedTexts(changed: sides, options) else {
      return try text.openMerge(of: sides, options: options)
    }
    let rows = texts.lines.map { SQLRows.all(in: $0) }
    let heads = rows.all.map { $0.map(\.form.head) }
    let areNames = heads.allSatisfy { Set($0).count == $0.count }
    let found = texts.lines.map { text in
      SQLRows.all(in: text).map { rows in
        if areNames { return TextPart(named: rows.form.head, rows.lines) }
        let opening = rows.lines.lowerBound - (rows.form.isStatements ? 0 : 1)
        return TextPart(rows.form.head, rows.lines, opening: opening, in: text)
      }
    }
    let parts = try MergedParts(found, of: texts.lines, options: options) { number, _ in
      try merged(rows.map(with: number) { $0[$1] }, options)
    }
    guard let parts else { return text.openMerge(of: texts, options: options) }
    let merge = PartedText(
      body: text.openMerge(
        of: NormalisedTexts(lines: parts.texts, of: texts.form), options: options),
      places: parts.places, form: texts.form)
    let said = parts.merged.map { _ in
      MergeDecision(
        kind: .combined, explanation: "The changes of both sides to rows of values were combined.")
    }
    return OpenMerge(
      PrefacedMerge(preface: texts.decisions + said + parts.doubts, merge: merge))
  }

  /// Returns the merged rows of a table; `nil` if they can't be merged as rows.
  private func merged(
    _ sides: MergeSides<SQLRows>, _ options: MergeOptions
  ) throws -> MergeOutcome? {
    guard Set(sides.all.map(\.form)).count == 1, Set(sides.all.map(\.columns)).count == 1,
      sides.base != nil, let tables = sides.compactMap(table(of:))
    else { return nil }
    let outcome = try table.merge(tables, options: options)
    guard outcome.isComplete else { return outcome }
    var spellings: [[[UInt8]]: SQLRows.Row] = [:]
    let known = Set(sides.base?.rows ?? [])
    for row in sides.theirs.rows { spellings[row.values] = row }
    for row in sides.ours.rows where !known.contains(row) || spellings[row.values] == nil {
      spellings[row.values] = row
    }
    let separator = sides.ours.separator
    let rows = outcome.bytes.split(separator: .lineFeed).dropFirst().map { line in
      let values = line.split(separator: 0x09, omittingEmptySubsequences: false).map(Array.init)
      return spellings[values]
        ?? SQLRows.Row(values: values, text: Array(values.joined(separator: separator)))
    }
    return rows.isEmpty
      ? nil : MergeOutcome(bytes: sides.ours.written(rows), decisions: outcome.decisions)
  }

  /// Returns the rows as a tab-separated table; `nil` if values contain tabs, there are none, or rows have only
  /// one.
  private func table(of rows: SQLRows) -> [UInt8]? {
    let special: Set<UInt8> = [0x09, UInt8(ascii: "\"")]
    let arePlain = rows.rows.allSatisfy { row in
      row.values.allSatisfy { !$0.isEmpty && special.isDisjoint(with: $0) }
    }
    guard arePlain, rows.columns.count > 1 else { return nil }
    let head = Array(rows.columns.joined(separator: "\t").utf8) + [.lineFeed]
    return rows.rows.reduce(into: head) { table, row in
      table += row.values.joined(separator: [0x09]) + [.lineFeed]
    }
  }
}
