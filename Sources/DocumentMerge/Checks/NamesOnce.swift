/// Asks where a result has a name twice that must be there once.
///
/// Equal entries that both sides added are there once.
struct NamesOnce: MergeCheck {
  private let readers: [any EntryReader]
  /// Whether an entry is nothing but its lines, which may be taken out.
  private let areLines: Bool
  /// Whether entries say which versions of a package are needed, and where.
  fileprivate let areNeeds: Bool

  init(_ readers: any EntryReader..., areLines: Bool = false, areNeeds: Bool = false) {
    (self.readers, self.areLines, self.areNeeds) = (readers, areLines, areNeeds)
  }

  fileprivate func entries(of text: TextLines) -> EntryNames { EntryNames(text, readers) }

  func mended(_ merge: CleanMerge) -> [UInt8]? {
    guard areLines, !merge.bytes.contains(0) else { return nil }
    let doubled = DoubledEntries(in: merge.result, of: merge.texts, self)
    return doubled.areEqual ? doubled.withoutDoubled(in: merge.bytes) : nil
  }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    DoubledEntries(in: merge.result, of: merge.texts, self).decisions
  }
}

/// Entries of one name that a result has more of than each of its sides.
///
/// The name is read in each text for itself, as the number of a list or a rule in it is another one on each side. What a
/// side has is found by the lines that it has in common with the result.
struct DoubledEntries {
  private let text: TextLines
  /// The entries of each name that is doubled, in the order of the first of them.
  private let groups: [[EntryNames.Entry]]

  init(in text: TextLines, of sides: MergeSides<TextLines>, _ form: NamesOnce) {
    self.text = text
    let entries = form.entries(of: text).entries
    var doubled = Dictionary(grouping: entries, by: \.name).filter { $0.value.count > 1 }
    // Mostly the first of them has twice what is there twice.
    for side in sides.all where !doubled.isEmpty {
      let known = KnownEntries(of: side, in: text, entries, form)
      doubled = doubled.filter { !known.haveOneNameTwice($0.value) }
    }
    doubled = doubled.filter { Self.contradict($0.value, in: text, form) }
    // What stands below something that is there twice, or on the same lines, is so for that reason.
    var lines: Set<[Int]> = []
    groups = doubled.sorted {
      ($0.value[0].lines.lowerBound, $0.key) < ($1.value[0].lines.lowerBound, $1.key)
    }
    .filter { name, entries in
      let isBelow = name.indices.contains { name[$0] == "/" && doubled[String(name[..<$0])] != nil }
      return !isBelow && lines.insert(entries.map(\.lines.lowerBound)).inserted
    }
    .map(\.value)
  }

  /// Returns whether not all of some entries may stand beside each other, as packages for different systems do.
  private static func contradict(
    _ entries: [EntryNames.Entry], in text: TextLines, _ form: NamesOnce
  ) -> Bool {
    let needs = entries.compactMap { entry in
      form.areNeeds
        ? (PackageNeed(text.text(entry.lines)), text.block(of: entry.lines.lowerBound)) : nil
    }
    guard needs.count == entries.count else { return true }
    return needs.indices.contains { index in
      needs[..<index].contains { need, block in
        !need.mayStand(beside: needs[index].0, inOneBlock: block == needs[index].1)
      }
    }
  }

  /// Whether there are some, and those of one name are one entry that both sides added to one block.
  var areEqual: Bool {
    !groups.isEmpty
      && groups.allSatisfy { entries in
        entries.allSatisfy(\.isWhole) && Set(entries.map { said(by: $0) }).count == 1
          && Set(entries.map { text.block(of: $0.lines.lowerBound) }).count == 1
      }
  }

  /// The lines of an entry, whether a line break ends the last one or not.
  private func said(by entry: EntryNames.Entry) -> Substring {
    text.text(entry.lines).trimmingSuffix(while: \.isNewline)
  }

  /// A document whose lines are these without all but the first of equal entries.
  func withoutDoubled(in document: [UInt8]) -> [UInt8] {
    let doubled = groups.flatMap { $0.dropFirst().map(\.lines) }
    var dropped = Set(doubled.joined())
    let lines = TextLines(document)
    guard lines.count == text.count else { return document }
    // Of the blank lines around an entry, those on one side go with it.
    for entry in doubled
    where text.isBlank(entry.lowerBound - 1) && text.isBlank(entry.upperBound) {
      dropped.insert(
        entry.upperBound < text.count ? entry.upperBound : entry.lowerBound - 1)
    }
    return (0..<lines.count).flatMap { dropped.contains($0) ? [] : Array(lines[$0..<$0 + 1]) }
  }

  var decisions: [MergeDecision] {
    groups.map { entries in
      MergeDecision(
        kind: .clash,
        ours: text.text(entries[0].lines), theirs: entries.last.map { text.text($0.lines) },
        explanation: "Both sides added “\(entries[0].name)”, which stands twice now.")
    }
  }
}

/// The entries of one side, found by the lines that it has in common with the result.
private struct KnownEntries {
  /// The names in the order of each line.
  private let names: [Int: [String]]
  private let counts: [String: Int]
  /// For each line of the result, that of the side.
  private let places: [Int?]
  /// For each line of the result that has entries, their names.
  private let others: [Int: [String]]

  init(
    of side: TextLines, in result: TextLines, _ entries: [EntryNames.Entry], _ form: NamesOnce
  ) {
    let own = form.entries(of: side)
    counts = own.counts
    names = Self.names(of: own.entries)
    others = Self.names(of: entries)
    var places: [Int?] = []
    var next = 0
    for change in LineDifference.changes(from: side.bytes, to: result.bytes) {
      places += (next..<change.old.lowerBound).map { $0 }
      places += change.new.map { _ in nil }
      next = change.old.upperBound
    }
    self.places = places + (next..<side.count).map { $0 }
  }

  private static func names(of entries: [EntryNames.Entry]) -> [Int: [String]] {
    entries.reduce(into: [:]) { $0[$1.lines.lowerBound, default: []].append($1.name) }
  }

  /// Returns whether the side has one of some entries of the result under a name that it has twice.
  func haveOneNameTwice(_ entries: [EntryNames.Entry]) -> Bool {
    entries.contains { entry in
      let line = entry.lines.lowerBound
      guard let place = places[line], let own = names[place],
        let index = others[line]?.firstIndex(of: entry.name), own.indices.contains(index)
      else { return false }
      return counts[own[index], default: 0] > 1
    }
  }
}

extension TextLines {
  fileprivate func text(_ lines: Range<Int>) -> String {
    String(decoding: self[lines], as: UTF8.self)
  }

  /// Returns whether a line is empty, or before or behind all lines.
  fileprivate func isBlank(_ line: Int) -> Bool {
    !(0..<count).contains(line) || self[line..<line + 1].allSatisfy(\.isSpace)
  }

  /// The line that opens the block in which a line stands, as it is less indented; `nil` for lines in none.
  fileprivate func block(of line: Int) -> Int? {
    func column(_ line: Int) -> Int {
      self[line..<line + 1].prefix { $0 == 0x20 || $0 == 0x09 }.count
    }
    let own = column(line)
    guard own > 0 else { return nil }
    return (0..<line).last { !isBlank($0) && column($0) < own }
  }
}
