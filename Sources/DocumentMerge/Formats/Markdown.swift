/// Text for people in Markdown, with lists and tables; front matter as YAML or TOML.
extension DocumentFormat {
  static let markdown = DocumentFormat(
    "markdown", ["*.md", "*.markdown", "*.mdown", "*.mkd", "*.mkdn", "*.qmd", "*.rmd"],
    identifiers: ["net.daringfireball.markdown"], kind: .markdown,
    engine: { engines in
      MarkdownMergeEngine { language in
        let kind = Catalogue.format(ofFileName: "code." + language)?.kind
        return kind.flatMap {
          languages.contains($0) ? ($0.rawValue, engines.engine(for: $0)) : nil
        }
      }
    },
    checks: [
      names, references, OutdatedTranslations(tablesInText), UnevenTables(.markdown),
      MisplacedSections(.markdown),
    ])

  /// Markdown with components of programs, by lines.
  static let markdownWithElements = DocumentFormat(
    "mdx", ["*.mdx"], checks: [names, references, BrokenMarkup(), MisplacedSections(.markdown)])
}

/// The types of code that are merged with their own engines.
private let languages: Set<MergeEngines.Kind> = [
  .json, .yaml, .toml, .xml, .html, .settings, .table, .sql,
]

private let names = NamesOnce(
  MarkdownEntries(), OutlineNames(.markdown), areLines: true)
private let references = LostNames(
  NoteNames(), BlockNames(), FencedGraphNames(), MarkdownNames())

/// The keys of front matter, footnotes and link targets.
private struct MarkdownEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var start = 0
    if let first = lines.first, first == "---" || first == "+++",
      let end = lines.dropFirst().firstIndex(of: first)
    {
      let mark: Character = first == "---" ? ":" : "="
      for (number, line) in lines[1..<end].enumerated() {
        guard let first = line.first, first.isLetter || first == "_" || first == "\"",
          let separator = line.firstIndex(of: mark)
        else {
          names.extendLast(to: number + 1)
          continue
        }
        let key = line[..<separator].trimmingSuffix { $0 == " " }
        names.add("front matter: " + key.filter { $0 != "\"" }, number + 1)
      }
      start = end + 1
    }
    var fence: Substring?
    for (number, line) in lines.enumerated().dropFirst(start) {
      if line.hasPrefix("```") || line.hasPrefix("~~~") {
        fence = fence == nil ? line.prefix(3) : line.hasPrefix(fence ?? "") ? nil : fence
      }
      guard fence == nil else { continue }
      let text = line.drop { $0 == " " }
      if text.first == "[", line.count - text.count <= 3, let end = text.firstIndex(of: "]"),
        text[end...].hasPrefix("]:")
      {
        let isLonger = number + 1 < lines.count && lines[number + 1].first?.isWhitespace ?? false
        names.add([(text[...end].lowercased(), number)], areWhole: !isLonger)
      } else if text.hasPrefix("id:: ") {
        names.add([(String(text), number)])
      } else if text.first == "#", let start = text.firstPlace(of: "{#") {
        names.add([("#" + text[start.upperBound...].prefix { $0 != "}" && $0 != " " }, number)])
      }
    }
  }
}

/// Headings, footnotes and link targets.
private struct MarkdownNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " }
    if text.first == "#" {
      let title = text.drop { $0 == "#" }
      if title.first == " " { names.define("#" + ReferenceNames.anchor(of: title.dropFirst())) }
      if let start = title.firstPlace(of: "{#") {
        names.define("#" + title[start.upperBound...].prefix { $0 != "}" && $0 != " " })
      }
    }
    for mark in ["id=\"", "name=\""] {
      if let start = text.firstPlace(of: mark) {
        names.define("#" + text[start.upperBound...].prefix { $0 != "\"" })
      }
    }
    var rest = text
    if text.first == "[", let end = text.firstIndex(of: "]"), text[end...].hasPrefix("]:") {
      names.define(text[...end].lowercased())
      rest = text[end...].dropFirst(2)
    }
    readLinks(rest, &names)
  }

  /// Reads `](#heading)`, `][target]` and `[^note]` outside code.
  private func readLinks(_ text: Substring, _ names: inout ReferenceNames) {
    let line = text.withoutCode
    var rest = line
    while let start = rest.firstIndex(of: "]") {
      let behind = rest[start...].dropFirst()
      if behind.hasPrefix("(#") {
        names.refer(to: "#" + behind.dropFirst(2).prefix { $0 != ")" && $0 != " " })
      } else if behind.first == "[" {
        let name = behind.dropFirst().prefix { $0 != "]" }
        names.refer(to: "[\(name.lowercased())]")
      }
      rest = behind
    }
    for rest in line.pieces(behind: "[^") {
      names.refer(to: "[^\(rest.prefix { $0 != "]" }.lowercased())]")
    }
  }
}

/// Headings, and blocks with a name at their end or below them, in notes that link to them: `[[#^name]]`,
/// `((name))`, `[[#Heading]]`, `[[note#^name]]`.
private struct BlockNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if let start = line.lastIndex(of: "^"), start > line.startIndex,
      line[line.index(before: start)] == " ", line[start...].dropFirst().allSatisfy(\.isNamePart)
    {
      names.define(line[start...])
    }
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.hasPrefix("id:: ") { names.define("((\(text.dropFirst(5))))") }
    let shown = line.withoutCode
    for rest in shown.pieces(behind: "((") {
      names.refer(to: "((\(rest.prefix { $0 != ")" })))")
    }
    for rest in shown.pieces(behind: "[[") {
      let target = rest.prefix { $0 != "]" && $0 != "|" }
      // Block names are unique among notes, so the named note may be this one.
      if let block = target.firstPlace(of: "#^") {
        names.refer(to: target[block.lowerBound...].dropFirst())
      } else if target.first == "#" {
        names.refer(to: "#" + ReferenceNames.anchor(of: target.dropFirst()))
      }
    }
  }
}

/// Diagrams in fenced blocks of a document.
private struct FencedGraphNames: NameReader {
  private var graph = GraphNames()
  private var isOpen = false
  private var isPartial = false

  mutating func begin(isPartial: Bool) {
    self.isPartial = isPartial
    isOpen = isPartial
  }

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.hasPrefix("```") {
      isOpen =
        isPartial
        || !isOpen
          && ["```mermaid", "```dot", "```graphviz", "```plantuml"].contains { line.hasPrefix($0) }
    } else if isOpen {
      graph.read(line, into: &names)
    }
  }
}

private func tablesInText(_ text: TextLines, into translations: inout Translations) {
  translations.add(TextsByLanguage(tablesIn: text))
}

extension ReferenceNames {
  /// Returns the name by which links refer to a heading.
  static func anchor(of title: Substring) -> String {
    let words = title.trimmingSuffix { $0 == " " || $0 == "#" }.lowercased()
    return String(
      words.compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }
}

extension Substring {
  /// The text without inline code in backticks.
  var withoutCode: Substring {
    guard let start = firstIndex(of: "`") else { return self }
    let mark = self[start...].prefix { $0 == "`" }
    var rest = self[mark.endIndex...]
    while let end = rest.firstIndex(of: "`") {
      let other = rest[end...].prefix { $0 == "`" }
      rest = rest[other.endIndex...]
      if other.count == mark.count { return self[..<start] + rest.withoutCode }
    }
    return self[..<mark.endIndex] + self[mark.endIndex...].withoutCode
  }
}
