/// A document read as text.
struct DecodedText: Sendable, Equatable {
  /// The encoding; `nil` for an empty document, which doesn't show one.
  let encoding: TextEncoding?
  /// The text as UTF-8, or its original bytes if the encoding is unknown.
  let text: [UInt8]

  /// Reads a document.
  /// - Returns: `nil` if it is binary: git's rule, a zero byte near the start, except in UTF-16.
  init?(_ document: [UInt8]) {
    let wide = [TextEncoding.utf16LittleEndian, .utf16BigEndian]
    if let encoding = wide.first(where: { document.starts(with: $0.mark) }) {
      // A zero character means UTF-32, whose mark starts like that of UTF-16.
      guard let text = Self.decodeWide(document.dropFirst(2), encoding), !text.contains(0) else {
        return nil
      }
      self.init(encoding: encoding, text: text)
    } else if document.prefix(8000).contains(0) {
      return nil
    } else if String(validating: document, as: UTF8.self) == nil {
      self.init(encoding: .unknown, text: document)
    } else if document.starts(with: TextEncoding.utf8WithMark.mark) {
      self.init(encoding: .utf8WithMark, text: Array(document.dropFirst(3)))
    } else {
      self.init(encoding: document.isEmpty ? nil : .utf8, text: document)
    }
  }

  private init(encoding: TextEncoding?, text: [UInt8]) {
    self.encoding = encoding
    self.text = text
  }

  /// True if every encoding without a mark writes this text in the same way.
  var isPlain: Bool {
    (encoding == nil || encoding == .utf8) && text.allSatisfy { $0 < 0x80 }
  }

  /// The text as parsers read it: with line feeds, including one after the last line.
  var endedLines: [UInt8] {
    let lines = LineEnding(of: text)?.normalised(text) ?? text
    return lines.last == .lineFeed ? lines : lines + [.lineFeed]
  }

  private static func decodeWide(_ bytes: ArraySlice<UInt8>, _ encoding: TextEncoding) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }
}
