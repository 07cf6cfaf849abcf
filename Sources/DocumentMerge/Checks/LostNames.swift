/// Asks about names that one side removes or changes and that the other side newly refers to.
///
/// References are found as ``ReferenceNames`` reads them, line by line.
struct LostNames: MergeCheck {
  private let readers: [any NameReader]
  /// True if a number is mostly a reference, as in the rows of a table.
  private let numbersRefer: Bool

  init(_ readers: any NameReader..., numbersRefer: Bool = false) {
    (self.readers, self.numbersRefer) = (readers, numbersRefer)
  }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let (base, ours, theirs) = (merge.base, merge.ours, merge.theirs)
    guard mayBeLost(base, by: ours, usedBy: theirs) || mayBeLost(base, by: theirs, usedBy: ours)
    else { return [] }
    let known = ReferenceNames(base, readers)
    let sides = MergeSides(
      base: nil, ours: ReferenceNames(ours, readers), theirs: ReferenceNames(theirs, readers))
    return merge.bothWays(sides) { side, other, label, otherLabel in
      known.lost(by: side, usedBy: other).map { name in
        .doubt("“\(name)” was removed or renamed by \(label), and \(otherLabel) refers to it.")
      }
    }
  }
}

extension LostNames {
  /// This reads only changed lines; whole documents are read only if there may be something to find.
  private func mayBeLost(
    _ base: TextLines, by side: TextLines, usedBy other: TextLines
  ) -> Bool {
    let removed = base.lines(notIn: side)
    guard !removed.isEmpty else { return false }
    let changed = other.lines(notIn: base)
    let used = Set(changed.flatMap { Self.words(of: other[$0]) })
    guard !used.isEmpty else { return false }
    let gone = ReferenceNames(base, readers, lines: removed)
    var names = Set(gone.definitions.keys).union(gone.references.keys).filter { name in
      // A reference may omit words, such as the kind of its target.
      Self.words(of: Array(name.utf8)[...]).contains(where: used.contains)
    }
    // Most numbers aren't references; the numbers of rows are.
    if !numbersRefer, names.contains(where: { $0.allSatisfy(\.isNumber) }) {
      let references = ReferenceNames(other, readers, lines: changed).references
      names = names.filter { !$0.allSatisfy(\.isNumber) || references[$0] != nil }
    }
    // Any element may be a property, but few texts use one.
    if names.contains(where: { $0.hasPrefix("${") }),
      !changed.contains(where: { String(decoding: other[$0], as: UTF8.self).has("$") })
    {
      names = names.filter { !$0.hasPrefix("${") }
    }
    guard !names.isEmpty else { return false }
    // Only a reading of all lines shows which of them are definitions.
    let kept = ReferenceNames(side, readers, lines: side.lines(notIn: base))
    return !gone.renamed(by: kept).isEmpty || names.contains { kept.definitions[$0] == nil }
  }

  /// Returns the words of a line in lowercase.
  private static func words(of line: ArraySlice<UInt8>) -> [[UInt8]] {
    line.split { byte in
      !byte.isLetter && byte < 0x80 && byte != UInt8(ascii: "_") && !byte.isDigit
    }
    .map { $0.map(\.inSmallLetters) }
  }
}

extension TextLines {
  /// Returns the numbers of the lines that another text doesn't have, or has less often.
  func lines(notIn other: TextLines) -> [Int] {
    let numbers = LineNumbers([other, self])
    var known = [Int](repeating: 0, count: numbers.count)
    for number in numbers.texts[0] { known[Int(number)] += 1 }
    return numbers.texts[1].enumerated().compactMap { line, number in
      known[Int(number)] -= 1
      return known[Int(number)] < 0 ? line : nil
    }
  }
}
