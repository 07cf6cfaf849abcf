/// The rows of three tables, identified by a key or by their values.
struct TableRows {
  /// The position of each row in the three tables; -1 if a table lacks it.
  let base: [Int]
  let ours: [Int]
  let theirs: [Int]
  /// The numbers of the rows in the order of each table.
  let orders: MergeSides<[Int]>
  /// The rows that one side removed while the other side removed another row with the same values.
  let removedByEach: Set<Int>
  /// The key; `nil` if rows are identified by all their values.
  let key: TableKey?

  /// The total number of rows.
  var count: Int { base.count }

  /// Determines which rows correspond.
  /// - Returns: `nil` if the tables have too little in common.
  init?(
    _ tables: MergeSides<TableText>, first: Int, columns: TableColumns, key: TableKey?
  ) {
    guard let base = tables.base,
      var ours = RowMatching(TablePair(base, tables.ours, columns, \.base, \.ours, key, first)),
      var theirs = RowMatching(
        TablePair(base, tables.theirs, columns, \.base, \.theirs, key, first))
    else { return nil }
    let added = TablePair(tables.ours, tables.theirs, columns, \.ours, \.theirs, key, first)
    let texts = added.identities()
    ours.forgetGuesses(beside: theirs)
    theirs.forgetGuesses(beside: ours)
    if key != nil, !Self.forgetTakenKeys(&ours, texts.old, &theirs, texts.new) { return nil }
    Self.matchReplacements(&ours, texts.old, &theirs, texts.new)
    if key == nil { Self.matchMoves(&ours, texts.old, &theirs, texts.new) }
    removedByEach =
      key == nil
      ? Self.removedByEach(ours, theirs) { base.text(of: columns.places(\.base), in: $0 + first) }
      : []

    var next = ours.oldCount
    let oursOrder = ours.origins.map { origin -> Int in
      if let origin { return origin }
      next += 1
      return next - 1
    }
    // A row that both sides added occurs once; one that a side has several times, only at the same place.
    let repeated = texts.old.repeated.union(texts.new.repeated)
    let oursAdded = ours.additions(texts.old, placing: repeated)
    let theirsAdded = theirs.additions(texts.new, placing: repeated)
    var known: [RowMatching.Addition: [Int]] = [:]
    for index in oursOrder.indices.reversed() {
      if let added = oursAdded[index] { known[added, default: []].append(oursOrder[index]) }
    }
    let theirsOrder = theirs.origins.indices.map { index -> Int in
      if let origin = theirs.origins[index] { return origin }
      if let added = theirsAdded[index], let same = known[added]?.popLast() { return same }
      next += 1
      return next - 1
    }
    let count = next
    func places(_ order: [Int]) -> [Int] {
      var places = [Int](repeating: -1, count: count)
      for (index, element) in order.enumerated() { places[element] = index + first }
      return places
    }
    let order = Array(0..<ours.oldCount)
    orders = MergeSides(base: order, ours: oursOrder, theirs: theirsOrder)
    (self.base, self.ours, self.theirs) = (places(order), places(oursOrder), places(theirsOrder))
    self.key = key
  }

  /// Returns the rows that only one side removed and that have the same values as a row that only the other
  /// side removed.
  private static func removedByEach<Text: Hashable>(
    _ ours: RowMatching, _ theirs: RowMatching, _ text: (_ row: Int) -> Text
  ) -> Set<Int> {
    func texts(_ side: RowMatching, _ other: RowMatching) -> [Int: Text] {
      (0..<side.oldCount).reduce(into: [:]) { texts, row in
        if side.lacks(row), !other.lacks(row) { texts[row] = text(row) }
      }
    }
    let (ourTexts, theirTexts) = (texts(ours, theirs), texts(theirs, ours))
    let shared = Set(ourTexts.values).intersection(theirTexts.values)
    let rows = [ourTexts, theirTexts].flatMap { $0.filter { shared.contains($0.value) }.keys }
    return Set(rows)
  }

  /// Considers rows new whose key the other side has elsewhere, because the key belongs to that row, and no
  /// row was changed to it.
  /// - Returns: Whether no key is one that the sides gave to different rows, of which only one could remain.
  private static func forgetTakenKeys(
    _ ours: inout RowMatching, _ oursKeys: [Int], _ theirs: inout RowMatching, _ theirsKeys: [Int]
  ) -> Bool {
    let places = Dictionary(
      theirsKeys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, key) in oursKeys.enumerated() {
      guard let other = places[key], ours.origins[index] != theirs.origins[other] else { continue }
      guard !ours.isChanged(index) || !theirs.isChanged(other) else { return false }
      ours.forgetChange(at: index)
      theirs.forgetChange(at: other)
    }
    return true
  }

  /// Matches rows that both sides removed with the rows that replaced them.
  ///
  /// Two rows at the place of a removed one are two opinions about it, and neither is the row that the other
  /// side removed.
  private static func matchReplacements(
    _ ours: inout RowMatching, _ oursTexts: [Int], _ theirs: inout RowMatching,
    _ theirsTexts: [Int]
  ) {
    let same = ours.added(oursTexts).intersection(theirs.added(theirsTexts))
    let gone = Set(ours.goneRows(theirs))
    let oursRows = ours.replacements(of: gone) { !same.contains(oursTexts[$0]) }
    let theirsRows = theirs.replacements(of: gone) { !same.contains(theirsTexts[$0]) }
    for row in gone {
      // A row of only one side may be new, unless it has a value of the old row.
      if let own = oursRows[row], theirsRows[row] != nil || ours.isLike(own, row) {
        ours.match(own, row)
      }
      if let other = theirsRows[row], oursRows[row] != nil || theirs.isLike(other, row) {
        theirs.match(other, row)
      }
    }
  }

  /// Matches rows that both sides removed with rows elsewhere that have most of their values, because they
  /// were moved and changed.
  private static func matchMoves(
    _ ours: inout RowMatching, _ oursTexts: [Int], _ theirs: inout RowMatching,
    _ theirsTexts: [Int]
  ) {
    let same = ours.added(oursTexts).intersection(theirs.added(theirsTexts))
    let oursAdded = oursTexts.indices.filter { !same.contains(oursTexts[$0]) && ours.isAdded($0) }
    let theirsAdded = theirsTexts.indices.filter {
      !same.contains(theirsTexts[$0]) && theirs.isAdded($0)
    }
    let gone = ours.goneRows(theirs)
    let added = oursAdded.count + theirsAdded.count
    guard gone.count * added <= RowMatching.pairLimit else { return }
    for row in gone {
      if let own = ours.rowLike(row, among: oursAdded) { ours.match(own, row) }
      if let other = theirs.rowLike(row, among: theirsAdded) { theirs.match(other, row) }
    }
  }
}

extension [Int] {
  /// The numbers that occur more than once.
  fileprivate var repeated: Set<Int> {
    var seen: Set<Int> = []
    return Set(filter { !seen.insert($0).inserted })
  }
}

extension RowMatching {
  /// A row that one side added.
  fileprivate struct Addition: Hashable {
    let text: Int
    /// The old row before it, if rows like it have to be distinguished by their places.
    let place: Int?
  }

  /// Returns the rows that were added, by their places in the new table; `nil` for all others.
  fileprivate func additions(_ texts: [Int], placing repeated: Set<Int>) -> [Addition?] {
    var place = -1
    return origins.enumerated().map { row, origin in
      if let origin {
        place = origin
        return nil
      }
      return Addition(text: texts[row], place: repeated.contains(texts[row]) ? place : nil)
    }
  }

  fileprivate func isAdded(_ row: Int) -> Bool { origins[row] == nil }

  /// Returns the values of the new rows, by number.
  /// - Parameter texts: The numbers for all rows.
  fileprivate func added(_ texts: [Int]) -> Set<Int> {
    Set(texts.indices.lazy.filter(isAdded).map { texts[$0] })
  }

  /// Returns the old rows that the other side also removed.
  fileprivate func goneRows(_ other: RowMatching) -> [Int] {
    (0..<oldCount).filter { lacks($0) && other.lacks($0) }
  }
}
