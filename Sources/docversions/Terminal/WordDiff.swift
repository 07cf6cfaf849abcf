/// The words that differ between two lines.
struct WordDiff {
  private let old: [Substring]
  private let new: [Substring]
  private let removed: Set<Int>
  private let added: Set<Int>

  /// - Returns: `nil` for lines that are too long to compare, where marks don't help.
  init?(from old: String, to new: String) {
    self.old = Self.words(of: old)
    self.new = Self.words(of: new)
    guard max(self.old.count, self.new.count) <= 1_000 else { return nil }
    // Bytes: as texts, two ways to compose a character are equal.
    let difference = self.new.map { Array($0.utf8) }.difference(
      from: self.old.map { Array($0.utf8) })
    removed = Set(difference.removals.map(Self.offset))
    added = Set(difference.insertions.map(Self.offset))
  }

  /// The old line, with the removed words marked.
  var oldLine: String {
    Self.line(old, marked: removed, { $0.asRemoved }, { $0.asRemovedWord })
  }

  /// The new line, with the added words marked.
  var newLine: String {
    Self.line(new, marked: added, { $0.asAdded }, { $0.asAddedWord })
  }

  /// True if the lines have too little in common for marks to help.
  var isUnrelated: Bool {
    let kept = zip(old.indices, old).filter {
      !removed.contains($0) && $1.contains(where: \.isLetter)
    }
    return kept.isEmpty
  }

  private static func offset(_ change: CollectionDifference<[UInt8]>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  private static func line(
    _ words: [Substring], marked: Set<Int>, _ plain: (String) -> String,
    _ strong: (String) -> String
  ) -> String {
    // Neighbors with the same style are written together.
    var line = ""
    var index = 0
    while index < words.count {
      let isMarked = marked.contains(index)
      var text = ""
      while index < words.count, marked.contains(index) == isMarked {
        text += words[index]
        index += 1
      }
      line += isMarked ? strong(text) : plain(text)
    }
    return line
  }

  /// Returns runs of letters and digits, and every other character separately.
  private static func words(of line: String) -> [Substring] {
    var words: [Substring] = []
    var rest = line[...]
    while let first = rest.first {
      let isWord = first.isLetter || first.isNumber
      let word = isWord ? rest.prefix { $0.isLetter || $0.isNumber } : rest.prefix(1)
      words.append(word)
      rest = rest[word.endIndex...]
    }
    return words
  }
}
