/// Asks about numbers that each side gave to something else, in tables whose rows have no key of their own.
///
/// If the first cell of a row always goes with one text in the next one, as the number of a thing with its name, it is
/// still so after a merge, or both sides took one number for two things.
struct ContradictingRows: MergeCheck {
  /// The least number of rows that have the first cell of another one, which show that the next one goes with it.
  private static let evidence = 2

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    guard let doubled = Self.contradictions(in: merge.result), !doubled.isEmpty,
      merge.texts.all.allSatisfy({ Self.contradictions(in: $0)?.isEmpty ?? false })
    else { return [] }
    return doubled.sorted().map { .doubt("Both sides added “\($0)”, each for something else.") }
  }

  /// The first cells that go with two texts; `nil` if nothing shows that one goes with each.
  private static func contradictions(in text: TextLines) -> Set<String>? {
    var known: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
    var (repeated, names): (Int, Set<String>) = (0, [])
    for number in 0..<text.count {
      let line = text[number..<number + 1]
      let cells = line.split(maxSplits: 2, omittingEmptySubsequences: false) {
        ",;\t".utf8.contains($0)
      }
      // Quotes may hold separators.
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
