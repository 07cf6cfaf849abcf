/// Merges three tables by rows and cells.
struct TableMerge {
  private let tables: MergeSides<TableText>
  private let base: TableText
  private let columns: TableColumns
  private let areUnchanged: Bool
  private let rows: TableRows
  private let hasHeader: Bool
  private let labels: MergeLabels
  private let emptyCell: ArraySlice<UInt8>
  /// The decisions, and the clashes that have no answer yet.
  let log: ClashLog

  private var first: Int { hasHeader ? 1 : 0 }
  /// The key, if its columns have the same positions in the merged table.
  var unmovedKey: TableKey? { areUnchanged ? rows.key : nil }

  /// Determines which columns and rows correspond.
  /// - Parameter answers: The answers to the clashes of an earlier run.
  /// - Returns: `nil` if that isn't certain.
  init?(
    _ tables: MergeSides<TableText>, hasHeader: Bool, labels: MergeLabels,
    answers: [ClashLog.Key: MergeAnswer] = [:]
  ) {
    guard let base = tables.base else { return nil }
    let first = hasHeader ? 1 : 0
    let log = ClashLog(answers: answers)
    let columns = TableColumns(tables, hasHeader: hasHeader, labels: labels, log: log) { column in
      Self.isEdited(column, tables, base)
    }
    guard let columns else { return nil }
    let key = TableKey(among: columns.merged, tables, first: first)
    guard let rows = TableRows(tables, first: first, columns: columns, key: key) else { return nil }
    self.tables = tables
    self.base = base
    self.columns = columns
    areUnchanged = columns.areUnchanged
    self.rows = rows
    self.hasHeader = hasHeader
    self.labels = labels
    self.log = log
    let isQuoted = (0..<tables.ours.columnCount).allSatisfy {
      tables.ours.cell(0, $0).first == 0x22
    }
    emptyCell = isQuoted ? [0x22, 0x22] : []
  }

  /// Returns whether the side that kept a column changed a cell or the name of it, or filled in a cell in a
  /// new row.
  private static func isEdited(
    _ column: TableColumns.Column, _ tables: MergeSides<TableText>, _ base: TableText
  ) -> Bool {
    let (side, index) =
      column.ours == nil
      ? (tables.theirs, column.theirs) : (tables.ours, column.ours)
    guard let index, let old = column.base else { return false }
    func counts(_ table: TableText, _ column: Int) -> [ArraySlice<UInt8>: Int] {
      (0..<table.rowCount).reduce(into: [:]) { counts, row in
        counts[table.value(row, column), default: 0] += 1
      }
    }
    let known = counts(base, old)
    return counts(side, index).contains { value, count in
      !value.isEmpty && count > known[value, default: 0]
    }
  }

  /// Merges the tables.
  /// - Returns: The text of the merged table; `nil` if the names of the columns wouldn't be unique.
  func merged() -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(tables.ours.bytes.count + 1024)
    if hasHeader {
      appendRow(MergeSides(base: 0, ours: 0, theirs: 0), name: "the header", to: &bytes)
      guard let header = TableText(bytes, separator: base.separator) else { return nil }
      let names = header.values(0)
      guard Set(names).count == names.count else { return nil }
    }
    let isKept = (0..<rows.count).map { decideAbout(row: $0) }
    let order = MergedOrder(
      rows.orders, count: rows.count, named: "the order of the rows", labels, log
    ) { isKept[$0] }
    order.decision.map(log.record)
    for row in order.elements {
      appendRow(
        MergeSides(base: rows.base[row], ours: rows.ours[row], theirs: rows.theirs[row]),
        name: name(of: row), to: &bytes)
    }
    return bytes
  }

  // MARK: Rows

  /// Returns the name of a row: its key, or its number in the first table that has it.
  private func name(of row: Int) -> String {
    let places = [
      (rows.ours[row], tables.ours, rows.key?.columns.compactMap(\.ours)),
      (rows.theirs[row], tables.theirs, rows.key?.columns.compactMap(\.theirs)),
      (rows.base[row], base, rows.key?.columns.compactMap(\.base)),
    ]
    for case (let place, let table, let columns) in places where place >= 0 {
      guard let columns else { return "row \(place + 1)" }
      return "row " + columns.map { excerpt(table.value(place, $0)) }.joined(separator: ", ")
    }
    return "row"
  }

  /// Returns whether a row remains; a row that one side removed and the other side edited is a clash, and
  /// remains.
  private func decideAbout(row: Int) -> Bool {
    let (old, ours, theirs) = (rows.base[row], rows.ours[row], rows.theirs[row])
    if old >= 0 {
      guard ours < 0 || theirs < 0 else { return true }
      let isEdited =
        ours >= 0
        ? isEdited(tables.ours, ours, old, \.ours)
        : theirs >= 0 && isEdited(tables.theirs, theirs, old, \.theirs)
      let (remover, other) = ours < 0 ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
      if isEdited {
        return isKept(row, "\(remover) removed the row, and \(other) changed it.")
      }
      if rows.removedByEach.contains(row) {
        return isKept(row, "\(remover) removed the row, and \(other) another one that is equal.")
      }
      let kind: MergeDecision.Kind = ours < 0 && theirs < 0 ? .same : ours < 0 ? .ours : .theirs
      decide(
        kind, row, kind == .same ? "Both removed the row." : "Only \(remover) removed the row.")
      return false
    }
    if ours >= 0 && theirs >= 0 {
      if tables.ours.values(ours) == tables.theirs.values(theirs) {
        decide(.same, row, "Both added the row.")
      }
      return true
    }
    decide(
      ours >= 0 ? .ours : .theirs, row,
      "Only \(ours >= 0 ? labels.ours : labels.theirs) added the row.")
    return true
  }

  /// Returns whether a row that one side removed and the other side changed remains.
  private func isKept(_ row: Int, _ words: String) -> Bool {
    let answer = log.answer(
      to: decision(.clash, row, words), bytes(of: row).map { $0.map(Array.init) },
      choices: [.ours, .theirs], at: .presence)
    return answer.map { ($0 == .theirs ? rows.theirs : rows.ours)[row] >= 0 } ?? true
  }

  private func decide(_ kind: MergeDecision.Kind, _ row: Int, _ words: String) {
    log.record(decision(kind, row, words))
  }

  private func decision(_ kind: MergeDecision.Kind, _ row: Int, _ words: String) -> MergeDecision {
    MergeDecision(kind, at: MergePlace(path: name(of: row)), bytes(of: row), words)
  }

  /// Returns a row as each table has it.
  private func bytes(of row: Int) -> SideBytes {
    func bytes(_ table: TableText, _ row: Int) -> ArraySlice<UInt8>? {
      row < 0 ? nil : table.row(row)
    }
    return SideBytes(
      base: bytes(base, rows.base[row]), ours: bytes(tables.ours, rows.ours[row]),
      theirs: bytes(tables.theirs, rows.theirs[row]))
  }

  private func isEdited(
    _ table: TableText, _ row: Int, _ old: Int, _ index: KeyPath<TableColumns.Column, Int?>
  ) -> Bool {
    if base.row(old) == table.row(row) { return false }
    return (columns.merged + columns.removed).contains { column in
      guard let own = column[keyPath: index] else { return false }
      // In a column that base lacks, a cell is new if it isn't empty.
      let value = column.base.map { base.value(old, $0) } ?? []
      return table.value(row, own) != value
    }
  }

  // MARK: Cells

  /// Writes a row cell by cell, and records the decisions about it.
  private func appendRow(_ row: MergeSides<Int>, name: String, to bytes: inout [UInt8]) {
    let old = row.base ?? -1
    if areUnchanged, old >= 0, row.ours >= 0, row.theirs >= 0,
      base.row(old) == tables.ours.row(row.ours), base.row(old) == tables.theirs.row(row.theirs)
    {
      bytes += base.row(old)
      bytes.append(.lineFeed)
      return
    }
    var changed: Set<MergeDecision.Kind> = []
    for (offset, column) in columns.merged.enumerated() {
      if areUnchanged, isShort(row, offset) { break }
      if offset > 0 { bytes.append(base.separator) }
      let cells = MergeSides(
        base: cell(base, old, column.base),
        ours: cell(tables.ours, row.ours, column.ours),
        theirs: cell(tables.theirs, row.theirs, column.theirs))
      let (cell, kind) = Self.merged(cells)
      if kind == .clash {
        bytes += clashing(cells, "\(name), column \(column.name)")
        continue
      }
      bytes += cell ?? emptyCell
      if let kind, old >= 0, column.base != nil { changed.insert(kind) }
    }
    bytes.append(.lineFeed)
    guard !changed.isEmpty else { return }
    let kind = changed.count > 1 ? .combined : changed.first ?? .combined
    log.record(
      MergeDecision(
        kind: kind, place: MergePlace(path: name),
        base: excerpt(base.row(old)), ours: excerpt(tables.ours.row(row.ours)),
        theirs: excerpt(tables.theirs.row(row.theirs)),
        explanation: kind == .combined
          ? "Both changed different cells of \(name)." : labels.explanation(of: kind, what: name)))
  }

  /// Returns whether a row ends before a column on both sides, or on the only side that has the row or
  /// changed it.
  private func isShort(_ row: MergeSides<Int>, _ column: Int) -> Bool {
    func ends(_ table: TableText, _ place: Int) -> Bool {
      place < 0 || table.lacks(column, in: place)
    }
    func isOld(_ table: TableText, _ place: Int) -> Bool {
      guard let old = row.base, old >= 0, place >= 0 else { return false }
      return base.row(old) == table.row(place)
    }
    let (ours, theirs) = (ends(tables.ours, row.ours), ends(tables.theirs, row.theirs))
    return ours && theirs || ours && isOld(tables.theirs, row.theirs)
      || theirs && isOld(tables.ours, row.ours)
  }

  /// Returns the value of a cell that both sides changed differently.
  private func clashing(
    _ cells: MergeSides<ArraySlice<UInt8>?>, _ place: String
  ) -> ArraySlice<UInt8> {
    let values = cells.map { $0.map { TableText.value(of: $0) } }
    let decision = MergeDecision(
      .clash, at: MergePlace(path: place), values, "Both sides changed the cell, differently.")
    let base = cells.base.flatMap { $0 }
    switch log.answer(
      to: decision, values.map { $0.map(Array.init) },
      choices: base == nil ? [.ours, .theirs, .text] : [.ours, .theirs, .base, .text],
      at: .value)
    {
    case .theirs: return cells.theirs ?? emptyCell
    case .base: return base ?? emptyCell
    case .text(let text):
      let value = text.last == .lineFeed ? text.dropLast() : text[...]
      return TableText.cell(saying: value, like: cells.ours ?? [], separator: self.base.separator)
    case nil, .ours, .both: return cells.ours ?? emptyCell
    }
  }

  private func cell(_ table: TableText, _ row: Int, _ column: Int?) -> ArraySlice<UInt8>? {
    guard row >= 0, let column else { return nil }
    return table.cell(row, column)
  }

  /// Merges a cell as it is written, or else by its value.
  private static func merged(
    _ cells: MergeSides<ArraySlice<UInt8>?>
  ) -> (cell: ArraySlice<UInt8>?, kind: MergeDecision.Kind?) {
    guard let ours = cells.ours else { return (cells.theirs, nil) }
    guard let theirs = cells.theirs else { return (ours, nil) }
    guard let base = cells.base.flatMap({ $0 }) else {
      return (ours, TableText.words(of: ours) == TableText.words(of: theirs) ? nil : .clash)
    }
    if ours == theirs { return (ours, ours == base ? nil : .same) }
    if ours == base { return (theirs, .theirs) }
    if theirs == base { return (ours, .ours) }
    let values = MergeSides(base: base, ours: ours, theirs: theirs).map(TableText.words)
    switch values.settled {
    case .theirs: return (theirs, .theirs)
    case .some(let kind): return (ours, kind)
    case nil: return (ours, .clash)
    }
  }
}
