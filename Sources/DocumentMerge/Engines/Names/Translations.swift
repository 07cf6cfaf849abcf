/// The translations of a text, each with its source, as catalogues of messages have them.
///
/// A source is the text itself where the format has it, else what says what the text is about: the comment of an entry.
struct Translations {
  enum Form {
    /// Entries of gettext: `msgid` and `msgstr`.
    case gettext
    /// Elements of XLIFF and Qt Linguist: `source`, and `target` or `translation`.
    case elements
    /// Elements with a value and a comment: `data` of .NET.
    case resources
    /// Elements with a comment above them: `string` of Android.
    case commentedElements
    /// Lines with a comment above them: strings of Apple's.
    case commentedLines
    /// Keys, with what is said about each under the key behind an `@`.
    case attributedKeys
    /// Keys with a text for each language.
    case stringCatalog
    /// Tables with a column for each language.
    case table
    /// The same in Markdown.
    case tablesInText
    /// Languages as keys next to each other.
    case keys
    /// Translation memories.
    case memory
  }

  /// One text in one language.
  private struct Unit {
    var sources: [String] = []
    var translations: [String] = []
  }

  private var units: [String: Unit] = [:]

  /// Reads a text.
  init(_ text: TextLines, _ form: Form) {
    switch form {
    case .gettext: readMessages(String(decoding: text.bytes, as: UTF8.self))
    case .elements: readElements(String(decoding: text.bytes, as: UTF8.self))
    case .resources: readResources(String(decoding: text.bytes, as: UTF8.self))
    case .commentedElements: readCommentedElements(String(decoding: text.bytes, as: UTF8.self))
    case .commentedLines: readCommentedLines(text)
    case .attributedKeys: readAttributedKeys(text.bytes)
    case .stringCatalog: readStringCatalog(text.bytes)
    case .table: add(TextsByLanguage(rowsOf: text))
    case .tablesInText: add(TextsByLanguage(tablesIn: text))
    case .keys: add(TextsByLanguage(keysOf: text))
    case .memory: add(TextsByLanguage(memory: text))
    }
  }

  /// Adds a translation.
  /// - Parameters:
  ///   - name: The name of the text, which stays when its source changes; the source itself if it has none.
  fileprivate mutating func add(
    _ translation: some StringProtocol, of source: some StringProtocol,
    name: some StringProtocol
  ) {
    units[String(name), default: Unit()].sources.append(String(source))
    units[String(name), default: Unit()].translations.append(String(translation))
  }
}

extension Translations {
  /// The texts whose source one side changed, while the other one translated them as they were.
  /// - Parameters:
  ///   - side: The translations of the side that changed sources.
  ///   - other: Those of the other one.
  func outdated(by side: Translations, translatedBy other: Translations) -> [String] {
    units.compactMap { name, unit -> String? in
      guard let translated = other.units[name], translated.translations != unit.translations,
        translated.sources == unit.sources, side.units[name]?.sources != unit.sources,
        side.units[name]?.translations != translated.translations
      else { return nil }
      return unit.sources.first { !$0.isEmpty } ?? name
    }
    .sorted()
  }
}

// MARK: Languages beside each other

extension Translations {
  /// Adds texts in several languages, of which one is the source.
  private mutating func add(_ all: TextsByLanguage) {
    var groups: [String: [TextsByLanguage.Text]] = [:]
    for text in all.texts { groups[text.name, default: []].append(text) }
    for (name, texts) in groups where texts.count > 1 {
      guard let language = TextsByLanguage.source(of: texts.map(\.language)),
        let source = texts.first(where: { $0.language == language })
      else { continue }
      for text in texts where text.language != language {
        add(text.text, of: source.text, name: "\(name)\u{4}\(text.language)")
      }
    }
  }
}

// MARK: Catalogues with sources

extension Translations {
  fileprivate mutating func readMessages(_ text: String) {
    var (context, source, translation): (String, String?, String?) = ("", nil, nil)
    var isContext = false
    func content(_ line: Substring) -> Substring {
      line.drop { $0 != "\"" }.dropFirst().trimmingSuffix { $0 != "\"" }.dropLast()
    }
    func close() {
      if let source, let translation {
        add(translation, of: source, name: context.isEmpty ? source : context + "\u{4}" + source)
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

  fileprivate mutating func readElements(_ text: String) {
    var source: Substring?
    var context: Substring = ""
    MarkupPieces(text).forEach(["name", "source", "target", "translation"]) { name, piece in
      switch name {
      case "name": context = piece.content
      case "source":
        if let source { add("", of: source, name: context + "\u{4}" + source) }
        source = piece.content
      default:
        guard let known = source else { return }
        add(piece.whole, of: known, name: context + "\u{4}" + known)
        source = nil
      }
    }
    if let source { add("", of: source, name: context + "\u{4}" + source) }
  }
}

// MARK: Catalogues with keys

extension Translations {
  fileprivate mutating func readResources(_ text: String) {
    MarkupPieces(text).forEach(["data"]) { _, piece in
      var (value, comment): (Substring, Substring) = ("", "")
      MarkupPieces(piece.content).forEach(["value", "comment"]) { name, piece in
        if name == "value" { value = piece.content } else { comment = piece.content }
      }
      if let name = piece.attribute("name") { add(value, of: comment, name: name) }
    }
  }

  fileprivate mutating func readCommentedElements(_ text: String) {
    MarkupPieces(text).forEach(["string", "plurals", "string-array"]) { _, piece in
      guard let name = piece.attribute("name") else { return }
      add(piece.content, of: piece.commentAbove, name: name)
    }
  }

  fileprivate mutating func readCommentedLines(_ text: TextLines) {
    var comment = ""
    var isComment = false
    for number in 0..<text.count {
      let line = String(decoding: text[number..<number + 1], as: UTF8.self)
        .drop { $0 == " " || $0 == "\t" }.trimmingSuffix(while: \.isWhitespace)
      if isComment || line.hasPrefix("/*") || line.hasPrefix("//") {
        if !isComment { comment = "" }
        comment += line
        isComment = line.hasPrefix("//") ? false : !line.hasSuffix("*/")
      } else if let equals = line.firstPlace(of: "=") {
        let name = line[..<equals.lowerBound].trimmingSuffix { $0 == " " }
        add(line[equals.upperBound...], of: comment, name: name)
        comment = ""
      } else if line.isEmpty {
        comment = ""
      }
    }
  }

  fileprivate mutating func readAttributedKeys(_ document: [UInt8]) {
    guard let texts = JSONTexts(document) else { return }
    let members = texts.members(of: StructureTree.root)
    let about = Dictionary(members.filter { $0.name.first == "@" }, uniquingKeysWith: { $1 })
    for (name, member) in members where name.first != "@" {
      let source = about["@" + name].map { texts.text(of: $0) } ?? ""
      add(texts.text(of: member), of: source, name: name)
    }
  }

  fileprivate mutating func readStringCatalog(_ document: [UInt8]) {
    guard let texts = JSONTexts(document) else { return }
    func member(_ name: String, of node: Int) -> Int? {
      texts.members(of: node).first { $0.name == name }?.member
    }
    guard let strings = member("strings", of: StructureTree.root) else { return }
    let language = member("sourceLanguage", of: StructureTree.root).map {
      texts.text(of: $0).filter { $0 != "\"" }
    }
    for (name, string) in texts.members(of: strings) {
      let languages = member("localizations", of: string).map { texts.members(of: $0) } ?? []
      let source = languages.first { $0.name == language }.map { texts.text(of: $0.member) } ?? ""
      let comment = member("comment", of: string).map { texts.text(of: $0) } ?? ""
      for (code, translation) in languages where code != language {
        add(
          texts.text(of: translation), of: source + comment, name: "\(name)\u{4}\(code)")
      }
    }
  }
}

extension Translations.Form {
  /// The form of files of a name; `nil` if they hold no translations.
  init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "po", "pot": self = .gettext
    case "xlf", "xliff", "ts": self = .elements
    case "resx", "resw": self = .resources
    case "strings": self = .commentedLines
    case "arb": self = .attributedKeys
    case "xcstrings": self = .stringCatalog
    case "xml": self = .commentedElements
    case "csv", "tsv": self = .table
    case "md", "markdown": self = .tablesInText
    case "json", "yaml", "yml": self = .keys
    case "tmx": self = .memory
    default: return nil
    }
  }
}
