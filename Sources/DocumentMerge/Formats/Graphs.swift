/// Graphs of Graphviz, and diagrams of Mermaid and PlantUML: nodes, which edges name.
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

/// Nodes of graphs and parts of diagrams, which edges name: of Graphviz, Mermaid and PlantUML.
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
  /// The words before a name that is declared.
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
      // An end may say what it is.
      if let next = rest.first, "[({>".contains(next), !rest.hasPrefix("[color"),
        !text.has(";")
      {
        names.define(name)
      }
    }
  }

  /// The texts at which the ends of edges stand; `nil` for a line without an edge.
  private static func ends(of text: Substring) -> [Substring]? {
    var (ends, rest): ([Substring], Substring) = ([], text)
    while let (arrow, range) = firstArrow(in: rest) {
      ends.append(ends.isEmpty ? rest[..<range.lowerBound] : rest)
      rest = rest[range.upperBound...].drop { ">|-o*.".contains($0) && arrow != "|" }
      // What is written at the edge.
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
    // What stands in brackets or behind a colon is text.
    let end = text.firstIndex { "[({:".contains($0) } ?? text.endIndex
    for arrow in arrows {
      guard let range = text[..<end].firstPlace(of: arrow), range.lowerBound > text.startIndex
      else { continue }
      if found.map({ range.lowerBound < $0.1.lowerBound }) ?? true { found = (arrow, range) }
    }
    return found
  }

  /// The name that a text starts with, and what is behind it.
  private static func name(at text: Substring) -> (name: Substring, rest: Substring)? {
    if text.first == "\"" {
      let name = text.dropFirst().prefix { $0 != "\"" }
      return name.isEmpty ? nil : (name, text[name.endIndex...].dropFirst())
    }
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : (name, text[name.endIndex...])
  }

  /// The name that a line declares; `nil` for none.
  static func declaration(in text: Substring) -> Substring? {
    guard ends(of: text) == nil else { return nil }
    if let alias = text.firstPlace(of: " as "), let word = text.split(separator: " ").first,
      declarators.contains(word)
    {
      let behind = text[alias.upperBound...]
      let first = text[..<alias.lowerBound].dropFirst(word.count).drop { $0 == " " }
      // One is the short name, the other one what is shown.
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

  /// Of the two names of a participant, the shorter one, which messages use.
  private static func aliasName(_ first: Substring, _ second: Substring) -> Substring {
    first.count < second.count ? first : second
  }
}
