/// The parent of each item in a list.
struct ListNesting {
  /// An item, identified in all texts by its part and its text.
  struct Item: Hashable {
    let part: Int
    let text: [UInt8]
    /// The number of items with the same text before it in the part.
    let count: Int
  }

  /// The parents of the items; `.some(nil)` for items without a parent.
  private(set) var parents: [Item: Item?] = [:]
  private var open: [(indentation: Int, item: Item)] = []
  private var isAfterBlank = false

  /// Adds units to the list.
  /// - Parameter isEdit: Whether the part is one unit that the sides edited, regardless of its text.
  mutating func append(_ units: [ProseUnit], in part: Int, isEdit: Bool = false) {
    var counts: [[UInt8]: Int] = [:]
    for unit in units {
      defer { isAfterBlank = unit.isBlank }
      switch unit.kind {
      case .blank: continue
      case .listItem(let marker):
        let text = isEdit ? [] : unit.bytes.dropFirst(marker.length).drop { $0 == 0x20 }
        let item = Item(part: part, text: Array(text), count: counts[Array(text), default: 0])
        counts[item.text, default: 0] += 1
        open.removeAll { $0.indentation >= marker.indentation }
        parents[item] = .some(open.last?.item)
        open.append((marker.indentation, item))
      default:
        // An unindented line ends a list, unless it continues a paragraph.
        let isIndented = unit.bytes.first == 0x20 || unit.bytes.first == 0x09
        if !isIndented, unit.kind != .paragraph || isAfterBlank { open = [] }
      }
    }
  }
}

extension MergeSides<ListNesting> {
  /// Returns whether an item may be below a parent: where the sides put it, or the only side that put it
  /// anywhere.
  fileprivate func allow(_ item: ListNesting.Item, under parent: ListNesting.Item?) -> Bool {
    switch (ours.parents[item], theirs.parents[item]) {
    case (let ours?, let theirs?):
      let parents = MergeSides<ListNesting.Item?>(
        base: base?.parents[item], ours: ours, theirs: theirs)
      guard let side = parents.settled else { return false }
      return parent == (side == .theirs ? theirs : ours)
    case (let own?, nil), (nil, let own?): return parent == own
    case (nil, nil): return true
    }
  }
}

extension ProseRefinement {
  /// Returns the parts, joining those as one clash that would put an item below a different parent than its
  /// side did.
  func withItemsInPlace(_ parts: [Part], _ units: ProseSides, around region: Surroundings) -> [Part]
  {
    func nesting(_ units: (Part) -> [ProseUnit]) -> ListNesting {
      var nesting = ListNesting()
      nesting.append(region.before, in: -1)
      for (index, part) in parts.enumerated() {
        nesting.append(units(part), in: index, isEdit: part.isEdit)
      }
      nesting.append(region.after, in: parts.count)
      return nesting
    }
    let sides = MergeSides(
      base: nesting { Array(units.base[$0.units.base]) },
      ours: nesting { Array(units.ours[$0.units.ours]) },
      theirs: nesting { Array(units.theirs[$0.units.theirs]) })
    let merged = nesting { $0.mergedUnits(units) }
    func merge(of item: ListNesting.Item?) -> ProseMerge? {
      item.flatMap { parts.indices.contains($0.part) ? parts[$0.part].merge : nil }
    }
    let spans = merged.parents.compactMap { item, parent -> ClosedRange<Int>? in
      let all = [item, parent] + [sides.ours, sides.theirs].map { $0.parents[item] ?? nil }
      guard !all.contains(where: { merge(of: $0) == .clash }) else { return nil }
      // Which side's item is last depends on which side is ours.
      var isBelowBoth = false
      if case .combined(_, .listItems)? = merge(of: parent) {
        isBelowBoth = parent?.part != item.part
      }
      guard isBelowBoth || !sides.allow(item, under: parent) else { return nil }
      let places = all.compactMap { $0?.part }.filter(parts.indices.contains)
      return (places.min() ?? 0)...(places.max() ?? parts.count - 1)
    }
    return parts.clashing(in: spans)
  }

  /// The unchanged units around a region.
  struct Surroundings {
    let before: [ProseUnit]
    let after: [ProseUnit]
  }
}

extension ProseRefinement.Part {
  /// True if the part is one unit on each side.
  fileprivate var isEdit: Bool { units.kind == nil }

  fileprivate func mergedUnits(_ sides: ProseSides) -> [ProseUnit] {
    switch merge {
    case .settled(.theirs): return Array(sides.theirs[units.theirs])
    case .settled, .clash: return Array(sides.ours[units.ours])
    case .combined(let bytes, _): return .units(of: bytes)
    }
  }
}
