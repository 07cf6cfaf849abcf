/// A table as text, divided into rows and cells without losing a byte.
///
/// A row is its cells joined by the separator, with a line feed. All rows have the same number of cells; any
/// other text isn't a table. If it is allowed, a few rows may lack their last cells, which are then empty.
struct TableText {
  /// The byte between two cells.
  typealias Separator = UInt8

  let bytes: [UInt8]
  let separator: Separator
  let columnCount: Int
  /// True if rows may lack their last cells.
  let allowsShortRows: Bool
  /// The end of each cell, row by row, where the separator or the line feed is.
  ///
  /// A missing cell ends where the previous one does.
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

  /// Returns a cell as written; empty if the row lacks it.
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

  /// Returns a row as written, without the line feed.
  func row(_ row: Int) -> ArraySlice<UInt8> {
    let first = row * columnCount
    return bytes[(first == 0 ? 0 : ends[first - 1] + 1)..<ends[first + columnCount - 1]]
  }

  /// Returns the value of a cell, without its quotes, with normalized line endings.
  func value(_ row: Int, _ column: Int) -> ArraySlice<UInt8> { Self.words(of: cell(row, column)) }

  /// Returns the values of cells in a row as one text, which differs for different cells.
  func text(of columns: [Int], in row: Int) -> ArraySlice<UInt8> {
    if columns.count == 1 { return value(row, columns[0]) }
    var text: [UInt8] = []
    text.reserveCapacity(columns.reduce(0) { $0 + cell(row, $1).count + 4 })
    for column in columns {
      let value = value(row, column)
      text += value
      // The boundaries between cells are part of the text.
      withUnsafeBytes(of: Int32(truncatingIfNeeded: value.count)) { text += $0 }
    }
    return text[...]
  }

  /// Returns a cell with a value, in quotes if another cell has quotes, or if they are needed.
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

  /// Returns the value of a cell as written.
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

  /// Returns the value of a cell as written, with normalized line endings.
  static func words(of cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let value = value(of: cell)
    guard value.contains(.carriageReturn) else { return value }
    return LineEnding.mixed.normalised(Array(value))[...]
  }

  /// Returns the values of a row, without quotes.
  func values(_ row: Int) -> [ArraySlice<UInt8>] { (0..<columnCount).map { value(row, $0) } }
}

/// Finds the ends of cells.
private struct TableReader {
  let separator: UInt8
  let allowsShortRows: Bool
  private(set) var columnCount = 0
  private(set) var ends: [Int] = []

  init(separator: UInt8, allowsShortRows: Bool) {
    (self.separator, self.allowsShortRows) = (separator, allowsShortRows)
  }

  /// Reads all rows; returns `false` if the text isn't a table.
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
    // With many short rows, the separator is wrong, or the text isn't a table.
    return rowStart == ends.count && 10 * shortRows * columnCount <= ends.count
  }
}

extension TableText {
  /// The possible separators.
  private static let separators = Array(",;\t|".utf8)

  /// Reads texts as tables with one separator, which makes the most columns.
  /// - Returns: `nil` if no separator makes all of them tables, even with some short rows.
  static func tables(
    _ texts: MergeSides<[UInt8]>, separator: Separator?
  ) -> MergeSides<TableText>? {
    tables(separator: separator) { _ in texts }
  }

  /// Reads texts as tables with one separator, which makes the most columns.
  /// - Parameter texts: The texts as they are read with a separator; `nil` if they can't be.
  /// - Returns: `nil` if no separator makes all of them tables, even with some short rows.
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
      // Any text has one column, which doesn't show a separator.
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

  /// True if the first row names the columns, with unique words that aren't numbers.
  var hasHeader: Bool {
    let names = values(0)
    return Set(names).count == names.count
      && names.allSatisfy { name in
        !name.isEmpty && name.contains { !"0123456789.,-+ ".utf8.contains($0) }
      }
  }
}
