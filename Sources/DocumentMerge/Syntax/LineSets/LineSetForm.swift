/// The forms of documents with a set of lines.
enum LineSetForm: Sendable, CaseIterable {
  /// Ignore patterns for files.
  case patterns
  /// Modules with their checksums, as Go writes them.
  case sums
  /// Required Python packages, each with its version.
  case requirements
  /// Gems with their dependencies, as Bundler writes them.
  case gems

  /// Returns the end of a line's key and the start of its value; `nil` for a line that depends on others.
  func cut(_ line: ArraySlice<UInt8>) -> (keyEnd: Int, valueStart: Int)? {
    switch self {
    case .patterns:
      // A negated pattern depends on the lines above it.
      return line.first == UInt8(ascii: "!") ? nil : (line.endIndex, line.endIndex)
    case .gems: return nil
    case .sums:
      let words = line.split { $0.isSpace }
      return words.count == 3 ? (words[1].endIndex, words[2].startIndex) : nil
    case .requirements:
      guard line.last != UInt8(ascii: "\\") else { return nil }
      // An option is identified by its whole line.
      guard line.first != UInt8(ascii: "-") else { return (line.endIndex, line.endIndex) }
      let key = line.prefix { !$0.isSpace && !"=<>~!;[@".utf8.contains($0) }
      return key.isEmpty ? nil : (key.endIndex, key.endIndex)
    }
  }

  /// Returns the part of a value that identifies a line besides its key: the condition under which a package
  /// is required.
  func condition(of value: ArraySlice<UInt8>) -> [UInt8] {
    guard self == .requirements else { return [] }
    let value = value.filter { !$0.isSpace }
    let extras = value.first == UInt8(ascii: "[") ? value.prefix { $0 != UInt8(ascii: "]") } : []
    return extras
      + value.drop { $0 != UInt8(ascii: ";") }.prefix { $0 != UInt8(ascii: "#") }
  }

  /// Returns the name of a key, regardless of its spelling.
  func name(of key: ArraySlice<UInt8>) -> [UInt8] {
    switch self {
    case .patterns, .gems: Array(key)
    case .sums: Array(key.split { $0.isSpace }.joined(separator: [0x20]))
    case .requirements:
      key.first == UInt8(ascii: "-")
        ? Array(key) : key.smallLetters.map { "_.".utf8.contains($0) ? UInt8(ascii: "-") : $0 }
    }
  }
}
