/// The places of a change, divided by whether another text shows them.
///
/// A program that did not notice a change overwrites it with the earlier text and its own edits. Such a text
/// has nothing of the change. A text that was made from the changed one keeps some of it, unless all of it is
/// undone on purpose. If both the change and the text have something new at one place, whole lines or all
/// words of the change must be there, because two people may use the same word at the same place.
///
/// A text that keeps nothing of the earlier one was not written by such a program; it replaces everything.
///
/// The missing and the shown parts of the change are weighed by their words. Numbers and blanks weigh nothing
/// beside words, because every save may write the current date or a counter, or remove blanks at the ends of
/// lines. A text that shows less than a third of the change counts as one that overwrote it, because the
/// resulting conflict loses nothing. A text that shows more was made from the changed one, and undoes the
/// rest on purpose.
package struct ChangeTraces: Sendable, Equatable {
  /// The number of words that the change added and the text has, or that it removed and the text lacks.
  private var shown = 0
  /// The number of all other words that the change added or removed.
  private var missed = 0
  /// The number of places that differ only in numbers or blanks, and that the text shows.
  private var shownMarks = 0
  /// The number of all other such places.
  private var missedMarks = 0
  /// True if the text has a line of the earlier text, or most of its words.
  private var keepsBase = false
  /// True if a part of the text was not made from the changed one, whatever the others show.
  package private(set) var hasStalePart = false
  /// True if the text has words that the change added.
  ///
  /// If it only lacks what the change removed, that may never have been in it.
  package private(set) var hasNews = false

  /// Creates the traces of an empty change.
  package init() {}

  /// True if no place of a change was counted.
  package var isEmpty: Bool { shown + missed + shownMarks + missedMarks == 0 }

  /// True if the text shows at least a third of the change, or was not made from the earlier text either;
  /// numbers and blanks count if nothing else changed.
  package var isShown: Bool {
    if hasStalePart { return false }
    if !keepsBase { return true }
    return shown + missed > 0 ? shown * 2 >= missed : shownMarks > 0 || missedMarks == 0
  }

  /// True if the text shows more of the change than it lacks.
  package var isMostlyShown: Bool {
    !hasStalePart && (shown + missed > 0 ? shown > missed : shownMarks > missedMarks)
  }

  /// Counts a place that is compared as a whole, such as a file of a package.
  ///
  /// - Parameter isNews: true if the text has what the change added here.
  package mutating func add(isShown: Bool, isNews: Bool = false) {
    add(isShown: isShown, weight: 1)
    if isNews { hasNews = true }
  }

  /// Records that a part of the text was not made from the changed one.
  package mutating func addStalePart() {
    hasStalePart = true
  }

  /// Records that something is the same as before the change.
  package mutating func addKept() {
    keepsBase = true
  }

  /// Counts the places of a change between two texts; returns `false` and counts nothing if one of them isn't
  /// text.
  package mutating func add(
    from base: [UInt8], to changed: [UInt8], in text: [UInt8]
  ) -> Bool {
    guard let base = DecodedText(base)?.text, let changed = DecodedText(changed)?.text,
      let text = DecodedText(text)?.text
    else { return false }
    let lines = MergeSides(
      base: TextLines(base), ours: TextLines(text), theirs: TextLines(changed))
    let numbered = NumberedSides(linesOf: lines)
    let known = Set(numbered.numbers.base ?? [])
    if !keepsBase { keepsBase = Words.most(of: base, areIn: text) }
    for region in numbered.regions() {
      let oldBytes = base[lines.base?.bytes(of: region.base) ?? 0..<0]
      if [nil, .theirs].contains(region.kind), Words.hasWord(oldBytes) { addKept() }
      switch region.kind {
      case nil, .ours: continue
      case .clash:
        let brought = region.theirs.filter { !known.contains(numbered.numbers.theirs[$0]) }
        let present = Set(numbered.numbers.ours[region.ours])
        let common = brought.filter { present.contains(numbered.numbers.theirs[$0]) }
        if common.contains(where: { Words.hasWord(lines.theirs[$0]) }) {
          hasNews = true
          for line in brought {
            add(
              isShown: present.contains(numbered.numbers.theirs[line]),
              weight: Words.weight(from: oldBytes, to: lines.theirs[line]))
          }
        } else if !brought.isEmpty,
          brought.allSatisfy({ !Words.hasWord(lines.theirs[$0]) }),
          region.base.count <= region.theirs.count - brought.count
        {
          add(isShown: !common.isEmpty, weight: 0)
        } else {
          let newBytes = changed[lines.theirs.bytes(of: region.theirs)]
          let ownBytes = text[lines.ours.bytes(of: region.ours)]
          if brought.isEmpty, Words.areGone(from: oldBytes, to: newBytes, in: ownBytes) {
            // The change only removed lines, and the text has none of their words here.
            add(isShown: true, weight: Words.weight(from: newBytes, to: oldBytes))
          } else {
            addWords(from: oldBytes, to: newBytes, in: ownBytes)
          }
        }
      case .theirs, .same, .combined:
        let newBytes = changed[lines.theirs.bytes(of: region.theirs)]
        let added = Words.weight(from: oldBytes, to: newBytes)
        add(
          isShown: region.kind == .same,
          weight: added + Words.weight(from: newBytes, to: oldBytes))
        if region.kind == .same, added > 0 { hasNews = true }
      }
    }
    return true
  }

  private mutating func add(isShown: Bool, weight: Int) {
    switch (weight > 0, isShown) {
    case (true, true): shown += weight
    case (true, false): missed += weight
    case (false, true): shownMarks += 1
    case (false, false): missedMarks += 1
    }
  }

  /// Counts the places, word by word, at which both the change and the text have something new.
  ///
  /// Words near each other are one place; the text shows it if it has all new words of the change there.
  private mutating func addWords(
    from base: ArraySlice<UInt8>, to changed: ArraySlice<UInt8>, in text: ArraySlice<UInt8>
  ) {
    var words = Words()
    let numbers = MergeSides(
      base: words.numbers(of: base), ours: words.numbers(of: text),
      theirs: words.numbers(of: changed))
    let sides = NumberedSides(numbers, count: words.count)
    var place: (isShown: Bool, isNews: Bool, weight: Int)?
    var places: [(isShown: Bool, isNews: Bool, weight: Int)] = []
    for region in sides.regions() {
      let before = numbers.base?[region.base] ?? []
      let after = numbers.theirs[region.theirs]
      switch region.kind {
      case nil:
        guard region.base.count >= Self.leastDistance, let found = place else { continue }
        places.append(found)
        place = nil
      case .ours: continue
      case .clash:
        let brought = after.filter(words.isWord).counts(without: before)
        let present = numbers.ours[region.ours].filter(words.isWord).counts(without: before)
        let isKept = brought.allSatisfy { present[$0.key, default: 0] >= $0.value }
        place = (
          place?.isShown != false && !brought.isEmpty && isKept,
          true, (place?.weight ?? 0) + words.weight(from: before, to: after)
        )
      case .theirs, .same, .combined:
        guard (before + after).contains(where: words.isWord) else { continue }
        place = (
          place?.isShown != false && region.kind == .same,
          place?.isNews == true || words.hasMore(after, than: before),
          (place?.weight ?? 0) + words.weight(from: before, to: after)
        )
      }
    }
    places += [place].compactMap { $0 }
    for place in places {
      add(isShown: place.isShown, weight: place.weight)
      if place.isShown, place.isNews { hasNews = true }
    }
    // The change is only in blanks, such as an indentation.
    if places.isEmpty { add(isShown: false, weight: Words.hasWord(changed) ? 1 : 0) }
  }

  /// The minimum number of unchanged words and signs between two places.
  private static let leastDistance = 5
}

/// The numbers of words and of the signs between them; equal ones have equal numbers.
private struct Words {
  private var known: [ArraySlice<UInt8>: Int32] = [:]
  private var words: Set<Int32> = []
  /// The numbers of words that don't consist only of digits.
  private var telling: Set<Int32> = []

  /// One more than the highest number.
  var count: Int { known.count }

  func isWord(_ number: Int32) -> Bool { words.contains(number) }

  /// Returns the numbers of a text's words and signs, without its blanks.
  mutating func numbers(of text: ArraySlice<UInt8>) -> [Int32] {
    var numbers: [Int32] = []
    var rest = text
    while let first = rest.first {
      let isWord = Self.isPartOfWord(first)
      let part = isWord ? rest.prefix(while: Self.isPartOfWord) : rest.prefix(1)
      rest = rest[part.endIndex...]
      guard first > UInt8(ascii: " ") else { continue }
      let number = known[part] ?? Int32(known.count)
      known[part] = number
      if isWord { words.insert(number) }
      if isWord, !part.allSatisfy(\.isDigit) { telling.insert(number) }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the number of words that are in only one of two sequences; numbers don't count.
  func weight(from old: some Sequence<Int32>, to new: some Sequence<Int32>) -> Int {
    let (old, new) = (old.filter(telling.contains), new.filter(telling.contains))
    return new.counts(without: old).values.reduce(0, +)
      + old.counts(without: new).values.reduce(0, +)
  }

  /// Returns whether a sequence has words that another one lacks; numbers don't count.
  func hasMore(_ new: some Sequence<Int32>, than old: some Sequence<Int32>) -> Bool {
    !new.filter(telling.contains).counts(without: old).isEmpty
  }

  /// Returns the number of words that the new text has and the old text lacks; numbers don't count.
  static func weight(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> Int {
    var words = Words()
    let (old, new) = (words.numbers(of: old), words.numbers(of: new))
    return new.filter(words.telling.contains).counts(without: old).values.reduce(0, +)
  }

  /// Returns whether a change removed words of which a text has none.
  static func areGone(
    from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>, in text: ArraySlice<UInt8>
  ) -> Bool {
    var words = Words()
    let (old, new, own) = (words.numbers(of: old), words.numbers(of: new), words.numbers(of: text))
    let removed = old.filter(words.telling.contains).counts(without: new)
    return !removed.isEmpty && own.allSatisfy { removed[$0] == nil }
  }

  /// Returns whether a text has more than half of another text's words.
  static func most(of base: [UInt8], areIn text: [UInt8]) -> Bool {
    var words = Words()
    let old = words.numbers(of: base[...]).filter(words.isWord)
    let new = words.numbers(of: text[...]).filter(words.isWord)
    let lost = old.counts(without: new).values.reduce(0, +)
    return (old.count - lost) * 2 > old.count
  }

  static func hasWord(_ text: ArraySlice<UInt8>) -> Bool { text.contains(where: isPartOfWord) }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte >= 0x80
  }
}

extension Sequence<Int32> {
  /// Returns how often each number occurs, minus its occurrences in another sequence.
  fileprivate func counts(without others: some Sequence<Int32>) -> [Int32: Int] {
    var counts = reduce(into: [:]) { $0[$1, default: 0] += 1 }
    for other in others { counts[other]? -= 1 }
    return counts.filter { $0.value > 0 }
  }
}

extension TextLines {
  /// Returns the bytes of some lines.
  fileprivate func bytes(of lines: Range<Int>) -> Range<Int> {
    let slice = self[lines]
    return slice.startIndex..<slice.endIndex
  }
}
