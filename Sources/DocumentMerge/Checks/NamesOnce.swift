/// Asks about names that must be unique but occur twice in a result.
///
/// Equal entries that both sides added are kept once.
struct NamesOnce: MergeCheck {
  private let readers: [any EntryReader]
  /// True if an entry consists only of its lines, which may be removed.
  private let areLines: Bool
  /// True if entries are requirements of packages, with versions and conditions.
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

/// Entries with a name that occurs more often in a result than on each side.
///
/// The names are read in each text separately, because the number of a list or a rule in a name differs between sides.
/// The entries of a side are found by the lines that it has in common with the result.
struct DoubledEntries {
  private let text: TextLines
  /// The entries of each duplicate name, in the order of first occurrence.
  private let groups: [[EntryNames.Entry]]

  init(in text: TextLines, of sides: MergeSides<TextLines>, _ form: NamesOnce) {
    self.text = text
    let entries = form.entries(of: text).entries
    var doubled = Dictionary(grouping: entries, by: \.name).filter { $0.value.count > 1 }
    if doubled.contains(where: { $0.value[0].group != nil }), let base = sides.base {
      let vague = form.entries(of: base).vague
      doubled = doubled.filter { $0.value[0].group.map { !vague.contains($0) } ?? true }
    }
    // Usually, the first side already has the duplicates.
    for side in sides.all where !doubled.isEmpty {
      let known = KnownEntries(of: side, in: text, entries, form)
      doubled = doubled.filter { !known.haveOneNameTwice($0.value) }
    }
    doubled = doubled.filter { Self.contradict($0.value, in: text, form) }
    // Entries below duplicate entries, or on the same lines, are duplicate for that reason.
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

  /// Returns whether some entries exclude each other, unlike packages for different systems.
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

  /// True if there are duplicates, and all are equal entries that both sides added to one block.
  var areEqual: Bool {
    !groups.isEmpty
      && groups.allSatisfy { entries in
        entries.allSatisfy(\.isWhole) && Set(entries.map { said(by: $0) }).count == 1
          && Set(entries.map { text.block(of: $0.lines.lowerBound) }).count == 1
      }
  }

  /// Returns the lines of an entry, with or without a final line break.
  private func said(by entry: EntryNames.Entry) -> Substring {
    text.text(entry.lines).trimmingSuffix(while: \.isNewline)
  }

  /// Returns a document with these lines, keeping only the first of equal entries.
  func withoutDoubled(in document: [UInt8]) -> [UInt8] {
    let doubled = groups.flatMap { $0.dropFirst().map(\.lines) }
    var dropped = Set(doubled.joined())
    let lines = TextLines(document)
    guard lines.count == text.count else { return document }
    // The blank lines on one side of an entry are removed with it.
    for entry in doubled
    where text.isBlank(entry.lowerBound - 1) && text.isBlank(entry.upperBound) {
      dropped.insert(
        entry.upperBound < text.count ? entry.upperBound : entry.lowerBound - 1)
    }
    return lines.enumerated().flatMap { dropped.contains($0) ? [] : $1 }
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

/// The entries of one side, found by its common lines with the result.
private struct KnownEntries {
  /// The names in the order of each line.
  private let names: [Int: [String]]
  private let counts: [String: Int]
  /// For each line of the result, the line of the side.
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

  /// Returns whether the side has one of some entries of the result under a name that occurs twice.
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

  /// Returns whether a line is blank, or outside the text.
  fileprivate func isBlank(_ line: Int) -> Bool {
    !(0..<count).contains(line) || self[line].allSatisfy(\.isSpace)
  }

  /// Returns the less indented line that opens the block of a line; `nil` for lines outside blocks.
  fileprivate func block(of line: Int) -> Int? {
    func column(_ line: Int) -> Int {
      self[line].prefix { $0 == 0x20 || $0 == 0x09 }.count
    }
    let own = column(line)
    guard own > 0 else { return nil }
    return (0..<line).last { !isBlank($0) && column($0) < own }
  }
}
