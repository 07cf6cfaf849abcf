/// Values of structured documents that are prose.
extension WordMerge {
  /// Merges a value by words; `nil` if they clash, or a side isn't prose.
  ///
  /// The words of a schedule, a color or a command belong together, so two changes of them clash.
  static func mergedValue(_ sides: MergeSides<[UInt8]>) -> [UInt8]? {
    sides.all.allSatisfy(WordTokens.areProse) ? merged(sides) : nil
  }
}

extension WordTokens {
  /// The minimum number of words in a sentence.
  private static let proseWords = 5

  /// Returns whether a text is mostly letters, and has enough words for a sentence.
  fileprivate static func areProse(_ text: [UInt8]) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte.isLetter
    }
    let written = text.filter { $0 > 0x20 }
    guard 2 * written.count(where: isLetter) > written.count else { return false }
    let words = WordTokens(text)
    // Except in scripts without spaces, a token without a space before it is part of a word.
    let weight = words.tokens.indices.reduce(0) { weight, index in
      let token = words.tokens[index]
      let isWord = index == 0 || !token.space.isEmpty || token.weight < wordWeight
      return weight + (isWord && words.text(index).contains(where: isLetter) ? token.weight : 0)
    }
    return weight >= proseWords * wordWeight
  }
}
