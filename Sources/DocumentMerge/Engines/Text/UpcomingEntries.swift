/// Moves the entries that one side added to the unreleased changes to the place for such changes on the other
/// side, which released the earlier ones.
///
/// This happens only if nothing is unclear: the heading of the unreleased changes must still exist, with
/// nothing below it.
struct UpcomingEntries {
  let texts: MergeSides<TextLines>
  /// The side that made the release; the other side added the entries.
  let releaser: MergeSide
  let logs: MergeSides<ChangeLog>

  private var adder: MergeSide { releaser == .ours ? .theirs : .ours }

  /// Returns the regions with the entries moved; `nil` if the new place isn't clear.
  /// - Parameter added: The regions in which the other side added entries.
  func moved(_ added: [Int], in regions: [TextRegion]) -> [TextRegion]? {
    let (log, text) = (logs[releaser], texts[releaser])
    guard let place = log.emptyUpcoming(in: text),
      let target = regions.firstIndex(where: { region in
        region.kind == (releaser == .ours ? .ours : .theirs) && region.base.isEmpty
          && region[releaser].contains(place.release)
      }),
      let start = logs[adder].line(
        ofHeading: text[place.upcoming..<place.upcoming + 1], in: texts[adder]),
      let entries = entries(added.map { regions[$0] }, behind: start)
    else { return nil }
    var regions = regions
    let explanation = "Unreleased entries stay unreleased."
    for index in added {
      regions[index] = regions[index].combined(
        TextRegion.Combined(bytes: [], explanation: explanation))
    }
    let lines = regions[target][releaser]
    let bytes =
      text[lines.lowerBound..<place.release] + entries + [.lineFeed]
      + text[place.release..<lines.upperBound]
    regions[target] = regions[target].combined(
      TextRegion.Combined(bytes: Array(bytes), explanation: explanation))
    return regions
  }

  /// Returns the added entries, each below its heading; `nil` if other lines were also added.
  private func entries(_ regions: [TextRegion], behind start: Int) -> [UInt8]? {
    let text = texts[adder]
    var groups: [(heading: Range<Int>?, entries: [UInt8])] = []
    for region in regions {
      var lines = region[adder]
      func isBlank(_ line: Int) -> Bool { text[line].allSatisfy(\.isSpace) }
      lines = (lines.first { !isBlank($0) } ?? lines.upperBound)..<lines.upperBound
      lines = lines.lowerBound..<((lines.last { !isBlank($0) } ?? lines.lowerBound - 1) + 1)
      guard region.base.isEmpty, let first = lines.first, text[lines].last == .lineFeed else {
        return nil
      }
      var heading: Range<Int>?
      if !text.isSubheading(first) {
        let known = (start + 1..<first).last { text.isSubheading($0) }
        heading = known.map { $0..<$0 + (text.isUnderlined($0) ? 2 : 1) }
        guard text.isListItem(first) else { return nil }
      }
      guard !lines.dropFirst().contains(where: { text.isSubheading($0) }) else { return nil }
      if let last = groups.last, last.heading == heading,
        heading != nil || !text.isSubheading(first)
      {
        groups[groups.count - 1].entries += text[lines]
      } else {
        groups.append((heading, Array(text[lines])))
      }
    }
    let blocks = groups.map { heading, entries -> [UInt8] in
      guard let heading else { return entries }
      let isApart = text[heading.upperBound..<heading.upperBound + 1].allSatisfy(\.isSpace)
      return Array(text[heading]) + (isApart ? [.lineFeed] : []) + entries
    }
    return Array(blocks.joined(separator: [.lineFeed]))
  }
}

extension MergeSides {
  fileprivate subscript(side: MergeSide) -> Value { side == .theirs ? theirs : ours }
}

extension TextRegion {
  fileprivate subscript(side: MergeSide) -> Range<Int> { side == .theirs ? theirs : ours }

  fileprivate func combined(_ combined: Combined) -> TextRegion {
    TextRegion(kind: .combined, base: base, ours: ours, theirs: theirs, combined: combined)
  }
}

extension TextLines {
  /// Returns whether a line is a heading, because of its marks or the line below it.
  fileprivate func isSubheading(_ line: Int) -> Bool {
    let words = self[line]
    let marks = words.prefix { "#=".utf8.contains($0) }
    let isMarked = !marks.isEmpty && words.dropFirst(marks.count).first == 0x20
    return isMarked || isUnderlined(line)
  }

  fileprivate func isUnderlined(_ line: Int) -> Bool {
    guard line + 1 < count, let first = self[line].first, first > 0x20 else {
      return false
    }
    return self[line + 1].underline != nil && self[line].underline == nil
  }

  fileprivate func isListItem(_ line: Int) -> Bool {
    let words = self[line].drop { $0 == 0x20 }
    return words.first.map { "-*+".utf8.contains($0) } ?? false && words.dropFirst().first == 0x20
  }
}
