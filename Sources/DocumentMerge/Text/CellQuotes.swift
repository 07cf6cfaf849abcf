/// Goes through a table as text, and knows what stands in the quotes of its cells.
///
/// Line ends there are content of the cells, whatever the rows end with.
struct CellQuotes: Sendable {
  /// The place of a byte.
  private enum Place {
    case start, inside, closed, cell
  }

  /// Those of a text without cells: nothing stands in quotes.
  static let none = CellQuotes(separator: nil)

  /// The separator of cells; `nil` in a text without them.
  let separator: UInt8?
  private var place = Place.start

  /// - Parameter separator: What stands between two cells; `nil` in a text without them.
  init(separator: UInt8?) {
    self.separator = separator
  }

  /// Goes on to the next byte of the text.
  /// - Returns: Whether it stands in quotes.
  mutating func hold(_ byte: UInt8) -> Bool {
    guard let separator else { return false }
    let isQuote = byte == .quote
    switch place {
    case .inside:
      if isQuote { place = .closed }
      return true
    case .start where isQuote, .closed where isQuote:
      // A second quote after one that seemed to close the cell stands for a quote in it.
      place = .inside
      return true
    case .start, .closed, .cell:
      let isEnd = byte == separator || byte == .lineFeed || byte == .carriageReturn
      place = isEnd ? .start : .cell
      return false
    }
  }
}
