/// Lines of cells under one another.
struct Table {
  /// A piece of text with its look.
  struct Cell {
    let text: String
    /// How many columns of a terminal the text takes.
    let columns: Int
    /// Nil where there are no colours anyway.
    let style: ((String) -> String)?
    /// How many spaces follow.
    let gap: Int

    init(_ text: String, gap: Int = 2, style: ((String) -> String)? = nil) {
      self.text = text
      columns = text.columns
      self.gap = gap
      self.style = Console.hasColours ? style : nil
    }
  }

  /// Rows of cells; short rows are fine.
  var rows: [[Cell]] = []

  /// The rows as lines no wider than the terminal; columns without any text take no room.
  func lines(width: Int = Console.width) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columns)
      }
    }
    return rows.map { line(of: $0, widths: widths, width: width) }
  }

  private func line(of row: [Cell], widths: [Int], width: Int) -> String {
    var line = ""
    var used = 0
    // Spaces are only written once something follows them.
    var gap = 0
    for (cell, columnWidth) in zip(row, widths) where columnWidth > 0 {
      let room = width - used - gap
      let text = cell.columns <= room ? cell.text : cell.text.cut(toColumns: room)
      let columns = cell.columns <= room ? cell.columns : text.columns
      if !text.isEmpty {
        line += String(repeating: " ", count: gap)
        line += cell.style?(text) ?? text
        used += gap + columns
        gap = 0
      }
      gap += columnWidth - columns + cell.gap
    }
    return line
  }
}

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int {
    // Mostly all is of Western languages (up to U+02FF), each letter one scalar, and no line ends inside.
    var letters = 0
    for byte in utf8 {
      switch byte {
      case 0x20...0x7E, 0xC2...0xCB: letters += 1
      case 0x80...0xBF: break
      default: return reduce(0) { $0 + $1.columns }
      }
    }
    return letters
  }

  /// The text, or as much of its beginning as fits, with "…".
  func cut(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var used = 1
    let kept = prefix { character in
      used += character.columns
      return used <= limit
    }
    return limit < 1 ? "" : kept + "…"
  }
}

extension Character {
  /// Two for the scripts of East Asia and for emoji, one for all others.
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if isASCII { return 1 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      return first.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }
}
