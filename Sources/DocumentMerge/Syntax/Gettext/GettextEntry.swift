/// One entry of a catalog of gettext: its comments, what it translates, and the translations.
struct GettextEntry {
  /// Some lines of an entry that belong together: comments of one kind, or a keyword with its strings.
  struct Part {
    /// The keyword, or the mark of the comments.
    let name: [UInt8]
    let start: Int
    /// Where the strings start, or what the first comment says.
    let valueStart: Int
    /// Where the last line ends, without its line break.
    var valueEnd: Int
    /// Where the next line starts.
    var end: Int
    /// The lines of the part.
    var lines: Range<Int>

    /// Whether it is a comment, not a keyword.
    var isComment: Bool { name.first == UInt8(ascii: "#") }
  }

  private(set) var parts: [Part] = []

  /// The mark of the lines of entries that are no longer in use.
  static let obsolete = Array("#~".utf8)
  /// The mark of flags, such as `fuzzy`.
  static let flags = Array("#,".utf8)
  /// The mark of places in a source.
  static let places = Array("#:".utf8)

  /// Whether there is a translation, so that what follows belongs to another entry.
  var isTranslated: Bool { parts.last?.name.starts(with: "msgstr".utf8) ?? false }
  /// Whether there are only comments.
  var hasOnlyComments: Bool { parts.allSatisfy { $0.isComment && $0.name != Self.obsolete } }
  /// Whether the entry is no longer in use.
  var isObsolete: Bool { parts.last?.name == Self.obsolete }

  mutating func add(_ part: Part) { parts.append(part) }

  /// Makes a line part of what stands above it.
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
