/// Components by their identifiers.
struct ComponentEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var recurrence: Substring = ""
    var uid: (name: Substring, line: Int)?
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("BEGIN:") {
        (recurrence, uid) = ("", nil)
      } else if line.hasPrefix("UID:") || line.hasPrefix("UID;") || line.hasPrefix("TZID:") {
        uid = (line, number)
      } else if line.hasPrefix("RECURRENCE-ID") {
        recurrence = line
      } else if line.hasPrefix("END:"), let known = uid {
        names.add(known.name + recurrence, known.line)
        uid = nil
      }
    }
  }
}
