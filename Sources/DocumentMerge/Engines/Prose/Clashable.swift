/// A part of a merge that can become one clash with the following parts.
protocol Clashable {
  /// Returns this part and the next one as one clash.
  func clashing(with other: Self) -> Self
}

extension Array where Element: Clashable {
  /// Returns the parts, with those of each span joined as one clash; spans may overlap.
  func clashing(in spans: [ClosedRange<Int>]) -> [Element] {
    let ends = Dictionary(spans.map { ($0.lowerBound, $0.upperBound) }, uniquingKeysWith: Swift.max)
    var result: [Element] = []
    var clashEnd = -1
    for (index, part) in enumerated() {
      let isClashing = index <= clashEnd
      clashEnd = Swift.max(clashEnd, ends[index] ?? -1)
      if isClashing, let last = result.popLast() {
        result.append(last.clashing(with: part))
      } else {
        result.append(index <= clashEnd ? part.clashing(with: part) : part)
      }
    }
    return result
  }
}

extension TextRegion: Clashable {
  func clashing(with other: TextRegion) -> TextRegion {
    TextRegion(
      kind: .clash, base: base.lowerBound..<other.base.upperBound,
      ours: ours.lowerBound..<other.ours.upperBound,
      theirs: theirs.lowerBound..<other.theirs.upperBound)
  }
}

extension ProseRefinement.Part: Clashable {
  func clashing(with other: ProseRefinement.Part) -> ProseRefinement.Part {
    ProseRefinement.Part(units: units.clashing(with: other.units), merge: .clash)
  }
}
