/// A text divided into words and punctuation, each with the space before it.
///
/// The space isn't compared, so a rewrapped paragraph has the same words. Only a permanent end of a line, an
/// empty line or two spaces at a line's end, is among the words.
struct WordTokens {
  struct Token {
    /// The space before the word.
    let space: Range<Int>
    /// The word or the punctuation mark; empty at the end of the text.
    let text: Range<Int>
    /// The significance of the token: 0 for punctuation, and less for one of many ideographs.
    let weight: Int
    let endsLine: Bool
  }

  /// The weight of a word.
  static let wordWeight = 4

  let bytes: [UInt8]
  /// The tokens, with an empty one at the end for the last space.
  let tokens: [Token]

  init(_ bytes: [UInt8]) {
    var reader = WordReader(bytes)
    tokens = reader.read()
    self.bytes = bytes
  }

  func text(_ index: Int) -> ArraySlice<UInt8> { bytes[tokens[index].text] }
  func space(_ index: Int) -> ArraySlice<UInt8> { bytes[tokens[index].space] }

  /// Returns whether a word has a digit, or is part of a code or of a number with its unit.
  func isInCode(_ index: Int) -> Bool {
    func mayBePart(_ index: Int) -> Bool {
      guard tokens.indices.contains(index), tokens[index].weight > 0 else { return false }
      let word = text(index)
      let isUpper = word.allSatisfy { $0.isCapital || $0 == UInt8(ascii: "-") }
      return isUpper && word.count > 1 || NumberWords.contains(word) || hasDigit(word)
    }
    func hasDigit(_ word: ArraySlice<UInt8>) -> Bool {
      word.contains(where: \.isDigit)
    }
    return hasDigit(text(index))
      || mayBePart(index) && (mayBePart(index - 1) || mayBePart(index + 1))
  }

  /// The number of the sentence of each token.
  var sentences: [Int] {
    var sentence = 0
    return tokens.indices.map { index in
      let own = sentence
      let isEnd =
        tokens[index].endsLine
        || tokens[index].weight == 0 && Self.sentenceEnds.contains(Array(text(index)))
          && (tokens[index].text.count > 1 || index + 1 == tokens.count
            || !tokens[index + 1].space.isEmpty)
      if isEnd { sentence += 1 }
      return own
    }
  }

  private static let sentenceEnds: Set<[UInt8]> = [
    Array(".".utf8), Array("!".utf8), Array("?".utf8), Array(":".utf8), Array(";".utf8),
    Array("。".utf8), Array("！".utf8), Array("？".utf8),
  ]
}

/// Numbers for words, which are equal for equal words.
struct WordNumbers {
  private var numbers: [ArraySlice<UInt8>: Int] = [:]

  /// Returns the number of each token.
  mutating func numbers(of tokens: WordTokens) -> [Int] {
    tokens.tokens.indices.map { number(of: tokens.text($0)) }
  }

  mutating func number(of text: ArraySlice<UInt8>) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = numbers.count
    return numbers.count - 1
  }
}

/// Divides a text into tokens.
private struct WordReader {
  private let bytes: [UInt8]
  private var tokens: [WordTokens.Token] = []
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The role of a character in its word.
  private enum Role {
    case letter
    /// Part of a word between letters, and a separate token at a word's start or end.
    case inner
    /// Always a separate token.
    case mark
    /// A separate word, as in scripts without spaces.
    case ideograph
  }

  mutating func read() -> [WordTokens.Token] {
    while true {
      let space = position..<(bytes[position...].firstIndex { !Self.isSpace($0) } ?? bytes.count)
      position = space.upperBound
      if space.upperBound < bytes.count, endsLine(space) {
        append(space.lowerBound..<space.lowerBound, space, weight: 0, endsLine: true)
        readRun(space: space.upperBound..<space.upperBound)
      } else if position == bytes.count {
        append(space, position..<position, weight: 0)
        return tokens
      } else {
        readRun(space: space)
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == .lineFeed || byte == .carriageReturn
  }

  /// Returns whether a space is more than a possible line wrap.
  private func endsLine(_ space: Range<Int>) -> Bool {
    guard let first = bytes[space].firstIndex(of: .lineFeed) else { return false }
    return bytes[(first + 1)..<space.upperBound].contains(.lineFeed)
      || first - space.lowerBound >= 2
  }

  private mutating func append(
    _ space: Range<Int>, _ text: Range<Int>, weight: Int, endsLine: Bool = false
  ) {
    tokens.append(.init(space: space, text: text, weight: weight, endsLine: endsLine))
  }

  /// Reads up to the next space.
  private mutating func readRun(space: Range<Int>) {
    var space = space
    var word = position..<position
    func take(_ text: Range<Int>, _ weight: Int, _ reader: inout WordReader) {
      reader.append(space, text, weight: weight)
      space = text.upperBound..<text.upperBound
    }
    func closeWord(_ reader: inout WordReader) {
      var characters = reader.characters(of: word)
      while let first = characters.first, first.role == .inner {
        take(first.range, 0, &reader)
        characters.removeFirst()
      }
      let trailing = characters.reversed().prefix { $0.role == .inner }.reversed()
      characters.removeLast(trailing.count)
      if let first = characters.first, let last = characters.last {
        take(
          first.range.lowerBound..<last.range.upperBound, WordTokens.wordWeight, &reader)
      }
      for mark in trailing { take(mark.range, 0, &reader) }
    }
    while position < bytes.count, !Self.isSpace(bytes[position]) {
      let (range, role) = character(at: position)
      position = range.upperBound
      switch role {
      case .letter, .inner:
        word = word.lowerBound..<range.upperBound
      case .mark, .ideograph:
        closeWord(&self)
        take(range, role == .mark ? 0 : 1, &self)
        word = position..<position
      }
    }
    closeWord(&self)
  }

  private func characters(of range: Range<Int>) -> [(range: Range<Int>, role: Role)] {
    var characters: [(Range<Int>, Role)] = []
    var start = range.lowerBound
    while start < range.upperBound {
      characters.append(character(at: start))
      start = characters[characters.count - 1].0.upperBound
    }
    return characters
  }

  /// Returns the character at a position in UTF-8 that need not be valid.
  private func character(at start: Int) -> (range: Range<Int>, role: Role) {
    let first = bytes[start]
    guard first >= 0x80 else { return (start..<start + 1, Self.role(ofASCII: first)) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    var end = start + 1
    while end < bytes.count, end < start + length, bytes[end] & 0xC0 == 0x80 { end += 1 }
    guard length == 3, end == start + 3 else { return (start..<end, .letter) }
    switch (first, bytes[start + 1], bytes[start + 2]) {
    case (0xE2, 0x80, 0x99): return (start..<end, .inner)  // An apostrophe.
    case (0xE2, 0x80, 0x8B...0x8F): return (start..<end, .letter)  // Joiners and the like.
    case (0xE2, 0x80, _), (0xE3, 0x80, _), (0xEF, 0xBC, _): return (start..<end, .mark)
    case (0xE3...0xE9, _, _): return (start..<end, .ideograph)
    default: return (start..<end, .letter)
    }
  }

  private static func role(ofASCII byte: UInt8) -> Role {
    if byte.isLetter || byte.isDigit { return .letter }
    return "()[]{}<>\"*|`".utf8.contains(byte) ? .mark : .inner
  }
}
