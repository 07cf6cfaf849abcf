/// Finds lines that both sides removed and one side put elsewhere.
///
/// A line that one side removed must not come back only because the other side moved it.
struct RevivedLines {
  private let base: TextLines
  private let sides: MergeSides<TextLines>

  /// The minimum number of bytes in lines that are certainly the same elsewhere.
  private static let size = 12

  init?(_ lines: MergeSides<TextLines>) {
    guard let base = lines.base else { return nil }
    self.base = base
    sides = lines
  }

  /// Returns the regions, turning those into clashes in which lines would come back.
  func checked(_ regions: [TextRegion]) -> [TextRegion] {
    let removed = regions.filter { $0.kind == .same && $0.ours.isEmpty }
      .map { significant(base, $0.base) }.filter { $0.reduce(0) { $0 + $1.count } >= Self.size }
    guard !removed.isEmpty else { return regions }
    // A line that also occurs elsewhere may be one that is still there.
    let gone = Set(removed.joined())
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for line in 0..<base.count where gone.contains(base[line]) {
      counts[base[line], default: 0] += 1
    }
    let blocks = Dictionary(
      removed.filter { $0.contains { counts[$0] == 1 } }.map { ($0[0], $0) },
      uniquingKeysWith: { first, _ in first })
    return regions.map { region in
      guard region.kind == .ours || region.kind == .theirs else { return region }
      let added =
        region.kind == .ours
        ? significant(sides.ours, region.ours) : significant(sides.theirs, region.theirs)
      let isRevived = added.indices.contains { index in
        blocks[added[index]].map { added[index...].starts(with: $0) } ?? false
      }
      return isRevived ? region.clashing(with: region) : region
    }
  }

  /// Returns the lines that aren't blank.
  private func significant(_ text: TextLines, _ lines: Range<Int>) -> [ArraySlice<UInt8>] {
    lines.map { text[$0] }.filter { !$0.allSatisfy(\.isSpace) }
  }
}
