/// Units that at least one side added or removed.
struct ProseHunk {
  let units: ProseSides
  /// The kind of decision when only the changes are compared.
  let kind: MergeDecision.Kind
  let oursChanges: [LineChange]
  let theirsChanges: [LineChange]

  /// Returns the result for the units.
  func merged(context: ProseContext) -> ProseMerge {
    let bytes = MergeSides(base: units.base, ours: units.ours, theirs: units.theirs)
      .map { $0.map(\.bytes) }
    if kind == .same { return .settled(.same) }
    if bytes.base == bytes.theirs { return .settled(.ours) }
    if bytes.base == bytes.ours { return .settled(.theirs) }
    // Line breaks inside a paragraph aren't content.
    if units.base.areRewrapped(in: units.theirs) { return .settled(.ours) }
    if units.base.areRewrapped(in: units.ours) { return .settled(.theirs) }
    // The other side edited units that one side removed, or added text around.
    if kind == .ours || kind == .theirs { return .clash }
    // Blank lines don't match text.
    if units.base.allSatisfy(\.isBlank) {
      if units.theirs.allSatisfy(\.isBlank) { return .settled(.ours) }
      if units.ours.allSatisfy(\.isBlank) { return .settled(.theirs) }
    }
    if units.base.isEmpty { return addedByBoth(context: context) }
    return addedAndRemoved ?? removedApart ?? .clash
  }

  /// What is left of a list if each side only removed other items, and changed none.
  private var removedApart: ProseMerge? {
    let changes = oursChanges + theirsChanges
    let removed = Set(changes.flatMap(\.old))
    guard isUnordered(units.base), changes.allSatisfy(\.new.isEmpty), let first = removed.min(),
      removed.count == changes.reduce(0, { $0 + $1.old.count })
    else { return nil }
    func rest(without removed: Set<Int>) -> [ProseUnit] {
      units.base.indices.filter { !removed.contains(first + $0) }.map { units.base[$0] }
    }
    func isRest(_ units: [ProseUnit], after changes: [LineChange]) -> Bool {
      units.map(\.unnumbered) == rest(without: Set(changes.flatMap(\.old))).map(\.unnumbered)
    }
    guard isRest(units.ours, after: oursChanges), isRest(units.theirs, after: theirsChanges) else {
      return nil
    }
    return .combined(rest(without: removed).flatMap(\.bytes), .removed)
  }

  /// The result if one side added items beside those that the other side removed, in a list.
  private var addedAndRemoved: ProseMerge? {
    guard
      let ours = oursChanges.first, let theirs = theirsChanges.first, oursChanges.count == 1,
      theirsChanges.count == 1, isUnordered(units.base), isUnordered(units.ours),
      isUnordered(units.theirs)
    else { return nil }
    let (adding, removing, side) =
      ours.old.isEmpty ? (ours, theirs, units.ours) : (theirs, ours, units.theirs)
    guard adding.old.isEmpty, removing.new.isEmpty, removing.old.count == units.base.count else {
      return nil
    }
    let isBefore = adding.old.lowerBound == removing.old.lowerBound
    guard isBefore || adding.old.lowerBound == removing.old.upperBound else { return nil }
    let (added, kept) =
      isBefore
      ? (side.prefix(adding.new.count), side.dropFirst(adding.new.count))
      : (side.suffix(adding.new.count), side.dropLast(adding.new.count))
    guard kept.map(\.bytes) == units.base.map(\.bytes) else { return nil }
    return .combined(added.flatMap(\.bytes), .beside)
  }

  private func isUnordered(_ units: [ProseUnit]) -> Bool {
    units.allSatisfy { $0.kind.isUnordered }
  }

  // MARK: Additions of both sides

  /// Returns the result for units that both sides added at one place.
  private func addedByBoth(context: ProseContext) -> ProseMerge {
    let (ours, theirs) = (AddedUnits(units.ours), AddedUnits(units.theirs))
    if ours.includes(theirs) { return .settled(.ours) }
    if theirs.includes(ours) { return .settled(.theirs) }
    guard let first = ours.units.first, let other = theirs.units.first,
      first.kind.isLike(other.kind)
    else { return .clash }
    switch first.kind {
    case .listItem(let marker):
      guard case .listItem(let otherMarker) = other.kind,
        marker.indentation == otherMarker.indentation,
        (marker.number == nil) == (otherMarker.number == nil),
        let oursItems = ours.items(at: marker.indentation),
        let theirsItems = theirs.items(at: marker.indentation)
      else { return .clash }
      let gap = ours.gap(in: context.kinds.ours) == nil ? [] : theirs.gap(in: context.kinds.theirs)
      return addedItems(ours, oursItems, theirs, theirsItems, gap: gap ?? [], context: context)
    case .tableRow:
      guard ours.units.allSatisfy({ $0.kind == .tableRow }),
        theirs.units.allSatisfy({ $0.kind == .tableRow })
      else { return .clash }
      return addedRows(ours, theirs, context: context)
    case .entry:
      guard ours.units.allSatisfy({ $0.kind == .entry }),
        theirs.units.allSatisfy({ $0.kind == .entry })
      else { return .clash }
      return .combined(
        ours.wrapping(ours.units + theirs.without(ours.units), theirs), .entries)
    case .blank, .paragraph, .single, .code:
      return .clash
    }
  }

  private func addedItems(
    _ ours: AddedUnits, _ oursItems: [[ProseUnit]], _ theirs: AddedUnits,
    _ theirsItems: [[ProseUnit]], gap: [ProseUnit], context: ProseContext
  ) -> ProseMerge {
    // If an item occurs twice on one side, it isn't clear which of the two is the other side's.
    let areUnique = [oursItems, theirsItems].allSatisfy { items in
      Set(items.map { $0.map(\.content) }).count == items.count
    }
    // An item with a different mark after its number would start a new list.
    let marks = Set((oursItems + theirsItems).compactMap(\.first?.numberMark))
    guard areUnique, marks.count < 2, haveOneBox(oursItems, theirsItems) else { return .clash }
    if let merge = numberedItems(oursItems, theirsItems) { return merge }
    func others(_ items: [[ProseUnit]], than known: [[ProseUnit]]) -> [[ProseUnit]] {
      let known = Set(known.map { $0.map(\.content) })
      return items.filter { !known.contains($0.map(\.content)) }
    }
    let new = others(theirsItems, than: oursItems)
    guard !new.isEmpty else { return .settled(.ours) }
    // Two almost equal items are one item that two people wrote.
    let own = others(oursItems, than: theirsItems)
    if own.contains(where: { item in new.contains { item[0].likeness(to: $0[0]) >= 0.6 } }) {
      return .clash
    }
    var result = oursItems + new
    if let item = oursItems.first?.first, context.isSorted(items: item, ours.lines, theirs.lines) {
      result = result.enumerated().sorted {
        ($0.element[0].itemKey, $0.offset) < ($1.element[0].itemKey, $1.offset)
      }
      .map(\.element)
    }
    // An item with a different bullet would start a new list.
    if Set(result.compactMap(\.first?.bullet)).count > 1,
      let bullet = context.bullet(before: ours.lines.lowerBound)
    {
      result = result.map { item in
        item.prefix(1).map { $0.with(bullet: bullet) } + item.dropFirst()
      }
    }
    return .combined(
      ours.wrapping(Array(result.joined(separator: gap)), theirs), .listItems)
  }

  /// Returns whether no task that both sides added is completed on only one of them.
  private func haveOneBox(_ ours: [[ProseUnit]], _ theirs: [[ProseUnit]]) -> Bool {
    let known = Dictionary(ours.map { ($0.map(\.content), $0.map(\.box)) }) { first, _ in first }
    return theirs.allSatisfy { item in
      known[item.map(\.content)].map { $0 == item.map(\.box) } ?? true
    }
  }

  /// Returns the result for numbered items, some of which both sides added, because their order matters.
  /// - Returns: `nil` if the new items can follow the common ones.
  private func numberedItems(_ ours: [[ProseUnit]], _ theirs: [[ProseUnit]]) -> ProseMerge? {
    guard case .listItem(let marker)? = ours.first?.first?.kind, marker.number != nil else {
      return nil
    }
    let (names, others) = (ours.map { $0.map(\.content) }, theirs.map { $0.map(\.content) })
    let shared = Set(names).intersection(others)
    let inOrder = names.filter(shared.contains)
    guard inOrder == others.filter(shared.contains) else { return .clash }
    if shared.count == others.count { return .settled(.ours) }
    if shared.count == names.count { return .settled(.theirs) }
    return names.starts(with: inOrder) && others.starts(with: inOrder) ? nil : .clash
  }

  private func addedRows(
    _ ours: AddedUnits, _ theirs: AddedUnits, context: ProseContext
  ) -> ProseMerge {
    let added = theirs.without(ours.units)
    // Two rows with the same start are two opinions about one thing.
    let keys = ours.units.map(\.rowKey)
    guard !added.contains(where: { keys.contains($0.rowKey) }) else { return .clash }
    guard let start = ours.units.first?.lines.lowerBound,
      let otherStart = theirs.units.first?.lines.lowerBound,
      ours.cellCounts == theirs.cellCounts
    else { return .clash }
    var rows = ours.units + added
    if context.isSorted(atOurs: start, theirs: otherStart) {
      rows = rows.enumerated().sorted {
        ($0.element.rowKey, $0.offset) < ($1.element.rowKey, $1.offset)
      }
      .map(\.element)
    }
    return .combined(ours.wrapping(rows, theirs), .rows)
  }
}

/// The units that one side added at a place where the other side also added some.
private struct AddedUnits {
  /// The units, without the blank lines around them.
  let units: [ProseUnit]
  let leading: [ProseUnit]
  let trailing: [ProseUnit]

  init(_ all: [ProseUnit]) {
    leading = Array(all.prefix { $0.isBlank })
    let rest = all.dropFirst(leading.count)
    trailing = Array(rest.reversed().prefix { $0.isBlank }.reversed())
    units = Array(rest.dropLast(trailing.count))
  }

  /// Returns the blank lines between these and the adjacent item, in a list with blank lines between its
  /// items.
  func gap(in kinds: [ProseLine]) -> [ProseUnit]? {
    guard let start = (leading + units).first?.lines.lowerBound,
      let end = (units + trailing).last?.lines.upperBound
    else { return nil }
    let before = kinds[..<start].last { $0 != .paragraph }
    if !leading.isEmpty, case .listItem? = before { return leading }
    if !trailing.isEmpty, end < kinds.count, case .listItem = kinds[end] { return trailing }
    return nil
  }

  /// The lines of the units.
  var lines: Range<Int> {
    let start = units.first?.lines.lowerBound ?? 0
    return start..<(units.last?.lines.upperBound ?? start)
  }

  var cellCounts: Set<Int> { Set(units.map { ProseUnit.cells(of: $0.bytes).count }) }

  /// Returns whether these units include those of the other side, in order.
  func includes(_ other: AddedUnits) -> Bool {
    var rest = other.units[...]
    for unit in units where unit.bytes == rest.first?.bytes { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Returns the units that aren't in `others`.
  func without(_ others: [ProseUnit]) -> [ProseUnit] {
    let known = Set(others.map(\.bytes))
    return units.filter { !known.contains($0.bytes) }
  }

  /// Returns the units as list items of one indentation, with the contents of each; `nil` if they aren't such
  /// items.
  func items(at indentation: Int) -> [[ProseUnit]]? {
    var items: [[ProseUnit]] = []
    for unit in units {
      switch unit.kind {
      case .listItem(let marker) where marker.indentation == indentation:
        items.append([unit])
      case .listItem(let marker) where marker.indentation > indentation && !items.isEmpty:
        items[items.count - 1].append(unit)
      case .blank where !items.isEmpty:
        items[items.count - 1].append(unit)
      default:
        return nil
      }
    }
    return items
  }

  /// Returns the text of units, with the blank lines around them that one of the sides has.
  func wrapping(_ units: [ProseUnit], _ other: AddedUnits) -> [UInt8] {
    let start = leading.count >= other.leading.count ? leading : other.leading
    let end = trailing.count >= other.trailing.count ? trailing : other.trailing
    return (start + units + end).flatMap(\.bytes)
  }
}

/// The texts around a hunk.
struct ProseContext {
  let text: (base: TextLines, ours: TextLines, theirs: TextLines)
  let kinds: (base: [ProseLine], ours: [ProseLine], theirs: [ProseLine])

  /// Returns whether the tables around two lines are sorted by their first cells.
  func isSorted(atOurs ours: Int, theirs: Int) -> Bool {
    Self.isSorted(text.ours, kinds.ours, at: ours)
      && Self.isSorted(text.theirs, kinds.theirs, at: theirs)
  }

  private static func isSorted(_ text: TextLines, _ kinds: [ProseLine], at line: Int) -> Bool {
    var (start, end) = (line, line)
    while start > 0, kinds[start - 1] == .tableRow { start -= 1 }
    while end < kinds.count, kinds[end] == .tableRow { end += 1 }
    var numbers = WordNumbers()
    let rows = [ProseUnit].units(of: text, kinds: kinds, in: start..<end, numbers: &numbers)
    // The first two rows are the header and the line below it.
    let keys = rows.dropFirst(2).map(\.rowKey)
    return keys.count > 2 && zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
