extension ProseUnit {
  /// Merges the edits of a unit.
  /// - Parameter style: The style of the text; each line of the result must keep its kind in this style.
  static func merged(_ units: MergeSides<ProseUnit>, style: TextStyle) -> ProseMerge {
    let bytes = units.map(\.bytes)
    if let kind = bytes.settled { return .settled(bytes.base == bytes.ours ? nil : kind, bytes) }
    guard let base = units.base, base.kind.isLike(units.ours.kind),
      base.kind.isLike(units.theirs.kind)
    else { return .clash }
    switch base.kind {
    case .blank:
      return .settled(.ours)
    case .code:
      return .clash
    case .paragraph, .single, .entry:
      return mergedWords(bytes, style).map { .combined($0, .words) } ?? .clash
    case .tableRow:
      return mergedRow(bytes).map { .combined($0, .cells) }
        ?? WordMerge.merged(bytes).map { .combined($0, .words) } ?? .clash
    case .listItem:
      guard
        let marker = mergedMarker(units),
        let text = mergedWords(units.map { Array($0.content) }, style)
      else { return .clash }
      return .combined(marker + text, .words)
    }
  }

  /// Merges by words, unless a line of the result would change its kind.
  ///
  /// For example, a line wrap of one side must not move a mark of the other side to where it starts a list.
  private static func mergedWords(
    _ sides: MergeSides<[UInt8]>, _ style: TextStyle
  ) -> [UInt8]? {
    let styles: Set<TextStyle> = [.markdown, style]
    func isOneUnit(_ bytes: [UInt8]) -> Bool {
      styles.allSatisfy { style in
        ProseLine.lines(of: TextLines(bytes), style: style).dropFirst()
          .allSatisfy { $0 == .paragraph }
      }
    }
    // If both sides changed a space, ours is used, so the merge must also succeed with swapped sides.
    let swapped = MergeSides(base: sides.base, ours: sides.theirs, theirs: sides.ours)
    guard let merged = WordMerge.merged(sides), let mirrored = WordMerge.merged(swapped) else {
      return nil
    }
    let isSound = isOneUnit(merged) && isOneUnit(mirrored)
    return isSound || !sides.all.allSatisfy(isOneUnit) ? merged : nil
  }

  /// Merges the markers of a list item: indentation and bullet, number, and task box.
  private static func mergedMarker(_ units: MergeSides<ProseUnit>) -> [UInt8]? {
    let parts = units.map { unit -> [[UInt8]] in
      guard case .listItem(let marker) = unit.kind else { return [] }
      let (start, end) = (marker.prefix, marker.prefix + marker.digits)
      return [
        Array(unit.bytes[..<start]), Array(unit.bytes[start..<end]),
        Array(unit.bytes[end..<marker.lead].drop { _ in marker.digits == 0 }),
        Array(unit.bytes[marker.lead..<marker.length]),
      ]
    }
    var result: [UInt8] = []
    for index in 0..<4 {
      let part = parts.map { $0[index] }
      switch part.settled {
      case .theirs: result += part.theirs
      case .some: result += part.ours
      // Two new numbers: both sides moved the item, and the list is renumbered.
      case nil where index == 1 && !part.all.contains([]): result += part.ours
      case nil: return nil
      }
    }
    return result
  }

  /// Merges a row of a Markdown table by cells; `nil` if they clash, or their number differs.
  private static func mergedRow(_ rows: MergeSides<[UInt8]>) -> [UInt8]? {
    let cells = rows.map(cells)
    guard let base = cells.base, cells.all.allSatisfy({ $0.count == base.count }) else {
      return nil
    }
    var result: [[UInt8]] = []
    for index in base.indices {
      let cell = cells.map { $0[index] }
      guard let merged = WordMerge.merged(cell) else { return nil }
      result.append(merged)
    }
    return Array(result.joined(separator: "|".utf8))
  }

  /// Returns the cells of a row of a Markdown table, with the spaces around them.
  static func cells(of row: [UInt8]) -> [[UInt8]] {
    var cells: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in row {
      if byte == UInt8(ascii: "|"), !isEscaped {
        cells.append([])
      } else {
        cells[cells.count - 1].append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return cells
  }

  /// The first cell with contents in lowercase, by which tables are sorted.
  var rowKey: String { Self.rowKey(of: bytes) }

  /// Returns the first cell of a row with contents, in lowercase.
  static func rowKey(of row: [UInt8]) -> String {
    let cell = cells(of: row).lazy
      .map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } }
      .first { !$0.isEmpty }
    return (cell ?? "").lowercased()
  }
}

extension ProseMerge {
  fileprivate static func settled(
    _ kind: MergeDecision.Kind?, _ bytes: MergeSides<[UInt8]>
  ) -> ProseMerge {
    // An unchanged value needs no decision; with a change of theirs, ours equals base.
    bytes.ours == bytes.theirs && bytes.base == bytes.ours
      ? .settled(nil) : .settled(kind ?? .theirs)
  }
}

extension [ProseUnit] {
  /// Divides a merged part of a list or a table into units.
  static func units(of bytes: [UInt8]) -> [ProseUnit] {
    var numbers = WordNumbers()
    let text = TextLines(bytes)
    return units(
      of: text, kinds: ProseLine.lines(of: text, style: .plain), in: 0..<text.count,
      numbers: &numbers)
  }

  /// The markers of the outermost numbered items.
  private var numberedItems: [(index: Int, marker: ListMarker, number: Int)] {
    let items = indices.compactMap { index -> (Int, ListMarker, Int)? in
      guard case .listItem(let marker) = self[index].kind, let number = marker.number else {
        return nil
      }
      return (index, marker, number)
    }
    let margin = items.map(\.1.indentation).min()
    return items.filter { $0.1.indentation == margin }
  }

  /// The marker of the first outermost numbered item.
  var firstNumberedItem: ListMarker? { numberedItems.first?.marker }

  /// True if each number is the previous one plus one.
  var isNumberedInOrder: Bool {
    let numbers = numberedItems.map(\.number)
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }
  }

  /// Returns the text with the items numbered consecutively from a number.
  func renumbered(from start: Int) -> [UInt8] {
    let items = numberedItems
    var bytes = map(\.bytes)
    for (offset, item) in items.enumerated() {
      let digits = item.marker.prefix..<item.marker.prefix + item.marker.digits
      bytes[item.index].replaceSubrange(digits, with: String(start + offset).utf8)
    }
    return bytes.flatMap { $0 }
  }
}
