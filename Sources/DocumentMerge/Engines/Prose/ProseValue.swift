/// Values of structured documents that are sentences.
extension WordMerge {
  /// Merges a value by words; `nil` if they clash, or if a side has no prose there.
  ///
  /// The words of a schedule, a color or a command belong together: two changes of them are a clash.
  static func mergedValue(_ sides: MergeSides<[UInt8]>) -> [UInt8]? {
    sides.all.allSatisfy(WordTokens.areProse) ? merged(sides) : nil
  }
}

extension WordTokens {
  /// The fewest words that are a sentence.
  private static let proseWords = 5

  /// Returns whether some text is mostly letters, in words enough for a sentence.
  fileprivate static func areProse(_ text: [UInt8]) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte.isLetter
    }
    let written = text.filter { $0 > 0x20 }
    guard 2 * written.count(where: isLetter) > written.count else { return false }
    let words = WordTokens(text)
    // What no space stands before is part of a word, but not in scripts without spaces.
    let weight = words.tokens.indices.reduce(0) { weight, index in
      let token = words.tokens[index]
      let isWord = index == 0 || !token.space.isEmpty || token.weight < wordWeight
      return weight + (isWord && words.text(index).contains(where: isLetter) ? token.weight : 0)
    }
    return weight >= proseWords * wordWeight
  }
}
