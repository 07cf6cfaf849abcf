/// Messages, each with the comments above it.
struct MessageEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var (context, name): (Substring, Substring?) = ("", nil)
    var start: Int?
    var isContext = false
    for (number, line) in lines.enumerated() {
      if line.isEmpty { start = nil }
      let isHead = line.hasPrefix("#") || line.hasPrefix("msgctxt ") || line.hasPrefix("msgid ")
      if isHead { start = start ?? number }
      if line.hasPrefix("msgctxt ") {
        (context, isContext) = (line, true)
      } else if line.hasPrefix("msgid ") {
        (name, isContext) = (line.dropFirst(6), false)
      } else if line.hasPrefix("\""), isContext {
        context += line
      } else if line.hasPrefix("\""), let known = name {
        name = known + line
      } else if line.hasPrefix("msgstr"), let known = name {
        names.add(String(context + known), (start ?? number)..<number + 1)
        (context, name, start) = ("", nil, nil)
      } else if line.hasPrefix("msgstr") || line.hasPrefix("\"") {
        names.extendLast(to: number)
      }
    }
  }
}
