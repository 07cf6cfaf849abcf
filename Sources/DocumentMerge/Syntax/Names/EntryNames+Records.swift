/// Names of records: messages, works, appointments and people.
extension EntryNames {
  /// Reads messages, each with the comments above it.
  mutating func readTranslations(_ lines: [Substring]) {
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
        add(String(context + known), (start ?? number)..<number + 1)
        (context, name, start) = ("", nil, nil)
      } else if line.hasPrefix("msgstr") || line.hasPrefix("\"") {
        extendLast(to: number)
      }
    }
  }

  mutating func readBibliography(_ lines: [Substring]) {
    for (number, line) in lines.enumerated() {
      guard line.hasPrefix("@") else {
        if line.first == "}" || line.first == " " || line.first == "\t" { extendLast(to: number) }
        continue
      }
      let parts = line.split(separator: "{", maxSplits: 1)
      let kind = parts[0].lowercased().trimmingSuffix { $0 == " " }
      guard parts.count == 2, kind != "@comment", kind != "@preamble" else { continue }
      let name = parts[1].drop { $0 == " " }.prefix { !",}= ".contains($0) }
      // Keys are compared in small letters.
      if !name.isEmpty { add((kind == "@string" ? "@string " : "") + name.lowercased(), number) }
    }
  }

  mutating func readComponents(_ lines: [Substring]) {
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
        add(known.name + recurrence, known.line)
        uid = nil
      }
    }
  }

  mutating func readSubtitles(_ lines: [Substring]) {
    for (number, line) in lines.enumerated().dropFirst()
    where line.has(" --> ") && !lines[number - 1].isEmpty {
      add(lines[number - 1], number - 1)
    }
  }

  /// Reads names behind a mark at the start of a line.
  mutating func readMarked(_ lines: [Substring], by mark: String) {
    for (number, line) in lines.enumerated() where line.hasPrefix(mark) {
      add(line.dropFirst(mark.count).drop { $0 == " " }, number)
    }
  }
}
