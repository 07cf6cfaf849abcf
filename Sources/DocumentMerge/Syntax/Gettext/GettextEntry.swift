/// An entry of a gettext catalog: its comments, the source text, and the translations.
struct GettextEntry {
  /// Lines of an entry that belong together: comments of one kind, or a keyword with its strings.
  struct Part {
    /// The keyword, or the mark of the comments.
    let name: [UInt8]
    let start: Int
    /// The start of the strings, or of the first comment's text.
    let valueStart: Int
    /// The end of the last line, before its line break.
    var valueEnd: Int
    /// The start of the next line.
    var end: Int
    /// The lines of the part.
    var lines: Range<Int>

    /// True if the part is a comment, not a keyword.
    var isComment: Bool { name.first == UInt8(ascii: "#") }
  }

  private(set) var parts: [Part] = []

  /// The mark of the lines of obsolete entries.
  static let obsolete = Array("#~".utf8)
  /// The mark of flags, such as `fuzzy`.
  static let flags = Array("#,".utf8)
  /// The mark of places in the source.
  static let places = Array("#:".utf8)

  /// True if the entry has a translation, so that further lines belong to another entry.
  var isTranslated: Bool { parts.last?.name.starts(with: "msgstr".utf8) ?? false }
  /// True if the entry has only comments.
  var hasOnlyComments: Bool { parts.allSatisfy { $0.isComment && $0.name != Self.obsolete } }
  /// True if the entry is obsolete.
  var isObsolete: Bool { parts.last?.name == Self.obsolete }

  mutating func add(_ part: Part) { parts.append(part) }

  /// Adds a line to the last part.
  mutating func extendLast(to line: Range<Int>, number: Int, valueEnd: Int) {
    guard var last = parts.popLast() else { return }
    (last.valueEnd, last.end) = (valueEnd, line.upperBound)
    last.lines = last.lines.lowerBound..<number + 1
    parts.append(last)
  }

  /// Returns whether a keyword may follow the last part.
  func mayContinue(with keyword: [UInt8]) -> Bool {
    let known = parts.filter { !$0.isComment }.map(\.name)
    switch String(decoding: keyword, as: UTF8.self) {
    case "msgctxt": return known.isEmpty
    case "msgid": return known.isEmpty || known == [Array("msgctxt".utf8)]
    case "msgid_plural": return known.last == Array("msgid".utf8)
    case "msgstr": return known.last == Array("msgid".utf8)
    default:
      guard known.contains(Array("msgid_plural".utf8)) else { return false }
      return !known.contains(keyword)
    }
  }
}
