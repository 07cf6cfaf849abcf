/// A table as text, cut into rows and cells without losing a byte.
///
/// A row is its cells joined by the separator, and a line feed. All rows have the same number of
/// cells; a text that is otherwise is no table. If that is allowed, a few rows may lack their last cells,
/// which then say nothing.
struct TableText {
  /// What stands between two cells.
  typealias Separator = UInt8

  let bytes: [UInt8]
  let separator: Separator
  let columnCount: Int
  /// Whether rows may lack their last cells.
  let allowsShortRows: Bool
  /// Where each cell ends, row by row; the separator or the line feed stands there.
  ///
  /// A cell that is not there ends where the one before it does.
  private let ends: [Int]

  /// Reads a text that is empty or ends with a line feed.
  /// - Returns: `nil` if a row has more or fewer cells than the first one, or a quote is wrong.
  init?(_ bytes: [UInt8], separator: Separator, allowsShortRows: Bool = false) {
    var reader = TableReader(separator: separator, allowsShortRows: allowsShortRows)
    guard !bytes.isEmpty, bytes.withUnsafeBufferPointer({ reader.read($0) }) else { return nil }
    self.bytes = bytes
    self.separator = separator
    self.allowsShortRows = allowsShortRows
    columnCount = reader.columnCount
    ends = reader.ends
  }

  var rowCount: Int { ends.count / columnCount }

  /// A cell as it is written; empty if the row lacks it.
  func cell(_ row: Int, _ column: Int) -> ArraySlice<UInt8> {
    let index = row * columnCount + column
    let start = index == 0 ? 0 : ends[index - 1] + 1
    return bytes[min(start, ends[index])..<ends[index]]
  }

  /// Returns whether a row ends before a column.
  func lacks(_ column: Int, in row: Int) -> Bool {
    let index = row * columnCount + column
    return column > 0 && ends[index] == ends[index - 1]
  }

  /// A row as it is written, without the line feed.
  func row(_ row: Int) -> ArraySlice<UInt8> {
    let first = row * columnCount
    return bytes[(first == 0 ? 0 : ends[first - 1] + 1)..<ends[first + columnCount - 1]]
  }

  /// What a cell says, without its quotes, and whatever its lines end with.
  func value(_ row: Int, _ column: Int) -> ArraySlice<UInt8> { Self.words(of: cell(row, column)) }

  /// What some cells of a row say as one text, which no other cells make.
  func text(of columns: [Int], in row: Int) -> ArraySlice<UInt8> {
    if columns.count == 1 { return value(row, columns[0]) }
    var text: [UInt8] = []
    text.reserveCapacity(columns.reduce(0) { $0 + cell(row, $1).count + 4 })
    for column in columns {
      let value = value(row, column)
      text += value
      // Where one cell ends and the next one starts is part of what they say.
      withUnsafeBytes(of: Int32(truncatingIfNeeded: value.count)) { text += $0 }
    }
    return text[...]
  }

  /// A cell that says something, in quotes if another cell is, or if it has to be.
  static func cell(
    saying value: ArraySlice<UInt8>, like other: ArraySlice<UInt8>, separator: UInt8
  ) -> ArraySlice<UInt8> {
    let needsQuotes = value.contains {
      [.quote, .lineFeed, .carriageReturn, separator].contains($0)
    }
    guard needsQuotes || other.first == .quote else { return value }
    let inside = value.flatMap { $0 == .quote ? [.quote, .quote] : [$0] }
    return [.quote] + inside + [.quote]
  }

  /// What a cell says that is written like this.
  static func value(of cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard cell.first == .quote else { return cell }
    let inside = cell.dropFirst().dropLast()
    guard inside.contains(.quote) else { return inside }
    var value: [UInt8] = []
    var isEscape = false
    for byte in inside {
      isEscape = byte == .quote && !isEscape
      if !isEscape { value.append(byte) }
    }
    return value[...]
  }

  /// What a cell says that is written like this, whatever its lines end with.
  static func words(of cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let value = value(of: cell)
    guard value.contains(.carriageReturn) else { return value }
    return LineEnding.mixed.normalised(Array(value))[...]
  }

  /// What a row says, whatever its quotes are.
  func values(_ row: Int) -> [ArraySlice<UInt8>] { (0..<columnCount).map { value(row, $0) } }
}

/// Finds where cells end.
private struct TableReader {
  let separator: UInt8
  let allowsShortRows: Bool
  private(set) var columnCount = 0
  private(set) var ends: [Int] = []

  init(separator: UInt8, allowsShortRows: Bool) {
    (self.separator, self.allowsShortRows) = (separator, allowsShortRows)
  }

  /// Reads all rows; `false` if the text is no table.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    ends.reserveCapacity(bytes.count / 8)
    var position = 0
    var rowStart = 0
    var shortRows = 0
    while position < bytes.count {
      if bytes[position] == .quote {
        position += 1
        while true {
          guard position < bytes.count else { return false }
          if bytes[position] == .quote {
            guard position + 1 < bytes.count, bytes[position + 1] == .quote else { break }
            position += 1
          }
          position += 1
        }
        position += 1
      } else {
        while position < bytes.count, bytes[position] != separator, bytes[position] != .lineFeed {
          position += 1
        }
      }
      guard position < bytes.count else { return false }
      ends.append(position)
      if bytes[position] == .lineFeed {
        if columnCount == 0 { columnCount = ends.count }
        let missing = columnCount - (ends.count - rowStart)
        guard missing == 0 || allowsShortRows && missing > 0 else { return false }
        if missing > 0 {
          ends.append(contentsOf: repeatElement(position, count: missing))
          shortRows += 1
        }
        rowStart = ends.count
      } else if bytes[position] != separator {
        return false
      }
      position += 1
    }
    // With many of them, it is another separator, or no table.
    return rowStart == ends.count && 10 * shortRows * columnCount <= ends.count
  }
}

extension TableText {
  /// The separators that are looked for.
  private static let separators = Array(",;\t|".utf8)

  /// Reads texts as tables of one separator: that which makes the most columns.
  /// - Returns: `nil` if no separator makes all of them tables, not even with some short rows.
  static func tables(
    _ texts: MergeSides<[UInt8]>, separator: Separator?
  ) -> MergeSides<TableText>? {
    tables(separator: separator) { _ in texts }
  }

  /// Reads texts as tables of one separator: that which makes the most columns.
  /// - Parameter texts: The texts as they are read with a separator; `nil` if they cannot be.
  /// - Returns: `nil` if no separator makes all of them tables, not even with some short rows.
  static func tables(
    separator: Separator?, texts: (Separator) -> MergeSides<[UInt8]>?
  ) -> MergeSides<TableText>? {
    let texts = (separator.map { [$0] } ?? separators).compactMap { separator in
      texts(separator).map { (separator, $0) }
    }
    func tables(allowsShortRows: Bool) -> MergeSides<TableText>? {
      let tables = texts.compactMap { separator, texts in
        texts.compactMap {
          TableText($0, separator: separator, allowsShortRows: allowsShortRows)
        }
      }
      // One column is what any text has: it shows no separator.
      let columns = { (tables: MergeSides<TableText>) in tables.all.map(\.columnCount) }
      return tables.filter { separator != nil || columns($0).allSatisfy { $0 > 1 } }
        .reduce(nil) { best, next in
          guard let best, columns(best).reduce(0, +) >= columns(next).reduce(0, +) else {
            return next
          }
          return best
        }
    }
    return tables(allowsShortRows: false) ?? tables(allowsShortRows: true)
  }

  /// Whether the first row names the columns: words, none twice, none a number.
  var hasHeader: Bool {
    let names = values(0)
    return Set(names).count == names.count
      && names.allSatisfy { name in
        !name.isEmpty && name.contains { !"0123456789.,-+ ".utf8.contains($0) }
      }
  }
}
