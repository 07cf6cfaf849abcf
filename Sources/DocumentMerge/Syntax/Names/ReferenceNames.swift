/// The names that a text defines, and those that it refers to, each with how often.
///
/// Lines are read one by one, and by their form only: a name that something else has, too, or that a program makes of
/// parts, is not seen, nor is a reference to another document.
struct ReferenceNames {
  private(set) var definitions: [Substring: Int] = [:]
  private(set) var references: [Substring: Int] = [:]
  /// The names of texts that may be named anew, such as numbered footnotes, by what they say.
  private var texts: [Substring: Substring] = [:]

  /// Reads a text.
  /// - Parameter lines: The lines to read; all of them, if not given.
  init(_ text: TextLines, _ readers: [any NameReader], lines: [Int]? = nil) {
    var readers = readers
    for index in readers.indices { readers[index].begin(isPartial: lines != nil) }
    for number in lines ?? Array(0..<text.count) {
      let line = text.line(number)
      guard !line.isEmpty else { continue }
      for index in readers.indices { readers[index].read(line, into: &self) }
    }
  }

  mutating func define(_ name: some StringProtocol) {
    if !name.isEmpty { definitions[Substring(name), default: 0] += 1 }
  }

  mutating func refer(to name: some StringProtocol) {
    if !name.isEmpty { references[Substring(name), default: 0] += 1 }
  }

  /// Records what a name is of.
  mutating func say(_ text: some StringProtocol, of name: some StringProtocol) {
    texts[Substring(text)] = Substring(name)
  }
}

extension ReferenceNames {
  /// The names that one side took away from a base, while the other one began to refer to them.
  func lost(by side: ReferenceNames, usedBy other: ReferenceNames) -> [Substring] {
    let renamed = renamed(by: side)
    return other.references.compactMap { name, count -> Substring? in
      let known = references[name, default: 0]
      guard definitions[name] != nil, count > known, other.definitions[name] != nil else {
        return nil
      }
      if renamed.contains(name) { return name }
      guard side.definitions[name] == nil else { return nil }
      // A side that removes something and keeps all references to it means something else by them.
      return known > 0 && side.references[name, default: 0] >= known ? nil : name
    }
    .sorted()
  }

  /// The names that stand for something else on a side, which gave another name to what they were of.
  func renamed(by side: ReferenceNames) -> Set<Substring> {
    guard !texts.isEmpty else { return [] }
    return Set(
      texts.compactMap { text, name in
        side.texts[text].map { $0 != name } ?? false ? name : nil
      })
  }
}

/// Reads the names of one kind in a text, line by line.
protocol NameReader: Sendable {
  /// Starts with a text.
  /// - Parameter isPartial: Whether only some lines are read, so that what stands around them is not known.
  mutating func begin(isPartial: Bool)

  /// Reads a line, which is not empty.
  mutating func read(_ line: Substring, into names: inout ReferenceNames)
}

extension NameReader {
  mutating func begin(isPartial: Bool) {}
}

extension ReferenceNames {
  /// The keys whose values other things are called by.
  static let namingKeys: Set<Substring> = [
    "id", "uuid", "identifier", "guid", "uid", "_id", "key", "slug",
  ]
}

extension Character {
  var isNamePart: Bool { isLetter || isNumber || "_-.".contains(self) }
}
