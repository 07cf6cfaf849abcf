/// The properties of a text that are not in its lines, merged each on its own.
///
/// So a side that only changed the line endings, or the encoding, does not clash with edits.
struct TextForm: Sendable {
  let encoding: TextEncoding
  let lineEnding: LineEnding
  let endsWithNewline: Bool
  /// The reader of quotes, in which line ends are content.
  var quotes = CellQuotes.none

  /// Writes lines in this form.
  /// - Parameters:
  ///   - lines: Text as the merge sees it: with a line feed after each line, but perhaps the last of a
  ///     structured document.
  ///   - keepsLastNewline: Whether the last line keeps its line feed whatever the form says, as a
  ///     conflict marker does.
  /// - Returns: The document, or `nil` if the lines are not UTF-8 and have to be.
  func encode(_ lines: [UInt8], keepsLastNewline: Bool) -> [UInt8]? {
    let isCut = !endsWithNewline && !keepsLastNewline && lines.last == .lineFeed
    return encoding.encode(
      lineEnding.written(isCut ? lines.dropLast() : lines, outside: quotes))
  }

  /// Writes lines with answers in them, which may not be text that the document can hold.
  func encoded(_ lines: [UInt8], keepsLastNewline: Bool) throws -> [UInt8] {
    guard let bytes = encode(lines, keepsLastNewline: keepsLastNewline) else {
      throw MergeError(
        .invalidAnswer, "An answer is not text that \(encoding.rawValue) can hold.")
    }
    return bytes
  }
}
