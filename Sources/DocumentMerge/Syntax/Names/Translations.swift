/// The translations of a text by their source texts, as catalogues of messages have them.
struct Translations {
  enum Form {
    /// Entries of gettext: `msgid` and `msgstr`.
    case gettext
    /// Elements of XLIFF and Qt Linguist: `source`, and `target` or `translation`.
    case elements
  }

  /// The translations by source text; of equal sources all, one after the other.
  private(set) var bySource: [String: String] = [:]

  /// Reads a text.
  init(_ text: TextLines, _ form: Form) {
    let text = String(decoding: text.bytes, as: UTF8.self)
    switch form {
    case .gettext: readEntries(text)
    case .elements: readElements(text)
    }
  }

  private mutating func add(_ translation: some StringProtocol, of source: some StringProtocol) {
    bySource[String(source), default: ""] += translation + "\n"
  }

  private mutating func readEntries(_ text: String) {
    var (source, translation): (String?, String?) = (nil, nil)
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("msgid ") {
        if let source, let translation { add(translation, of: source) }
        (source, translation) = (String(line.dropFirst(6)), nil)
      } else if line.hasPrefix("msgstr") {
        translation = (translation ?? "") + line.drop { $0 != "\"" }
      } else if line.hasPrefix("\"") {
        if translation != nil { translation?.append(contentsOf: line) } else { source? += line }
      }
    }
    if let source, let translation { add(translation, of: source) }
  }

  private mutating func readElements(_ text: String) {
    var source: Substring?
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      let tag = rest[start...].dropFirst()
      let name = tag.prefix { $0.isLetter || $0 == "-" }
      rest = tag[name.endIndex...]
      guard ["source", "target", "translation"].contains(name),
        let end = rest.firstRange(of: "</\(name)>")
      else { continue }
      let content = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      if name == "source" {
        source = content.drop { $0 != ">" }.dropFirst()
      } else if let known = source {
        add(content, of: known)
        source = nil
      }
    }
  }
}

extension Translations {
  /// The sources that one side changed, while the other one translated them as they were.
  /// - Parameters:
  ///   - side: The translations of the side that changed sources.
  ///   - other: Those of the other one.
  func outdated(by side: Translations, translatedBy other: Translations) -> [String] {
    bySource.filter { source, translation in
      side.bySource[source] == nil && other.bySource[source].map { $0 != translation } ?? false
    }
    .keys.sorted()
  }
}

extension Translations.Form {
  /// The form of files of a name; `nil` if they hold no translations.
  init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "po", "pot": self = .gettext
    case "xlf", "xliff", "ts": self = .elements
    default: return nil
    }
  }
}
