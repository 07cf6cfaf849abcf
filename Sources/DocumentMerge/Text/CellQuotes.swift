/// Reads a table as text, and determines which bytes are in the quotes of its cells.
///
/// Line endings in quotes are contents of the cells, whatever the ends of the rows.
struct CellQuotes: Sendable {
  /// The place of a byte.
  private enum Place {
    case start, inside, closed, cell
  }

  /// The quotes of a text without cells.
  static let none = CellQuotes(separator: nil)

  /// The separator of cells; `nil` in a text without them.
  let separator: UInt8?
  private var place = Place.start

  /// - Parameter separator: The byte between two cells; `nil` in a text without them.
  init(separator: UInt8?) {
    self.separator = separator
  }

  /// Advances to the next byte of the text.
  /// - Returns: Whether the byte is in quotes.
  mutating func hold(_ byte: UInt8) -> Bool {
    guard let separator else { return false }
    let isQuote = byte == .quote
    switch place {
    case .inside:
      if isQuote { place = .closed }
      return true
    case .start where isQuote, .closed where isQuote:
      // A second quote after one that seemed to close the cell represents a quote in it.
      place = .inside
      return true
    case .start, .closed, .cell:
      let isEnd = byte == separator || byte == .lineFeed || byte == .carriageReturn
      place = isEnd ? .start : .cell
      return false
    }
  }
}
