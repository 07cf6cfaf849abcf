/// Lines that programs write whenever they save, such as dates, counters and places in a source: where both sides have
/// other ones, either is right.
///
/// They are made the same in all three texts, with the newer date, the higher counter and the later place, before the
/// texts are merged.
struct RevisedLines {
  enum Form {
    /// Catalogues of gettext: dates in the head, and places in the source.
    case messages
    /// Calendars and address books: dates and counters of each component.
    case components
  }

  /// A line, or some in a row, that a program wrote.
  private struct Entry {
    let lines: Range<Int>
    let text: ArraySlice<UInt8>
  }

  private let form: Form

  init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "po", "pot": form = .messages
    case "ics", "ical", "vcf", "vcard": form = .components
    default: return nil
    }
  }

  /// The same sides with equal lines where a program wrote other ones on each; `nil` if there are none.
  ///
  /// - Parameter fields: The fields that are asked about.
  func settled(
    _ sides: MergeSides<[UInt8]>, _ fields: RevisedFields
  ) -> MergeSides<[UInt8]>? {
    guard let old = sides.base else { return nil }
    let texts = MergeSides(
      base: TextLines(old), ours: TextLines(sides.ours), theirs: TextLines(sides.theirs))
    let entries = texts.map(entries)
    guard let known = entries.base else { return nil }
    typealias Replacements = [Int: (end: Int, text: ArraySlice<UInt8>)]
    var (base, own, other): (Replacements, Replacements, Replacements) = ([:], [:], [:])
    for (name, old) in known {
      guard !fields.areAsked(name.prefix { $0 != " " }),
        let ours = entries.ours[name], let theirs = entries.theirs[name],
        ours.text != theirs.text, ours.text != old.text, theirs.text != old.text
      else { continue }
      let dates = Self.date(beside: name).flatMap { date in
        entries.ours[date].flatMap { one in entries.theirs[date].map { (one.text, $0.text) } }
      }
      guard Self.date(beside: name) == nil || dates.map({ $0 != $1 }) ?? false else { continue }
      let (one, two) = dates ?? (ours.text, theirs.text)
      let text = Self.isAfter(one, two) ? ours.text : theirs.text
      base[old.lines.lowerBound] = (old.lines.upperBound, text)
      own[ours.lines.lowerBound] = (ours.lines.upperBound, text)
      other[theirs.lines.lowerBound] = (theirs.lines.upperBound, text)
    }
    guard !own.isEmpty else { return nil }
    func written(_ text: TextLines, _ new: Replacements) -> [UInt8] {
      var (result, line): ([UInt8], Int) = ([], 0)
      while line < text.count {
        if let entry = new[line] {
          result += entry.text
          line = entry.end
        } else {
          result += text[line..<line + 1]
          line += 1
        }
      }
      return result
    }
    return MergeSides(
      base: texts.base.map { written($0, base) }, ours: written(texts.ours, own),
      theirs: written(texts.theirs, other))
  }

  /// Returns whether a text is the newer one of two: of a later date, of a higher number or, if that does not show, the
  /// one that is last by its bytes, so that every device gets the same result.
  static func isAfter(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    func digits(_ text: ArraySlice<UInt8>) -> [UInt8] {
      text.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let (first, second) = (digits(one), digits(other))
    if first.count != second.count { return first.count > second.count }
    return first == second
      ? other.lexicographicallyPrecedes(one) : second.lexicographicallyPrecedes(first)
  }

  /// The field whose date says which of two is the newer one; `nil` if they do so themselves.
  private static func date(beside name: String) -> String? {
    ["Last-Translator", "X-Generator"].contains(name) ? "PO-Revision-Date" : nil
  }

  // MARK: Reading

  /// The entries that each stand once, by what they belong to.
  private func entries(_ text: TextLines) -> [String: Entry] {
    var (entries, doubled): ([String: Entry], Set<String>) = ([:], [])
    func add(_ name: String, _ lines: Range<Int>) {
      let entry = Entry(lines: lines, text: text[lines])
      // Without its line break, a last line is another one.
      guard entry.text.last == .lineFeed else { return }
      if entries.updateValue(entry, forKey: name) != nil { doubled.insert(name) }
    }
    switch form {
    case .messages: readMessages(text, add)
    case .components: readComponents(text, add)
    }
    return entries.filter { !doubled.contains($0.key) }
  }

  private func readMessages(_ text: TextLines, _ add: (String, Range<Int>) -> Void) {
    for entry in EntryNames(text, .translations).entries {
      var places: Range<Int>?
      for number in entry.lines {
        let line = text[number..<number + 1]
        if line.starts(with: "#:".utf8) {
          places = (places?.lowerBound ?? number)..<number + 1
        }
      }
      if let places { add("places of " + entry.name, places) }
    }
    // The head is the first entry, whose text is empty.
    for number in 0..<min(text.count, 60) {
      let line = text[number..<number + 1]
      for name in ["POT-Creation-Date", "PO-Revision-Date", "Last-Translator", "X-Generator"]
      where line.starts(with: "\"\(name):".utf8) {
        add(name, number..<number + 1)
      }
    }
  }

  private func readComponents(_ text: TextLines, _ add: (String, Range<Int>) -> Void) {
    // A component may have others in it.
    var open: [(identifier: String, lines: [(name: String, line: Int)])] = []
    for number in 0..<text.count {
      let line = String(decoding: text[number..<number + 1], as: UTF8.self)
      let name = line.prefix { $0 != ":" && $0 != ";" }
      switch name {
      case "BEGIN": open.append(("", []))
      case "UID", "RECURRENCE-ID":
        if let last = open.indices.last { open[last].identifier += line }
      case "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "REV":
        if let last = open.indices.last { open[last].lines.append((String(name), number)) }
      case "END":
        guard let closed = open.popLast(), !closed.identifier.isEmpty else { continue }
        for (name, line) in closed.lines {
          add(name + " of " + closed.identifier, line..<line + 1)
        }
      default: break
      }
    }
  }
}
