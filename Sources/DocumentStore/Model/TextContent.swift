internal import DocumentFiles
package import DocumentMerge

/// Text as lines, for display.
package struct TextContent: Sendable {
  /// The text as UTF-8, or in its own unknown encoding.
  package let bytes: [UInt8]

  /// Reads a document's bytes; `nil` unless they are text by git's rule: no zero byte near the start, except in UTF-16.
  package init?(_ document: [UInt8]) {
    if document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF]) {
      guard let text = Self.decoded(utf16: document), !text.utf8.contains(0) else { return nil }
      bytes = Array(text.utf8)
    } else {
      guard !document.prefix(8_000).contains(0) else { return nil }
      bytes = document
    }
  }

  /// Reads contents that people can compare line by line: text, or the rows of a database; `nil` for other contents.
  package init?(comparing document: [UInt8]) throws {
    if let text = TextContent(document) {
      self = text
    } else if let rows = try DatabaseText.text(of: document) {
      bytes = rows
    } else {
      return nil
    }
  }

  /// Decodes the text after a byte order mark; `nil` if some bytes aren't text, because decoding would
  /// replace them.
  private static func decoded(utf16 document: [UInt8]) -> String? {
    guard document.count.isMultiple(of: 2) else { return nil }
    let (low, high) = document[0] == 0xFF ? (0, 1) : (1, 0)
    let units = stride(from: 2, to: document.count, by: 2).map {
      UInt16(document[$0 + high]) << 8 | UInt16(document[$0 + low])
    }
    let text = String(decoding: units, as: UTF16.self)
    return text.utf16.elementsEqual(units) ? text : nil
  }

  /// The lines, each with its line feed.
  package var lines: [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(bytes[start...end])
      start = end + 1
    }
    return start < bytes.endIndex ? lines + [bytes[start...]] : lines
  }

  /// Returns the changes that turn this text into another.
  package func changes(to other: TextContent) -> [LineChange] {
    LineDifference.changes(from: bytes, to: other.bytes)
  }

  /// Returns a line for display: tabs stay, and everything else that isn't plain text is escaped.
  package static func shown(_ line: some Sequence<UInt8>) -> String {
    let line = Array(line)
    let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    return text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      .map { Printable.text($0) }.joined(separator: "\t")
  }
}
