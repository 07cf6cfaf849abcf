/// Asks about series of appointments that one side moved or removed, while the other side changed an occurrence, which
/// is identified by its original time in the series.
struct MovedSeries: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let (base, ours, theirs) = (Series(merge.base), Series(merge.ours), Series(merge.theirs))
    return Set(base.changed(by: ours, theirs) + base.changed(by: theirs, ours)).sorted().map {
      .doubt(
        "One side changed when the series “\($0)” takes place, the other one an occurrence of it.")
    }
  }
}

private struct Series {
  /// The times of each series, by its identifier.
  private var times: [Substring: Set<Substring>] = [:]
  /// The changed occurrences of each series, by its identifier.
  private var exceptions: [Substring: Set<String>] = [:]

  /// Returns the series that one side changed, while the other side changed an occurrence.
  func changed(by side: Series, _ other: Series) -> [Substring] {
    times.keys.filter { name in
      guard side.times[name] != times[name] else { return false }
      let known = exceptions[name, default: []].union(side.exceptions[name, default: []])
      return !other.exceptions[name, default: []].isSubset(of: known)
    }
  }

  init(_ text: TextLines) {
    var open: [Component] = []
    // A line that starts with a space continues the previous one.
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
      // Fields that programs write at each change don't count.
      if !["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CREATED"].contains(key) { fields.append(line) }
    }
  }
}
