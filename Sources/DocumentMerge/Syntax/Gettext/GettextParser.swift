/// Reads a gettext catalog into a tree.
///
/// The document is a table of entries, each of which is a table that is named by its text and context. The
/// members of an entry are its comments, named by their marks, and its keywords. The fields of the header,
/// which is the translation of the empty text, are also members. An obsolete entry has a single member with
/// all of its lines. Separate comments belong to the space before the next entry.
struct GettextParser {
  private let lines: TextLines
  private var builder: StructureTreeBuilder
  private var line = 0

  /// The name of the header.
  static let head = Array("\"\"".utf8)

  init(_ bytes: [UInt8]) {
    lines = TextLines(bytes)
    builder = StructureTreeBuilder(bytes)
  }

  /// Reads the document.
  consuming func parse() throws(MergeError) -> StructureTree {
    try builder.openDocument(.table)
    while true {
      let start = position
      let entry = try entry()
      guard !entry.hasOnlyComments else {
        return builder.finishDocument(tail: start)
      }
      try build(entry, from: start)
    }
  }

  private var position: Int { lines.start(of: line) }

  private func invalid(_ expected: String) -> MergeError {
    MergeError(
      .invalidDocument,
      "This is not a gettext catalog: in line \(line + 1), \(expected) was expected.")
  }

  // MARK: Lines

  /// Reads the lines of the next entry; if there is none, only those of comments.
  private mutating func entry() throws(MergeError) -> GettextEntry {
    var entry = GettextEntry()
    while line < lines.count {
      let content = lines.content(of: line)
      guard let first = content.first else {
        if entry.isTranslated || entry.isObsolete { return entry }
        guard entry.hasOnlyComments else { throw invalid("a translation") }
        // Separate comments.
        entry = GettextEntry()
        line += 1
        continue
      }
      let isTaken =
        switch first {
        case UInt8(ascii: "#"): try takeComment(content, into: &entry)
        case UInt8(ascii: "\""): try takeString(content, into: &entry)
        default: try takeKeyword(content, into: &entry)
        }
      guard isTaken else { return entry }
      line += 1
    }
    guard entry.isTranslated || entry.isObsolete || entry.hasOnlyComments else {
      throw invalid("a translation")
    }
    return entry
  }

  /// - Returns: Whether the comment is part of this entry, not of the next one.
  private mutating func takeComment(
    _ content: ArraySlice<UInt8>, into entry: inout GettextEntry
  ) throws(MergeError) -> Bool {
    guard !entry.isTranslated else { return false }
    let mark = content.dropFirst().first.flatMap { ".:,|~=".utf8.contains($0) ? $0 : nil }
    let name = [UInt8(ascii: "#")] + (mark.map { [$0] } ?? [])
    if name == GettextEntry.obsolete { return try takeObsolete(content, into: &entry) }
    if entry.isObsolete { return false }
    guard entry.hasOnlyComments else { throw invalid("a translation") }
    take(name, content, valueStart: content.startIndex + name.count, into: &entry)
    return true
  }

  /// Reads a line of an obsolete entry, which the comments above belong to.
  private mutating func takeObsolete(
    _ content: ArraySlice<UInt8>, into entry: inout GettextEntry
  ) throws(MergeError) -> Bool {
    guard entry.isObsolete || entry.hasOnlyComments else { throw invalid("a translation") }
    if entry.isObsolete, let known = entry.parts.last {
      let isNext = ["msgctxt", "msgid", "|"].contains { word in
        let rest = content.dropFirst(2).drop { $0.isSpace }
        return rest.starts(with: word.utf8) && rest.dropFirst(word.utf8.count).first != 0x5F
      }
      let hasTranslation = known.lines.contains { number in
        lines.content(of: number).dropFirst(2).drop { $0.isSpace }.starts(with: "msgstr".utf8)
      }
      if isNext, hasTranslation { return false }
    }
    take(GettextEntry.obsolete, content, valueStart: content.startIndex, into: &entry)
    return true
  }

  private mutating func takeString(
    _ content: ArraySlice<UInt8>, into entry: inout GettextEntry
  ) throws(MergeError) -> Bool {
    guard let last = entry.parts.last, !last.isComment, GettextString.text(of: content) != nil
    else { throw invalid("a keyword") }
    entry.extendLast(to: lines.place(of: line), number: line, valueEnd: content.endIndex)
    return true
  }

  private mutating func takeKeyword(
    _ content: ArraySlice<UInt8>, into entry: inout GettextEntry
  ) throws(MergeError) -> Bool {
    let word = Array(content.prefix { !$0.isSpace && $0 != UInt8(ascii: "\"") })
    let isStart = word.elementsEqual("msgid".utf8) || word.elementsEqual("msgctxt".utf8)
    if isStart, entry.isTranslated || entry.isObsolete { return false }
    let strings = content.dropFirst(word.count).drop { $0.isSpace }
    guard Self.isKeyword(word), entry.mayContinue(with: word) else { throw invalid("a keyword") }
    guard GettextString.text(of: strings) != nil else { throw invalid("a string") }
    take(word, content, valueStart: strings.startIndex, into: &entry)
    return true
  }

  private static func isKeyword(_ word: [UInt8]) -> Bool {
    if ["msgctxt", "msgid", "msgid_plural", "msgstr"].contains(where: {
      word.elementsEqual($0.utf8)
    }) {
      return true
    }
    let number = word.dropFirst(7).dropLast()
    return word.starts(with: "msgstr[".utf8) && word.last == UInt8(ascii: "]") && !number.isEmpty
      && number.allSatisfy(\.isDigit)
  }

  /// Adds a line that begins a part, or continues comments of one kind.
  private func take(
    _ name: [UInt8], _ content: ArraySlice<UInt8>, valueStart: Int, into entry: inout GettextEntry
  ) {
    let place = lines.place(of: line)
    if let last = entry.parts.last, last.isComment, last.name == name {
      return entry.extendLast(to: place, number: line, valueEnd: content.endIndex)
    }
    entry.add(
      GettextEntry.Part(
        name: name, start: place.lowerBound, valueStart: valueStart, valueEnd: content.endIndex,
        end: place.upperBound, lines: line..<line + 1))
  }
}

// MARK: Trees

extension GettextParser {
  private mutating func build(_ entry: GettextEntry, from start: Int) throws(MergeError) {
    guard let first = entry.parts.first else { return }
    let name = name(of: entry)
    builder.beginMember(at: start)
    builder.beginValue(at: first.start, name: name[...])
    try builder.open(.table, name: name)
    for part in entry.parts {
      if name == Self.head, part.name.elementsEqual("msgstr".utf8), let fields = fields(of: part) {
        try build(fields, of: part)
      } else {
        build(part)
      }
    }
    builder.close(tail: position, closing: position, end: position)
    builder.endMember(at: position)
  }

  /// Returns the text and the context of an entry.
  private func name(of entry: GettextEntry) -> [UInt8] {
    guard !entry.isObsolete else { return obsoleteName(of: entry) }
    func text(_ keyword: String) -> [UInt8]? {
      entry.parts.first { $0.name.elementsEqual(keyword.utf8) }.flatMap(self.text)
    }
    let text = (text("msgid") ?? [], text("msgctxt"))
    return text.1.map { text.0 + " (".utf8 + $0 + ")".utf8 }
      ?? (text.0.isEmpty ? Self.head : text.0)
  }

  private func text(of part: GettextEntry.Part) -> [UInt8]? {
    part.isComment ? nil : GettextString.text(of: lines.bytes[part.valueStart..<part.valueEnd])
  }

  /// Returns the lines before the translation, without their marks.
  private func obsoleteName(of entry: GettextEntry) -> [UInt8] {
    var name = GettextEntry.obsolete
    for number in entry.parts.last?.lines ?? 0..<0 {
      let content = lines.content(of: number).dropFirst(2).drop { $0.isSpace }
      if content.starts(with: "msgstr".utf8) { break }
      if content.first != UInt8(ascii: "|") { name += [0x20] + content }
    }
    return name
  }

  private mutating func build(_ part: GettextEntry.Part) {
    builder.beginMember(at: part.start)
    // The rules for these parts need the marks.
    let isMarked = part.name == GettextEntry.flags || part.name == GettextEntry.obsolete
    builder.beginValue(
      at: isMarked ? part.start : part.valueStart, key: isMarked ? nil : part.start,
      name: part.name[...])
    builder.leaf(upTo: part.valueEnd, value: text(of: part), name: isMarked ? part.name : nil)
    builder.endMember(separator: part.valueEnd..<part.valueEnd, end: part.end)
  }

  /// A field of the header: `"Name: value\n"`, possibly in several strings.
  private struct Field {
    let name: ArraySlice<UInt8>
    let start: Int
    let valueStart: Int
    var valueEnd: Int
    var separator: Int
    var end: Int
  }

  /// Returns the fields of the header; `nil` if it has other contents, or they aren't below the keyword.
  private func fields(of part: GettextEntry.Part) -> [Field]? {
    let first = part.lines.lowerBound
    guard part.lines.count > 1, lines.content(of: first).reversed().starts(with: "\"\" ".utf8)
    else {
      return nil
    }
    var fields: [Field] = []
    var isOpen = false
    for number in part.lines.dropFirst() {
      let (content, place) = (lines.content(of: number), lines.place(of: number))
      let isEnded = content.reversed().starts(with: "\"n\\".utf8)
      let end = isEnded ? content.endIndex - 3 : content.endIndex
      if isOpen, var last = fields.popLast() {
        (last.valueEnd, last.separator, last.end) = (end, content.endIndex, place.upperBound)
        fields.append(last)
      } else {
        let text = content.dropFirst()
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon < end,
          !text[..<colon].contains(where: { $0.isSpace || $0 == UInt8(ascii: "\"") })
        else { return nil }
        let start = text[(colon + 1)..<end].firstIndex { !$0.isSpace } ?? end
        fields.append(
          Field(
            name: text[..<colon], start: place.lowerBound, valueStart: start, valueEnd: end,
            separator: content.endIndex, end: place.upperBound))
      }
      isOpen = !isEnded
    }
    return isOpen ? nil : fields
  }

  private mutating func build(
    _ fields: [Field], of part: GettextEntry.Part
  ) throws(MergeError) {
    builder.beginMember(at: part.start)
    builder.beginValue(at: part.valueStart, key: part.start, name: part.name[...])
    try builder.open(.table)
    for field in fields {
      builder.beginMember(at: field.start)
      builder.beginValue(at: field.valueStart, key: field.start, name: field.name)
      builder.leaf(upTo: field.valueEnd)
      builder.endMember(separator: field.separator..<field.separator, end: field.end)
    }
    builder.close(tail: part.end, closing: part.end, end: part.end)
    builder.endMember(at: part.end)
  }
}

extension TextLines {
  /// Returns a line without its line break and the surrounding space.
  func content(of line: Int) -> ArraySlice<UInt8> {
    var content = bytes[place(of: line)].drop { $0.isSpace }
    while content.last?.isSpace ?? false { content.removeLast() }
    return content
  }
}
