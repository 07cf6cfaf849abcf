/// Asks about numbers that each side gave to a different thing, in tables whose rows have no key.
///
/// If the first cell of a row always goes with one text in the next cell, such as a number with a name, that must still
/// hold after a merge; otherwise both sides used one number for two things.
struct ContradictingRows: MergeCheck {
  /// The minimum number of rows with a repeated first cell that show that the next cell goes with it.
  private static let evidence = 2

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    guard let doubled = Self.contradictions(in: merge.result), !doubled.isEmpty,
      merge.texts.all.allSatisfy({ Self.contradictions(in: $0)?.isEmpty ?? false })
    else { return [] }
    return doubled.sorted().map { .doubt("Both sides added “\($0)”, each for something else.") }
  }

  /// Returns the first cells that go with two texts; `nil` if nothing shows that each goes with one.
  private static func contradictions(in text: TextLines) -> Set<String>? {
    var known: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
    var (repeated, names): (Int, Set<String>) = (0, [])
    for line in text {
      let cells = line.split(maxSplits: 2, omittingEmptySubsequences: false) {
        ",;\t".utf8.contains($0)
      }
      // Quotes may contain separators.
      guard cells.count == 3, !line.contains(UInt8(ascii: "\"")), !cells[0].isEmpty else {
        continue
      }
      if let other = known[cells[0]] {
        if other == cells[1] {
          repeated += 1
        } else {
          names.insert(String(decoding: cells[0], as: UTF8.self))
        }
      } else {
        known[cells[0]] = cells[1]
      }
    }
    return repeated >= evidence ? names : nil
  }
}
