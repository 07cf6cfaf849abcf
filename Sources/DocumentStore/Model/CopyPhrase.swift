internal import Foundation

/// The words in brackets with which tools mark conflicted copies.
enum CopyPhrase {
  /// The words for “conflicted copy” in the languages of the tools, in lowercase, longest first.
  ///
  /// Dropbox uses the language of the device that creates the copy.
  private static let words: [(words: String, tool: ConflictedCopyName.Tool)] = [
    ("conflicted copy", .dropbox), ("conflicting copy", .box), ("conflict copy", .box),
    ("sfconflict", .seafile), ("case clash", .nextcloud), ("case conflict", .dropbox),
    ("unicode encoding conflict", .dropbox), ("whitespace conflict", .dropbox),
    ("selective sync conflict", .dropbox),
    ("in konflikt stehende kopie", .dropbox), ("konfliktkopie", .dropbox),
    ("copie en conflit", .dropbox), ("copie conflictuelle", .dropbox),
    ("copia en conflicto", .dropbox), ("copia conflictiva", .dropbox),
    ("copia in conflitto", .dropbox), ("cópia em conflito", .dropbox),
    ("conflicterende kopie", .dropbox), ("kopie met conflict", .dropbox),
    ("kopia powodująca konflikt", .dropbox), ("kopia pozostająca w konflikcie", .dropbox),
    ("конфликтующая копия", .dropbox), ("конфліктна копія", .dropbox),
    ("konflikterande kopia", .dropbox), ("konfliktkopia", .dropbox),
    ("modstridende kopi", .dropbox), ("kopi i konflikt", .dropbox), ("konfliktkopi", .dropbox),
    ("motstridende kopi", .dropbox), ("ristiriitainen kopio", .dropbox),
    ("konfliktní kopie", .dropbox), ("çakışan kopya", .dropbox), ("çakışan kopyası", .dropbox),
    ("salinan berkonflik", .dropbox), ("salinan bercanggah", .dropbox),
    ("สำเนาที่ขัดแย้งกัน", .dropbox),
    ("の競合コピー", .dropbox), ("競合コピー", .dropbox), ("上の問題のあるコピー", .dropbox),
    ("의 충돌된 사본", .dropbox), ("충돌된 사본", .dropbox),
    ("的冲突副本", .dropbox), ("冲突副本", .dropbox), ("的衝突複本", .dropbox), ("衝突複本", .dropbox),
  ]

  /// Words between a person or device and the phrase.
  private static let links: Set<String> = [
    "from", "of", "by", "on", "von", "de", "du", "di", "da", "do", "van", "von:", "från", "fra",
    "av",
    "użytkownika", "пользователя", "користувача", "さんの", "の", "-",
  ]

  /// Returns the mark in a text in round brackets; `nil` for any other text.
  static func mark(_ text: String, rest: [UInt8]) -> CopyMark? {
    if let mark = unison(text, rest: rest) ?? fsNotes(text, rest: rest) { return mark }
    // Compares characters, which are equal even if a system decomposes accented letters.
    let (characters, lower) = (Array(text), Array(text.lowercased()))
    // Some letters have a lowercase form of another length, which would shift the positions.
    guard lower.count == characters.count,
      let (phrase, tool) = words.first(where: { place(of: $0.words, in: lower) != nil }),
      let found = place(of: phrase, in: lower)
    else { return nil }
    let before = scalars(characters[..<found.lowerBound])
    let after = scalars(characters[found.upperBound...])
    let (dated, date) = NameDate.last(in: after)
    var mark = CopyMark(tool: tool, rest: rest, date: date?.moment)
    let owner = name(before: before)
    let other = name(after: dated)
    switch tool {
    case .dropbox where phrase == "conflicted copy" && owner == nil:
      guard let date else {
        // Without a date, the words alone don't show whose copy it is.
        mark.author = other
        return mark
      }
      switch date.form {
      case .digits: return CopyMark(tool: .obsidian, rest: rest, device: other, date: date.moment)
      case .time: return CopyMark(tool: .nextcloud, rest: rest, author: other, date: date.moment)
      default: mark.author = other
      }
    default: mark.author = owner ?? other
    }
    return mark
  }

  /// Returns the mark in a text in square brackets.
  static func square(_ text: String, rest: [UInt8]) -> CopyMark? {
    switch text.lowercased() {
    case "conflict": CopyMark(tool: .googleDrive, rest: rest)
    case "conflicted": CopyMark(tool: .pCloud, rest: rest)
    default: nil
    }
  }

  /// Finds `conflict_on_2026-11-21` or `conflict #1_on_2026-11-21`.
  private static func unison(_ text: String, rest: [UInt8]) -> CopyMark? {
    var scanner = NameScanner(Array(text.utf8)[...])
    guard scanner.skip("conflict") else { return nil }
    if scanner.skip(" #") { guard scanner.take(while: { $0.isDigit }) != nil else { return nil } }
    guard scanner.skip("_on_"), let date = scanner.date(),
      scanner.rest.isEmpty || scanner.rest.elementsEqual("_was_deleted".utf8)
    else { return nil }
    return CopyMark(tool: .unison, rest: rest, date: NameDate(date, nil).moment)
  }

  /// Finds `CONFLICT 2026-11-21 02.54`.
  private static func fsNotes(_ text: String, rest: [UInt8]) -> CopyMark? {
    guard text.hasPrefix("CONFLICT ") else { return nil }
    let (other, date) = NameDate.last(in: Array(text.unicodeScalars.dropFirst(9)))
    guard let date, other.isEmpty else { return nil }
    return CopyMark(tool: .fsNotes, rest: rest, date: date.moment)
  }

  /// Returns the last range of a phrase in a text.
  private static func place(of phrase: String, in text: [Character]) -> Range<Int>? {
    let phrase = Array(phrase)
    for start in text.indices.reversed() where text[start...].starts(with: phrase) {
      return start..<start + phrase.count
    }
    return nil
  }

  private static func scalars(_ characters: ArraySlice<Character>) -> [Unicode.Scalar] {
    characters.flatMap(\.unicodeScalars)
  }

  /// Returns the name before a phrase: “Mira’s”, “Miras”, “Mira 的”.
  private static func name(before scalars: [Unicode.Scalar]) -> String? {
    var name = trimmed(scalars)
    for ending in ["'s", "’s"] where name.hasSuffix(bytes: ending) {
      name = String(name.unicodeScalars.dropLast(2))
      return name.isEmpty ? nil : name
    }
    return withoutLinks(name)
  }

  /// Returns the name after a phrase: “from Mira”.
  private static func name(after scalars: [Unicode.Scalar]) -> String? {
    withoutLinks(trimmed(scalars))
  }

  private static func withoutLinks(_ name: String) -> String? {
    var words = name.unicodeScalars.split(separator: " ").map { String($0) }
    while let first = words.first, links.contains(first.lowercased()) { words.removeFirst() }
    while let last = words.last, links.contains(last.lowercased()) { words.removeLast() }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func trimmed(_ scalars: [Unicode.Scalar]) -> String {
    let name = scalars.drop { $0 == " " }
    let end = name.lastIndex { $0 != " " && $0 != "," }
    return end.map { String(String.UnicodeScalarView(name[...$0])) } ?? ""
  }
}

extension String {
  fileprivate func hasSuffix(bytes ending: String) -> Bool {
    utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }
}
