/// Gettext catalogs: entries by text and context, the header by its fields.
extension DocumentFormat {
  static let gettext = DocumentFormat(
    "gettext", ["*.po", "*.pot"], kind: .gettext, engine: structure(GettextFormat()),
    revisions: GettextRevisions(),
    checks: [
      OutdatedTranslations(messages), PluralForms(),
      RenumberedKeys(.messages),
    ])
}

/// The dates in the header, and the places in the source.
private struct GettextRevisions: RevisionReader {
  func read(_ text: TextLines, _ add: (_ name: String, _ lines: Range<Int>) -> Void) {
    for entry in EntryNames(text, [MessageEntries()]).entries {
      var places: Range<Int>?
      for number in entry.lines {
        let line = text[number]
        if line.starts(with: "#:".utf8) {
          places = (places?.lowerBound ?? number)..<number + 1
        }
      }
      if let places { add("places of " + entry.name, places) }
    }
    // The header is the first entry; its text is empty.
    for number in 0..<min(text.count, 60) {
      let line = text[number]
      for name in ["POT-Creation-Date", "PO-Revision-Date", "Last-Translator", "X-Generator"]
      where line.starts(with: "\"\(name):".utf8) {
        add(name, number..<number + 1)
      }
    }
  }

  func date(beside name: String) -> String? {
    ["Last-Translator", "X-Generator"].contains(name) ? "PO-Revision-Date" : nil
  }
}

/// Translations of messages: `msgid` and `msgstr`.
private func messages(_ text: TextLines, into translations: inout Translations) {
  let text = String(decoding: text.bytes, as: UTF8.self)
  var (context, source, translation): (String, String?, String?) = ("", nil, nil)
  var isContext = false
  func content(_ line: Substring) -> Substring {
    line.drop { $0 != "\"" }.dropFirst().trimmingSuffix { $0 != "\"" }.dropLast()
  }
  func close() {
    if let source, let translation {
      translations.add(
        translation, of: source, name: context.isEmpty ? source : context + "\u{4}" + source)
      (context, isContext) = ("", false)
    }
    (source, translation) = (nil, nil)
  }
  for line in text.split(whereSeparator: \.isNewline) {
    if line.hasPrefix("msgctxt ") {
      close()
      (context, isContext) = (String(content(line)), true)
    } else if line.hasPrefix("msgid ") {
      close()
      (source, isContext) = (String(content(line)), false)
    } else if line.hasPrefix("msgid_plural ") {
      source?.append(contentsOf: content(line))
    } else if line.hasPrefix("msgstr") {
      translation = (translation ?? "") + content(line) + "\n"
    } else if line.hasPrefix("\"") {
      if isContext {
        context += content(line)
      } else if translation != nil {
        translation?.append(contentsOf: content(line))
      } else {
        source?.append(contentsOf: content(line))
      }
    }
  }
  close()
}
