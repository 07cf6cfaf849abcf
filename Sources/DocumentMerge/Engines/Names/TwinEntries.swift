/// Entries that both sides added, and that are the same but for the names that programs or people gave them.
struct TwinEntries {
  /// The names of the entries, each with the other side's.
  let names: [(ours: String, theirs: String)]

  private struct Entry {
    let name: String
    /// The lines of the entry without its name, and without what a program writes whenever it saves.
    let text: [Substring]
  }

  /// The least number of characters that say what an entry is.
  private static let size = 12

  /// The parts of an appointment that say nothing of it.
  private static let marks: Set<Substring> = [
    "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "REV", "BEGIN", "END", "VERSION",
    "PRODID",
  ]

  /// Compares what both sides added; `nil` for a form whose entries are known by their names.
  init?(in texts: MergeSides<TextLines>, _ form: Form) {
    guard let base = texts.base.map({ Self.entries(of: $0, form) }) else { return nil }
    let known = Set(base.map(\.name))
    let said = Set(base.map(\.text))
    func added(_ text: TextLines) -> [Entry] {
      Self.entries(of: text, form).filter { entry in
        !known.contains(entry.name) && !said.contains(entry.text)
          && entry.text.reduce(0) { $0 + $1.count } >= Self.size
      }
    }
    let (ours, theirs) = (added(texts.ours), added(texts.theirs))
    let others = Dictionary(theirs.map { ($0.text, $0.name) }, uniquingKeysWith: { $1 })
    names = ours.compactMap { entry in
      guard let other = others[entry.text], other != entry.name else { return nil }
      return (entry.name, other)
    }
  }

  private static func entries(of text: TextLines, _ form: Form) -> [Entry] {
    let lines = (0..<text.count).map { number in
      Substring(decoding: text[number..<number + 1], as: UTF8.self)
        .trimmingSuffix(while: \.isWhitespace)
    }
    return switch form {
    case .rows: rows(lines)
    case .works: works(text, lines)
    case .components: components(lines)
    }
  }

  /// Rows whose first cell is called an identifier.
  private static func rows(_ lines: [Substring]) -> [Entry] {
    func cut(_ line: Substring) -> (name: Substring, rest: Substring)? {
      line.firstIndex { ",;\t".contains($0) }.map { (line[..<$0], line[$0...]) }
    }
    guard let head = lines.first.flatMap(cut), !head.rest.contains("\""),
      ["id", "uuid", "guid", "identifier", "uid"]
        .contains(head.name.filter { $0.isLetter }.lowercased())
    else { return [] }
    return lines.dropFirst().compactMap { line in
      cut(line).map { Entry(name: String($0.name), text: [$0.rest]) }
    }
  }

  /// Entries of a bibliography.
  private static func works(_ text: TextLines, _ lines: [Substring]) -> [Entry] {
    EntryNames(text, .bibliography).entries.map { entry in
      Entry(name: entry.name, text: lines[entry.lines].dropFirst().filter { !$0.isEmpty })
    }
  }

  /// Components of calendars and address books that have an identifier.
  private static func components(_ lines: [Substring]) -> [Entry] {
    var (entries, text, name): ([Entry], [Substring], String?) = ([], [], nil)
    for line in lines {
      let key = line.prefix { $0 != ":" && $0 != ";" }
      switch key {
      case "BEGIN": (text, name) = ([], nil)
      case "UID": name = String(line)
      case "END":
        if let name { entries.append(Entry(name: name, text: text)) }
        name = nil
      default: if !marks.contains(key), !key.hasPrefix("X-") { text.append(line) }
      }
    }
    return entries
  }
}

extension TwinEntries {
  /// The formats whose entries have names that say nothing.
  enum Form {
    /// Tables with an identifier in the first column.
    case rows
    /// Bibliographies.
    case works
    /// Calendars and address books.
    case components

    /// The form of files of a name and a type; `nil` if their names say what entries are.
    init?(fileName: String, kind: MergeEngines.Kind?) {
      switch fileName.split(separator: ".").last?.lowercased() {
      case _ where kind == .table: self = .rows
      case "bib", "bibtex": self = .works
      case "ics", "ical", "ifb", "vcf", "vcard": self = .components
      default: return nil
      }
    }
  }
}
