/// Merges tables, such as comma-separated values.
///
/// Lines are merged first. If they clash, or the result wouldn't be a table or would have a row twice, the
/// tables are merged by columns, rows and cells. Columns are identified by their names, and rows by a key,
/// which is one column or the first few, or by all their values if there is no key. The result is a table
/// even if cells clash; they have the value of ours. Unchanged parts keep their bytes, including quotes.
///
/// Texts that aren't tables with rows of equal length, except for a few without their last cells, and tables
/// that both sides added, are merged only by lines.
struct TableMergeEngine: OpenMergeEngine {
  /// The byte between cells; `nil` to detect it: a comma, a semicolon, a tab or a bar.
  var separator: UInt8?
  /// True if the first row has the names of the columns; `nil` to detect it.
  var hasHeader: Bool?
  private var lines: TextMergeEngine { TextMergeEngine() }

  var name: String { "table" }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    // Texts that aren't tables, or are too large, are merged only by lines.
    func plain() throws -> OpenMerge { try lines.openMerge(of: sides, options: options) }
    guard sides.settled == nil, sides.base != nil,
      sides.all.allSatisfy({ $0.count <= options.sizeLimit }),
      let decoded = sides.compactMap({ DecodedText($0) })
    else { return try plain() }
    guard let (texts, tables) = tables(decoded, labels: options.labels) else {
      let byLines = try plain()
      return Self.checked(try byLines.outcome(), byLines, sides)
    }
    let lineOutcome = try lines.openMerge(of: texts, options: options).outcome()
    let hasHeader = hasHeader ?? tables.all.allSatisfy(\.hasHeader)
    let check = TableCheck(tables, first: hasHeader ? 1 : 0)
    // If a side has different columns, lines don't show which cell belongs to which column.
    var (isMistaken, isRejected) = (false, false)
    if lineOutcome.isComplete, !hasHeader || tables.haveOneHeader,
      let text = DecodedText(lineOutcome.bytes),
      let merged = NormalisedTexts(
        MergeSides(base: nil, ours: text, theirs: text), labels: options.labels,
        outside: texts.form.quotes)
    {
      isMistaken = check.isMistaken(merged.lines.ours.bytes)
      isRejected = !check.accepts(merged.lines.ours.bytes)
      if !isMistaken, !isRejected { return OpenMerge(CompleteMerge(outcome: lineOutcome)) }
    }
    let merge: TableRun = { answers in
      guard
        let merge = TableMerge(
          tables, hasHeader: hasHeader, labels: options.labels, answers: answers),
        let merged = merge.merged(),
        // Answers may make rows equal, but the result must be a table.
        answers.isEmpty ? check.accepts(merged, key: merge.unmovedKey) : check.isTable(merged),
        let bytes = texts.form.encode(merged, keepsLastNewline: false)
      else { return nil }
      return (MergeOutcome(bytes: bytes, decisions: merge.log.decisions), merge.log)
    }
    guard let (outcome, log) = merge([:]) else {
      let byLines = try plain()
      let outcome = try byLines.outcome()
      guard !outcome.isComplete || isMistaken else {
        return Self.checked(outcome, byLines, sides, hasDoubledRow: isRejected)
      }
      // With markers, the result wouldn't be a table.
      return OpenMerge(
        asking: "Both sides changed the table, and nothing tells which of its rows are the same.",
        about: sides)
    }
    let answerable = RepeatableMerge(outcome, log) { answers in
      guard let (outcome, _) = merge(answers) else {
        throw MergeError(.invalidAnswer, "With these answers, the result would not be a table.")
      }
      return outcome
    }
    return OpenMerge(PrefacedMerge(preface: texts.decisions, merge: answerable))
  }

  private typealias TableRun =
    @Sendable ([ClashLog.Key: MergeAnswer]) -> (outcome: MergeOutcome, log: ClashLog)?

  /// Reads texts as tables; line endings in quotes are contents of cells.
  func tables(
    _ texts: MergeSides<DecodedText>, labels: MergeLabels
  ) -> (texts: NormalisedTexts, tables: MergeSides<TableText>)? {
    // Without quotes, or if all lines end with line feeds, no distinction is needed.
    let isPlain = [UInt8.carriageReturn, .quote].contains { byte in
      texts.all.allSatisfy { !$0.text.holds(byte) }
    }
    let plain = isPlain ? NormalisedTexts(texts, labels: labels) : nil
    var read: [UInt8: NormalisedTexts] = [:]
    let tables = TableText.tables(separator: separator) { separator in
      read[separator] =
        plain
        ?? NormalisedTexts(texts, labels: labels, outside: CellQuotes(separator: separator))
      return read[separator]?.lines.map(\.bytes)
    }
    guard let tables, let texts = read[tables.ours.separator] else { return nil }
    // If rows have different line endings, one would be inside a row whose last column is no longer the last.
    let headers = tables.map { $0.values(0) }
    guard
      texts.form.lineEnding != .mixed || headers.settled == .same && headers.base == headers.ours
    else { return nil }
    return (texts, tables)
  }

  /// Returns a merge by lines for texts that can't be merged as tables, with a clash if it doubled a row.
  private static func checked(
    _ outcome: MergeOutcome, _ merge: OpenMerge, _ sides: MergeSides<[UInt8]>,
    hasDoubledRow: Bool = false
  ) -> OpenMerge {
    guard outcome.isComplete, hasDoubledRow || TableCheck.hasDoubledLines(outcome.bytes, sides)
    else { return merge }
    let doubled = MergeDecision(
      kind: .clash,
      explanation:
        "With both changes, a row or its key stands twice, and the text can't be merged by rows.")
    return OpenMerge(
      UndividedMerge(
        sides: sides,
        unanswered: MergeOutcome(
          bytes: outcome.bytes, decisions: outcome.decisions + [doubled])))
  }
}

extension MergeSides<TableText> {
  /// True if the first rows of all tables have the same values.
  fileprivate var haveOneHeader: Bool {
    let header = ours.values(0)
    return all.allSatisfy { $0.values(0) == header }
  }
}
