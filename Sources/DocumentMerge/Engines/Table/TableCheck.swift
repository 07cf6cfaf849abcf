/// Checks that a merged table is as valid as the tables that it was made from.
struct TableCheck {
  private let tables: MergeSides<TableText>
  private let first: Int

  init(_ tables: MergeSides<TableText>, first: Int) {
    (self.tables, self.first) = (tables, first)
  }

  /// Returns whether a text is a table with the same separator; it may have no rows.
  func isTable(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty || table(bytes) != nil
  }

  private func table(_ bytes: [UInt8]) -> TableText? {
    TableText(
      bytes, separator: tables.ours.separator, allowsShortRows: tables.ours.allowsShortRows)
  }

  /// Returns whether a text is a table without new duplicates.
  ///
  /// No row may occur more often than in the original tables, and no two rows may have the same value of a
  /// key that was unique in all of them.
  /// - Parameter key: The key, if it is known, because finding it takes time.
  func accepts(_ bytes: [UInt8], key: TableKey? = nil) -> Bool {
    guard let merged = table(bytes) else {
      // A merge that removes everything isn't a table, but is correct.
      return bytes.isEmpty
    }
    guard !Self.hasDoubledLines(merged.lines, tables.map(\.lines)) else { return false }
    guard hasSameShape(merged), let key = key ?? self.key(of: merged) else { return true }
    return TableKey.values(of: merged, key.columns.compactMap(\.ours), first: first) != nil
  }

  private func hasSameShape(_ merged: TableText) -> Bool {
    tables.all.allSatisfy { $0.columnCount == merged.columnCount }
  }

  /// Returns the key of tables with the same columns as a merged one.
  private func key(of merged: TableText) -> TableKey? {
    let columns = (0..<merged.columnCount).map { index in
      TableColumns.Column(
        name: first > 0 ? String(decoding: merged.value(0, index), as: UTF8.self) : "",
        base: index, ours: index, theirs: index)
    }
    return TableKey(among: columns, tables, first: first)
  }

  /// Returns whether a merge by lines has a wrong row, or lacks one.
  ///
  /// A row is wrong if one side removed it while the other side moved it. A row is missing if both sides
  /// still have it, because each removed a different one of equal rows.
  func isMistaken(_ bytes: [UInt8]) -> Bool {
    guard let base = tables.base, let merged = table(bytes) else { return false }
    let all = { (_: ArraySlice<UInt8>) in true }
    let old = Self.counts(base.lines, where: all)
    let (ours, theirs) = (
      Self.counts(tables.ours.lines, where: all), Self.counts(tables.theirs.lines, where: all)
    )
    let new = Self.counts(merged.lines) { old[$0] != nil }
    let areMistaken = old.contains { line, count in
      let kept = min(ours[line, default: 0], theirs[line, default: 0])
      let merged = new[line, default: 0]
      return kept < count && kept < merged || merged < kept
    }
    guard !areMistaken, hasSameShape(merged) else { return areMistaken }
    let gone = (first..<max(first, base.rowCount)).filter { row in
      ours[base.row(row)] == nil && theirs[base.row(row)] == nil
    }
    guard !gone.isEmpty else { return false }
    if let key = key(of: merged) { return hasRevivedKey(merged, key, of: gone, in: base) }
    let added = (first..<max(first, merged.rowCount)).filter { row in
      let line = merged.row(row)
      return old[line] == nil && (ours[line] == nil || theirs[line] == nil)
    }
    return hasRowLike(gone, in: base, among: added, in: merged)
  }

  /// Returns whether the result has the key of a row that one side removed while the other side moved and
  /// changed it.
  private func hasRevivedKey(
    _ merged: TableText, _ key: TableKey, of gone: [Int], in base: TableText
  ) -> Bool {
    let places = key.columns.compactMap(\.ours)
    let old = Set(gone.map { base.text(of: places, in: $0) })
    func known(_ table: TableText) -> Set<ArraySlice<UInt8>> {
      (first..<max(first, table.rowCount)).reduce(into: []) { known, row in
        let key = table.text(of: places, in: row)
        if old.contains(key) { known.insert(key) }
      }
    }
    return !known(merged).isSubset(of: known(tables.ours).intersection(known(tables.theirs)))
  }

  /// Returns whether a row without a key that both sides removed may be elsewhere, moved and changed.
  private func hasRowLike(
    _ gone: [Int], in base: TableText, among added: [Int], in merged: TableText
  ) -> Bool {
    guard gone.count * added.count <= RowMatching.pairLimit else { return false }
    let columns = 0..<merged.columnCount
    return gone.contains { old in
      added.contains { new in
        2 * columns.count { base.value(old, $0) == merged.value(new, $0) } >= columns.count
      }
    }
  }

  static func hasDoubledLines(_ merged: [UInt8], _ sides: MergeSides<[UInt8]>) -> Bool {
    func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
      text.split { $0 == .lineFeed || $0 == .carriageReturn }
    }
    return hasDoubledLines(lines(merged), sides.map(lines))
  }

  private static func hasDoubledLines(
    _ merged: [ArraySlice<UInt8>], _ sides: MergeSides<[ArraySlice<UInt8>]>
  ) -> Bool {
    // Only lines that occur several times can be duplicates, and only rows with contents matter.
    let counts = Self.counts(merged) { line in
      line.contains { !$0.isSpace && !",;|\"".utf8.contains($0) }
    }
    .filter { $0.value > 1 }
    guard !counts.isEmpty else { return false }
    let known = sides.map { Self.counts($0) { counts[$0] != nil } }
    return counts.contains { line, count in
      let (ours, theirs) = (known.ours[line, default: 0], known.theirs[line, default: 0])
      // Both sides may have added one more of a row that base has.
      let base = known.base?[line] ?? 0
      return count > max(base, ours, theirs, base > 0 ? ours + theirs - base : 0)
    }
  }

  private static func counts(
    _ lines: [ArraySlice<UInt8>], where isWanted: (ArraySlice<UInt8>) -> Bool
  ) -> [ArraySlice<UInt8>: Int] {
    lines.reduce(into: [:]) { counts, line in
      if isWanted(line) { counts[line, default: 0] += 1 }
    }
  }
}

extension TableText {
  fileprivate var lines: [ArraySlice<UInt8>] { (0..<rowCount).map(row) }
}
