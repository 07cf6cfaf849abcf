/// BibTeX bibliographies: entries by their keys, fields by their names.
extension DocumentFormat {
  static let bibTeX = DocumentFormat(
    "bibtex", ["*.bib", "*.bibtex"], kind: .bibliography, engine: structure(BibliographyFormat()),
    checks: [
      LostNames(WorkNames()), TwinEntries(works),
    ])

  /// Bibliographies in RIS format, by lines.
  static let ris = DocumentFormat(
    "ris", ["*.ris"], checks: [NamesOnce(LineEntries(behind: "ID  - "))])
}

/// The works that contain others, and strings.
private struct WorkNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.first == "@", let brace = line.firstIndex(of: "{") {
      let name = line[brace...].dropFirst().drop { $0 == " " }.prefix { !",= }".contains($0) }
      names.define(name.lowercased())
    } else if let equals = line.firstIndex(of: "=") {
      let field = line[..<equals].lowercased().filter { $0.isLetter }
      let value = line[equals...].dropFirst().trimmingSuffix { $0 == "," || $0 == " " }
      if field == "crossref" || field == "xdata" {
        names.refer(to: value.lowercased().filter { !"{}\" ".contains($0) })
      } else if !value.contains(where: { "{}\"".contains($0) }) {
        for name in value.lowercased().split(whereSeparator: { " #".contains($0) }) {
          names.refer(to: name)
        }
      }
    }
  }
}

/// Returns works by their contents, regardless of their keys.
private func works(in text: TextLines, _ lines: [Substring]) -> [TwinEntries.Entry] {
  EntryNames(text, [WorkEntries()]).entries.map { entry in
    TwinEntries.Entry(
      name: entry.name, text: lines[entry.lines].dropFirst().filter { !$0.isEmpty })
  }
}
