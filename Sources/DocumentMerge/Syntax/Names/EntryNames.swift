/// The entries of a text that have a name which must be there once, such as the keys of a section.
struct EntryNames {
  struct Entry {
    let name: String
    /// The lines of the entry.
    let lines: Range<Int>
    /// Whether these lines are all that the entry is.
    var isWhole = true
  }

  private(set) var entries: [Entry] = []

  /// The number of entries of each name.
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

  /// Adds names, whose entries mostly are more than the lines that give them.
  mutating func add(_ names: [(name: String, line: Int)], areWhole: Bool = false) {
    for (name, line) in names {
      entries.append(Entry(name: name, lines: line..<line + 1, isWhole: areWhole))
    }
  }

  /// Makes a line part of the last entry, if it stands right below it.
  mutating func extendLast(to line: Int) {
    guard let last = entries.last, last.lines.upperBound == line else { return }
    entries[entries.count - 1] = Entry(name: last.name, lines: last.lines.lowerBound..<line + 1)
  }
}

extension EntryNames {
  /// The names that a merged document has more than once, and no side has.
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
  /// The text without the last characters that satisfy a condition.
  func trimmingSuffix(while isPart: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isPart(last) { rest.removeLast() }
    return rest
  }
}

/// Reads the entries that have a name which must be there once.
protocol EntryReader: Sendable {
  /// Returns whether a text may have such entries.
  func mayFindEntries(in text: TextLines) -> Bool

  /// Reads lines, which have no space at their ends.
  func read(_ lines: [Substring], into names: inout EntryNames)
}

extension EntryReader {
  func mayFindEntries(in text: TextLines) -> Bool { true }
}

/// Reads a name from each line that gives one.
struct LineEntries: EntryReader {
  let name: @Sendable (_ line: Substring) -> String?

  init(_ name: @escaping @Sendable (_ line: Substring) -> String?) { self.name = name }

  /// Reads what stands behind a mark at the start of a line.
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
