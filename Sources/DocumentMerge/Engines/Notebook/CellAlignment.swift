/// The corresponding cells of three notebooks.
///
/// Cells correspond if they have the same id, or a source that no other cell has. The remaining cells
/// correspond, in order, if their sources are equal or have most words in common, or if one cell replaced the
/// other at one place. A cell still without a counterpart was moved and edited if most of its words are those
/// of a single removed cell.
struct CellAlignment {
  private let base: [NotebookCell]
  private let ours: [NotebookCell]
  private let theirs: [NotebookCell]

  init(_ sides: MergeSides<[NotebookCell]>) {
    (base, ours, theirs) = (sides.base ?? [], sides.ours, sides.theirs)
  }

  /// Returns the matching of the cells.
  func matching(hasBase: Bool) -> MemberMatching {
    guard hasBase else {
      var count = ours.count
      let numbers = CellPairs(from: ours, to: theirs).old.map { old in
        if let old { return old }
        count += 1
        return count - 1
      }
      return MemberMatching(
        numbers: MergeSides(base: nil, ours: Array(ours.indices), theirs: numbers), count: count)
    }
    var ours = CellPairs(from: base, to: self.ours)
    var theirs = CellPairs(from: base, to: self.theirs)
    ours.pairMoved(base, self.ours)
    theirs.pairMoved(base, self.theirs)
    let directly = CellPairs(from: self.ours, to: self.theirs).old
    for (index, cell) in directly.enumerated() {
      // Both sides added the cell, and neither made it from another one, or left it unchanged.
      guard let cell, self.ours[cell].content == self.theirs[index].content,
        ![ours.old[cell], theirs.old[index]].contains(where: { old in
          old.map { base[$0].content } == self.ours[cell].content
        })
      else { continue }
      if theirs.old[index] == nil { ours.old[cell] = nil }
      if ours.old[cell] == nil { theirs.old[index] = nil }
    }
    pairReplaced(&ours, &theirs)
    return MemberMatching(baseCount: base.count, ours: ours.old, theirs: theirs.old) {
      let isOnePlace = directly[$1] == $0 || ours.place(of: $0) == theirs.place(of: $1)
      return isSame(self.ours[$0], self.theirs[$1], isOnePlace: isOnePlace)
    }
  }

  /// Returns whether both sides added the same cell.
  private func isSame(_ one: NotebookCell, _ other: NotebookCell, isOnePlace: Bool) -> Bool {
    if let id = one.id, id == other.id { return true }
    return isOnePlace && one.content == other.content
  }

  /// Pairs the cells with which both sides replaced a cell, because it isn't clear whether both are wanted.
  private func pairReplaced(_ ours: inout CellPairs, _ theirs: inout CellPairs) {
    // A cell that both sides added belongs only at its own place.
    let isShared = { (one: NotebookCell, others: [NotebookCell]) in
      others.contains { isSame(one, $0, isOnePlace: true) }
    }
    let added = (
      ours: ours.newCells.filter { !isShared(self.ours[$0], self.theirs) },
      theirs: theirs.newCells.filter { !isShared(self.theirs[$0], self.ours) }
    )
    let kept = (Set(ours.old.compactMap(\.self)), Set(theirs.old.compactMap(\.self)))
    for cell in base.indices where !kept.0.contains(cell) && !kept.1.contains(cell) {
      guard base[cell].source?.contains(where: { !$0.isSpace }) ?? true else { continue }
      guard let one = ours.first(of: added.ours, at: cell),
        let other = theirs.first(of: added.theirs, at: cell)
      else { continue }
      ours.old[one] = cell
      theirs.old[other] = cell
    }
  }
}

/// The cells of a notebook, paired with the cells of another that they came from.
struct CellPairs {
  /// The old cell for each new cell.
  var old: [Int?]

  /// Returns the last old cell before a new cell; -1 if there is none.
  func place(of cell: Int) -> Int { old[..<cell].lazy.compactMap(\.self).last ?? -1 }

  /// The new cells without an old cell.
  var newCells: [Int] { old.indices.filter { old[$0] == nil } }

  /// Returns the first of the given new cells at the place of a removed old cell.
  func first(of cells: [Int], at cell: Int) -> Int? {
    let before = old.lazy.compactMap(\.self).filter { $0 < cell }.max() ?? -1
    return cells.first { old[$0] == nil && place(of: $0) == before }
  }

  init(from old: [NotebookCell], to new: [NotebookCell]) {
    self.old = [Int?](repeating: nil, count: new.count)
    func source(_ cell: NotebookCell) -> [UInt8]? {
      cell.source.flatMap { $0.contains { !$0.isSpace } ? $0 : nil }
    }
    switch Self.renumbering(from: old, to: new) {
    case .kept: break
    case .pairs(let pairs):
      self.old = pairs
      return
    case .doubtful:
      pair(old, new, by: source)
      return
    }
    pair(old, new) { $0.id }
    pair(old, new, by: source)
    // Unpaired cells in the gaps between paired ones.
    for gap in self.old.gaps(oldCount: old.count) { pairEqual(old, new, gap.old, gap.new) }
  }

  /// Pairs cells by their contents if their ids are numbers that now belong to other cells.
  private static func renumbering(
    from old: [NotebookCell], to new: [NotebookCell]
  ) -> Renumbering.Outcome {
    func numbers(_ cells: [NotebookCell]) -> [Int]? {
      let numbers = cells.compactMap { cell in
        cell.id.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      }
      return numbers.count == cells.count && Set(numbers).count == numbers.count ? numbers : nil
    }
    guard let oldIDs = numbers(old), let newIDs = numbers(new) else { return .kept }
    return Renumbering(oldIDs: oldIDs, newIDs: newIDs).outcome(
      isUnchanged: { old[$0].content == new[$1].content }, oldParts: { [old[$0].content] },
      newParts: { [new[$0].content] },
      areAlike: { one, other in
        old[one].type == new[other].type
          && CellWords(old[one], hasID: false).likeness(to: CellWords(new[other], hasID: false))
            >= 0.5
      })
  }

  /// Pairs cells, including moved ones, by a value that no other cell has.
  private mutating func pair(
    _ old: [NotebookCell], _ new: [NotebookCell], by name: (NotebookCell) -> [UInt8]?
  ) {
    func places(_ cells: [NotebookCell]) -> [[UInt8]: [Int]] {
      cells.indices.reduce(into: [:]) { places, index in
        if let name = name(cells[index]) { places[name, default: []].append(index) }
      }
    }
    let oldPlaces = places(old)
    let paired = Set(self.old.compactMap(\.self))
    for (name, newPlaces) in places(new) where newPlaces.count == 1 && self.old[newPlaces[0]] == nil
    {
      if let found = oldPlaces[name], found.count == 1, !paired.contains(found[0]) {
        self.old[newPlaces[0]] = found[0]
      }
    }
  }

  /// Pairs moved and edited cells that have most words in common, and more than with any other cell.
  mutating func pairMoved(_ old: [NotebookCell], _ new: [NotebookCell]) {
    let paired = Set(self.old.compactMap(\.self))
    let (gone, added) = (old.indices.filter { !paired.contains($0) }, newCells)
    guard !gone.isEmpty, !added.isEmpty, gone.count * added.count <= 10_000 else { return }
    let newWords = added.map { CellWords(new[$0]) }
    let likeness = gone.map { cell in
      let words = CellWords(old[cell])
      return zip(added, newWords).map {
        new[$0].type == old[cell].type ? words.likeness(to: $1) : 0
      }
    }
    func best(of values: [Double]) -> Int? {
      guard let most = values.max(), most >= 0.5, values.count(where: { $0 == most }) == 1 else {
        return nil
      }
      return values.firstIndex(of: most)
    }
    for (row, values) in likeness.enumerated() {
      guard let column = best(of: values), best(of: likeness.map { $0[column] }) == row else {
        continue
      }
      self.old[added[column]] = gone[row]
    }
  }

  /// Pairs equal cells in order, and the cells between them by their words.
  private mutating func pairEqual(
    _ old: [NotebookCell], _ new: [NotebookCell], _ oldCells: [Int], _ newCells: [Int]
  ) {
    struct Kind: Hashable { let type, source: [UInt8]? }
    var known: [Kind: Int32] = [:]
    func numbers(_ cells: [Int], of notebook: [NotebookCell]) -> [Int32] {
      cells.map { index in
        let kind = Kind(type: notebook[index].type, source: notebook[index].source)
        let number = known[kind] ?? Int32(known.count)
        known[kind] = number
        return number
      }
    }
    let (oldNumbers, newNumbers) = (numbers(oldCells, of: old), numbers(newCells, of: new))
    let changes = SequenceDifference.changes(
      from: oldNumbers, to: newNumbers, count: known.count)
    for pair in changes.unchanged(oldCells.count, newCells.count) {
      self.old[newCells[pair.new]] = oldCells[pair.old]
    }
    for change in changes {
      pairSimilar(old, new, Array(oldCells[change.old]), Array(newCells[change.new]))
    }
  }

  /// Pairs cells with most words in common, and the others if as many were added as removed.
  private mutating func pairSimilar(
    _ old: [NotebookCell], _ new: [NotebookCell], _ oldCells: [Int], _ newCells: [Int]
  ) {
    guard !oldCells.isEmpty, !newCells.isEmpty, oldCells.count * newCells.count <= 10_000 else {
      return
    }
    let oldWords = oldCells.map { CellWords(old[$0]) }
    let newWords = newCells.map { CellWords(new[$0]) }
    let alignment = WeightedAlignment(oldCells.count, newCells.count) {
      let likeness = oldWords[$0].likeness(to: newWords[$1])
      return likeness >= 0.5 ? likeness : 0
    }
    for pair in alignment.pairs { self.old[newCells[pair.new]] = oldCells[pair.old] }
    for change in alignment.changes where change.old.count == change.new.count {
      let rest = Array(zip(oldCells[change.old], newCells[change.new]))
      let areAlike = rest.allSatisfy { one, other in
        old[one].type == new[other].type && (old[one].id == nil || new[other].id == nil)
      }
      guard areAlike else { continue }
      for (one, other) in rest { self.old[other] = one }
    }
  }
}

/// The words of a cell, for measuring how much two cells have in common.
private struct CellWords {
  private var counts: [ArraySlice<UInt8>: Int] = [:]
  private var count = 0
  private let id: [UInt8]?

  init(_ cell: NotebookCell, hasID: Bool = true) {
    id = hasID ? cell.id : nil
    let isWord: (UInt8) -> Bool = { byte in
      byte >= 0x80 || byte == UInt8(ascii: "_") || byte.isDigit || byte.isLetter
    }
    for word in (cell.source ?? []).split(whereSeparator: { !isWord($0) }) {
      counts[word, default: 0] += 1
      count += 1
    }
  }

  /// Returns the share of common words; 0 for cells with different ids.
  func likeness(to other: CellWords) -> Double {
    guard id == nil || other.id == nil, count + other.count > 0 else {
      return 0
    }
    let common = counts.reduce(0) { $0 + min($1.value, other.counts[$1.key] ?? 0) }
    return 2 * Double(common) / Double(count + other.count)
  }
}
