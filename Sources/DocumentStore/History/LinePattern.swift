internal import Foundation

/// A text or regular expression to search for within single lines.
public struct LinePattern: Sendable {
  fileprivate enum Form {
    /// In lowercase.
    case text(String)
    case expression(String)
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

  /// Creates a pattern from a regular expression in the syntax of Swift's `Regex`; `^` and `$` match the ends of a
  /// line.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if the expression isn't valid.
  public static func expression(_ pattern: String) throws -> LinePattern {
    do {
      _ = try Regex(pattern)
    } catch {
      throw VersionError(
        .invalidArgument, document: "",
        message: "“\(pattern)” isn’t a regular expression: \(error).", cause: error)
    }
    return LinePattern(form: .expression(pattern))
  }
}

extension LinePattern {
  /// Returns whether a line of a text matches.
  package func isFound(in text: TextContent) throws -> Bool {
    let matcher = try LineMatcher(self)
    return text.lines.contains { line in
      let line = line.last == UInt8(ascii: "\n") ? line.dropLast() : line
      return !matcher.matches(in: line.last == UInt8(ascii: "\r") ? line.dropLast() : line).isEmpty
    }
  }
}

/// A pattern ready to search with, on one thread.
struct LineMatcher {
  private enum Form {
    case bytes([UInt8])
    case characters([Character])
    case expression(Regex<AnyRegexOutput>)
  }

  private let form: Form

  init(_ pattern: LinePattern) throws {
    switch pattern.form {
    case .text(let text):
      form =
        text.utf8.allSatisfy { $0 < 0x80 } ? .bytes(Array(text.utf8)) : .characters(Array(text))
    case .expression(let pattern): form = .expression(try Regex(pattern))
    }
  }

  /// What is found in a line, each time that it is; a text that is found is always the same, in capitals or not.
  func matches(in line: ArraySlice<UInt8>) -> [String] {
    switch form {
    case .bytes(let text): return Array(repeating: "", count: Self.count(of: text, in: line))
    case .characters(let text):
      // What is not in ASCII takes more than a byte.
      guard line.contains(where: { $0 >= 0x80 }) else { return [] }
      let characters = Array(String(decoding: line, as: UTF8.self).lowercased())
      return Array(repeating: "", count: Self.count(of: text, in: characters[...]))
    case .expression(let expression):
      let text = String(decoding: line, as: UTF8.self)
      return text.matches(of: expression).map { String(text[$0.range]) }
    }
  }

  private static func count(of text: [UInt8], in line: ArraySlice<UInt8>) -> Int {
    line.withUnsafeBufferPointer { line in
      text.withUnsafeBufferPointer { text in
        var (count, start) = (0, 0)
        while start + text.count <= line.count {
          var length = 0
          while length < text.count, line[start + length].inSmallLetters == text[length] {
            length += 1
          }
          guard length == text.count else {
            start += 1
            continue
          }
          count += 1
          start += length
        }
        return count
      }
    }
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

extension UInt8 {
  fileprivate var inSmallLetters: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
