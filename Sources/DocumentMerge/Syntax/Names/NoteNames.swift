/// The footnotes and numbered targets, each with its text.
struct NoteNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.hasPrefix(".. [") ? line.dropFirst(3) : line
    guard text.first == "[", let end = text.firstIndex(of: "]") else { return }
    let rest = text[end...].dropFirst().drop { $0 == ":" }
    guard rest.endIndex != text[end...].dropFirst().startIndex, rest.first == " " else { return }
    let isNote = line.first == "." || text[end...].hasPrefix("]:")
    if isNote { names.say(rest.drop { $0 == " " }, of: text[...end].lowercased()) }
  }
}
