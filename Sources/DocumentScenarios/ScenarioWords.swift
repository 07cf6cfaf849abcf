/// The words of one line, taken one after the other.
///
/// Blanks separate words, quotes enclose a word with blanks, and a comma is a separate word. A "#" at the
/// beginning of a word outside quotes starts a comment.
struct ScenarioWords {
  /// A word, and whether it was in quotes, which make any word a name.
  struct Word: Equatable {
    let text: String
    var isQuoted = false
  }

  /// An error in a line.
  struct Unexpected: Error {
    var code = ScenarioError.Code.syntax
    let message: String
  }

  private var words: ArraySlice<Word>
  /// The files of the scenario's folder among the words that were taken.
  var files: [String] = []

  /// Splits a line.
  init(_ line: some StringProtocol) throws {
    var words: [Word] = []
    var rest = line[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "#" {
        break
      } else if first == "," {
        words.append(Word(text: ","))
        rest.removeFirst()
      } else if first == "\"" {
        let inner = rest.dropFirst()
        guard let end = inner.firstIndex(of: "\"") else {
          throw Unexpected(message: "expected “\"” after “\(inner)”")
        }
        words.append(Word(text: String(inner[..<end]), isQuoted: true))
        rest = inner[inner.index(after: end)...]
      } else {
        let word = rest.prefix { !$0.isWhitespace && $0 != "," }
        words.append(Word(text: String(word)))
        rest = rest[word.endIndex...]
      }
    }
    self.words = words[...]
  }

  var isAtEnd: Bool { words.isEmpty }

  /// The next word, which isn't taken.
  var peek: String? { words.first?.text }

  /// Takes these words if they come next.
  mutating func take(_ expected: String...) -> Bool {
    guard words.prefix(expected.count).elementsEqual(expected, by: { $0 == Word(text: $1) }) else {
      return false
    }
    words.removeFirst(expected.count)
    return true
  }

  /// Takes these words, which must come next.
  mutating func require(_ expected: String...) throws {
    for word in expected where !take(word) { throw unexpected("“\(word)”") }
  }

  /// Takes a word that names something.
  ///
  /// - Parameter meaning: a description of the named thing, for the message.
  mutating func name(_ meaning: String) throws -> String {
    guard let word = words.first, word != Word(text: ",") else { throw unexpected(meaning) }
    words.removeFirst()
    return word.text
  }

  /// Takes a whole number.
  mutating func number(_ meaning: String) throws -> Int {
    guard let number = words.first.flatMap({ Int($0.text) }), number >= 0 else {
      throw unexpected(meaning)
    }
    words.removeFirst()
    return number
  }

  /// Takes names with commas between them.
  mutating func names(_ meaning: String) throws -> [String] {
    var names = [try name(meaning)]
    while take(",") { names.append(try name(meaning)) }
    return names
  }

  /// Checks that no words are left.
  func end() throws {
    if !isAtEnd { throw unexpected("the end of the line") }
  }

  /// Returns the error for a different next word than expected.
  func unexpected(_ expected: String) -> Unexpected {
    Unexpected(
      message: "expected \(expected), found \(peek.map { "“\($0)”" } ?? "the end of the line")")
  }
}
