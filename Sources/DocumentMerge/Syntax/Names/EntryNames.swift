/// The entries of a text that have a name which must be there once, such as the keys of a section.
struct EntryNames {
  /// The formats whose names are known.
  enum Form {
    /// Keys with values, in sections or without: properties, environments, units of systemd, desktop entries.
    case keys
    /// Translations by their source text.
    case translations
    /// Entries of a bibliography.
    case bibliography
    /// Components of calendars and address books.
    case components
    /// The keys of a front matter, footnotes and targets of links.
    case markdown
    /// Variables in lists such as `- LOG=debug`.
    case variables
  }

  struct Entry {
    let name: String
    /// The lines of the entry.
    let lines: Range<Int>
  }

  private(set) var entries: [Entry] = []

  /// The number of entries of each name.
  var counts: [String: Int] { entries.reduce(into: [:]) { $0[$1.name, default: 0] += 1 } }

  /// Reads a text.
  init(_ text: TextLines, _ form: Form) {
    let lines = (0..<text.count).map { number in
      let line = text[number..<number + 1]
      return String(decoding: line, as: UTF8.self)
        .trimmingSuffix { $0.isNewline || $0 == " " || $0 == "\t" }
    }
    switch form {
    case .keys: readKeys(lines)
    case .translations: readTranslations(lines)
    case .bibliography: readBibliography(lines)
    case .components: readComponents(lines)
    case .markdown: readMarkdown(lines)
    case .variables: readVariables(lines)
    }
  }

  private mutating func add(_ name: some StringProtocol, _ line: Int) {
    entries.append(Entry(name: String(name), lines: line..<line + 1))
  }

  /// Makes a line part of the last entry, if it stands right below it.
  private mutating func extendLast(to line: Int) {
    guard let last = entries.last, last.lines.upperBound == line else { return }
    entries[entries.count - 1] = Entry(name: last.name, lines: last.lines.lowerBound..<line + 1)
  }

  private mutating func readKeys(_ lines: [Substring]) {
    var section: Substring = ""
    var isContinued = false
    for (number, line) in lines.enumerated() {
      let continues = line.hasSuffix("\\")
      defer { isContinued = continues }
      if isContinued { extendLast(to: number) }
      guard !isContinued, let first = line.first, !"#;! \t".contains(first) else { continue }
      if first == "[" {
        section = line
      } else if let end = line.firstIndex(where: { $0 == "=" || $0 == ":" }) {
        add(section + line[..<end].trimmingSuffix { $0 == " " || $0 == "\t" }, number)
      }
    }
  }

  private mutating func readTranslations(_ lines: [Substring]) {
    var (context, name): (Substring, Substring?) = ("", nil)
    var start = 0
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("msgctxt ") {
        context = line
      } else if line.hasPrefix("msgid ") {
        (name, start) = (line.dropFirst(6), number)
      } else if line.hasPrefix("\""), let known = name {
        name = known + line
      } else if line.hasPrefix("msgstr"), let known = name {
        entries.append(Entry(name: String(context + known), lines: start..<number + 1))
        (context, name) = ("", nil)
      }
    }
  }

  private mutating func readBibliography(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() where line.hasPrefix("@") {
      let parts = line.split(separator: "{", maxSplits: 1)
      guard parts.count == 2, !["@comment", "@string", "@preamble"].contains(parts[0].lowercased())
      else { continue }
      add(parts[1].prefix { $0 != "," && $0 != "}" }, number)
    }
  }

  private mutating func readComponents(_ lines: [Substring]) {
    var recurrence: Substring = ""
    var uid: (name: Substring, line: Int)?
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("BEGIN:") {
        (recurrence, uid) = ("", nil)
      } else if line.hasPrefix("UID:") {
        uid = (line, number)
      } else if line.hasPrefix("RECURRENCE-ID") {
        recurrence = line
      } else if line.hasPrefix("END:"), let known = uid {
        add(known.name + recurrence, known.line)
        uid = nil
      }
    }
  }

  private mutating func readMarkdown(_ lines: [Substring]) {
    var start = 0
    if let first = lines.first, first == "---" || first == "+++",
      let end = lines.dropFirst().firstIndex(of: first)
    {
      let mark: Character = first == "---" ? ":" : "="
      for (number, line) in lines[1..<end].enumerated() {
        guard let first = line.first, first.isLetter || first == "_",
          let separator = line.firstIndex(of: mark)
        else {
          extendLast(to: number + 1)
          continue
        }
        add("front matter: " + line[..<separator].trimmingSuffix { $0 == " " }, number + 1)
      }
      start = end + 1
    }
    var fence: Substring?
    for (number, line) in lines.enumerated().dropFirst(start) {
      if line.hasPrefix("```") || line.hasPrefix("~~~") {
        fence = fence == nil ? line.prefix(3) : line.hasPrefix(fence ?? "") ? nil : fence
      }
      guard fence == nil, line.hasPrefix("["), let end = line.firstIndex(of: "]"),
        line[end...].hasPrefix("]:")
      else { continue }
      add(line[...end].lowercased(), number)
    }
  }

  private mutating func readVariables(_ lines: [Substring]) {
    var open: [(indent: Int, key: Substring)] = []
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      guard !text.isEmpty, text.first != "#" else { continue }
      if text.hasPrefix("- ") {
        let item = text.dropFirst(2).drop { $0 == " " || $0 == "\"" || $0 == "'" }
        let name = item.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard !name.isEmpty, item[name.endIndex...].first == "=" else { continue }
        let path = open.filter { $0.indent <= indent }.map(\.key).joined(separator: "/")
        add(path + "/" + name, number)
      } else if let end = text.firstIndex(of: ":") {
        open.removeAll { $0.indent >= indent }
        open.append((indent, text[..<end]))
      }
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text without the last characters that satisfy a condition.
  func trimmingSuffix(while isPart: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isPart(last) { rest.removeLast() }
    return rest
  }
}

extension EntryNames.Form {
  /// Indicates whether an entry is nothing but its lines, which may be taken out.
  var areLines: Bool { self == .keys || self == .markdown }

  /// The form of files of a name; `nil` if nothing is known to be there once.
  init?(fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts.last.map(String.init) ?? "" : "" {
    case "properties", "env", "desktop", "service", "socket", "timer", "target", "mount", "ini",
      "editorconfig":
      self = .keys
    case "po", "pot": self = .translations
    case "bib": self = .bibliography
    case "ics", "vcf": self = .components
    case "md", "markdown", "mdown", "mkd", "mkdn": self = .markdown
    case "yml", "yaml": self = .variables
    default:
      guard name.hasPrefix(".env") else { return nil }
      self = .keys
    }
  }
}
