/// The words that one side removed from units, and the words that it added to others.
///
/// A paragraph that is split, joined or moved loses words that another unit gains.
struct CarriedWords {
  /// The sorted numbers of the words that each old unit lost.
  private let lost: [[Int]]
  /// The sorted numbers of the words that each new unit gained.
  private let gained: [[Int]]

  /// Compares the units of a side with those of base.
  init(from old: [ProseUnit], to new: [ProseUnit], along changes: [LineChange]) {
    var (lost, gained) = (old.map(\.words), new.map(\.words))
    for pair in changes.unchanged(old.count, new.count) {
      let (oldWords, newWords) = (lost[pair.old], gained[pair.new])
      lost[pair.old] = oldWords.parted(by: newWords).others
      gained[pair.new] = newWords.parted(by: oldWords).others
    }
    (self.lost, self.gained) = (lost, gained)
  }

  /// Returns the words that were removed at one place and added at another; `nil` if there are none.
  static func carried(from lost: [Int], to gained: [Int]) -> [Int]? {
    let carried = gained.parted(by: lost).common
    // A few words in common may be a coincidence.
    let isCarried =
      2 * carried.count >= gained.count || carried.count > 2 && 2 * carried.count >= lost.count
    return isCarried && !carried.isEmpty ? carried : nil
  }

  /// Returns the old units whose text a new unit has although the other side removed it, each with that new
  /// unit.
  func revived(beside other: CarriedWords) -> [(old: Int, new: Int)] {
    let kept = other.gained.flatMap { $0 }.sorted()
    return lost.indices.flatMap { old -> [(old: Int, new: Int)] in
      guard !lost[old].isEmpty, !other.lost[old].isEmpty else { return [] }
      // Text that the other side has elsewhere wasn't removed.
      let removed = other.lost[old].parted(by: kept).others
      guard !removed.isEmpty else { return [] }
      return gained.indices.filter { new in
        guard let carried = Self.carried(from: lost[old], to: gained[new]) else { return false }
        return 2 * carried.parted(by: removed).common.count >= carried.count
      }
      .map { (old, $0) }
    }
  }
}

extension ProseRefinement {
  /// Returns the parts, joining those as one clash between which a side carried text that the other side
  /// removed.
  ///
  /// Splitting, joining or moving a paragraph must not bring back text that one side removed.
  func withoutRevivedText(
    _ parts: [Part], _ units: ProseSides, ours: [LineChange], theirs: [LineChange]
  ) -> [Part] {
    let oursWords = CarriedWords(from: units.base, to: units.ours, along: ours)
    let theirsWords = CarriedWords(from: units.base, to: units.theirs, along: theirs)
    func part(_ side: KeyPath<TextRegion, Range<Int>>, _ unit: Int) -> Int? {
      parts.firstIndex { $0.units[keyPath: side].contains(unit) }
    }
    let pairs =
      oursWords.revived(beside: theirsWords).map { (part(\.base, $0.old), part(\.ours, $0.new)) }
      + theirsWords.revived(beside: oursWords).map {
        (part(\.base, $0.old), part(\.theirs, $0.new))
      }
    let spans = pairs.compactMap { pair -> ClosedRange<Int>? in
      guard case (let first?, let second?) = pair else { return nil }
      return min(first, second)...max(first, second)
    }
    return parts.clashing(in: spans)
  }
}

extension [Int] {
  /// Returns the numbers that are also in another sorted list, and those that aren't.
  fileprivate func parted(by other: [Int]) -> (common: [Int], others: [Int]) {
    var (common, others): ([Int], [Int]) = ([], [])
    var rest = other[...]
    for number in self {
      while let first = rest.first, first < number { rest.removeFirst() }
      if rest.first == number {
        rest.removeFirst()
        common.append(number)
      } else {
        others.append(number)
      }
    }
    return (common, others)
  }
}
