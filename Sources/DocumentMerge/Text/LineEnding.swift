internal import Foundation

/// The bytes at the end of a text's lines.
enum LineEnding: String, Sendable {
  case lineFeed = "LF"
  case carriageReturnLineFeed = "CRLF"
  case carriageReturn = "CR"
  /// Several of these. Bytes other than line feeds stay in the lines.
  case mixed = "mixed"

  /// Determines the line ending of a text; `nil` if it has none.
  /// - Parameter quotes: The quotes of the text, in which line endings are content.
  init?(of text: [UInt8], outside quotes: CellQuotes = .none) {
    guard quotes.separator != nil || text.holds(.carriageReturn) else {
      guard text.holds(.lineFeed) else { return nil }
      self = .lineFeed
      return
    }
    var (pairs, returns, feeds) = (0, 0, 0)
    var previous: UInt8?
    var quotes = quotes
    for byte in text {
      guard !quotes.hold(byte) else {
        previous = nil
        continue
      }
      if byte == .carriageReturn { returns += 1 }
      if byte == .lineFeed { feeds += 1 }
      if byte == .lineFeed, previous == .carriageReturn { pairs += 1 }
      previous = byte
    }
    switch (returns, feeds) {
    case (0, 0): return nil
    case (0, _): self = .lineFeed
    case (_, 0): self = .carriageReturn
    case (pairs, pairs): self = .carriageReturnLineFeed
    default: self = .mixed
    }
  }

  /// Returns a text with line feeds instead of this line ending.
  ///
  /// A mixed text keeps its single carriage returns, because they may be content.
  func normalised(_ text: [UInt8], outside quotes: CellQuotes = .none) -> [UInt8] {
    var quotes = quotes
    switch self {
    case .lineFeed:
      return text
    case .carriageReturn:
      return text.map { !quotes.hold($0) && $0 == .carriageReturn ? .lineFeed : $0 }
    case .carriageReturnLineFeed, .mixed:
      return text.indices.filter { index in
        quotes.hold(text[index]) || text[index] != .carriageReturn || index + 1 == text.endIndex
          || text[index + 1] != .lineFeed
      }.map { text[$0] }
    }
  }

  /// Returns a text with this line ending instead of line feeds.
  func written(_ text: [UInt8], outside quotes: CellQuotes = .none) -> [UInt8] {
    var quotes = quotes
    switch self {
    case .lineFeed, .mixed:
      return text
    case .carriageReturn:
      return text.map { !quotes.hold($0) && $0 == .lineFeed ? .carriageReturn : $0 }
    case .carriageReturnLineFeed:
      return text.flatMap {
        !quotes.hold($0) && $0 == .lineFeed ? [.carriageReturn, .lineFeed] : [$0]
      }
    }
  }
}

extension [UInt8] {
  /// Returns whether the bytes contain a byte; faster than `contains`.
  func holds(_ byte: UInt8) -> Bool {
    withUnsafeBytes { bytes in
      bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
    }
  }
}
