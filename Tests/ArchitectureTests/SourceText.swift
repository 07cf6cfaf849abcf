/// A Swift file without comments and without the contents of its string literals.
struct SourceText {
  /// The lines; each string literal is `""`.
  let lines: [Substring]
  /// The contents of the string literals without line breaks, and the number of bytes before each in
  /// ``code``.
  let literals: [(text: String, offset: Int)]
  /// All lines.
  let code: String

  init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.scan()
    code = String(decoding: scanner.code, as: UTF8.self)
    lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    literals = scanner.literals
    capitalizedNames = scanner.capitalizedNames
  }

  /// Returns whether the code before a literal ends with a text.
  func precedes(_ text: String, literalAt offset: Int) -> Bool {
    code.utf8.prefix(offset).suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  /// The words that begin with a capital letter and have two letters or more.
  let capitalizedNames: Set<String>
}

/// Finds comments and string literals.
private struct Scanner {
  let bytes: [UInt8]
  private(set) var code: [UInt8] = []
  private(set) var literals: [(text: String, offset: Int)] = []
  private var place = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    code.reserveCapacity(bytes.count)
  }

  /// Returns whether a byte belongs to a letter, a digit or an underscore.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x61 && byte <= 0x7A || byte >= 0x41 && byte <= 0x5A || byte >= 0x30 && byte <= 0x39
      || byte == 0x5F || byte >= 0x80
  }

  mutating func scan() {
    let count = bytes.count
    while place < count {
      let byte = bytes[place]
      if byte == slash, starts(with: "//") {
        while place < count, bytes[place] != newline { place += 1 }
      } else if byte == slash, starts(with: "/*") {
        skipComment()
      } else if byte == quote || byte == hash, let hashes = literalStart() {
        let offset = code.count
        let text = readLiteral(hashes: hashes)
        code += Array("\"\"".utf8)
        if let text { literals.append((text, offset)) }
      } else {
        code.append(byte)
        place += 1
      }
    }
  }

  /// The words of the code that begin with a capital letter and have two letters or more.
  var capitalizedNames: Set<String> {
    var names: Set<String> = []
    var start = -1
    let count = code.count
    for index in 0...count {
      let isWord = index < count && Self.isWord(code[index])
      if isWord, start < 0 { start = index }
      guard !isWord, start >= 0 else { continue }
      if code[start] >= 0x41, code[start] <= 0x5A, index > start + 1 {
        names.insert(String(decoding: code[start..<index], as: UTF8.self))
      }
      start = -1
    }
    return names
  }

  private let slash = UInt8(ascii: "/")
  private let newline = UInt8(ascii: "\n")
  private let quote = UInt8(ascii: "\"")
  private let hash = UInt8(ascii: "#")
  private let backslash = UInt8(ascii: "\\")

  private func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    let start = place + offset
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[start..<start + $0.count].elementsEqual($0) }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        place += 2
      } else if starts(with: "*/") {
        depth -= 1
        place += 2
      } else {
        if bytes[place] == newline { code.append(newline) }
        place += 1
      }
    } while depth > 0 && place < bytes.count
  }

  /// Returns the number of number signs before a literal's quote; nil if no literal begins.
  private func literalStart() -> Int? {
    var end = place
    while end < bytes.count, bytes[end] == hash { end += 1 }
    return end < bytes.count && bytes[end] == quote ? end - place : nil
  }

  /// Skips a literal.
  ///
  /// - Returns: its contents; nil for a literal of several lines.
  private mutating func readLiteral(hashes: Int) -> String? {
    place += hashes
    let isLong = starts(with: "\"\"\"")
    place += isLong ? 3 : 1
    let start = place
    while place < bytes.count {
      if bytes[place] == backslash, isFollowedByHashes(hashes, at: place + 1) {
        place += 1 + hashes
        if place < bytes.count, bytes[place] == UInt8(ascii: "(") {
          skipInterpolation()
        } else {
          place += 1
        }
      } else if bytes[place] == newline, !isLong {
        // This isn't a literal, but a quote in a regular expression, for example.
        return nil
      } else if bytes[place] == quote, !isLong || starts(with: "\"\"\""),
        isFollowedByHashes(hashes, at: place + (isLong ? 3 : 1))
      {
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        place += (isLong ? 3 : 1) + hashes
        return isLong ? nil : text
      } else {
        if bytes[place] == newline { code.append(newline) }
        place += 1
      }
    }
    return nil
  }

  private func isFollowedByHashes(_ count: Int, at start: Int) -> Bool {
    start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == hash }
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      switch bytes[place] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case quote:
        _ = readLiteral(hashes: 0)
        continue
      default: break
      }
      place += 1
    } while depth > 0 && place < bytes.count
  }
}
