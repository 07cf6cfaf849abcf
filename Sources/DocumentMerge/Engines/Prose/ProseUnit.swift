/// A part of a text for people that is edited as one: a paragraph, a list item, or a table row.
struct ProseUnit {
  let kind: ProseLine
  let lines: Range<Int>
  let bytes: [UInt8]
  /// The sorted numbers of the words, without the marker of a list item.
  let words: [Int]
  /// True if the unit is a row with a running number, which isn't one of its words.
  var isCounted = false

  /// The bytes without the marker of a list item and the box of a task.
  var content: ArraySlice<UInt8> {
    if case .listItem(let marker) = kind { bytes.dropFirst(marker.length) } else { bytes[...] }
  }

  /// The bytes without the number of a list item.
  var unnumbered: [UInt8] {
    guard case .listItem(let marker) = kind else { return bytes }
    return Array(bytes[..<marker.prefix] + bytes[(marker.prefix + marker.digits)...])
  }

  /// The box of a task, in lowercase; empty if there is none.
  var box: String {
    guard case .listItem(let marker) = kind else { return "" }
    return String(decoding: bytes[marker.lead..<marker.length], as: UTF8.self).lowercased()
  }

  var isBlank: Bool { kind == .blank }

  /// Returns the similarity of two units: 1 for equal words, 0 for different kinds or nothing in common.
  func likeness(to other: ProseUnit) -> Double {
    guard kind.isLike(other.kind) else { return 0 }
    guard kind != .code, !words.isEmpty || !other.words.isEmpty else {
      return bytes == other.bytes || isBlank ? 1 : 0
    }
    var (common, index, otherIndex) = (0, 0, 0)
    while index < words.count, otherIndex < other.words.count {
      let (word, otherWord) = (words[index], other.words[otherIndex])
      if word == otherWord { common += 1 }
      if word <= otherWord { index += 1 }
      if otherWord <= word { otherIndex += 1 }
    }
    return 2 * Double(common) / Double(words.count + other.words.count)
  }
}

extension [ProseUnit] {
  /// Divides lines into units.
  static func units(
    of text: TextLines, kinds: [ProseLine], in lines: Range<Int>, numbers: inout WordNumbers
  ) -> [ProseUnit] {
    var units: [ProseUnit] = []
    var start = lines.lowerBound
    while start < lines.upperBound {
      var end = start + 1
      let kind = kinds[start]
      if kind.continuesInParagraph {
        while end < lines.upperBound, kinds[end] == .paragraph { end += 1 }
      }
      let bytes = [UInt8](text[start..<end])
      var skipped = 0
      if case .listItem(let marker) = kind { skipped = marker.length }
      let tokens = WordTokens([UInt8](bytes.dropFirst(skipped)))
      let words = tokens.tokens.indices.filter { tokens.tokens[$0].weight > 0 }
        .map { numbers.number(of: tokens.text($0)) }
      units.append(
        ProseUnit(kind: kind, lines: start..<end, bytes: bytes, words: words.sorted()))
      start = end
    }
    return units.map { $0.withoutPosition(in: text, kinds, &numbers) }
  }
}

extension ProseUnit {
  /// Returns the unit without the number that only counts the rows of a table.
  fileprivate func withoutPosition(
    in text: TextLines, _ kinds: [ProseLine], _ numbers: inout WordNumbers
  ) -> ProseUnit {
    func number(_ line: Int) -> Int? {
      guard kinds.indices.contains(line), kinds[line] == .tableRow else { return nil }
      return Int(Self.rowKey(of: Array(text[line])))
    }
    let line = lines.lowerBound
    guard let count = number(line), number(line - 1) == count - 1 || number(line + 1) == count + 1,
      let place = words.firstIndex(of: numbers.number(of: Array(rowKey.utf8)[...]))
    else { return self }
    var words = words
    words.remove(at: place)
    return ProseUnit(kind: kind, lines: lines, bytes: bytes, words: words, isCounted: true)
  }

  /// Returns the changes from one list of units to another; an edited unit doesn't count as changed.
  /// - Parameter kept: the units, without numbers, that both texts have, though perhaps elsewhere; they aren't edited.
  /// - Returns: `nil` if there is too much to compare.
  static func changes(
    from old: [ProseUnit], to new: [ProseUnit], kept: Set<[UInt8]>
  ) -> [LineChange]? {
    let part = LineChange.between(old, new) { $0.bytes == $1.bytes }
    let start = part.old.lowerBound
    let (old, new) = (Array(old[part.old]), Array(new[part.new]))
    let effort =
      (old.reduce(0) { $0 + $1.words.count } + old.count) * (new.count + 1)
      + (new.reduce(0) { $0 + $1.words.count } + new.count) * (old.count + 1)
    guard effort < 4_000_000 else { return nil }
    let (texts, newTexts) = (old.map(\.unnumbered), new.map(\.unnumbered))
    func mayBeEdit(_ place: Int, _ newPlace: Int) -> Bool {
      !kept.contains(texts[place]) && !kept.contains(newTexts[newPlace])
    }
    return WeightedAlignment(old.count, new.count) { place, newPlace in
      let (old, new) = (old[place], new[newPlace])
      if texts[place] == newTexts[newPlace], !old.isBlank, !old.isCounted { return 2 }
      return old.isBlank || old.isCounted || mayBeEdit(place, newPlace) ? gain(old, new) : 0
    }
    .changes
    .filter { change in
      guard change.old.count == 1, change.new.count == 1 else { return true }
      // A list item that replaced another one is an edit of it.
      let (place, newPlace) = (change.old.lowerBound, change.new.lowerBound)
      return !mayBeEdit(place, newPlace) || !old[place].kind.isUnordered
        || !old[place].kind.isLike(new[newPlace].kind)
    }
    .map { $0.shifted(by: start) }
  }

  private static func gain(_ old: ProseUnit, _ new: ProseUnit) -> Double {
    if old.isBlank || new.isBlank { return old.isBlank && new.isBlank ? 0.1 : 0 }
    let likeness = old.likeness(to: new)
    if likeness == 1, old.isCounted, new.isCounted { return 2 }
    return likeness >= 0.5 ? likeness : 0
  }
}

extension [ProseUnit] {
  /// Returns whether other units are the same, apart from line breaks.
  func areRewrapped(in others: [ProseUnit]) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { unit, other in
        guard unit.bytes != other.bytes else { return true }
        return unit.kind == other.kind && unit.kind.continuesInParagraph
          && unit.bytes.split(whereSeparator: \.isSpace)
            == other.bytes.split(whereSeparator: \.isSpace)
      }
  }
}

extension ProseLine {
  fileprivate var continuesInParagraph: Bool {
    switch self {
    case .paragraph, .listItem: true
    case .blank, .single, .tableRow, .entry, .code: false
    }
  }
}
