/// The properties of a text outside its lines, each merged separately.
///
/// So a change of only the line endings, or the encoding, doesn't clash with edits.
struct TextForm: Sendable {
  let encoding: TextEncoding
  let lineEnding: LineEnding
  let endsWithNewline: Bool
  /// The quotes of the text, in which line endings are content.
  var quotes = CellQuotes.none

  /// Returns a document with lines in this form.
  /// - Parameters:
  ///   - lines: The text as it is merged, with a line feed after each line, except perhaps the last one of a
  ///     structured document.
  ///   - keepsLastNewline: Whether the last line keeps its line feed regardless of the form, as a conflict
  ///     marker does.
  /// - Returns: The document; `nil` if the lines aren't UTF-8, but must be.
  func encode(_ lines: [UInt8], keepsLastNewline: Bool) -> [UInt8]? {
    let isCut = !endsWithNewline && !keepsLastNewline && lines.last == .lineFeed
    return encoding.encode(
      lineEnding.written(isCut ? lines.dropLast() : lines, outside: quotes))
  }

  /// Returns a document with lines that contain answers, which may not be text that the document can contain.
  func encoded(_ lines: [UInt8], keepsLastNewline: Bool) throws -> [UInt8] {
    guard let bytes = encode(lines, keepsLastNewline: keepsLastNewline) else {
      throw MergeError(
        .invalidAnswer, "An answer is not text that \(encoding.rawValue) can hold.")
    }
    return bytes
  }
}
