/// The words that one side took out of units, and those that it put into others.
///
/// A paragraph that is split, joined or moved loses words that another unit gains.
struct CarriedWords {
  /// For each old unit the numbers of the words that it lost, sorted.
  private let lost: [[Int]]
  /// For each new unit the numbers of the words that it gained, sorted.
  private let gained: [[Int]]

  /// Compares the units of one side with those of base.
  init(from old: [ProseUnit], to new: [ProseUnit], along changes: [LineChange]) {
    var (lost, gained) = (old.map(\.words), new.map(\.words))
    for pair in changes.unchanged(old.count, new.count) {
      let (oldWords, newWords) = (lost[pair.old], gained[pair.new])
      lost[pair.old] = oldWords.parted(by: newWords).others
      gained[pair.new] = newWords.parted(by: oldWords).others
    }
    (self.lost, self.gained) = (lost, gained)
  }

  /// The words that were taken out in one place and put in in another; `nil` if there are none.
  static func carried(from lost: [Int], to gained: [Int]) -> [Int]? {
    let carried = gained.parted(by: lost).common
    // A few words in common may be chance.
    let isCarried =
      2 * carried.count >= gained.count || carried.count > 2 && 2 * carried.count >= lost.count
    return isCarried && !carried.isEmpty ? carried : nil
  }

  /// The old units of which a new one holds text that the other side removed.
  func revived(beside other: CarriedWords) -> [(old: Int, new: Int)] {
    let kept = other.gained.flatMap { $0 }.sorted()
    return lost.indices.flatMap { old -> [(old: Int, new: Int)] in
      guard !lost[old].isEmpty, !other.lost[old].isEmpty else { return [] }
      // What stands elsewhere on the other side, too, was not removed.
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
  /// The parts, with those as one clash between which a side carried text that the other one removed:
  /// what is gone on one side must not come back by a paragraph that was split, joined or moved.
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
  /// The numbers that another sorted list has as well, and those that it has not.
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
