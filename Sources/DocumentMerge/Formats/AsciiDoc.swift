/// Text for people in AsciiDoc; delimited blocks, macros and tables are merged by lines.
extension DocumentFormat {
  static let asciiDoc = DocumentFormat(
    "asciidoc", ["*.adoc", "*.asciidoc", "*.asc"], kind: .asciidoc, engine: text(.asciidoc),
    checks: [
      NamesOnce(AnchorEntries(), OutlineNames(.asciidoc)), LostNames(AnchorNames()),
      MisplacedSections(.asciidoc),
    ])
}

/// Anchors and attributes.
private struct AnchorEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("[[") || line.hasPrefix("[#") {
        names.add("#" + line.dropFirst(2).prefix { !"],.%".contains($0) }, number)
      } else if line.first == ":", let end = line.dropFirst().firstIndex(of: ":"),
        !line[..<end].contains(" ")
      {
        names.add(line[...end], number)
      }
    }
  }
}

private struct AnchorNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.hasPrefix("[[") || line.hasPrefix("[#") {
      names.define(line.dropFirst(2).prefix { !"],.%".contains($0) })
    } else if line.first == ":", let end = line.dropFirst().firstIndex(of: ":") {
      names.define("{\(line[..<end].dropFirst())}")
    }
    for (mark, last) in [("<<", ">"), ("xref:", "["), ("{", "}")] as [(String, Character)] {
      for rest in line.pieces(behind: mark) {
        let name = rest.prefix { $0 != last && $0 != "," }.drop { $0 == "#" }
        names.refer(to: mark == "{" ? "{\(name)}" : String(name))
      }
    }
  }
}
