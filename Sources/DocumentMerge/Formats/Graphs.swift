/// Graphviz graphs, and Mermaid and PlantUML diagrams: nodes, which edges refer to by name.
extension DocumentFormat {
  static let graph = DocumentFormat(
    "graph", ["*.dot", "*.gv", "*.mmd", "*.mermaid", "*.puml", "*.plantuml"],
    checks: [
      NamesOnce(
        LineEntries { line in
          GraphNames.declaration(in: line.drop { $0 == " " || $0 == "\t" }).map { "node \($0)" }
        }), LostNames(GraphNames()),
    ])
}

/// The nodes of Graphviz graphs and the parts of Mermaid and PlantUML diagrams, which edges refer to by name.
struct GraphNames: NameReader {
  /// The arrows of edges, the longest first.
  private static let arrows = [
    "<-->", "-.->", "-->>", "->>", "==>", "-->", "<--", "--|>", "..>", "->", "<-", "--", "..",
    "---",
  ]
  private static let words: Set<Substring> = [
    "graph", "digraph", "subgraph", "strict", "node", "edge", "flowchart", "end", "style",
    "classDef",
    "click", "direction", "note", "title", "skinparam", "linkStyle", "return", "activate",
    "deactivate", "sequenceDiagram", "classDiagram", "stateDiagram", "erDiagram",
  ]
  /// The words before a declared name.
  private static let declarators: Set<Substring> = [
    "participant", "actor", "class", "interface", "component", "entity", "state", "database",
    "node", "rectangle", "usecase", "boundary", "control", "queue", "package", "object", "enum",
    "abstract", "cloud", "folder",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, first != "%", first != "'", !text.hasPrefix("//") else { return }
    guard let ends = Self.ends(of: text) else {
      if let name = Self.declaration(in: text) { names.define(name) }
      return
    }
    for end in ends {
      guard let (name, rest) = Self.name(at: end.drop { $0 == " " }) else { continue }
      names.refer(to: name)
      // An end of an edge may describe its node.
      if let next = rest.first, "[({>".contains(next), !rest.hasPrefix("[color"),
        !text.has(";")
      {
        names.define(name)
      }
    }
  }

  /// Returns the texts at the ends of edges; `nil` for a line without an edge.
  private static func ends(of text: Substring) -> [Substring]? {
    var (ends, rest): ([Substring], Substring) = ([], text)
    while let (arrow, range) = firstArrow(in: rest) {
      ends.append(ends.isEmpty ? rest[..<range.lowerBound] : rest)
      rest = rest[range.upperBound...].drop { ">|-o*.".contains($0) && arrow != "|" }
      // The label of the edge.
      if rest.first == "|" || text.has("-->|"), let end = rest.firstIndex(of: "|") {
        rest = rest[end...].dropFirst()
      }
      rest = rest.drop { $0 == " " }
    }
    guard !ends.isEmpty else { return nil }
    return ends + [rest]
  }

  private static func firstArrow(in text: Substring) -> (String, Range<Substring.Index>)? {
    var found: (String, Range<Substring.Index>)?
    // Brackets, or text after a colon, are descriptions.
    let end = text.firstIndex { "[({:".contains($0) } ?? text.endIndex
    for arrow in arrows {
      guard let range = text[..<end].firstPlace(of: arrow), range.lowerBound > text.startIndex
      else { continue }
      if found.map({ range.lowerBound < $0.1.lowerBound }) ?? true { found = (arrow, range) }
    }
    return found
  }

  /// Returns the name at the start of a text, and the rest.
  private static func name(at text: Substring) -> (name: Substring, rest: Substring)? {
    if text.first == "\"" {
      let name = text.dropFirst().prefix { $0 != "\"" }
      return name.isEmpty ? nil : (name, text[name.endIndex...].dropFirst())
    }
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : (name, text[name.endIndex...])
  }

  /// Returns the name that a line declares; `nil` if it declares none.
  static func declaration(in text: Substring) -> Substring? {
    guard ends(of: text) == nil else { return nil }
    if let alias = text.firstPlace(of: " as "), let word = text.split(separator: " ").first,
      declarators.contains(word)
    {
      let behind = text[alias.upperBound...]
      let first = text[..<alias.lowerBound].dropFirst(word.count).drop { $0 == " " }
      // One name is the short one, the other the displayed one.
      return first.first == "\"" || first.first == "[" || behind.has(" ")
        ? name(at: first.first == "\"" || first.first == "[" ? behind : first)?.name
        : name(
          at: text.has("participant") || text.has("actor")
            ? aliasName(first, behind) : behind)?
          .name
    }
    guard let (first, rest) = name(at: text) else { return nil }
    if declarators.contains(first), let (second, _) = name(at: rest.drop { $0 == " " }) {
      return second
    }
    guard !words.contains(first) else { return nil }
    let next = rest.drop { $0 == " " }.first
    return next.map { "[({;>".contains($0) } ?? true ? first : nil
  }

  /// Returns the shorter one of a participant's two names, which messages use.
  private static func aliasName(_ first: Substring, _ second: Substring) -> Substring {
    first.count < second.count ? first : second
  }
}
