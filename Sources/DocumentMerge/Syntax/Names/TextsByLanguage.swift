/// Texts in several languages: columns of a table, adjacent keys, or elements.
struct TextsByLanguage {
  /// A text in one language.
  struct Text {
    /// The name of the text in all languages.
    let name: String
    let language: Substring
    let text: Substring
  }

  private(set) var texts: [Text] = []

  /// The languages that take precedence as sources.
  private static let sources: [Substring] = ["source", "original", "en", "english"]

  /// The codes of languages that aren't also words.
  private static let codes: Set<Substring> = [
    "en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "fi", "nb", "nn", "pl", "cs", "sk", "hu",
    "ro", "bg", "el", "ru", "uk", "tr", "ar", "he", "fa", "ja", "ko", "zh", "vi", "th", "hr", "sl",
    "sr", "et", "lv", "lt", "ca", "eu", "gl", "ga", "cy", "ka", "hi", "bn", "ta", "te", "ur",
  ]
  private static let names: Set<Substring> = [
    "english", "german", "french", "spanish", "portuguese", "italian", "dutch", "swedish", "danish",
    "finnish", "norwegian", "polish", "czech", "slovak", "hungarian", "romanian", "bulgarian",
    "greek", "russian", "ukrainian", "turkish", "arabic", "hebrew", "persian", "japanese", "korean",
    "chinese", "vietnamese", "thai", "croatian", "slovenian", "serbian", "deutsch", "englisch",
    "français", "español", "source", "original", "translation", "target",
  ]

  /// Returns the language that a word names; `nil` for other words.
  static func language(_ word: some StringProtocol) -> Substring? {
    let lower = word.lowercased()
    var name = lower[...].drop { " \"".contains($0) }.trimmingSuffix { " \"\r".contains($0) }
    if name.last == ")", let start = name.lastIndex(of: "(") {
      name = name[start...].dropFirst().dropLast()
    }
    if names.contains(name) { return name }
    let code = name.prefix { $0 != "-" && $0 != "_" }
    return codes.contains(code) && name.count <= 7 ? name : nil
  }

  /// Returns the source among languages: one marked as such, English, or the first.
  static func source(of languages: [Substring]) -> Substring? {
    for source in sources {
      let found = languages.first { $0 == source || $0.prefix { $0 != "-" && $0 != "_" } == source }
      if let found { return found }
    }
    return languages.first
  }

  // MARK: Tables

  /// Reads a table with a column for each language.
  init(rowsOf text: TextLines) {
    guard text.count > 1, case let head = text.line(0),
      let separator = [";", "\t", ","].first(where: { head.has($0) }),
      head.split(separator: Character(separator)).count(where: { Self.language($0) != nil }) > 1,
      let table = TableText(
        text.bytes.last == .lineFeed ? text.bytes : text.bytes + [.lineFeed],
        separator: separator.utf8.first ?? UInt8(ascii: ","), allowsShortRows: true)
    else { return }
    func cell(_ row: Int, _ column: Int) -> Substring {
      Substring(decoding: table.value(row, column), as: UTF8.self)
    }
    let columns = (0..<table.columnCount).compactMap { column in
      Self.language(cell(0, column)).map { (column, $0) }
    }
    guard columns.count > 1, columns.count < table.columnCount, columns[0].0 > 0 else { return }
    for row in 1..<max(1, table.rowCount) {
      for (column, language) in columns {
        texts.append(
          Text(name: String(cell(row, 0)), language: language, text: cell(row, column)))
      }
    }
  }

  /// Reads the tables of a document in Markdown.
  init(tablesIn text: TextLines) {
    var columns: [(Int, Substring)]?
    for (number, line) in text.enumerated() {
      guard line.first == UInt8(ascii: "|") else {
        columns = nil
        continue
      }
      let cells = text.line(number).dropFirst()
        .split(separator: "|", omittingEmptySubsequences: false)
      guard let columns else {
        columns = cells.indices.dropFirst().compactMap { column in
          Self.language(cells[column]).map { (column, $0) }
        }
        continue
      }
      guard columns.count > 1, let name = cells.first else { continue }
      for (column, language) in columns where column < cells.count {
        texts.append(
          Text(
            name: String(name), language: language,
            text: cells[column].drop { $0 == " " }.trimmingSuffix { $0 == " " }))
      }
    }
  }

  // MARK: Data

  /// Reads adjacent keys that are languages.
  init(keysOf text: TextLines) {
    guard Self.mayHaveLanguages(text) else { return }
    for entry in EntryNames(text, [ColumnKeys(.paths)]).entries {
      let path = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      guard let place = path.indices.last(where: { Self.language(path[$0]) != nil }),
        let language = Self.language(path[place]), !Self.names.contains(language)
      else { continue }
      let line = text.line(entry.lines.lowerBound)
      guard let (_, value) = line.entry, !value.isEmpty, value != "{", value != "[" else {
        continue
      }
      let name =
        path[..<place].joined(separator: "/") + "/…/"
        + path[(place + 1)...].joined(separator: "/")
      texts.append(Text(name: name, language: language, text: value))
    }
  }

  /// Returns whether there are at least two keys that are languages.
  private static func mayHaveLanguages(_ text: TextLines) -> Bool {
    var found: Set<ArraySlice<UInt8>> = []
    for line in text {
      let line = line.drop { $0 == 0x20 || $0 == UInt8(ascii: "\"") }
      let key = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\"") }
      guard (2...7).contains(key.count), key.endIndex < line.endIndex, !found.contains(key),
        language(String(decoding: key, as: UTF8.self)) != nil
      else { continue }
      found.insert(key)
      if found.count > 1 { return true }
    }
    return false
  }

  /// Reads a translation memory: elements with a part for each language.
  init(memory text: TextLines) {
    var number = 0
    MarkupPieces(String(decoding: text.bytes, as: UTF8.self)).forEach(["tu"]) { _, unit in
      number += 1
      var parts: [(Substring, Substring)] = []
      MarkupPieces(unit.content).forEach(["tuv"]) { _, part in
        let language = part.attribute("xml:lang") ?? part.attribute("lang") ?? ""
        MarkupPieces(part.content).forEach(["seg"]) { parts.append((language, $1.content)) }
      }
      let name = unit.attribute("tuid").map(String.init) ?? "\(number)"
      texts += parts.map { Text(name: name, language: $0.0, text: $0.1) }
    }
  }
}
