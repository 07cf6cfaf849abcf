/// Three sequences of numbers, which stand for lines or for members of lists; equal ones have equal numbers.
struct NumberedSides {
  let numbers: MergeSides<[Int32]>
  /// One more than the highest number.
  let count: Int

  init(_ numbers: MergeSides<[Int32]>, count: Int) {
    (self.numbers, self.count) = (numbers, count)
  }

  /// Numbers the lines of texts.
  init(linesOf texts: MergeSides<TextLines>) {
    let known = LineNumbers(texts.all)
    let sides = Array(known.texts.suffix(2))
    self.init(
      MergeSides(
        base: texts.base.map { _ in known.texts[0] }, ours: sides[0], theirs: sides[1]),
      count: known.count)
  }

  /// Returns the changed and unchanged regions.
  /// - Parameter ofMembers: Whether changes that only touch stay separate if their order is clear.
  func regions(ofMembers: Bool = false) -> [TextRegion] {
    func changes(_ old: [Int32], _ new: [Int32]) -> [LineChange] {
      SequenceDifference.changes(from: old, to: new, count: count)
    }
    let (ours, theirs) = (numbers.ours, numbers.theirs)
    guard let base = numbers.base else {
      return TextRegion.regions(
        withoutBase: MergeSides(base: nil, ours: ours.count, theirs: theirs.count),
        changes: changes(ours, theirs))
    }
    let (oursChanges, theirsChanges) = (changes(base, ours), changes(base, theirs))
    guard ofMembers else {
      return TextRegion.regions(
        baseCount: base.count, oursChanges: oursChanges, theirsChanges: theirsChanges
      ) { ours[$0] == theirs[$1] }
    }
    return TextRegion.regions(
      ofMembers: base.count, oursChanges: oursChanges, theirsChanges: theirsChanges
    ) { ours[$0] == theirs[$1] }
  }
}
