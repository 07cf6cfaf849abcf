/// Keys with values in sections: settings, environments, desktop entries.
struct SettingEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var section: (name: String, start: Int) = ("", 0)
    /// The column of the section's keys; lines further right continue the value above.
    var column: Int?
    var isContinued = false
    var lists = 0
    func end(before line: Int) -> Int {
      let last = lines[section.start..<line].lastIndex { !$0.isEmpty && !Self.isComment($0) }
      return (last ?? section.start) + 1
    }
    var sections: [EntryNames.Entry] = []
    func closeSection(before line: Int) {
      guard section.name.hasPrefix("["), !section.name.hasPrefix("[[") else {
        return
      }
      sections.append(
        EntryNames.Entry(name: section.name, lines: section.start..<end(before: line)))
    }
    for (number, line) in lines.enumerated() {
      let continues = line.hasSuffix("\\")
      defer { isContinued = continues }
      let text = line.drop { $0 == " " || $0 == "\t" }
      let indent = line.count - text.count
      guard !text.isEmpty, !Self.isComment(text) else { continue }
      if isContinued || column.map({ indent > $0 }) ?? false {
        names.extendLast(to: number)
      } else if text.first == "[", text.contains("]") {
        closeSection(before: number)
        section = (String(text), number)
        // Each table of a list has its own keys.
        if text.hasPrefix("[[") {
          lists += 1
          section.name += "\(lists)"
        }
        column = nil
      } else if let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }),
        let key = Self.key(text[..<end])
      {
        column = indent
        names.add(section.name + key, number)
      }
    }
    closeSection(before: lines.count)
    for section in sections { names.add(section.name, section.lines) }
  }

  private static func isComment(_ line: Substring) -> Bool {
    line.first.map { "#;!".contains($0) } ?? false
  }

  /// Returns a key without a prefix; `nil` if the text can't be one.
  private static func key(_ text: Substring) -> Substring? {
    var key = text.trimmingSuffix { $0 == " " || $0 == "\t" }
    if key.hasPrefix("export ") { key = key.dropFirst(7) }
    let isKey = !key.isEmpty && !key.contains { "{}();$".contains($0) }
    // The commands of programs and servers contain spaces, and may occur twice.
    return isKey && key.split(separator: " ").count <= 3 ? key : nil
  }
}
