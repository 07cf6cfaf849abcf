internal import Foundation

/// A text or regular expression to search for within single lines.
public struct LinePattern: Sendable {
  fileprivate enum Form {
    /// A text, in lowercase.
    case text(String)
    case expression(LineExpression)
  }

  fileprivate let form: Form

  /// Creates a pattern for a text in a line, ignoring case.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` for an empty text, and for a text of several lines.
  public static func text(_ text: String) throws -> LinePattern {
    guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: "\n")) else {
      throw VersionError(
        .invalidArgument, document: "", message: "The text to search for must be a single line.")
    }
    return LinePattern(form: .text(text.lowercased()))
  }

  /// Creates a pattern from a regular expression in the syntax of PCRE2, which is Perl's; `^` and `$` match the ends of
  /// a line.
  ///
  /// A search fails if the expression takes too many steps for a single line, as `(a+)+$` may.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if the expression isn't valid.
  public static func expression(_ pattern: String) throws -> LinePattern {
    LinePattern(form: .expression(try LineExpression(pattern)))
  }
}

extension LinePattern {
  /// Returns whether a line of a text matches.
  package func isFound(in text: TextContent) throws -> Bool {
    try !LineMatcher(self).matchingLines(of: text.bytes[...]).isEmpty
  }
}

/// A pattern ready to search with, on one thread.
struct LineMatcher {
  private enum Form {
    case bytes(ByteSearch)
    case characters([Character])
    case expression(LineExpression)
  }

  private let form: Form

  init(_ pattern: LinePattern) {
    switch pattern.form {
    case .text(let text):
      form =
        text.utf8.allSatisfy { $0 < 0x80 }
        ? .bytes(ByteSearch(Array(text.utf8))) : .characters(Array(text))
    case .expression(let expression): form = .expression(expression)
    }
  }

  /// Returns the lines of a text that match, without their ends, with each match; matches of a text are always the
  /// same, in capitals or not.
  func matchingLines(
    of text: ArraySlice<UInt8>
  ) throws -> [(line: ArraySlice<UInt8>, matches: [String])] {
    guard mayMatch(in: text) else { return [] }
    let lines = text.split(separator: UInt8(ascii: "\n")).map { line in
      line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
    let matches: [[String]] =
      switch form {
      case .bytes(let search): lines.map { Array(repeating: "", count: search.count(in: $0)) }
      case .characters(let text): lines.map { Self.matches(of: text, in: $0) }
      case .expression(let expression): try expression.matches(in: lines)
      }
    return zip(lines, matches).filter { !$0.1.isEmpty }.map { (line: $0.0, matches: $0.1) }
  }

  /// Returns whether a line of a text may match; searching the whole text at once is much faster than
  /// searching each line.
  private func mayMatch(in text: ArraySlice<UInt8>) -> Bool {
    switch form {
    case .bytes(let search): search.count(in: text, most: 1) > 0
    case .characters: text.contains { $0 >= 0x80 }
    case .expression: true
    }
  }

  private static func matches(of text: [Character], in line: ArraySlice<UInt8>) -> [String] {
    // Characters outside ASCII take more than one byte.
    guard line.contains(where: { $0 >= 0x80 }) else { return [] }
    let characters = Array(String(decoding: line, as: UTF8.self).lowercased())
    return Array(repeating: "", count: count(of: text, in: characters[...]))
  }

  private static func count(of text: [Character], in line: ArraySlice<Character>) -> Int {
    var (count, rest) = (0, line)
    while rest.count >= text.count {
      let isFound = rest.starts(with: text)
      if isFound { count += 1 }
      rest = rest.dropFirst(isFound ? text.count : 1)
    }
    return count
  }
}

/// An ASCII text to search for, in capitals or not.
///
/// The search compares from the end of the text, so it skips most bytes. The algorithm is Horspool's
/// ("Practical fast searching in strings", 1980).
private struct ByteSearch {
  /// The text, in lowercase; not empty.
  private let text: [UInt8]
  /// For each byte, the distance by which the text moves on if that byte is opposite its last byte.
  private let steps: [Int]

  init(_ text: [UInt8]) {
    self.text = text
    var steps = Array(repeating: text.count, count: 256)
    for (place, byte) in text.dropLast().enumerated() {
      steps[Int(byte)] = text.count - 1 - place
      if (0x61...0x7A).contains(byte) { steps[Int(byte & 0xDF)] = text.count - 1 - place }
    }
    self.steps = steps
  }

  /// Returns the number of occurrences of the text that don't overlap, up to a limit.
  func count(in bytes: ArraySlice<UInt8>, most: Int = .max) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { text in
        steps.withUnsafeBufferPointer { steps in
          var (count, end) = (0, text.count)
          while end <= bytes.count, count < most {
            var length = 0
            while length < text.count,
              bytes[end - 1 - length].inSmallLetters == text[text.count - 1 - length]
            {
              length += 1
            }
            if length == text.count {
              count += 1
              end += text.count
            } else {
              end += steps[Int(bytes[end - 1])]
            }
          }
          return count
        }
      }
    }
  }
}

extension UInt8 {
  fileprivate var inSmallLetters: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
