/// HTML, with or without optional end tags.
extension DocumentFormat {
  static let html = DocumentFormat(
    "html", ["*.html", "*.htm"], identifiers: ["public.html"], kind: .html,
    engine: structure(HTMLFormat()),
    signature: { $0.head.hasPrefix("<!doctype html") || $0.head.hasPrefix("<html") },
    checks: [
      NamesOnce(ChoiceEntries(), OutlineNames(.html)),
      LostNames(MarkupPropertyNames(), MarkupNames()), ContradictingTerms(),
      UnevenTables(.markup), MixedPairs(.keys), ReleasedEntries(.markup),
      MisplacedSections(.html),
    ])
}

/// The choices of forms, and the metadata of a page.
private struct ChoiceEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var menu = 0
    for (number, line) in lines.enumerated() {
      if line.has("<select") { menu += 1 }
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.hasPrefix("<option value=\"") {
        names.add([("option \(menu): \(text.dropFirst(15).prefix { $0 != "\"" })", number)])
      } else if text.hasPrefix("<meta name=\"") {
        // The name ends with the first value.
        let name = text.dropFirst(12).prefix { $0 != "\"" }
        names.add([("<meta name=\"\(name)", number)])
      }
    }
  }
}
