/// Asks about messages of a catalog whose number of plural forms newly differs from the number in the header.
struct PluralForms: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let uneven = UnevenPlurals(merge.result).messages
    let known = merge.texts.all.map { UnevenPlurals($0).messages }
    guard !uneven.isEmpty, !uneven.isSubset(of: known.reduce([]) { $0.union($1) }) else {
      return []
    }
    return [
      .doubt("One side changed the number of plural forms, the other one messages that have some.")
    ]
  }
}

/// The messages whose number of plural forms differs from the number in the header.
private struct UnevenPlurals {
  private(set) var messages: Set<String> = []

  init(_ text: TextLines) {
    var forms: Int?
    var (name, count) = ("", 0)
    var counts: [String: Int] = [:]
    for number in 0..<text.count {
      let line = text.line(number)
      if let start = line.firstPlace(of: "nplurals="), forms == nil {
        forms = Int(line[start.upperBound...].prefix(while: \.isNumber))
      }
      if line.hasPrefix("msgctxt ") || line.hasPrefix("msgid ") && count > 0 {
        (name, count) = (String(line), 0)
      } else if line.hasPrefix("msgid") || line.hasPrefix("\"") && count == 0 && !name.isEmpty {
        name += line
      } else if line.hasPrefix("msgstr[") {
        count += 1
        counts[name] = count
      } else if line.hasPrefix("msgstr") {
        name = ""
      }
    }
    if let forms { messages = Set(counts.filter { $0.value != forms }.keys) }
  }
}
