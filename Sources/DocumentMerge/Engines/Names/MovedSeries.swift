/// Series of appointments that one side moved or removed, while the other one changed an occurrence: that is known by
/// when the series had it.
struct MovedSeries {
  /// When each series takes place, by its identifier.
  private var times: [Substring: Set<Substring>] = [:]
  /// The occurrences that are not as their series says, by the same.
  private var exceptions: [Substring: Set<String>] = [:]

  /// Finds the identifiers of such series.
  static func names(in texts: MergeSides<TextLines>) -> [String] {
    let all = texts.map { MovedSeries($0) }
    guard let base = all.base else { return [] }
    return Set(base.changed(by: all.ours, all.theirs) + base.changed(by: all.theirs, all.ours))
      .map(String.init).sorted()
  }

  private func changed(by side: MovedSeries, _ other: MovedSeries) -> [Substring] {
    times.keys.filter { name in
      guard side.times[name] != times[name] else { return false }
      let known = exceptions[name, default: []].union(side.exceptions[name, default: []])
      return !other.exceptions[name, default: []].isSubset(of: known)
    }
  }

  private init(_ text: TextLines) {
    var open: [Component] = []
    // A line that starts with a space goes on with the one above it.
    let lines = String(decoding: text.bytes.filter { $0 != .carriageReturn }, as: UTF8.self)
      .replacing("\n ", with: "").replacing("\n\t", with: "").split(separator: "\n")
    for line in lines {
      let key = line.prefix { $0 != ":" && $0 != ";" }
      switch key {
      case "BEGIN": open.append(Component())
      case "END": if let component = open.popLast() { take(component) }
      default: if !open.isEmpty { open[open.count - 1].take(line, key) }
      }
    }
  }

  private mutating func take(_ component: Component) {
    guard let name = component.name else { return }
    if component.isException {
      exceptions[name, default: []].insert(component.fields.sorted().joined(separator: "\n"))
    } else {
      times[name, default: []].formUnion(component.times)
      exceptions[name, default: []].formUnion(component.exceptions.map(String.init))
    }
  }

  /// An appointment, or something else between BEGIN and END.
  private struct Component {
    var name: Substring?
    var isException = false
    var times: [Substring] = []
    var exceptions: [Substring] = []
    var fields: [Substring] = []

    mutating func take(_ line: Substring, _ key: Substring) {
      switch key {
      case "UID": name = line.dropFirst(4)
      case "DTSTART", "RRULE", "RDATE": times.append(line)
      case "EXDATE": exceptions.append(line)
      case "RECURRENCE-ID": isException = true
      default: break
      }
      // What programs write at each change is none.
      if !["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CREATED"].contains(key) { fields.append(line) }
    }
  }
}
