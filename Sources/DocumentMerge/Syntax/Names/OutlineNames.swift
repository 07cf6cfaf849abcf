/// The headings of documents for people, terms and items below them, and the rows of their tables.
struct OutlineNames: EntryReader {
  enum Form { case markdown, org, asciidoc, restructured, html, latex, plain }

  private let form: Form

  init(_ form: Form) { self.form = form }

  func read(_ lines: [Substring], into names: inout EntryNames) {
    let outline = Outline(lines, form)
    names.add(outline.names)
    names.add(outline.labels, vague: outline.vague)
  }
}

/// The outline of a document.
struct Outline {
  typealias Form = OutlineNames.Form

  /// A heading, and the title of the one that it stands below.
  struct Heading {
    let level: Int
    let title: String
    let parent: String?
  }

  private let form: Form
  private(set) var names: [(name: String, line: Int)] = []
  /// The names of rows and items that all have one, each with the kind of table or list.
  private(set) var labels: [(name: String, group: String, line: Int)] = []
  /// The kinds of tables and lists in which a name doesn't distinguish the rows or items.
  private(set) var vague: Set<String> = []
  private(set) var headings: [Heading] = []
  /// The lines of each term in a list, with its meaning.
  private(set) var terms: [String: String] = [:]
  /// The headings above a line, each with its level.
  private var open: [(level: Int, title: String)] = [] {
    didSet { path = open.map { $0.title + "/" }.joined() }
  }
  /// The titles of these headings, for the names below them.
  private var path = ""
  /// The signs that underline headings, in the order of their levels.
  private var underlines: [UInt8] = []
  /// The rows of the table that is being read, by their first cells.
  private var rows: [(label: Substring, line: Int)] = []
  /// The outermost items of the list that is being read.
  private var items: [(label: Substring?, indent: Int, line: Int)] = []

  /// The minimum length of an item that is certainly the same elsewhere, in characters.
  private static let size = 12

  init(_ lines: [Substring], _ form: Form) {
    self.form = form
    var fence: Substring?
    for (number, line) in lines.enumerated() {
      if line.begins(with: "```") || line.begins(with: "~~~")
        || line.begins(with: "----") && form == .asciidoc
      {
        fence = fence == nil ? line.prefix(3) : line.begins(with: fence ?? "") ? nil : fence
        continue
      }
      if line.first != "|" { closeTable() }
      if let first = line.first, first != " ", first != "\t", Self.item(in: line) == nil {
        closeList()
      }
      if fence == nil, form != .html, form != .latex, let label = label(of: line) {
        names.append((label, number))
      }
      guard fence == nil, let first = line.first else { continue }
      if let (level, title) = heading(line, lines, number) {
        readHeading(level, title, number)
      } else if form == .markdown {
        if first == "|" { readRow(line, number) } else { readItem(line, number) }
        let isTerm = number + 1 < lines.count && lines[number + 1].begins(with: ": ")
        if isTerm, first != " ", first != ":" { names.append((path + line, number)) }
        if line.begins(with: "*["), let end = line.firstPlace(of: "]:") {
          names.append((String(line[..<end.upperBound]), number))
        }
        if let start = line.firstPlace(of: "<a id=\"") {
          names.append(("#" + line[start.upperBound...].prefix { $0 != "\"" }, number))
        }
      } else if form == .plain {
        readItem(line, number)
      } else if form == .latex, line.begins(with: "\\usepackage"),
        let start = line.firstIndex(of: "{")
      {
        for name in line[start...].dropFirst().prefix(while: { $0 != "}" }).split(separator: ",") {
          names.append(("package \(name.drop { $0 == " " })", number))
        }
      } else if form == .html, let start = line.firstPlace(of: "<dt>") {
        let term = path + "term “" + line[start.upperBound...].prefix { $0 != "<" } + "”"
        names.append((term, number))
        terms[term, default: ""] += line + (number + 1 < lines.count ? lines[number + 1] : "")
      }
    }
    closeTable()
    closeList()
  }

  /// The words before a number that is unique in the whole document.
  private static let counted: Set<Substring> = [
    "Figure", "Fig.", "Table", "Listing", "Algorithm", "Theorem", "Lemma", "Definition", "Example",
    "Requirement", "Rule", "Question", "Exercise", "Problem", "Appendix",
  ]

  /// Returns the numbered label of a line, such as `REQ-12:` or `Figure 3:`; `nil` for other lines.
  private func label(of line: Substring) -> String? {
    // Very few lines have a label.
    let bytes = line.utf8.prefix(40).drop { " -*+|#=.".utf8.contains($0) }
    guard let start = bytes.first, start.isCapital || start >= 0x80,
      bytes.contains(where: { $0.isDigit || $0 >= 0x80 })
    else { return nil }
    let text = line.prefix(40).drop { " -*+|#=.".contains($0) }
    let word = text.prefix { $0.isLetter || $0 == "." }
    guard let first = word.first, first.isUppercase else { return nil }
    var rest = text[word.endIndex...]
    let isCounted = Self.counted.contains(word)
    if isCounted {
      guard rest.first == " " else { return nil }
      rest = rest.dropFirst()
    } else {
      guard word.count <= 5, word.allSatisfy(\.isUppercase) else { return nil }
      rest = rest.drop { $0 == "-" }
    }
    let digits = rest.prefix(while: \.isNumber)
    let behind = rest[digits.endIndex...].drop { $0 == "*" }
    guard !digits.isEmpty, digits.count < 4, let sign = behind.first, ":.)".contains(sign),
      behind.dropFirst().first.map({ $0 == " " || $0 == "*" }) ?? true
    else { return nil }
    // One issue may be described in several places.
    return (isCounted ? "" : path) + "\(word) \(digits)"
  }

  /// Returns the level and the title of a heading; `nil` for other lines.
  private mutating func heading(
    _ line: Substring, _ lines: [Substring], _ number: Int
  ) -> (Int, Substring)? {
    switch form {
    case .markdown, .org, .asciidoc:
      let mark: Character = form == .markdown ? "#" : form == .org ? "*" : "="
      let title = line.drop { $0 == mark }
      let level = line.utf8.count - title.utf8.count
      if form == .markdown, level == 0, number + 1 < lines.count, line.first != "|",
        let mark = underline(lines[number + 1]),
        mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-")
      {
        return (mark == UInt8(ascii: "=") ? 1 : 2, line)
      }
      guard level > 0, title.first == " " else { return nil }
      return (level, title.drop { $0 == " " }.trimmingSuffix { $0 == " " || $0 == "#" })
    case .html:
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard text.begins(with: "<h"), let level = text.dropFirst(2).first?.wholeNumberValue,
        level > 0
      else { return nil }
      return (level, text.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
    case .plain: return nil
    case .latex:
      let levels = ["\\part", "\\chapter", "\\section", "\\subsection", "\\subsubsection"]
      guard let level = levels.firstIndex(where: { line.begins(with: $0 + "{") }) else {
        return nil
      }
      return (level + 1, line.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" })
    case .restructured:
      guard number + 1 < lines.count, line.first != " ", let mark = underline(lines[number + 1]),
        underline(line) == nil, lines[number + 1].count >= line.count
      else { return nil }
      let level = underlines.firstIndex(of: mark) ?? underlines.count
      if level == underlines.count { underlines.append(mark) }
      return (level + 1, line)
    }
  }

  private func underline(_ line: Substring) -> UInt8? { line.utf8.underline }

  private mutating func readHeading(_ level: Int, _ title: Substring, _ number: Int) {
    open.removeAll { $0.level >= level }
    let name = path + title
    if !title.isEmpty { names.append((name, number)) }
    // A number belongs to only one heading.
    let label = title.prefix { $0.isNumber || $0 == "." }
    if let last = label.last, label.first?.isNumber ?? false,
      last == "." || label.contains(".") || title[label.endIndex...].first == ")",
      title[label.endIndex...].contains(where: \.isLetter), label.count < 8
    {
      names.append((path + "heading " + label.trimmingSuffix { $0 == "." }, number))
    }
    headings.append(Heading(level: level, title: String(title), parent: open.last?.title))
    open.append((level, String(title)))
  }

  /// Reads an explained term, or an item of a list.
  private mutating func readItem(_ line: Substring, _ number: Int) {
    if line.begins(with: "**"), let end = line.dropFirst(2).firstPlace(of: "**"),
      line[end.upperBound...].first == ":" || line[..<end.lowerBound].last == ":"
    {
      names.append((path + line[..<end.upperBound], number))
      return
    }
    guard let item = Self.item(in: line) else { return }
    let isTask = item.begins(with: "[ ] ") || item.begins(with: "[x] ")
    let words = isTask ? item.dropFirst(4) : item
    // Texts without a form repeat items, such as an entry of two releases.
    if form != .plain, words.utf8.count >= Self.size, words.count >= Self.size,
      words.utf8.contains(0x20)
    {
      names.append((path + words, number))
    }
    let indent = line.prefix { $0 == " " }.count
    if indent <= items.first?.indent ?? indent {
      items.append((Self.label(of: words), indent, number))
    }
  }

  /// Returns the text of an item; `nil` for other lines.
  private static func item(in line: Substring) -> Substring? {
    let text = line.drop { $0 == " " }
    guard "-*+".contains(text.first ?? " "), text.dropFirst().first == " " else { return nil }
    return text.dropFirst(2).drop { $0 == " " }
  }

  /// Returns the name at the start of an item: the text of a link, marked words, or a word with a colon.
  private static func label(of item: Substring) -> Substring? {
    for (start, end) in [("[", "]("), ("[", "]["), ("**", "**"), ("`", "`")] {
      guard item.begins(with: start) else { continue }
      let rest = item.dropFirst(start.count)
      if let end = rest.firstPlace(of: end) { return rest[..<end.lowerBound] }
    }
    let word = item.prefix { !$0.isWhitespace && $0 != ":" }
    return item[word.endIndex...].begins(with: ": ") ? word : nil
  }

  /// Reads a row, which is named by its first cell.
  private mutating func readRow(_ line: Substring, _ number: Int) {
    let cells = line.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
    guard cells.count > 2 else { return }
    let cell = cells[0].drop { $0 == " " }.trimmingSuffix { $0 == " " }
    guard !cell.isEmpty, !cell.allSatisfy({ "-: ".contains($0) }) else { return }
    rows.append((cell, number))
  }

  /// Adds the rows of a table.
  private mutating func closeTable() {
    if Set(rows.map(\.label)).count > 2 { add(rows, as: "row", in: path) }
    rows = []
  }

  /// Adds the items of a list, if all have a name.
  private mutating func closeList() {
    let labels = items.compactMap { item in item.label.map { (label: $0, line: item.line) } }
    if labels.count == items.count { add(labels, as: "item", in: "") }
    items = []
  }

  private mutating func add(
    _ members: [(label: Substring, line: Int)], as kind: String, in place: String
  ) {
    labels += members.map { ("\(path)\(kind) “\($0.label)”", place + kind, $0.line) }
    if Set(members.map(\.label)).count < members.count { vague.insert(place + kind) }
  }
}
