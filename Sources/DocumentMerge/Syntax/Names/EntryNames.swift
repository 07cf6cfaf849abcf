/// The entries of a text with names that must be unique, such as the keys of a section.
struct EntryNames {
  struct Entry {
    let name: String
    /// The lines of the entry.
    let lines: Range<Int>
    /// True if the entry consists only of these lines.
    var isWhole = true
    /// The kind of table or list that the name is from, if it is.
    var group: String?
  }

  private(set) var entries: [Entry] = []
  /// The kinds of tables and lists in which names don't distinguish the entries.
  private(set) var vague: Set<String> = []

  /// The number of entries with each name.
  var counts: [String: Int] { entries.reduce(into: [:]) { $0[$1.name, default: 0] += 1 } }

  /// Reads a text.
  init(_ text: TextLines, _ readers: [any EntryReader]) {
    let readers = readers.filter { $0.mayFindEntries(in: text) }
    guard !readers.isEmpty else { return }
    let lines = (0..<text.count).map { number in
      text.line(number).trimmingSuffix { $0.isNewline || $0 == " " || $0 == "\t" }
    }
    for reader in readers { reader.read(lines, into: &self) }
  }

  mutating func add(_ name: some StringProtocol, _ line: Int) {
    add(name, line..<line + 1)
  }

  mutating func add(_ name: some StringProtocol, _ lines: Range<Int>) {
    entries.append(Entry(name: String(name), lines: lines))
  }

  /// Adds names, whose entries usually have further lines.
  mutating func add(_ names: [(name: String, line: Int)], areWhole: Bool = false) {
    for (name, line) in names {
      entries.append(Entry(name: name, lines: line..<line + 1, isWhole: areWhole))
    }
  }

  /// Adds the names of tables and lists.
  mutating func add(
    _ names: [(name: String, group: String, line: Int)], vague groups: Set<String>
  ) {
    vague.formUnion(groups)
    entries += names.map {
      Entry(name: $0.name, lines: $0.line..<$0.line + 1, isWhole: false, group: $0.group)
    }
  }

  /// Adds a line to the last entry, if it directly follows it.
  mutating func extendLast(to line: Int) {
    guard let last = entries.last, last.lines.upperBound == line else { return }
    entries[entries.count - 1] = Entry(name: last.name, lines: last.lines.lowerBound..<line + 1)
  }
}

extension EntryNames {
  /// Returns the names that occur more than once in a merged document, but not on any side.
  static func doubled(
    in document: [UInt8], of sides: MergeSides<[UInt8]>, _ reader: any EntryReader
  ) -> [String] {
    func counts(_ document: [UInt8]) -> [String: Int] {
      EntryNames(TextLines(DecodedText(document)?.text ?? []), [reader]).counts
    }
    let names = counts(document).filter { $0.value > 1 }.keys
    guard !names.isEmpty else { return [] }
    let known = sides.all.map(counts)
    return names.filter { name in known.allSatisfy { $0[name, default: 0] < 2 } }.sorted()
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Returns the text without the last characters that satisfy a condition.
  func trimmingSuffix(while isPart: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isPart(last) { rest.removeLast() }
    return rest
  }
}

/// Reads the entries with names that must be unique.
protocol EntryReader: Sendable {
  /// Returns whether a text may have such entries.
  func mayFindEntries(in text: TextLines) -> Bool

  /// Reads lines, without the space at their ends.
  func read(_ lines: [Substring], into names: inout EntryNames)
}

extension EntryReader {
  func mayFindEntries(in text: TextLines) -> Bool { true }
}

/// Reads a name from each line that gives one.
struct LineEntries: EntryReader {
  let name: @Sendable (_ line: Substring) -> String?

  init(_ name: @escaping @Sendable (_ line: Substring) -> String?) { self.name = name }

  /// Reads the text after a mark at the start of a line.
  init(behind mark: String) {
    self.init { line in
      line.hasPrefix(mark) ? String(line.dropFirst(mark.count).drop { $0 == " " }) : nil
    }
  }

  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      if let name = name(line) { names.add([(name, number)]) }
    }
  }
}
