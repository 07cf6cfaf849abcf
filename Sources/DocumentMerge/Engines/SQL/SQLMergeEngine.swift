/// Merges SQL: rows of values as rows of a table, all else by lines.
///
/// Rows are merged apart where all sides insert into the same tables in the same order, and where that leaves no question;
/// else they are lines, too.
struct SQLMergeEngine: MergeEngine {
  private let text = TextMergeEngine(style: .lines, asksAboutMoves: true)
  private let table = TableMergeEngine(separator: "\t", hasHeader: true)

  var name: String { "sql" }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    guard let texts = NormalisedTexts(changed: sides, options) else {
      return try text.openMerge(of: sides, options: options)
    }
    let rows = texts.lines.map { SQLRows.all(in: $0) }
    let found = rows.map { $0.map { TextPart(key: $0.form.head, lines: $0.lines) } }
    let parts = try MergedParts(found, of: texts.lines) { number, _ in
      try merged(rows.map { $0[number] }, options)
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
    return OpenMerge(PrefacedMerge(preface: texts.decisions + said, merge: merge))
  }

  /// The rows of a table, merged; `nil` if they leave a question.
  private func merged(
    _ sides: MergeSides<SQLRows>, _ options: MergeOptions
  ) throws -> [UInt8]? {
    let tables = sides.map(table(of:))
    guard Set(sides.all.map(\.form)).count == 1, Set(sides.all.map(\.columns)).count == 1,
      let base = tables.base ?? nil, let ours = tables.ours, let theirs = tables.theirs
    else { return nil }
    let outcome = try table.merge(
      MergeSides(base: base, ours: ours, theirs: theirs), options: options)
    guard outcome.isComplete else { return nil }
    var spellings: [[[UInt8]]: SQLRows.Row] = [:]
    for row in sides.theirs.rows + sides.ours.rows { spellings[row.values] = row }
    let separator = sides.ours.separator
    let rows = outcome.bytes.split(separator: .lineFeed).dropFirst().map { line in
      let values = line.split(separator: 0x09, omittingEmptySubsequences: false).map(Array.init)
      return spellings[values]
        ?? SQLRows.Row(values: values, text: Array(values.joined(separator: separator)))
    }
    return rows.isEmpty ? nil : sides.ours.written(rows)
  }

  /// The rows as a table with tabs; `nil` where values have some.
  private func table(of rows: SQLRows) -> [UInt8]? {
    let special: Set<UInt8> = [0x09, UInt8(ascii: "\"")]
    guard rows.rows.allSatisfy({ $0.values.allSatisfy { special.isDisjoint(with: $0) } }) else {
      return nil
    }
    let head = Array(rows.columns.joined(separator: "\t").utf8) + [.lineFeed]
    return rows.rows.reduce(into: head) { table, row in
      table += row.values.joined(separator: [0x09]) + [.lineFeed]
    }
  }
}
