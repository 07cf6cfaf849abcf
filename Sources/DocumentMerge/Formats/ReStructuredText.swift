/// Text for people in reStructuredText; directives, literal blocks, tables and titles are merged by lines.
extension DocumentFormat {
  static let restructuredText = DocumentFormat(
    "restructured-text", ["*.rst", "*.rest"], kind: .restructuredText,
    engine: text(.restructuredText),
    checks: [
      NamesOnce(TargetEntries(), OutlineNames(.restructured), areLines: true),
      LostNames(NoteNames(), TargetNames()), MisplacedSections(.restructured),
    ])
}

/// Targets, footnotes and substitutions.
private struct TargetEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix(".. ") else { continue }
      let rest = text.dropFirst(3)
      switch rest.first {
      case "_" where !rest.hasPrefix("__"):
        guard let end = rest.firstIndex(of: ":") else { continue }
        // A label belongs to the text after it.
        names.add([(rest[...end].lowercased(), number)], areWhole: rest[end...] != ":")
      case "[":
        // Automatically numbered footnotes have no name.
        guard let end = rest.firstIndex(of: "]"), !rest.hasPrefix("[#]"), !rest.hasPrefix("[*]")
        else { continue }
        names.add(rest[...end], number)
      case "|":
        if let end = rest.dropFirst().firstIndex(of: "|") { names.add(rest[...end], number) }
      default: break
      }
    }
  }
}

private struct TargetNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " }
    var rest = text
    if text.hasPrefix(".. _"), let end = text.firstIndex(of: ":") {
      names.define(text[..<end].dropFirst(4).lowercased().filter { $0 != "`" })
      return
    } else if text.hasPrefix(".. ["), let end = text.firstIndex(of: "]") {
      names.define(text[...end].dropFirst(3))
      rest = text[end...]
    } else if text.hasPrefix(".. |"), let end = text.dropFirst(4).firstIndex(of: "|") {
      names.define(text[...end].dropFirst(3))
      return
    }
    for link in rest.pieces(behind: ":ref:`") {
      let content = link.prefix { $0 != "`" }
      let name = content.firstIndex(of: "<").map { content[$0...].dropFirst().dropLast() }
      names.refer(to: (name ?? content).lowercased())
    }
    for word in text.split(whereSeparator: { " ,.;()".contains($0) }) {
      if word.hasSuffix("]_") { names.refer(to: word.dropLast()) }
      if word.hasSuffix("_"), !word.hasSuffix("__"), word.count > 1 {
        names.refer(to: word.dropLast().lowercased().filter { $0 != "`" })
      }
      if word.count > 2, word.first == "|", word.last == "|" { names.refer(to: word) }
    }
  }
}
