/// Distinguishes the lines of a markup language: text for people, and commands, code and tables.
///
/// Only certain text is merged inside its lines.
protocol MarkupLines {
  /// Returns the kind of the next line; `nil` for ordinary text, with lists and dated lines.
  mutating func kind(of line: MarkupLine) -> ProseLine?
}

/// A line of markup.
struct MarkupLine {
  /// The line without its line feed.
  let bytes: ArraySlice<UInt8>
  /// The text after the indentation, without trailing spaces.
  let body: ArraySlice<UInt8>
  /// The columns before the text.
  let indentation: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    var body = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    indentation = bytes.prefix(bytes.count - body.count).reduce(0) { column, byte in
      byte == 0x09 ? column + 8 - column % 8 : column + 1
    }
    while body.last?.isSpace ?? false { body.removeLast() }
    self.body = body
  }

  var isBlank: Bool { body.isEmpty }

  /// True if the line is a run of one character, as under a title.
  var isRule: Bool { isRun(of: "=-`:.'\"~^_*+#<>", atLeast: 3) }

  func starts(with prefix: String) -> Bool { body.starts(with: prefix.utf8) }

  /// Returns whether the text is a run of one of the given characters, with a minimum length.
  func isRun(of characters: String, atLeast count: Int) -> Bool {
    guard let first = body.first, characters.utf8.contains(first) else { return false }
    return body.count >= count && body.allSatisfy { $0 == first }
  }

  /// The start of the text in lowercase.
  var smallStart: String {
    String(decoding: body.prefix(40), as: UTF8.self).lowercased()
  }
}

// MARK: LaTeX

/// The lines of LaTeX.
///
/// Paragraphs and headings are text. Separate commands with everything in their braces, formulas, tables and
/// listings aren't text, nor are lines with a formula or verbatim text. Lines with a comment aren't either,
/// because a word could move after its sign.
struct LaTeXLines: MarkupLines {
  /// The environment whose lines aren't text, and its depth in environments of the same name.
  private var environment: (name: ArraySlice<UInt8>, depth: Int)?
  private var isInFormula = false
  /// The number of open braces of a command.
  private var depth = 0
  /// True before the start of the text.
  private var isPreamble: Bool

  init(_ text: TextLines) {
    isPreamble = text.bytes[...].contains(Self.start)
  }

  private static let start = "\\begin{document}"

  /// The environments whose lines are text.
  private static let texts: Set<String> = [
    "document", "abstract", "itemize", "enumerate", "description", "quote", "quotation", "verse",
    "center", "flushleft", "flushright", "theorem", "lemma", "proof", "definition", "corollary",
    "proposition", "remark", "example", "appendices", "acknowledgements", "frame", "block",
    "letter", "titlepage", "minipage", "multicols", "sloppypar", "spacing", "small",
  ]

  mutating func kind(of line: MarkupLine) -> ProseLine? {
    if isPreamble {
      isPreamble = !line.body.contains(Self.start)
      return line.isBlank ? .blank : .code
    }
    let isVerbatim =
      environment.map { Self.verbatims.contains(where: $0.name.elementsEqual) } ?? false
    let body = isVerbatim ? line.body : Self.withoutComment(line.body)
    let names = (
      begin: Self.names(behind: "\\begin", in: body), end: Self.names(behind: "\\end", in: body)
    )
    if var open = environment {
      open.depth += names.begin.count { $0.elementsEqual(open.name) }
      open.depth -= names.end.count { $0.elementsEqual(open.name) }
      environment = open.depth > 0 ? open : nil
      return .code
    }
    if isInFormula {
      if body.contains("\\]") || body.contains("$$") { isInFormula = false }
      return .code
    }
    if depth > 0 {
      depth = max(0, depth + Self.openBraces(in: body))
      return .code
    }
    if line.isBlank { return .blank }
    if let name = names.begin.first(where: { !Self.isText($0) }),
      !names.end.contains(where: { $0.elementsEqual(name) })
    {
      environment = (name, 1)
    }
    if !names.begin.isEmpty || !names.end.isEmpty { return .code }
    let formulas = body.count(of: "$$")
    if body.contains("\\[") != body.contains("\\]") || !formulas.isMultiple(of: 2) {
      isInFormula = true
      return .code
    }
    // A cell ends, or a line is broken explicitly.
    let marks = ["$", "&", "\\(", "\\[", "\\verb", "\\lstinline", "\\mintinline"]
    if body.count < line.body.count || marks.contains(where: body.contains) { return .code }
    guard line.body.first == UInt8(ascii: "\\") else { return .paragraph }
    let kind = Self.kind(ofCommand: body)
    if kind == .code { depth = max(0, Self.openBraces(in: body)) }
    return kind
  }

  /// The environments in which a percent sign doesn't begin a comment.
  private static let verbatims = ["verbatim", "lstlisting", "minted"].map { Array($0.utf8) }

  /// Returns the number of braces that a line opens, minus those that it closes.
  private static func openBraces(in body: ArraySlice<UInt8>) -> Int {
    body.indices.reduce(0) { depth, index in
      guard !isEscaped(index, in: body) else { return depth }
      return depth
        + (body[index] == UInt8(ascii: "{") ? 1 : body[index] == UInt8(ascii: "}") ? -1 : 0)
    }
  }

  /// Returns whether an odd number of backslashes precedes a byte.
  private static func isEscaped(_ index: Int, in body: ArraySlice<UInt8>) -> Bool {
    !body[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }

  private static func isText(_ environment: ArraySlice<UInt8>) -> Bool {
    texts.contains(String(decoding: environment.filter { $0 != UInt8(ascii: "*") }, as: UTF8.self))
  }

  /// Returns the kind of a line that begins with a command.
  private static func kind(ofCommand body: ArraySlice<UInt8>) -> ProseLine {
    let name = body.dropFirst().prefix { $0.isLetter }
    let headings = [
      "section", "subsection", "subsubsection", "chapter", "part", "paragraph", "subparagraph",
      "title", "caption", "item", "footnote",
    ]
    if headings.contains(where: { name.elementsEqual($0.utf8) }) { return .single }
    let marks = [
      "emph", "textbf", "textit", "texttt", "enquote", "cite", "ref", "noindent", "ldots",
    ]
    return marks.contains { name.elementsEqual($0.utf8) } ? .paragraph : .code
  }

  /// Returns a line up to the percent sign that begins a comment.
  private static func withoutComment(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = body.indices.first { index in
      body[index] == UInt8(ascii: "%") && !isEscaped(index, in: body)
    }
    return body[..<(start ?? body.endIndex)]
  }

  /// The maximum length of a name, because a brace may never be closed.
  private static let longestName = 64

  /// Returns the names in braces after a command.
  private static func names(
    behind command: String, in body: ArraySlice<UInt8>
  ) -> [ArraySlice<UInt8>] {
    let command = Array(command.utf8)
    var names: [ArraySlice<UInt8>] = []
    var rest = body
    while let start = rest.firstIndex(of: command[0]) {
      rest = rest[start...]
      guard rest.starts(with: command) else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(command.count)
      let behind = rest.drop { $0.isSpace }
      guard behind.first == UInt8(ascii: "{") else { continue }
      names.append(behind.dropFirst().prefix(longestName).prefix { $0 != UInt8(ascii: "}") })
    }
    return names
  }
}

// MARK: reStructuredText

/// The lines of reStructuredText: directives and literal blocks with the indented lines below them, tables,
/// underlined titles, and fields aren't text.
struct RestructuredLines: MarkupLines {
  /// The indentation of a directive or a literal block, to which lines with a deeper one belong.
  private var block: Int?
  /// True if the previous paragraph ended with two colons.
  private var endsWithColons = false
  /// True if an unindented block continues up to a blank line: a Python session, or quoted code.
  private var isInSession = false
  private var isInTable = false
  /// True if the previous line was drawn as part of a table.
  private var isDrawn = false

  mutating func kind(of line: MarkupLine) -> ProseLine? {
    if line.isBlank {
      // A simple table may have such lines between its rows.
      if isDrawn { isInTable = false }
      isInSession = false
      return .blank
    }
    if isInSession { return .code }
    if let open = block {
      if line.indentation > open { return .code }
      block = nil
    }
    if endsWithColons {
      endsWithColons = false
      if line.indentation > 0 {
        block = line.indentation - 1
        return .code
      }
      // Literal blocks may also be unindented, with quotes.
      if let first = line.body.first, !first.isLetter, !first.isDigit, first < 0x80 {
        isInSession = true
        return .code
      }
    }
    if line.starts(with: ">>>") {
      isInSession = true
      return .code
    }
    isDrawn = line.body.allSatisfy { "=+-| ".utf8.contains($0) }
    if isInTable { return .code }
    if isDrawn, line.body.count > 3, line.starts(with: "=") || line.starts(with: "+") {
      isInTable = line.body.contains(0x20) || line.starts(with: "+")
      return .code
    }
    if line.starts(with: "|") || line.isRule { return .code }
    if line.starts(with: "..") {
      block = line.indentation
      return .code
    }
    if line.starts(with: ":"), line.body.dropFirst().contains(UInt8(ascii: ":")) { return .code }
    endsWithColons = line.body.suffix(2).elementsEqual("::".utf8)
    return nil
  }
}

// MARK: AsciiDoc

/// The lines of AsciiDoc: delimited blocks of code and tables, attributes, macros and comments aren't text.
struct AsciiDocLines: MarkupLines {
  /// The line that ends the block whose lines aren't text.
  private var end: ArraySlice<UInt8>?
  /// True if an attribute means that the next block or paragraph may not be text.
  private var isMarked = false
  /// The length of the previous line of text, which may be a title; 0 if there is none.
  private var length = 0

  /// The attributes of blocks that are text.
  private static let texts = [
    "[quote", "[verse", "[NOTE", "[TIP", "[IMPORTANT", "[WARNING", "[CAUTION", "[abstract", "[#",
    "[.",
    "[[", "[example", "[sidebar", "[preface", "[appendix", "[glossary", "[bibliography",
    "[horizontal",
  ]

  mutating func kind(of line: MarkupLine) -> ProseLine? {
    if let end {
      if line.body == end { self.end = nil }
      return .code
    }
    let title = length
    length = 0
    if line.isBlank {
      isMarked = false
      return .blank
    }
    // A drawn line under a line of about its length makes that one a title.
    if title > 0, abs(line.body.count - title) <= 2, line.isRun(of: "=-~^+", atLeast: 3) {
      return .code
    }
    if isMarked, line.body.elementsEqual("--".utf8) {
      end = line.body
      return .code
    }
    let isTable = ["|===", ",===", ":===", "!==="].contains { line.body.elementsEqual($0.utf8) }
    if line.isRun(of: "-.+/", atLeast: 4) || isTable || line.starts(with: "```") {
      end = line.starts(with: "```") ? Array("```".utf8)[...] : line.body
      isMarked = false
      return .code
    }
    if line.starts(with: "["), line.body.last == UInt8(ascii: "]") {
      isMarked = !Self.texts.contains { line.starts(with: $0) }
      return .code
    }
    // A marked paragraph ends at an empty line.
    if isMarked, !line.starts(with: ".") { return .code }
    if line.isRun(of: "=*_", atLeast: 4) || line.body.elementsEqual("--".utf8)
      || line.body.elementsEqual("+".utf8)
    {
      return .code
    }
    // An indented line that starts a block is literal.
    if line.indentation > 0, !line.isListItem { return .code }
    if line.starts(with: "//") || line.starts(with: "[") || line.isMacro || line.isAttribute {
      return .code
    }
    let isHeading = line.starts(with: "=") || line.starts(with: ".") || line.starts(with: "*")
    if isHeading && !line.starts(with: "* ") { return .single }
    length = String(decoding: line.body, as: UTF8.self).count
    return nil
  }
}

extension MarkupLine {
  /// True if the line starts an item of a list.
  fileprivate var isListItem: Bool {
    let mark = body.prefix { "*.-".utf8.contains($0) || $0.isDigit }
    return !mark.isEmpty && body.dropFirst(mark.count).first == 0x20
  }

  /// True if the line is a block macro of AsciiDoc, such as `image::tree.png[]`.
  fileprivate var isMacro: Bool {
    let name = body.prefix { $0.isLetter || $0.isDigit }
    return !name.isEmpty && body.dropFirst(name.count).starts(with: "::".utf8)
      && body.last == UInt8(ascii: "]")
  }

  /// True if the line sets an attribute of AsciiDoc.
  fileprivate var isAttribute: Bool {
    starts(with: ":") && body.dropFirst().contains(UInt8(ascii: ":"))
  }
}

// MARK: Org

/// The lines of Org: blocks of code, drawers, keywords and tables aren't text.
struct OrgLines: MarkupLines {
  /// The start of the line that ends the part whose lines aren't text.
  private var end: String?

  mutating func kind(of line: MarkupLine) -> ProseLine? {
    let start = line.smallStart
    if let end {
      if start.hasPrefix(end) { self.end = nil }
      return .code
    }
    if line.isBlank { return .blank }
    if start.hasPrefix("#+begin_") {
      let name = start.dropFirst(8).prefix { $0.isLetter }
      if !["quote", "verse", "center"].contains(name) { end = "#+end_\(name)" }
      return .code
    }
    if line.body.first == UInt8(ascii: ":"), line.body.last == UInt8(ascii: ":"),
      start != ":end:", line.body.count > 2, !line.body.contains(0x20)
    {
      end = ":end:"
      return .code
    }
    if start.hasPrefix("\\begin{") || start.hasPrefix("\\[") {
      let isFormula = start.hasPrefix("\\[")
      let close = isFormula ? "\\]" : "\\end{"
      if !line.body.contains(close) { end = close }
      return .code
    }
    if line.indentation == 0, line.starts(with: "*"),
      line.body.drop(while: { $0 == UInt8(ascii: "*") }).first == 0x20
    {
      return .single
    }
    let commands = ["#", "|", ":", "scheduled:", "deadline:", "closed:", "clock:"]
    return commands.contains { start.hasPrefix($0) } ? .code : nil
  }
}

extension ArraySlice<UInt8> {
  /// Returns whether the bytes contain an ASCII text.
  fileprivate func contains(_ text: String) -> Bool { count(of: text) > 0 }

  /// Returns the number of occurrences of an ASCII text, without overlaps.
  fileprivate func count(of text: String) -> Int {
    let text = Array(text.utf8)
    var (count, rest) = (0, self)
    while let start = rest.firstIndex(of: text[0]) {
      rest = rest[start...]
      let isFound = rest.starts(with: text)
      if isFound { count += 1 }
      rest = rest.dropFirst(isFound ? text.count : 1)
    }
    return count
  }
}
