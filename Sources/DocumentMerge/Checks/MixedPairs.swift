/// Asks about values that belong together, if a merge took each from a different side.
struct MixedPairs: MergeCheck {
  private let form: PairedValues.Form

  init(_ form: PairedValues.Form) { self.form = form }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    guard PairedValues.mayDiffer(merge.ours, from: merge.base, form),
      PairedValues.mayDiffer(merge.theirs, from: merge.base, form)
    else { return [] }
    let sides = merge.texts.map { PairedValues($0, form).pairs }
    func isChanged(_ side: [PairedValues.Pair: Int]) -> Bool {
      sides.base?.contains { side[$0.key, default: 0] < $0.value } ?? false
    }
    // Pairs can be mixed only if both sides changed one.
    guard isChanged(sides.ours), isChanged(sides.theirs) else { return [] }
    let new = PairedValues(merge.result, form).pairs.filter { pair, count in
      count > sides.map { $0[pair, default: 0] }.mergedCounts.upperBound
    }
    return new.keys
      .map { "\($0.keys[0]) \($0.values[0]), \($0.keys[1]) \($0.values[1])" }.sorted()
      .map { .doubt("Each side changed one of two values that go together: \($0).") }
  }
}

/// Values that belong together, such as the start and the end of an appointment, or an amount and its unit.
///
/// They are read line by line, at each place with both values.
struct PairedValues {
  enum Form {
    /// Keys with values, attributes of tags, and objects.
    case keys
    /// Calendars.
    case components
    /// Columns of a table's row.
    case rows
  }

  /// A pair of values with their keys.
  struct Pair: Hashable {
    let keys: [String]
    let values: [Substring]
  }

  /// The pairs, with the number of times that each occurs.
  private(set) var pairs: [Pair: Int] = [:]

  /// The words in two keys that mark them as a pair.
  private static let words: [(String, String)] = [
    ("start", "end"), ("begin", "end"), ("min", "max"), ("latitude", "longitude"), ("lat", "lon"),
    ("lat", "lng"), ("lat", "long"), ("amount", "currency"), ("price", "currency"),
    ("amount", "unit"), ("quantity", "unit"), ("dtstart", "dtend"), ("dtstart", "duration"),
    ("dtstart", "exdate"), ("dtstart", "rrule"), ("dtstart", "due"),
  ]

  /// Returns whether a side may have changed such values.
  static func mayDiffer(_ side: TextLines, from base: TextLines, _ form: Form) -> Bool {
    if form == .rows { return side.count > 0 && has(side[0]) }
    return side.lines(notIn: base).contains { has(side[$0]) }
  }

  private static func has(_ line: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: line, as: UTF8.self).lowercased()
    return words.contains { text.has($0) || text.has($1) }
  }

  init(_ text: TextLines, _ form: Form) {
    if form == .rows { readRows(text) } else { readLines(text, form) }
  }

  private mutating func readLines(_ text: TextLines, _ form: Form) {
    /// The open places, each with its column and values.
    var open: [(column: Int, values: [String: Substring])] = []
    for line in text {
      let content = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = content.first, first > 0x20, content.count < 400 else { continue }
      if form == .components {
        readComponent(String(decoding: content, as: UTF8.self), &open)
        continue
      }
      var column = content.startIndex - line.startIndex
      // The keys of an item follow its mark.
      let isItem = content.starts(with: "- ".utf8)
      if isItem { column += 2 }
      while let last = open.last, last.column > column || last.column == column && isItem {
        close(open.removeLast().values)
      }
      let entries = Self.entries(in: String(decoding: content, as: UTF8.self))
      guard !entries.isEmpty else {
        // A section has separate values.
        if first == UInt8(ascii: "["), let last = open.popLast() { close(last.values) }
        continue
      }
      if entries.count > 1 {
        close(Dictionary(entries, uniquingKeysWith: { first, _ in first }))
      } else {
        if open.last?.column != column { open.append((column, [:])) }
        open[open.count - 1].values[entries[0].0] = entries[0].1
      }
    }
    for place in open { close(place.values) }
  }

  private mutating func readComponent(
    _ line: String, _ open: inout [(column: Int, values: [String: Substring])]
  ) {
    let text = line[...].trimmingSuffix(while: \.isWhitespace)
    if text.hasPrefix("BEGIN:") {
      open.append((0, [:]))
    } else if text.hasPrefix("END:") {
      if let last = open.popLast() { close(last.values) }
    } else if !open.isEmpty {
      let key = text.prefix { $0 != ":" && $0 != ";" }
      open[open.count - 1].values[key.lowercased()] = text.dropFirst(key.count)
    }
  }

  private mutating func readRows(_ text: TextLines) {
    let lines = (0..<text.count).map(text.line)
    guard let head = lines.first, let separator = [";", "\t", ","].first(where: { head.has($0) })
    else { return }
    func cells(_ line: Substring) -> [Substring] {
      line.split(omittingEmptySubsequences: false) { String($0) == separator }
    }
    let names = cells(head).map(Self.key)
    for line in lines.dropFirst() where !line.has("\"") {
      let values = cells(line)
      guard values.count == names.count else { continue }
      close(Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first }))
    }
  }

  private mutating func close(_ values: [String: Substring]) {
    guard values.count > 1 else { return }
    for (one, value) in values {
      for (first, second) in Self.words where one.hasSuffix(first) || one.hasPrefix(first) {
        let other =
          one.hasSuffix(first)
          ? String(one.dropLast(first.count)) + second : second + String(one.dropFirst(first.count))
        if let partner = values[other], !value.isEmpty, !partner.isEmpty {
          pairs[Pair(keys: [one, other], values: [value, partner]), default: 0] += 1
        }
      }
    }
  }

  private static func key(_ text: Substring) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns the keys in a line, each with its value.
  private static func entries(in line: String) -> [(String, Substring)] {
    var entries: [(String, Substring)] = []
    var rest = line[...]
    while let sign = rest.firstIndex(where: { $0 == ":" || $0 == "=" }) {
      let name = rest[..<sign].trimmingSuffix { " \"'".contains($0) }
      let start = name.lastIndex { !($0.isNamePart && $0 != ".") }.map { name.index(after: $0) }
      let value = rest[sign...].dropFirst().drop { $0 == " " }
      let isQuoted = value.first == "\"" || value.first == "'"
      let text =
        isQuoted
        ? value.dropFirst().prefix { $0 != value.first }
        : value.prefix { !",}]>\n\r#".contains($0) }.trimmingSuffix { $0 == " " }
      let key = key(name[(start ?? name.startIndex)...])
      if !key.isEmpty { entries.append((key, text)) }
      rest = value[text.endIndex...].dropFirst(isQuoted ? 1 : 0)
      // Unless more keys follow in the same braces or tag, the rest is the value.
      guard isQuoted || rest.first == "," else { break }
    }
    return entries
  }
}
