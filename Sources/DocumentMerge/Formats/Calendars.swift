/// Calendars and address books: components by their identifiers, properties by their names.
extension DocumentFormat {
  static let calendar = DocumentFormat(
    "ics", ["*.ics", "*.ical", "*.ifb"], kind: .calendar, engine: structure(CalendarFormat()),
    revisions: ComponentRevisions(),
    checks: addressBook.checks + [MovedSeries(), MixedPairs(.components)])

  static let addressBook = DocumentFormat(
    "vcf", ["*.vcf", "*.vcard"], kind: .calendar, revisions: ComponentRevisions(),
    checks: [
      NamesOnce(ComponentEntries(), FieldEntries()),
      LostNames(MemberNames(), ComponentNames()), TwinEntries(components),
    ])
}

/// The fields that occur once in each component.
private struct FieldEntries: EntryReader {
  /// The fields that an appointment or a person has only once.
  private static let singles: Set<Substring> = [
    "SUMMARY", "DTSTART", "DTEND", "DUE", "DURATION", "LOCATION", "DESCRIPTION", "STATUS", "CLASS",
    "TRANSP", "PRIORITY", "ORGANIZER", "GEO", "BDAY", "ANNIVERSARY", "GENDER", "N", "KIND",
  ]

  func read(_ lines: [Substring], into names: inout EntryNames) {
    var open: [Int] = []
    var components = 0
    for (number, line) in lines.enumerated() {
      let key = line.prefix { $0 != ":" && $0 != ";" }
      switch key {
      case "BEGIN":
        components += 1
        open.append(components)
      case "END": _ = open.popLast()
      default:
        // A field may be repeated in other languages.
        guard Self.singles.contains(key), let component = open.last, !line.has(";LANGUAGE=") else {
          continue
        }
        names.add([("\(key) of component \(component)", number)])
      }
    }
  }
}

/// Appointments and time zones.
private struct ComponentNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.hasPrefix("UID:") {
      names.define(line.dropFirst(4))
    } else if line.hasPrefix("TZID:") {
      names.define(line.dropFirst(5))
    } else if line.hasPrefix("RELATED-TO"), let colon = line.firstIndex(of: ":") {
      names.refer(to: line[colon...].dropFirst())
    } else if let start = line.firstPlace(of: ";TZID=") {
      names.refer(to: line[start.upperBound...].prefix { $0 != ":" && $0 != ";" })
    }
  }
}

/// Members of groups in address books.
private struct MemberNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard let colon = line.lastIndex(of: ":") else { return }
    let name = line[colon...].dropFirst()
    if line.hasPrefix("UID:urn:") { names.define(name) }
    if line.hasPrefix("MEMBER") || line.hasPrefix("RELATED;") { names.refer(to: name) }
  }
}

/// The properties of an appointment that aren't part of its contents.
private let marks: Set<Substring> = [
  "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "REV", "BEGIN", "END", "VERSION",
  "PRODID",
]

/// Returns the components of calendars and address books that have an identifier.
private func components(in text: TextLines, _ lines: [Substring]) -> [TwinEntries.Entry] {
  var (entries, said, name): ([TwinEntries.Entry], [Substring], String?) = ([], [], nil)
  for line in lines {
    let key = line.prefix { $0 != ":" && $0 != ";" }
    switch key {
    case "BEGIN": (said, name) = ([], nil)
    case "UID": name = String(line)
    case "END":
      if let name { entries.append(TwinEntries.Entry(name: name, text: said)) }
      name = nil
    default: if !marks.contains(key), !key.hasPrefix("X-") { said.append(line) }
    }
  }
  return entries
}

/// The dates and counters of each component.
private struct ComponentRevisions: RevisionReader {
  func read(_ text: TextLines, _ add: (_ name: String, _ lines: Range<Int>) -> Void) {
    // Components may contain others.
    var open: [(identifier: String, lines: [(name: String, line: Int)])] = []
    for number in 0..<text.count {
      let line = String(decoding: text[number], as: UTF8.self)
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
