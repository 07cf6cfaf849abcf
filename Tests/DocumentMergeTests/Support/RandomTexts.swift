import DocumentMerge
import DocumentTestSupport
import Testing

extension SeededGenerator {
  /// A short text of few different lines, so that lines repeat and changes meet.
  mutating func lines() -> [String] {
    let words = ["apple", "", "pear", "}", "plum é", "fig 🍇", "======="]
    return (0..<Int.random(in: 0...14, using: &self)).map { _ in
      words[Int.random(in: words.indices, using: &self)]
    }
  }

  /// The lines after a few random edits.
  mutating func edited(_ lines: [String]) -> [String] {
    var lines = lines
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let place = Int.random(in: 0...lines.count, using: &self)
      let word = ["new", "newer", "apple", ""][Int.random(in: 0..<4, using: &self)]
      switch Int.random(in: 0..<3, using: &self) {
      case 0: lines.insert(word, at: place)
      case 1 where place < lines.count: lines[place] = word
      case _ where place < lines.count: lines.remove(at: place)
      default: break
      }
    }
    return lines
  }

  /// Base and two edited sides.
  mutating func sides() -> MergeSides<[String]> {
    let base = lines()
    return MergeSides(base: base, ours: edited(base), theirs: edited(base))
  }
}

/// How a test writes lines as a document.
struct WrittenForm: Sendable, CustomTestStringConvertible {
  let name: String
  let ending: String
  let encode: @Sendable (String) -> [UInt8]
  var endsWithNewline = true

  var testDescription: String { name }

  func write(_ lines: [String]) -> [UInt8] {
    let text = lines.joined(separator: ending)
    return encode(endsWithNewline && !lines.isEmpty ? text + ending : text)
  }

  static func utf16(_ text: String, mark: UInt16 = 0xFEFF, isBigEndian: Bool) -> [UInt8] {
    ([mark] + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  static let all: [WrittenForm] = [
    WrittenForm(name: "UTF-8, LF", ending: "\n") { Array($0.utf8) },
    WrittenForm(name: "UTF-8, CRLF", ending: "\r\n") { Array($0.utf8) },
    WrittenForm(name: "UTF-8, CR", ending: "\r") { Array($0.utf8) },
    WrittenForm(name: "UTF-8 with mark, LF", ending: "\n") { [0xEF, 0xBB, 0xBF] + Array($0.utf8) },
    WrittenForm(name: "UTF-16 LE, LF", ending: "\n") { utf16($0, isBigEndian: false) },
    WrittenForm(name: "UTF-16 LE, CRLF", ending: "\r\n") { utf16($0, isBigEndian: false) },
    WrittenForm(name: "UTF-16 BE, CR", ending: "\r") { utf16($0, isBigEndian: true) },
    WrittenForm(
      name: "UTF-8, no last newline", ending: "\n", encode: { Array($0.utf8) },
      endsWithNewline: false),
  ]
}
