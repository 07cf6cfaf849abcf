/// Merges inside lines that clash in a merge by lines.
struct ProseRefinement {
  let texts: (base: TextLines, ours: TextLines, theirs: TextLines)
  let kinds: (base: [ProseLine], ours: [ProseLine], theirs: [ProseLine])
  let style: TextStyle

  init(base: TextLines, sides: MergeSides<TextLines>, style: TextStyle) {
    self.style = style
    texts = (base, sides.ours, sides.theirs)
    kinds = (
      ProseLine.lines(of: base, style: style), ProseLine.lines(of: sides.ours, style: style),
      ProseLine.lines(of: sides.theirs, style: style)
    )
  }

  /// Returns the regions, with clashing ones divided into smaller ones.
  func refined(_ regions: [TextRegion]) -> [TextRegion] {
    let regions = regions.map { withReleases($0) ?? $0 }
    let clashes = regions.indices.filter { regions[$0].kind == .clash }
    let kept = clashes.isEmpty ? (ours: [], theirs: []) : keptUnits(regions)
    let refined = regions.indices.map { index in
      regions[index].kind == .clash ? self.refined(regions, at: index, kept) : [regions[index]]
    }
    let changes = zip(regions, refined).filter { $0.0.kind != nil && $0.0.combined == nil }
    let isDoubled = hasDoubledLine(changes.map { $0.0 }, changes.flatMap { $0.1 })
    return withRowsInPlace(isDoubled ? regions : refined.flatMap { $0 })
  }

  /// Returns a region in which both sides added release notes; `nil` if they added something else.
  private func withReleases(_ region: TextRegion) -> TextRegion? {
    guard region.kind == .clash,
      let bytes = ReleaseNotes.merged(region, context: ProseContext(text: texts, kinds: kinds))
    else { return nil }
    return TextRegion(
      kind: .combined, base: region.base, ours: region.ours, theirs: region.theirs,
      combined: .init(
        bytes: bytes, explanation: "Both added the notes of releases: they stand by their versions."
      ))
  }

  /// Returns whether the changed parts have a line more often than each side has it there, so that one
  /// addition of both sides was considered two.
  private func hasDoubledLine(_ changes: [TextRegion], _ parts: [TextRegion]) -> Bool {
    func counts(_ lines: some Sequence<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>: Int] {
      lines.reduce(into: [:]) { counts, text in
        for line in text.split(separator: .lineFeed) where line.contains(where: { $0 > 0x20 }) {
          counts[line, default: 0] += 1
        }
      }
    }
    let merged = counts(
      parts.map { part in
        if let combined = part.combined { return combined.bytes[...] }
        return part.kind == .theirs ? texts.theirs[part.theirs] : texts.ours[part.ours]
      })
    let known = [
      counts(changes.map { texts.base[$0.base] }), counts(changes.map { texts.ours[$0.ours] }),
      counts(changes.map { texts.theirs[$0.theirs] }),
    ]
    return merged.contains { line, count in
      count > 1 && known.allSatisfy { $0[line, default: 0] < count }
    }
  }

  /// Returns the units, without numbers, that occur in the changed regions of each side as often as in those of base.
  private func keptUnits(_ regions: [TextRegion]) -> (ours: Set<[UInt8]>, theirs: Set<[UInt8]>) {
    var numbers = WordNumbers()
    func counts(
      _ text: TextLines, _ kinds: [ProseLine], _ lines: (TextRegion) -> Range<Int>
    ) -> [[UInt8]: Int] {
      regions.filter { $0.kind != nil }
        .flatMap { [ProseUnit].units(of: text, kinds: kinds, in: lines($0), numbers: &numbers) }
        .reduce(into: [:]) { $0[$1.unnumbered, default: 0] += 1 }
    }
    let base = counts(texts.base, kinds.base, \.base)
    func kept(_ side: [[UInt8]: Int]) -> Set<[UInt8]> {
      Set(side.filter { base[$0.key] == $0.value }.keys)
    }
    return (
      kept(counts(texts.ours, kinds.ours, \.ours)),
      kept(counts(texts.theirs, kinds.theirs, \.theirs))
    )
  }

  /// Returns a region divided into smaller ones; doubtful parts remain clashes.
  /// - Parameter kept: the units that each side kept, though perhaps elsewhere.
  private func refined(
    _ regions: [TextRegion], at index: Int, _ kept: (ours: Set<[UInt8]>, theirs: Set<[UInt8]>)
  ) -> [TextRegion] {
    let region = regions[index]
    var numbers = WordNumbers()
    let units = ProseSides(
      base: .units(of: texts.base, kinds: kinds.base, in: region.base, numbers: &numbers),
      ours: .units(of: texts.ours, kinds: kinds.ours, in: region.ours, numbers: &numbers),
      theirs: .units(of: texts.theirs, kinds: kinds.theirs, in: region.theirs, numbers: &numbers))
    guard
      let oursChanges = ProseUnit.changes(
        from: units.base, to: units.ours, kept: kept.ours),
      let theirsChanges = ProseUnit.changes(
        from: units.base, to: units.theirs, kept: kept.theirs)
    else { return [region] }
    let unitRegions = TextRegion.regions(
      baseCount: units.base.count, oursChanges: oursChanges, theirsChanges: theirsChanges
    ) { ours, theirs in
      units.ours[ours].map(\.bytes) == units.theirs[theirs].map(\.bytes)
    }
    let context = ProseContext(text: texts, kinds: kinds)
    var parts: [Part] = []
    for unitRegion in unitRegions {
      if unitRegion.kind == nil {
        for offset in 0..<unitRegion.base.count {
          parts.append(
            edited(
              units, base: unitRegion.base.lowerBound + offset,
              ours: unitRegion.ours.lowerBound + offset,
              theirs: unitRegion.theirs.lowerBound + offset))
        }
      } else {
        let hunk = ProseHunk(
          units: units.parts(unitRegion), kind: unitRegion.kind ?? .clash,
          oursChanges: oursChanges.filter { unitRegion.base.contains($0.old) },
          theirsChanges: theirsChanges.filter { unitRegion.base.contains($0.old) })
        let isInList = units.isInList(unitRegion)
        parts.append(
          Part(units: unitRegion, merge: hunk.merged(context: context), isLoose: !isInList))
      }
    }
    parts = withItemsInPlace(parts, units, around: surroundings(of: index, in: regions))
    parts = joined(
      withoutRevivedText(parts, units, ours: oursChanges, theirs: theirsChanges))
    func cut(_ parts: [Part]) -> [TextRegion] {
      parts.map { $0.region(units.lines(of: $0.units, in: region)) }
    }
    return hasDoubledLine([region], cut(parts))
      ? [region] : cut(numbered(parts, units, region))
  }

  /// Returns the units next to a region that are equal in all three texts.
  private func surroundings(of index: Int, in regions: [TextRegion]) -> Surroundings {
    func units(_ index: Int) -> [ProseUnit] {
      guard regions.indices.contains(index), regions[index].kind == nil else { return [] }
      var numbers = WordNumbers()
      return .units(
        of: texts.ours, kinds: kinds.ours, in: regions[index].ours, numbers: &numbers)
    }
    return Surroundings(before: units(index - 1), after: units(index + 1))
  }

  /// Units and the result for them.
  struct Part {
    var units: TextRegion
    var merge: ProseMerge
    /// True if the part is an addition or a removal that may belong to a clash beside it.
    var isLoose = false

    /// Returns the region of these units' lines.
    func region(_ lines: TextRegion) -> TextRegion {
      switch merge {
      case .settled(let kind):
        return TextRegion(kind: kind, base: lines.base, ours: lines.ours, theirs: lines.theirs)
      case .combined(let bytes, let how):
        let place = MergePlace(
          lines: .init(base: lines.base, ours: lines.ours, theirs: lines.theirs, result: 0..<0))
        return TextRegion(
          kind: .combined, base: lines.base, ours: lines.ours, theirs: lines.theirs,
          combined: .init(bytes: bytes, explanation: how.explanation(place)))
      case .clash:
        return TextRegion(kind: .clash, base: lines.base, ours: lines.ours, theirs: lines.theirs)
      }
    }
  }

  private func edited(_ units: ProseSides, base: Int, ours: Int, theirs: Int) -> Part {
    let edited = MergeSides(
      base: units.base[base], ours: units.ours[ours], theirs: units.theirs[theirs])
    let region = TextRegion(
      kind: nil, base: base..<base + 1, ours: ours..<ours + 1, theirs: theirs..<theirs + 1)
    return Part(units: region, merge: ProseUnit.merged(edited, style: style))
  }

  /// Returns the parts, joining the changes right next to a clash with it, so that a paragraph that was split
  /// or moved is a single question.
  private func joined(_ parts: [Part]) -> [Part] {
    var result: [Part] = []
    for part in parts {
      if let last = result.last,
        last.merge == .clash && part.isLoose || last.isLoose && part.merge == .clash
          || last.merge == .clash && part.merge == .clash && (last.isLoose || part.isLoose)
      {
        result[result.count - 1] = last.clashing(with: part)
      } else {
        result.append(part)
      }
    }
    return result
  }

  /// Returns whether the first number of a list follows that of the previous item.
  private func continuesInOrder(
    _ units: [ProseUnit], _ kinds: [ProseLine], before line: Int
  ) -> Bool {
    guard let first = units.firstNumberedItem else { return true }
    for kind in kinds[..<line].reversed() {
      guard case .listItem(let marker) = kind else {
        if kind == .blank || kind == .paragraph { continue }
        return true
      }
      if marker.indentation > first.indentation { continue }
      guard marker.indentation == first.indentation, let number = marker.number else { return true }
      return first.number == number + 1
    }
    return true
  }

  /// Returns the parts as one with the numbers of a list in order, if both sides changed the numbers.
  private func numbered(_ parts: [Part], _ units: ProseSides, _ region: TextRegion) -> [Part] {
    guard parts.allSatisfy({ $0.merge != .clash }) else { return parts }
    let sides = [units.base, units.ours, units.theirs]
    guard
      sides.allSatisfy({ $0.isNumberedInOrder && !$0.contains { $0.kind == .code } })
    else { return parts }
    // Additions that continue different numbers belong at different places.
    guard
      units.base.firstNumberedItem != nil
        || units.ours.firstNumberedItem?.number == units.theirs.firstNumberedItem?.number,
      continuesInOrder(units.base, kinds.base, before: region.base.lowerBound),
      continuesInOrder(units.ours, kinds.ours, before: region.ours.lowerBound),
      continuesInOrder(units.theirs, kinds.theirs, before: region.theirs.lowerBound)
    else { return parts }
    // A list that continues after the region keeps its numbers, so it is left unchanged.
    if region.ours.upperBound < kinds.ours.count,
      case .listItem(let marker) = kinds.ours[region.ours.upperBound], marker.number != nil
    {
      return parts
    }
    let merged = [ProseUnit].units(of: parts.flatMap { $0.bytes(units) })
    // If a list begins with the same number on all sides, it keeps that number.
    let firsts = sides.map { $0.firstNumberedItem?.number }
    let start = firsts.allSatisfy { $0 == firsts[0] } ? firsts[0] : nil
    let first = merged.firstNumberedItem?.number
    guard !merged.isNumberedInOrder || start != nil && first != start else { return parts }
    let all = TextRegion(
      kind: .combined, base: 0..<units.base.count, ours: 0..<units.ours.count,
      theirs: 0..<units.theirs.count)
    return [
      Part(units: all, merge: .combined(merged.renumbered(from: start ?? first ?? 1), .listItems))
    ]
  }
}

extension ProseRefinement.Part {
  fileprivate func bytes(_ sides: ProseSides) -> [UInt8] {
    switch merge {
    case .combined(let bytes, _): bytes
    case .settled(.theirs): sides.theirs[units.theirs].flatMap(\.bytes)
    case .settled, .clash: sides.ours[units.ours].flatMap(\.bytes)
    }
  }
}

/// The result of merging units.
enum ProseMerge: Equatable {
  /// Taken from one side, or equal on both; `nil` if neither side changed them.
  case settled(MergeDecision.Kind?)
  case combined([UInt8], Way)
  case clash

  /// The ways to combine changes of both sides.
  enum Way: Equatable {
    case words, cells, listItems, rows, entries, beside, removed

    func explanation(_ place: MergePlace) -> String {
      switch self {
      case .words: "Both changed different words of \(place)."
      case .cells: "Both changed different cells of the table in \(place)."
      case .listItems: "Both added to the list at \(place): those of ours stand first."
      case .rows: "Both added rows to the table at \(place)."
      case .entries: "Both added lines at \(place)."
      case .beside: "One added and one removed something at \(place)."
      case .removed: "Both removed something at \(place)."
      }
    }
  }
}

/// The units of three texts.
struct ProseSides {
  let base: [ProseUnit]
  let ours: [ProseUnit]
  let theirs: [ProseUnit]

  /// Returns the units of a region of units.
  func parts(_ region: TextRegion) -> ProseSides {
    ProseSides(
      base: Array(base[region.base]), ours: Array(ours[region.ours]),
      theirs: Array(theirs[region.theirs]))
  }

  /// Returns whether all units of a region may be in any order.
  func isInList(_ region: TextRegion) -> Bool {
    let parts = parts(region)
    return [parts.base, parts.ours, parts.theirs].allSatisfy { units in
      units.allSatisfy { $0.kind.isUnordered || $0.isBlank }
    }
  }

  /// Returns the lines of a region of units.
  func lines(of units: TextRegion, in region: TextRegion) -> TextRegion {
    func lines(_ all: [ProseUnit], _ range: Range<Int>, _ bounds: Range<Int>) -> Range<Int> {
      let start = range.lowerBound < all.count ? all[range.lowerBound].lines.lowerBound : nil
      let end = range.upperBound < all.count ? all[range.upperBound].lines.lowerBound : nil
      return (start ?? bounds.upperBound)..<(end ?? bounds.upperBound)
    }
    return TextRegion(
      kind: nil, base: lines(base, units.base, region.base),
      ours: lines(ours, units.ours, region.ours),
      theirs: lines(theirs, units.theirs, region.theirs))
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
