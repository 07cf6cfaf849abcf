/// Units that one side moved, while the other side removed them or moved them elsewhere.
extension ProseRefinement {
  /// Returns the regions, turning those into clashes in which a side added units that both sides removed
  /// elsewhere.
  ///
  /// The other side must lack the units, or have them only where it put them itself. Units that one side
  /// removed must not come back without a question, nor occur twice.
  func withoutRevivedUnits(_ regions: [TextRegion]) -> [TextRegion] {
    var numbers = WordNumbers()
    /// Returns the units of lines, and each line of longer units, which may have been or may become separate.
    func units(
      _ text: TextLines, _ kinds: [ProseLine], _ lines: Range<Int>, not others: [ProseUnit] = []
    ) -> [ProseUnit] {
      let known = Set(others.map(\.content))
      func units(in lines: Range<Int>) -> [ProseUnit] {
        .units(of: text, kinds: kinds, in: lines, numbers: &numbers)
      }
      return units(in: lines)
        .flatMap { unit in
          unit.lines.count > 1 ? [unit] + unit.lines.flatMap { units(in: $0..<$0 + 1) } : [unit]
        }
        .filter { $0.kind != .code && !$0.words.isEmpty && !known.contains($0.content) }
    }
    let removed = regions.enumerated().flatMap { index, region -> [RemovedUnit] in
      switch region.kind {
      case .same:
        let ours = units(texts.ours, kinds.ours, region.ours)
        let old = units(texts.base, kinds.base, region.base, not: ours)
        guard old.count * ours.count <= RevivableUnits.pairLimit else {
          return old.map { RemovedUnit(unit: $0, region: index) }
        }
        // What both sides edited is still there.
        return WeightedAlignment(old.count, ours.count) {
          let likeness = old[$0].likeness(to: ours[$1])
          return likeness > 0.5 ? likeness : 0
        }
        .changes.flatMap { old[$0.old] }.map { RemovedUnit(unit: $0, region: index) }
      case .combined:
        // In a paragraph that both sides changed, both may have removed lines, or only wrapped them differently.
        let merged = TextLines(region.combined?.bytes ?? [])
        let words = Set(
          units(merged, ProseLine.lines(of: merged, style: style), 0..<merged.count)
            .flatMap(\.words))
        return region.base
          .flatMap { units(texts.base, kinds.base, $0..<$0 + 1) }
          .filter { 2 * $0.words.count(where: words.contains) < $0.words.count }
          .map { RemovedUnit(unit: $0, region: index) }
      default: return []
      }
    }
    guard !removed.isEmpty else { return regions }
    // The additions of one side may be units that the other side moved elsewhere.
    let kept = (
      ours: regions.filter { $0.kind != .ours }.flatMap { lines(texts.ours, $0.ours) },
      theirs: regions.filter { $0.kind != .theirs }.flatMap { lines(texts.theirs, $0.theirs) }
    )
    let missing = (
      ours: RevivableUnits(without(kept.ours, removed)),
      theirs: RevivableUnits(without(kept.theirs, removed))
    )
    return regions.enumerated().map { index, region in
      guard region.kind == .ours || region.kind == .theirs || region.kind == .combined else {
        return region
      }
      let old = units(texts.base, kinds.base, region.base)
      let ours = units(texts.ours, kinds.ours, region.ours, not: old)
      let theirs = units(texts.theirs, kinds.theirs, region.theirs, not: old)
      let isRevived =
        region.kind != .theirs && missing.theirs.hasAny(of: ours, in: index)
        || region.kind != .ours && missing.ours.hasAny(of: theirs, in: index)
      return isRevived ? region.clashing(with: region) : region
    }
  }

  private func lines(_ text: TextLines, _ lines: Range<Int>) -> [ArraySlice<UInt8>] {
    lines.map { text[$0] }
  }

  /// Returns the units of base that aren't among the given lines.
  private func without(
    _ lines: [ArraySlice<UInt8>], _ removed: [RemovedUnit]
  ) -> [RemovedUnit] {
    let known = Set(lines)
    return removed.filter {
      !self.lines(texts.base, $0.unit.lines).allSatisfy(known.contains)
    }
  }
}

/// A unit of base that both sides removed from a region.
private struct RemovedUnit {
  let unit: ProseUnit
  let region: Int
}

/// Units that a side no longer has.
private struct RevivableUnits {
  private let units: [RemovedUnit]
  private let words: [[Int]: Int]

  /// The maximum number of pairs of units that are compared.
  static let pairLimit = 10_000

  init(_ units: [RemovedUnit]) {
    self.units = units
    words = Dictionary(units.map { ($0.unit.words, $0.region) }) { first, _ in first }
  }

  /// Returns whether one of the units, or the unit that it is an edit of, was removed from another region.
  func hasAny(of others: [ProseUnit], in region: Int) -> Bool {
    let known = others.compactMap { words[$0.words] }
    if known.contains(where: { $0 != region }) { return true }
    guard units.count * others.count <= Self.pairLimit else { return false }
    return others.contains { other in
      units.contains { $0.region != region && $0.unit.likeness(to: other) > 0.5 }
    }
  }
}
