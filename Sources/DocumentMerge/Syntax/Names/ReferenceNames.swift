/// The names that a text defines and refers to, each with its number of occurrences.
///
/// Lines are read one by one, and only by their form. Names that other items have as well, names that a
/// program composes, and references to other documents aren't recognized.
struct ReferenceNames {
  private(set) var definitions: [Substring: Int] = [:]
  private(set) var references: [Substring: Int] = [:]
  /// The names of items that may be renamed, such as numbered footnotes, by their texts.
  private var texts: [Substring: Substring] = [:]

  /// Reads a text.
  /// - Parameter lines: The lines to read; `nil` for all.
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

  /// Records the text of the item with a name.
  mutating func say(_ text: some StringProtocol, of name: some StringProtocol) {
    texts[Substring(text)] = Substring(name)
  }
}

extension ReferenceNames {
  /// Returns the names of base that one side removed while the other side added references to them.
  func lost(by side: ReferenceNames, usedBy other: ReferenceNames) -> [Substring] {
    let renamed = renamed(by: side)
    return other.references.compactMap { name, count -> Substring? in
      let known = references[name, default: 0]
      guard definitions[name] != nil, count > known, other.definitions[name] != nil else {
        return nil
      }
      if renamed.contains(name) { return name }
      guard side.definitions[name] == nil else { return nil }
      // If a side removes a definition and keeps all references to it, they refer to something else.
      return known > 0 && side.references[name, default: 0] >= known ? nil : name
    }
    .sorted()
  }

  /// Returns the names that belong to other items on a side, because it renamed their items.
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
  /// Begins a text.
  /// - Parameter isPartial: Whether only some lines are read, so that their surroundings aren't known.
  mutating func begin(isPartial: Bool)

  /// Reads a line that isn't empty.
  mutating func read(_ line: Substring, into names: inout ReferenceNames)
}

extension NameReader {
  mutating func begin(isPartial: Bool) {}
}

extension ReferenceNames {
  /// The keys whose values are names of other items.
  static let namingKeys: Set<Substring> = [
    "id", "uuid", "identifier", "guid", "uid", "_id", "key", "slug",
  ]
}

extension Character {
  var isNamePart: Bool { isLetter || isNumber || "_-.".contains(self) }
}
