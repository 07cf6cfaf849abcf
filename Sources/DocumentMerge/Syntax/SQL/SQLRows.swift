/// The rows of values that SQL inserts into one table: a list after `VALUES` with a row on each line, or a
/// statement for each row.
struct SQLRows {
  /// The text before and after the rows.
  struct Form: Hashable {
    /// The words before the values, up to `VALUES`.
    let head: String
    /// True if each row is a separate statement.
    let isStatements: Bool
    /// The bytes before each row.
    let lead: [UInt8]
    /// The bytes after the last row, possibly a semicolon.
    let end: [UInt8]
  }

  struct Row: Hashable {
    /// The values, as written.
    let values: [[UInt8]]
    /// The bytes between the parentheses.
    let text: [UInt8]
    /// The space at the end of the line, with its line break.
    var ending: [UInt8] = [.lineFeed]
  }

  let form: Form
  let lines: Range<Int>
  let rows: [Row]

  /// The names of the columns, or numbers if there are none.
  var columns: [String] {
    let count = rows.first?.values.count ?? 0
    let names = form.head.split(separator: "(", maxSplits: 1).last?
      .split(separator: ")").first?.split(separator: ",").map {
        $0.filter { !" \t`\"[]".contains($0) }
      }
    guard let names, names.count == count, Set(names).count == count else {
      return (0..<count).map { "column\($0 + 1)" }
    }
    return names
  }

  /// The bytes between the values of a row.
  var separator: [UInt8] {
    let areClose = rows.allSatisfy {
      Array($0.values.joined(separator: [UInt8(ascii: ",")])) == $0.text
    }
    return Array((areClose ? "," : ", ").utf8)
  }

  /// Finds all rows in a text.
  static func all(in text: TextLines) -> [SQLRows] {
    var found: [SQLRows] = []
    var line = 0
    while line < text.count {
      if let rows = SQLRows(listBehind: line, in: text) ?? SQLRows(statementsFrom: line, in: text) {
        found.append(rows)
        line = rows.lines.upperBound
      } else {
        line += 1
      }
    }
    return found
  }

  /// Reads rows after a line that ends with `VALUES`.
  private init?(listBehind head: Int, in text: TextLines) {
    let words = text.trimmed(head)
    guard words.hasWord("insert", atStart: true), words.hasWord("values", atStart: false) else {
      return nil
    }
    var rows: [Row] = []
    var lead: [UInt8] = []
    for line in head + 1..<text.count {
      let content = text.trimmed(line)
      let space = text[line].prefix { $0 == 0x20 || $0 == 0x09 }
      guard let (row, rest) = Self.row(in: content, before: text.ending(line)) else { return nil }
      if rows.isEmpty { lead = Array(space) }
      rows.append(row)
      if rest.elementsEqual(",".utf8) { continue }
      guard rest.isEmpty || rest.elementsEqual(";".utf8) else { return nil }
      self.init(
        form: Form(
          head: String(decoding: words, as: UTF8.self), isStatements: false, lead: lead,
          end: Array(rest)), lines: head + 1..<line + 1, rows: rows)
      return
    }
    return nil
  }

  /// Reads statements that each insert one row into one table.
  private init?(statementsFrom first: Int, in text: TextLines) {
    var rows: [Row] = []
    var head: ArraySlice<UInt8> = []
    for line in first..<text.count {
      let content = text.trimmed(line)
      guard content.hasWord("insert", atStart: true), let end = content.endOfWord("values") else {
        break
      }
      let own = content[..<end]
      guard rows.isEmpty || own == head,
        let (row, rest) = Self.row(
          in: content[end...].drop { $0 == 0x20 }, before: text.ending(line)),
        rest.elementsEqual(";".utf8),
        rows.first.map({ $0.values.count == row.values.count }) ?? true
      else { break }
      head = own
      rows.append(row)
    }
    guard !rows.isEmpty else { return nil }
    self.init(
      form: Form(
        head: String(decoding: head, as: UTF8.self), isStatements: true, lead: Array(head),
        end: [UInt8(ascii: ";")]), lines: first..<first + rows.count, rows: rows)
  }

  private init?(form: Form, lines: Range<Int>, rows: [Row]) {
    guard Set(rows.map(\.values.count)).count == 1 else { return nil }
    (self.form, self.lines, self.rows) = (form, lines, rows)
  }

  /// Returns a row in parentheses, and the rest.
  private static func row(
    in content: ArraySlice<UInt8>, before ending: [UInt8]
  ) -> (Row, rest: ArraySlice<UInt8>)? {
    guard content.first == UInt8(ascii: "(") else { return nil }
    var values: [[UInt8]] = []
    var (depth, quote, start) = (0, nil as UInt8?, content.startIndex + 1)
    func value(upTo end: Int) -> [UInt8] {
      let value = content[start..<end].drop { $0 == 0x20 }
      return Array(value.reversed().drop { $0 == 0x20 }.reversed())
    }
    var index = content.startIndex
    while index < content.endIndex {
      let byte = content[index]
      switch byte {
      case _ where quote != nil:
        // A doubled quote is one quote in a text.
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == quote { quote = nil }
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quote = byte
      // Other quotes, and comments, in which a comma isn't a separator.
      case UInt8(ascii: "$"), UInt8(ascii: "#"): return nil
      case UInt8(ascii: "/"), UInt8(ascii: "-"):
        if [UInt8(ascii: "*"), UInt8(ascii: "-")].contains(content[(index + 1)...].first) {
          return nil
        }
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        guard depth == 0 else { break }
        values.append(value(upTo: index))
        let text = Array(content[content.startIndex + 1..<index])
        return (Row(values: values, text: text, ending: ending), content[(index + 1)...])
      case UInt8(ascii: ",") where depth == 1:
        values.append(value(upTo: index))
        start = index + 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the lines of other rows in the same form.
  func written(_ rows: [Row]) -> [UInt8] {
    var result: [UInt8] = []
    for (number, row) in rows.enumerated() {
      result += form.lead
      if form.isStatements, form.lead.last != 0x20 { result.append(0x20) }
      result += [UInt8(ascii: "(")] + row.text + [UInt8(ascii: ")")]
      let isLast = form.isStatements || number == rows.count - 1
      result += (isLast ? form.end : [UInt8(ascii: ",")]) + row.ending
    }
    return result
  }
}

extension TextLines {
  /// Returns a line without the surrounding space.
  fileprivate func trimmed(_ line: Int) -> ArraySlice<UInt8> {
    var content = self[line].drop { $0 == 0x20 || $0 == 0x09 }
    while content.last?.isSpace ?? false { content.removeLast() }
    return content
  }

  /// Returns the space at the end of a line.
  fileprivate func ending(_ line: Int) -> [UInt8] { Array(self[line].suffix(while: \.isSpace)) }
}

extension ArraySlice<UInt8> {
  /// Returns whether the text begins or ends with a word, in any case.
  fileprivate func hasWord(_ word: String, atStart: Bool) -> Bool {
    let part = atStart ? prefix(word.utf8.count) : suffix(word.utf8.count)
    return part.smallLetters.elementsEqual(word.utf8)
  }

  /// Returns the end of a word between spaces; `nil` if the text lacks it.
  fileprivate func endOfWord(_ word: String) -> Int? {
    let word = Array(word.utf8)
    return indices.first { start in
      start > startIndex && self[start - 1].isSpace
        && self[start...].prefix(word.count).smallLetters.elementsEqual(word)
    }.map { $0 + word.count }
  }
}
