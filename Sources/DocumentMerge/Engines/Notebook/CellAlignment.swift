/// Which cells of three notebooks are the same.
///
/// Cells are the same by their id, or by a source that no other cell has; else in order, if the source is equal, most
/// of its words are, or one replaced the other in one place. What is left of them was moved and edited, if most of the
/// words are those of one cell that is gone.
struct CellAlignment {
  private let base: [NotebookCell]
  private let ours: [NotebookCell]
  private let theirs: [NotebookCell]

  init(_ sides: MergeSides<[NotebookCell]>) {
    (base, ours, theirs) = (sides.base ?? [], sides.ours, sides.theirs)
  }

  /// The cells' numbers.
  /// - Parameter hasBase: Whether there is a base.
  func matching(hasBase: Bool) -> MemberMatching {
    guard hasBase else {
      let pairs = CellPairs(from: ours, to: theirs).old
      var count = ours.count
      let numbers = pairs.map { Self.next($0, &count) }
      return MemberMatching(
        numbers: MergeSides(base: nil, ours: Array(ours.indices), theirs: numbers), count: count)
    }
    var ours = CellPairs(from: base, to: self.ours)
    var theirs = CellPairs(from: base, to: self.theirs)
    ours.pairMoved(base, self.ours)
    theirs.pairMoved(base, self.theirs)
    let directly = CellPairs(from: self.ours, to: self.theirs).old
    for (index, cell) in directly.enumerated() {
      // What one side added, the other added, too, and did not make of another cell.
      guard let cell, self.ours[cell].content == self.theirs[index].content else { continue }
      if theirs.old[index] == nil { ours.old[cell] = nil }
      if ours.old[cell] == nil { theirs.old[index] = nil }
    }
    pairReplaced(&ours, &theirs)
    var count = base.count
    let oursNumbers = ours.old.map { Self.next($0, &count) }
    var new = ours.newCells
    let theirsNumbers = theirs.old.indices.map { index -> Int in
      if let old = theirs.old[index] { return old }
      let found = new.firstIndex { cell in
        let isOnePlace =
          directly[index] == cell || ours.place(of: cell) == theirs.place(of: index)
        return isSame(self.ours[cell], self.theirs[index], isOnePlace: isOnePlace)
      }
      return found.map { oursNumbers[new.remove(at: $0)] } ?? Self.next(nil, &count)
    }
    return MemberMatching(
      numbers: MergeSides(base: Array(base.indices), ours: oursNumbers, theirs: theirsNumbers),
      count: count)
  }

  private static func next(_ number: Int?, _ count: inout Int) -> Int {
    if let number { return number }
    count += 1
    return count - 1
  }

  /// Returns whether both sides added a cell.
  private func isSame(_ one: NotebookCell, _ other: NotebookCell, isOnePlace: Bool) -> Bool {
    if let id = one.id, id == other.id { return true }
    return isOnePlace && one.content == other.content
  }

  /// Pairs what both sides put in the place of a cell: it is not clear whether both are wanted.
  private func pairReplaced(_ ours: inout CellPairs, _ theirs: inout CellPairs) {
    // What both sides added has no other place than its own.
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

/// Which cells of a notebook came from which of another.
struct CellPairs {
  /// For each new cell the old one.
  var old: [Int?]

  /// The old cell behind which a new cell stands.
  func place(of cell: Int) -> Int { old[..<cell].lazy.compactMap(\.self).last ?? -1 }

  /// The new cells that came from none.
  var newCells: [Int] { old.indices.filter { old[$0] == nil } }

  /// The first of some new cells in the place of an old one that is gone.
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
    // What has no pair yet, in the gaps between those that have.
    var oldGaps: [Int: [Int]] = [:]
    let paired = Set(self.old.compactMap(\.self))
    var last = -1
    for index in old.indices {
      if paired.contains(index) { last = index } else { oldGaps[last, default: []].append(index) }
    }
    var newGaps: [Int: [Int]] = [:]
    last = -1
    for index in new.indices {
      if let known = self.old[index] {
        last = known
      } else {
        newGaps[last, default: []].append(index)
      }
    }
    for (place, oldCells) in oldGaps {
      guard let newCells = newGaps[place] else { continue }
      pairEqual(old, new, oldCells[...], newCells[...])
    }
  }

  /// Pairs cells by their contents, if their ids are numbers that went to other cells.
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

  /// Pairs cells by something that no other cell has, also those that were moved.
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

  /// Pairs cells that were moved and edited: that have most words in common, and more than with any other cell.
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

  /// Pairs equal cells in order, and what is between them by their words.
  private mutating func pairEqual(
    _ old: [NotebookCell], _ new: [NotebookCell], _ oldCells: ArraySlice<Int>,
    _ newCells: ArraySlice<Int>
  ) {
    struct Kind: Hashable { let type, source: [UInt8]? }
    var known: [Kind: Int32] = [:]
    func numbers(_ cells: ArraySlice<Int>, of notebook: [NotebookCell]) -> [Int32] {
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
    var (oldEnd, newEnd) = (0, 0)
    let end = LineChange(
      old: oldCells.count..<oldCells.count, new: newCells.count..<newCells.count)
    let (oldCells, newCells) = (Array(oldCells), Array(newCells))
    for change in changes + [end] {
      for offset in 0..<change.old.lowerBound - oldEnd {
        self.old[newCells[newEnd + offset]] = oldCells[oldEnd + offset]
      }
      pairSimilar(old, new, Array(oldCells[change.old]), Array(newCells[change.new]))
      (oldEnd, newEnd) = (change.old.upperBound, change.new.upperBound)
    }
  }

  /// Pairs cells that have most words in common, and the rest if as many came as went.
  private mutating func pairSimilar(
    _ old: [NotebookCell], _ new: [NotebookCell], _ oldCells: [Int], _ newCells: [Int]
  ) {
    guard !oldCells.isEmpty, !newCells.isEmpty, oldCells.count * newCells.count <= 10_000 else {
      return
    }
    let oldWords = oldCells.map { CellWords(old[$0]) }
    let newWords = newCells.map { CellWords(new[$0]) }
    let rows = oldCells.count
    let columns = newCells.count
    // The best sum of likeness from each pair of places on.
    var best = [[Double]](repeating: [Double](repeating: 0, count: columns + 1), count: rows + 1)
    var likeness = [[Double]](repeating: [Double](repeating: 0, count: columns), count: rows)
    for row in oldCells.indices.reversed() {
      for column in newCells.indices.reversed() {
        let value = oldWords[row].likeness(to: newWords[column])
        likeness[row][column] = value
        best[row][column] = max(
          best[row + 1][column], best[row][column + 1],
          value >= 0.5 ? best[row + 1][column + 1] + value : 0)
      }
    }
    var (row, column) = (0, 0)
    var (oldRest, newRest): ([Int], [Int]) = ([], [])
    func pairRest(_ pairs: inout [Int?]) {
      let areAlike = zip(oldRest, newRest).allSatisfy { one, other in
        old[one].type == new[other].type && (old[one].id == nil || new[other].id == nil)
      }
      if oldRest.count == newRest.count, areAlike {
        for (one, other) in zip(oldRest, newRest) { pairs[other] = one }
      }
      (oldRest, newRest) = ([], [])
    }
    while row < rows || column < columns {
      if row < rows, column < columns, likeness[row][column] >= 0.5,
        best[row][column] == best[row + 1][column + 1] + likeness[row][column]
      {
        pairRest(&self.old)
        self.old[newCells[column]] = oldCells[row]
        (row, column) = (row + 1, column + 1)
      } else if row < rows, best[row][column] == best[row + 1][column] {
        oldRest.append(oldCells[row])
        row += 1
      } else {
        newRest.append(newCells[column])
        column += 1
      }
    }
    pairRest(&self.old)
  }
}

/// The words of a cell, to tell how much two cells have in common.
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

  /// The share of words in common; cells with different ids have none.
  func likeness(to other: CellWords) -> Double {
    guard id == nil || other.id == nil, count + other.count > 0 else {
      return 0
    }
    let common = counts.reduce(0) { $0 + min($1.value, other.counts[$1.key] ?? 0) }
    return 2 * Double(common) / Double(count + other.count)
  }
}
