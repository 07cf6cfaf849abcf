/// Lines of aligned cells.
struct Table {
  /// A piece of text with its style.
  struct Cell {
    let text: String
    /// The number of columns of a terminal that the text takes.
    let columns: Int
    /// `nil` if there are no colors anyway.
    let style: ((String) -> String)?
    /// The number of spaces that follow.
    let gap: Int
    /// The order in which cells are shortened if a line is too long.
    let room: Room

    init(
      _ text: String, gap: Int = 2, room: Room = .firm, style: ((String) -> String)? = nil
    ) {
      self.text = text
      columns = text.columns
      self.gap = gap
      self.room = room
      self.style = Console.hasColours ? style : nil
    }
  }

  /// The order in which columns are shortened if a line is too long.
  enum Room {
    /// Not shortened before the end of the line is reached.
    case firm
    /// Shortened in the middle, so that the firm columns are shown completely.
    case yielding
    /// Takes the space that the others leave.
    case rest
  }

  /// Rows of cells; short rows are fine.
  var rows: [[Cell]] = []

  /// Returns the rows as lines no wider than the terminal; columns without any text take no space.
  func lines(width: Int = Console.width) -> [String] {
    rowLines(width: width).flatMap(\.self)
  }

  /// Returns the lines of each row, usually one.
  func rowLines(width: Int = Console.width) -> [[String]] {
    var columns: [Column] = []
    for row in rows {
      for (place, cell) in row.enumerated() {
        if place == columns.count { columns.append(Column()) }
        columns[place].add(cell)
      }
    }
    if width < .max {
      let excess = Self.shorten(&columns, to: width)
      if excess > 0 { return rows.map { Self.folded($0, width) } }
    } else {
      Self.limit(&columns)
    }
    return rows.map { [line(of: $0, columns: columns, width: width)] }
  }

  /// The width and the style of the cells in one column.
  private struct Column {
    var width = 0
    /// The width to which cells are padded; `nil` for all of it.
    var padding: Int?
    var gap = 0
    var room = Room.firm

    mutating func add(_ cell: Cell) {
      width = max(width, cell.columns)
      gap = max(gap, cell.gap)
      if cell.room != .firm { room = cell.room }
    }
  }

  /// The minimum width to which a column is shortened.
  private static let fewestColumns = 12

  /// The maximum width of a yielding cell if lines may have any length.
  private static let mostColumns = 120

  /// The width to which shorter cells are padded in that case; longer ones extend beyond it.
  private static let mostPadding = 40

  /// Limits what one long cell adds to every line.
  private static func limit(_ columns: inout [Column]) {
    for index in columns.indices where columns[index].room != .rest {
      columns[index].padding = min(columns[index].width, mostPadding)
      columns[index].width = min(columns[index].width, mostColumns)
    }
  }

  /// Returns the lines of a row whose firm cells don't fit on one line: as many cells on each as fit, uncut
  /// if possible.
  private static func folded(_ row: [Cell], _ width: Int) -> [String] {
    var lines: [String] = []
    var (line, used, gap) = ("", 0, 0)
    for cell in row where !cell.text.isEmpty {
      let indent = lines.isEmpty && used == 0 ? 0 : 2
      let text =
        cell.room == .yielding
        ? cell.text.shortened(toColumns: width - indent) : cell.text.cut(toColumns: width - indent)
      if used > 0, used + gap + text.columns > width {
        lines.append(line)
        (line, used, gap) = ("  ", 2, 0)
      }
      line += String(repeating: " ", count: gap) + (cell.style?(text) ?? text)
      used += gap + text.columns
      gap = cell.gap
    }
    return lines + [line]
  }

  /// Shortens the widest of the yielding columns until the firm ones fit, or no column has any more to give.
  ///
  /// - Returns: the number of terminal columns that are still too many.
  private static func shorten(_ columns: inout [Column], to width: Int) -> Int {
    let needed = columns.indices.filter { columns[$0].room != .rest && columns[$0].width > 0 }
    // The column that takes the rest needs some space, too.
    let rest = columns.filter { $0.room == .rest && $0.width > 0 }
      .reduce(0) { $0 + min($1.width, fewestColumns) + 2 }
    let gaps = needed.dropLast().reduce(0) { $0 + columns[$1].gap }
    var excess = needed.reduce(gaps) { $0 + columns[$1].width } + rest - width
    let yielding = needed.filter { columns[$0].room == .yielding }
    while excess > 0, let widest = yielding.max(by: { columns[$0].width < columns[$1].width }),
      columns[widest].width > fewestColumns
    {
      columns[widest].width -= 1
      excess -= 1
    }
    return excess
  }

  private func line(of row: [Cell], columns: [Column], width: Int) -> String {
    var line = ""
    var used = 0
    // Spaces are only written once something follows them.
    var gap = 0
    for (cell, column) in zip(row, columns) where column.width > 0 {
      let room = width - used - gap
      var (text, columns) = (cell.text, cell.columns)
      if columns > column.width, cell.room == .yielding || width < .max {
        text = text.shortened(toColumns: column.width)
        columns = text.columns
      }
      if columns > room {
        text = text.cut(toColumns: room)
        columns = text.columns
      }
      if !text.isEmpty {
        line += String(repeating: " ", count: gap)
        line += cell.style?(text) ?? text
        used += gap + columns
        gap = 0
      }
      gap += max(0, (column.padding ?? column.width) - columns) + cell.gap
    }
    return line
  }
}

extension String {
  /// The number of columns of a terminal that the text takes.
  var columns: Int {
    // Most texts have only Western letters (up to U+02FF), each of one scalar, and no line ends.
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

  /// Returns the text, or as much of its beginning as fits, with "…".
  func cut(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var used = 1
    let kept = prefix { character in
      used += character.columns
      return used <= limit
    }
    return limit < 1 ? "" : kept + "…"
  }

  /// Returns the text, or as much of its beginning and its end as fits, with "…" between them.
  func shortened(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    guard limit > 2 else { return cut(toColumns: limit) }
    let start = cut(toColumns: limit - (limit - 1) / 2)
    var used = start.columns
    let end = reversed().prefix { character in
      used += character.columns
      return used <= limit
    }
    return start + String(end.reversed())
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
