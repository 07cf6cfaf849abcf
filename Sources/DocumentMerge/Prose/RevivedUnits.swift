/// What one side moved, and the other one removed, or moved elsewhere.
extension ProseRefinement {
  /// The regions, with those as a clash in which a side added again what both took out elsewhere, and the other one has
  /// nowhere, or where it put it alone: what is gone on one side must not come back without a question, nor stand twice.
  func withoutRevivedUnits(_ regions: [TextRegion]) -> [TextRegion] {
    var numbers = WordNumbers()
    func units(
      _ text: TextLines, _ kinds: [ProseLine], _ lines: Range<Int>, not others: [ProseUnit] = []
    ) -> [ProseUnit] {
      let known = Set(others.map(\.content))
      return ProseUnit.units(of: text, kinds: kinds, in: lines, numbers: &numbers)
        .filter { $0.kind != .code && !$0.words.isEmpty && !known.contains($0.content) }
    }
    let removed = regions.filter { $0.kind == .same && !$0.base.isEmpty }.flatMap { region in
      units(
        texts.base, kinds.base, region.base, not: units(texts.ours, kinds.ours, region.ours))
    }
    guard !removed.isEmpty else { return regions }
    // What a side added by itself may be what the other one moved elsewhere.
    let kept = (
      ours: regions.filter { $0.kind != .ours }.flatMap { lines(texts.ours, $0.ours) },
      theirs: regions.filter { $0.kind != .theirs }.flatMap { lines(texts.theirs, $0.theirs) }
    )
    let missing = (
      ours: RevivableUnits(without(kept.ours, removed)),
      theirs: RevivableUnits(without(kept.theirs, removed))
    )
    return regions.map { region in
      guard region.kind == .ours || region.kind == .theirs || region.kind == .combined else {
        return region
      }
      let old = units(texts.base, kinds.base, region.base)
      let isRevived =
        region.kind != .theirs
        && missing.theirs.hasAny(of: units(texts.ours, kinds.ours, region.ours, not: old))
        || region.kind != .ours
          && missing.ours.hasAny(of: units(texts.theirs, kinds.theirs, region.theirs, not: old))
      return isRevived ? region.clashing(with: region) : region
    }
  }

  private func lines(_ text: TextLines, _ lines: Range<Int>) -> [ArraySlice<UInt8>] {
    lines.map { text[$0..<$0 + 1] }
  }

  /// Those of base's units that some lines have not got.
  private func without(_ lines: [ArraySlice<UInt8>], _ units: [ProseUnit]) -> [ProseUnit] {
    let known = Set(lines)
    return units.filter { !self.lines(texts.base, $0.lines).allSatisfy(known.contains) }
  }
}

/// Units that a side has no more.
private struct RevivableUnits {
  private let units: [ProseUnit]
  private let words: Set<[Int]>

  init(_ units: [ProseUnit]) {
    self.units = units
    words = Set(units.map(\.words))
  }

  /// Whether one of some units is one of these, or one that was edited a little.
  func hasAny(of others: [ProseUnit]) -> Bool {
    if others.contains(where: { words.contains($0.words) }) { return true }
    guard units.count * others.count <= 10_000 else { return false }
    return others.contains { other in units.contains { $0.likeness(to: other) > 0.8 } }
  }
}
