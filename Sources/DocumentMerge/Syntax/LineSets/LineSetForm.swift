/// The forms of documents whose lines are a set.
enum LineSetForm: Sendable, CaseIterable {
  /// Patterns of files to leave out.
  case patterns
  /// Modules with their sums, as Go writes them.
  case sums
  /// Packages that Python needs, each with its version.
  case requirements
  /// Gems with what they depend on, as Bundler writes them.
  case gems

  /// Where the key of a line ends, and its value begins; `nil` for a line that depends on others.
  func cut(_ line: ArraySlice<UInt8>) -> (keyEnd: Int, valueStart: Int)? {
    switch self {
    case .patterns:
      // What is taken back depends on what stands above it.
      return line.first == UInt8(ascii: "!") ? nil : (line.endIndex, line.endIndex)
    case .gems: return nil
    case .sums:
      let words = line.split { $0.isSpace }
      return words.count == 3 ? (words[1].endIndex, words[2].startIndex) : nil
    case .requirements:
      guard line.last != UInt8(ascii: "\\") else { return nil }
      // An option is known by all that it says.
      guard line.first != UInt8(ascii: "-") else { return (line.endIndex, line.endIndex) }
      let key = line.prefix { !$0.isSpace && !"=<>~!;[@".utf8.contains($0) }
      return key.isEmpty ? nil : (key.endIndex, key.endIndex)
    }
  }

  /// What a line is known by beside its key: where a package is needed, as others may be elsewhere.
  func condition(of value: ArraySlice<UInt8>) -> [UInt8] {
    guard self == .requirements else { return [] }
    let value = value.filter { !$0.isSpace }
    let extras = value.first == UInt8(ascii: "[") ? value.prefix { $0 != UInt8(ascii: "]") } : []
    return extras
      + value.drop { $0 != UInt8(ascii: ";") }.prefix { $0 != UInt8(ascii: "#") }
  }

  /// The name of a key, however it is spelled.
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
