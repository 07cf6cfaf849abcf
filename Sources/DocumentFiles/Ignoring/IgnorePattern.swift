/// A line of an ignore list, in the syntax of `.gitignore`.
struct IgnorePattern: Sendable {
  /// The text of the line, without its end.
  let line: [UInt8]
  /// True if the line begins with `!`, so that matching items aren't ignored.
  let isException: Bool
  private let isForFolders: Bool
  /// True if the pattern is compared with the name alone, in any folder.
  let isForNames: Bool
  private let glob: Glob
  private let foldsCase: Bool

  /// Reads a line; `nil` for a comment or an empty line.
  ///
  /// - Parameter foldsCase: whether upper and lower case of ASCII letters are the same.
  init?(_ line: ArraySlice<UInt8>, foldsCase: Bool = false) {
    var text = Self.trimmed(line)
    self.line = Array(text)
    guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
    isException = first == UInt8(ascii: "!")
    if isException { text = text.dropFirst() }
    isForFolders = text.last == Self.slash
    if isForFolders { text = text.dropLast() }
    isForNames = !text.contains(Self.slash)
    if text.first == Self.slash { text = text.dropFirst() }
    glob = Glob(foldsCase ? text.map(Self.lower) : Array(text), isPath: !isForNames)
    self.foldsCase = foldsCase
  }

  /// Returns whether the pattern matches an item.
  ///
  /// - Parameters:
  ///   - path: the item's path below the folder of the list.
  ///   - name: the last name of the path.
  func matches(_ path: [UInt8], name: [UInt8], isFolder: Bool) -> Bool {
    guard isFolder || !isForFolders else { return false }
    let text = isForNames ? name : path
    return glob.matches(foldsCase ? text.map(Self.lower) : text)
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the line without trailing spaces, except those after a backslash.
  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var index = line.startIndex
    while index < line.endIndex {
      if line[index] == UInt8(ascii: "\\") {
        index += 1
        end = min(index + 1, line.endIndex)
      } else if line[index] != UInt8(ascii: " ") {
        end = index + 1
      }
      index += 1
    }
    return line[..<end]
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte | 32 : byte
  }
}

/// The wildcards of a pattern; the matching time is at most proportional to the product of both lengths.
private struct Glob: Sendable {
  private enum Step: Sendable {
    case byte(UInt8)
    /// `?`: any byte except a slash.
    case one
    /// `[…]`
    case among(ByteSet)
    /// `*`: any number of bytes except slashes.
    case many
    /// `**` at an end: any number of bytes.
    case all
    /// `**/`: any number of folders.
    case folders
  }

  /// The steps; nil for a pattern that matches nothing because it has an open bracket, or a backslash at its
  /// end.
  private let steps: [Step]?
  /// The bytes with which each matching text begins and ends, if they are fixed.
  private let (first, last): (UInt8?, UInt8?)

  init(_ pattern: [UInt8], isPath: Bool) {
    steps = Self.steps(of: pattern, isPath: isPath)
    func byte(_ step: Step?) -> UInt8? { if case .byte(let byte) = step { byte } else { nil } }
    first = byte(steps?.first)
    last = byte(steps?.last)
  }

  // MARK: Reading

  private static func steps(of pattern: [UInt8], isPath: Bool) -> [Step]? {
    guard !pattern.isEmpty else { return nil }
    var steps: [Step] = []
    let plain = pattern.firstIndex { "\\*?[".utf8.contains($0) } ?? pattern.count
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\"):
        guard index < pattern.count else { return nil }
        steps.append(.byte(pattern[index]))
        index += 1
      case UInt8(ascii: "?"): steps.append(.one)
      case UInt8(ascii: "["):
        guard let set = ByteSet(pattern, &index) else { return nil }
        steps.append(.among(set))
      case UInt8(ascii: "*"):
        let start = index - 1
        while index < pattern.count, pattern[index] == UInt8(ascii: "*") { index += 1 }
        // As in git, the part before the first wildcard counts as already compared.
        let begins = start == plain || pattern[start - 1] == UInt8(ascii: "/")
        let rest = pattern[index...]
        let isSpanning = isPath && index - start > 1 && begins
        if isSpanning, rest.first == UInt8(ascii: "/") {
          steps.append(.folders)
          index += 1
        } else if isSpanning, rest.isEmpty || rest.starts(with: "\\/".utf8) {
          steps.append(.all)
        } else {
          steps.append(.many)
        }
      default: steps.append(.byte(byte))
      }
    }
    return steps
  }

  // MARK: Matching

  func matches(_ text: [UInt8]) -> Bool {
    guard let steps else { return false }
    if let first, text.first != first { return false }
    if let last, text.last != last { return false }
    var states = States(steps.count)
    states.enter(0, steps)
    for byte in text {
      var next = States(steps.count)
      for (index, step) in steps.enumerated() {
        if states.isInFolders[index] {
          next.isInFolders[index] = true
          if byte == UInt8(ascii: "/") { next.enter(index + 1, steps) }
        }
        guard states.isAt[index] else { continue }
        switch step {
        case .byte(let wanted): if byte == wanted { next.enter(index + 1, steps) }
        case .one: if byte != UInt8(ascii: "/") { next.enter(index + 1, steps) }
        case .among(let set):
          if byte != UInt8(ascii: "/"), set.contains(byte) { next.enter(index + 1, steps) }
        case .many: if byte != UInt8(ascii: "/") { next.enter(index, steps) }
        case .all: next.enter(index, steps)
        case .folders: break
        }
      }
      states = next
    }
    return states.isAt[steps.count]
  }

  /// The possible next steps after some bytes of a text.
  private struct States {
    var isAt: [Bool]
    /// For each step, whether it matches folders and is in the middle of a name.
    var isInFolders: [Bool]

    init(_ count: Int) {
      isAt = [Bool](repeating: false, count: count + 1)
      isInFolders = isAt
    }

    /// Adds a step, and the optional steps after it.
    mutating func enter(_ index: Int, _ steps: [Step]) {
      var index = index
      while !isAt[index] {
        isAt[index] = true
        guard index < steps.count else { return }
        switch steps[index] {
        case .many, .all: index += 1
        case .folders:
          isInFolders[index] = true
          index += 1
        default: return
        }
      }
    }
  }
}

/// The bytes that a pair of brackets matches.
private struct ByteSet: Sendable {
  private var has = [Bool](repeating: false, count: 256)

  /// Reads the set after an opening bracket, and moves past the closing one; `nil` if there is none.
  init?(_ pattern: [UInt8], _ index: inout Int) {
    func next() -> UInt8? {
      guard index < pattern.count else { return nil }
      index += 1
      return pattern[index - 1]
    }
    guard var byte = next() else { return nil }
    let isNegated = byte == UInt8(ascii: "!") || byte == UInt8(ascii: "^")
    if isNegated {
      guard let first = next() else { return nil }
      byte = first
    }
    var previous: UInt8?
    repeat {
      if byte == UInt8(ascii: "\\") {
        guard let escaped = next() else { return nil }
        has[Int(escaped)] = true
        previous = escaped
      } else if byte == UInt8(ascii: "-"), let from = previous, index < pattern.count,
        pattern[index] != UInt8(ascii: "]")
      {
        guard var to = next() else { return nil }
        if to == UInt8(ascii: "\\") {
          guard let escaped = next() else { return nil }
          to = escaped
        }
        if from <= to { for byte in from...to { has[Int(byte)] = true } }
        previous = nil
      } else if byte == UInt8(ascii: "["), index < pattern.count,
        pattern[index] == UInt8(ascii: ":"),
        let end = pattern[(index + 1)...].firstIndex(of: UInt8(ascii: "]"))
      {
        let name = pattern[(index + 1)..<max(index + 1, end - 1)]
        if end - 1 > index, pattern[end - 1] == UInt8(ascii: ":") {
          guard let isMeant = Self.classes[String(decoding: name, as: UTF8.self)] else {
            return nil
          }
          for byte in UInt8.min...UInt8.max where isMeant(byte) { has[Int(byte)] = true }
          index = end + 1
          previous = nil
        } else {
          has[Int(byte)] = true
          previous = byte
        }
      } else {
        has[Int(byte)] = true
        previous = byte
      }
      guard let following = next() else { return nil }
      byte = following
    } while byte != UInt8(ascii: "]")
    if isNegated { has = has.map { !$0 } }
  }

  func contains(_ byte: UInt8) -> Bool { has[Int(byte)] }

  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { isLetter($0) || isDigit($0) },
    "alpha": { isLetter($0) },
    "blank": { $0 == 32 || $0 == 9 },
    "cntrl": { $0 < 32 || $0 == 127 },
    "digit": { isDigit($0) },
    "graph": { (33...126).contains($0) },
    "lower": { (97...122).contains($0) },
    "print": { (32...126).contains($0) },
    "punct": { (33...126).contains($0) && !isLetter($0) && !isDigit($0) },
    "space": { $0 == 32 || (9...13).contains($0) },
    "upper": { (65...90).contains($0) },
    "xdigit": { isDigit($0) || (97...102).contains($0 | 32) },
  ]

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) }
  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
