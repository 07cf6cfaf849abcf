/// Text for people in Org; blocks, drawers, keywords and tables are merged by lines.
extension DocumentFormat {
  static let org = DocumentFormat(
    "org", ["*.org"], kind: .org, engine: text(.org),
    checks: [
      NamesOnce(OrgEntries(), OutlineNames(.org)), LostNames(OrgNames()), MisplacedSections(.org),
    ])
}

/// Identifiers, names and footnotes.
private struct OrgEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      let upper = text.uppercased()
      if upper.hasPrefix(":CUSTOM_ID:") || upper.hasPrefix(":ID:") || upper.hasPrefix("#+NAME:") {
        names.add(text, number)
      } else if text.hasPrefix("[fn:"), line.first == "[", let end = text.firstIndex(of: "]") {
        names.add(text[...end], number)
      }
    }
  }
}

/// Headings, identifiers and names of Org.
private struct OrgNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " }
    let upper = text.uppercased()
    if line.first == "*", case let title = line.drop(while: { $0 == "*" }), title.first == " " {
      names.define("*" + title.dropFirst())
    } else if upper.hasPrefix(":CUSTOM_ID:") || upper.hasPrefix(":ID:") {
      let name = text.dropFirst().drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      names.define((upper.hasPrefix(":ID:") ? "id:" : "#") + name)
    } else if upper.hasPrefix("#+NAME:") {
      names.define(text.dropFirst(7).drop { $0 == " " })
    }
    for rest in text.pieces(behind: "[[") {
      names.refer(to: rest.prefix { $0 != "]" })
    }
  }
}
