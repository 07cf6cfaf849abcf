/// The kind of a line in a text for people.
enum ProseLine: Equatable {
  case blank
  /// A line of a paragraph, which continues in the next one.
  case paragraph
  /// A separate line: a heading, a quotation, a link definition.
  case single
  case listItem(ListMarker)
  case tableRow
  /// A line that starts with a date or a time, as in a log.
  case entry
  /// Code and similar lines, which are only compared, never merged inside.
  case code
}

/// The start of a list item.
struct ListMarker: Equatable {
  /// The indentation of the marker, in columns.
  let indentation: Int
  /// The number of a numbered item.
  let number: Int?
  /// The number of bytes before the number, or before the text if there is none.
  let prefix: Int
  /// The number of digits; 0 if there is no number.
  let digits: Int
  /// The number of bytes before a task's box, and in the box: "[ ] ".
  let lead: Int
  let box: Int
  /// The number of bytes before the text.
  var length: Int { lead + box }
}

extension ProseLine {
  /// Returns the kind of each line of a text.
  static func lines(of text: TextLines, style: TextStyle) -> [ProseLine] {
    if let markup = style.markup(of: text) {
      let kinds = lines(of: text, markup: markup)
      return [.restructuredText, .asciidoc].contains(style) ? withTitles(kinds, of: text) : kinds
    }
    var reader = ProseReader(isMarkdown: style == .markdown)
    var frontMatter = style == .markdown ? reader.frontMatter(of: text) : 0
    return text.map { line in
      if frontMatter > 0 {
        frontMatter -= 1
        return .code
      }
      return reader.kind(of: line.dropLast())
    }
  }

  private static func lines(of text: TextLines, markup: any MarkupLines) -> [ProseLine] {
    var markup = markup
    var reader = ProseReader(isMarkdown: false)
    return text.map { line in
      let line = line.dropLast()
      return markup.kind(of: MarkupLine(line)) ?? reader.kind(of: line)
    }
  }

  /// Returns the kinds with titles as code, because each title must be as long as the line under it.
  private static func withTitles(_ kinds: [ProseLine], of text: TextLines) -> [ProseLine] {
    kinds.indices.map { index in
      guard kinds[index] == .paragraph, index + 1 < text.count, kinds[index + 1] == .code else {
        return kinds[index]
      }
      let rule = MarkupLine(text[index + 1].dropLast())
      let title = String(decoding: MarkupLine(text[index].dropLast()).body, as: UTF8.self)
      return rule.isRule && abs(rule.body.count - title.count) <= 2 ? .code : .paragraph
    }
  }

  /// True if order means so little that both sides' additions can be at one place.
  var isUnordered: Bool {
    switch self {
    case .listItem, .tableRow, .entry: true
    case .blank, .paragraph, .single, .code: false
    }
  }

  /// Returns whether two lines have the same kind, regardless of a list item's marker.
  func isLike(_ other: ProseLine) -> Bool {
    if case .listItem = self, case .listItem = other { return true }
    return self == other
  }
}

/// Determines the kinds of lines, which depend on the previous lines.
private struct ProseReader {
  let isMarkdown: Bool
  private var fence: (character: UInt8, length: Int)?
  /// True after a blank line or indented code, so that an indented line may be code.
  private var canBeIndentedCode = true
  /// The column of the last list item's text; `nil` outside lists.
  private var listColumn: Int?

  init(isMarkdown: Bool) { self.isMarkdown = isMarkdown }

  /// Returns the number of lines in the front matter, between two lines of "---".
  func frontMatter(of text: TextLines) -> Int {
    func isRule(_ index: Int, _ character: Character) -> Bool {
      let line = text[index].dropLast()
      return line.prefix(3).elementsEqual(String(repeating: character, count: 3).utf8)
        && line.dropFirst(3).allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == .carriageReturn }
    }
    guard text.count > 1, isRule(0, "-") || isRule(0, "+") else { return 0 }
    let character: Character = isRule(0, "-") ? "-" : "+"
    return (1..<text.count).first { isRule($0, character) || isRule($0, ".") }.map { $0 + 1 } ?? 0
  }

  mutating func kind(of line: ArraySlice<UInt8>) -> ProseLine {
    let body = line.drop { $0 == 0x20 || $0 == 0x09 }
    let indentation = line.prefix(line.count - body.count).reduce(0) { column, byte in
      byte == 0x09 ? column + 4 - column % 4 : column + 1
    }
    if isMarkdown, let kind = fenced(body, indentation) { return kind }
    if body.allSatisfy({ $0 == .carriageReturn }) {
      canBeIndentedCode = true
      return .blank
    }
    if isMarkdown, canBeIndentedCode, indentation >= 4 + (listColumn ?? 0) { return .code }
    let kind = kind(ofBody: body, line, indentation)
    if case .listItem(let marker) = kind {
      listColumn = indentation + marker.lead - (line.count - body.count)
    } else if indentation == 0, kind != .paragraph || canBeIndentedCode {
      // An unindented line ends a list, unless it continues a paragraph.
      listColumn = nil
    }
    canBeIndentedCode = false
    return kind
  }

  /// Returns the kind of a line that starts, ends or is inside fenced code.
  private mutating func fenced(_ body: ArraySlice<UInt8>, _ indentation: Int) -> ProseLine? {
    let run = body.prefix { $0 == body.first }
    if let open = fence {
      let rest = body.dropFirst(run.count)
      if body.first == open.character, run.count >= open.length,
        rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == .carriageReturn })
      {
        fence = nil
      }
      return .code
    }
    guard let first = body.first, "`~".utf8.contains(first), run.count >= 3 else { return nil }
    // Inline code may start with as many backticks; then further ones follow.
    if first == UInt8(ascii: "`"), body.dropFirst(run.count).contains(first) { return nil }
    fence = (first, run.count)
    return .code
  }

  private func kind(
    ofBody body: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>, _ indentation: Int
  ) -> ProseLine {
    if let marker = ListMarker(line, indentation: indentation) {
      return Self.isRule(body) ? .code : .listItem(marker)
    }
    if Self.isDated(body) { return .entry }
    switch body.first {
    case UInt8(ascii: "|"): return .tableRow
    case UInt8(ascii: "#"), UInt8(ascii: ">"): return isMarkdown ? .single : .paragraph
    case UInt8(ascii: "[") where body.contains(UInt8(ascii: "]")):
      let rest = body.drop { $0 != UInt8(ascii: "]") }.dropFirst()
      return rest.first == UInt8(ascii: ":") ? .single : .paragraph
    case UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: ":"):
      return isMarkdown ? .code : .paragraph
    default:
      return isMarkdown && Self.isRule(body) ? .code : .paragraph
    }
  }

  /// Returns whether a line is a run of one character: a rule, or the underline of a heading.
  private static func isRule(_ body: ArraySlice<UInt8>) -> Bool {
    guard let first = body.first, "-=*_".utf8.contains(first) else { return false }
    let marks = body.filter { $0 != 0x20 && $0 != .carriageReturn }
    return marks.count >= 3 && marks.allSatisfy { $0 == first }
  }

  /// Returns whether a line starts with a date (2024-05-01) or a time (10:30).
  private static func isDated(_ body: ArraySlice<UInt8>) -> Bool {
    let shape = body.drop { $0 == UInt8(ascii: "[") }.prefix(10).map { byte in
      byte.isDigit ? UInt8(ascii: "0") : byte
    }
    return ["0000-00-00", "0000/00/00", "00:00"].contains { shape.starts(with: $0.utf8) }
  }
}

extension ListMarker {
  /// Reads the start of a list item; `nil` if the line isn't one.
  fileprivate init?(_ line: ArraySlice<UInt8>, indentation: Int) {
    func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    let margin = line.prefix { isSpace($0) }.count
    var rest = line.dropFirst(margin)
    var digits = 0
    var number: Int?
    if let first = rest.first, "-*+".utf8.contains(first) {
      rest = rest.dropFirst()
    } else {
      let run = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(run.count)
      guard (1...9).contains(run.count), let end = rest.first, ".)".utf8.contains(end) else {
        return nil
      }
      rest = rest.dropFirst()
      digits = run.count
      number = run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let gap = rest.prefix { isSpace($0) }.count
    guard gap > 0 else { return nil }
    rest = rest.dropFirst(gap)
    let lead = line.count - rest.count
    let isTask =
      rest.count > 3 && rest.starts(with: "[".utf8) && isSpace(rest.dropFirst(3).first)
      && rest[rest.startIndex + 2] == UInt8(ascii: "]")
      && " xX".utf8.contains(rest[rest.startIndex + 1])
    self.init(
      indentation: indentation, number: number, prefix: digits > 0 ? margin : lead,
      digits: digits, lead: lead, box: isTask ? 4 : 0)
  }
}

extension TextStyle {
  /// Returns the reader of lines for this style; `nil` for Markdown and plain text.
  fileprivate func markup(of text: TextLines) -> (any MarkupLines)? {
    switch self {
    case .lines, .plain, .markdown: nil
    case .latex: LaTeXLines(text)
    case .restructuredText: RestructuredLines()
    case .asciidoc: AsciiDocLines()
    case .org: OrgLines()
    }
  }
}
