/// The pairs of elements of two sequences that have most in common, with both orders kept.
struct WeightedAlignment {
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// The changes between the pairs.
  private(set) var changes: [LineChange] = []

  /// Aligns two sequences by how much an old and a new element have in common; 0 if they aren't a pair.
  init(_ oldCount: Int, _ newCount: Int, gain: (_ old: Int, _ new: Int) -> Double) {
    let width = newCount + 1
    var gains = [Double](repeating: 0, count: oldCount * newCount)
    // The maximum in common that the elements from each pair on allow.
    var best = [Double](repeating: 0, count: (oldCount + 1) * width)
    for old in (0..<oldCount).reversed() {
      for new in (0..<newCount).reversed() {
        let gain = gain(old, new)
        gains[old * newCount + new] = gain
        best[old * width + new] = max(
          gain > 0 ? gain + best[(old + 1) * width + new + 1] : 0, best[(old + 1) * width + new],
          best[old * width + new + 1])
      }
    }
    var (old, new) = (0, 0)
    while old < oldCount, new < newCount {
      let here = best[old * width + new]
      let gain = gains[old * newCount + new]
      if gain > 0, here == gain + best[(old + 1) * width + new + 1] {
        pairs.append((old, new))
        (old, new) = (old + 1, new + 1)
      } else if here == best[(old + 1) * width + new] {
        old += 1
      } else {
        new += 1
      }
    }
    (old, new) = (0, 0)
    for pair in pairs + [(oldCount, newCount)] {
      if old < pair.old || new < pair.new {
        changes.append(LineChange(old: old..<pair.old, new: new..<pair.new))
      }
      (old, new) = (pair.old + 1, pair.new + 1)
    }
  }
}
