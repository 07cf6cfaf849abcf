/// The columns of three tables, told apart by their names.
struct TableColumns {
  /// Where each column stands in the three tables; `nil` where it is not.
  struct Column {
    let name: String
    let base: Int?
    let ours: Int?
    let theirs: Int?
  }

  /// The columns that stay, in their merged order.
  let merged: [Column]
  /// The columns that one side removed.
  let removed: [Column]
  /// What was decided about the columns.
  let decisions: [MergeDecision]

  /// Whether all tables have the same columns in the same order.
  var areUnchanged: Bool {
    removed.isEmpty
      && merged.enumerated().allSatisfy { index, column in
        column.base == index && column.ours == index && column.theirs == index
      }
  }

  /// Where the columns stand in one of the tables.
  func places(_ place: KeyPath<Column, Int?>) -> [Int] {
    (merged + removed).compactMap { $0[keyPath: place] }
  }

  /// Merges the columns.
  /// - Parameters:
  ///   - log: The clashes and their answers.
  ///   - isEdited: Whether a column that one side removed holds something new of the other.
  /// - Returns: `nil` if it is not certain which columns are the same.
  init?(
    _ tables: MergeSides<TableText>, hasHeader: Bool, labels: MergeLabels,
    log: inout ClashLog, isEdited: (Column) -> Bool
  ) {
    guard let base = tables.base else { return nil }
    guard hasHeader else {
      // Without names, only the same columns are certain.
      guard
        tables.all.allSatisfy({
          $0.columnCount == base.columnCount && !Self.haveMoved(from: base, to: $0)
        })
      else { return nil }
      merged = (0..<base.columnCount).map {
        Column(name: String($0 + 1), base: $0, ours: $0, theirs: $0)
      }
      (removed, decisions) = ([], [])
      return
    }
    let baseNames = base.values(0)
    guard tables.all.allSatisfy({ Set($0.values(0)).count == $0.columnCount }) else { return nil }
    var ids = Dictionary(uniqueKeysWithValues: zip(baseNames, baseNames.indices))
    var names = baseNames
    func identified(_ table: TableText) -> [Int] {
      let own = table.values(0)
      let renamed = Self.renamed(base, table)
      return own.enumerated().map { index, name in
        if renamed.contains(index) { return index }
        if let id = ids[name] { return id }
        ids[name] = names.count
        names.append(name)
        return names.count - 1
      }
    }
    let sides = MergeSides(
      base: Array(baseNames.indices), ours: identified(tables.ours),
      theirs: identified(tables.theirs))
    let columns = names.indices.map { id in
      Column(
        name: String(decoding: names[id], as: UTF8.self),
        base: id < baseNames.count ? id : nil, ours: sides.ours.firstIndex(of: id),
        theirs: sides.theirs.firstIndex(of: id))
    }
    // Tables that have no column in common are not two sides of one.
    guard columns.contains(where: \.isInAll) else { return nil }
    var decisions: [MergeDecision] = []
    let isKept = columns.map { column in
      let kept = column.isInAll || column.base == nil
      guard !kept else { return true }
      let isClash = isEdited(column)
      let decision = column.decisionAboutRemoval(isClash: isClash, labels)
      var answer: MergeAnswer?
      if isClash {
        let name: [UInt8]? = Array(column.name.utf8)
        let clash = MergeClash(
          decision,
          MergeSides(
            base: name, ours: column.ours.flatMap { _ in name },
            theirs: column.theirs.flatMap { _ in name }), choices: [.ours, .theirs])
        answer = log.answer(to: clash, at: .presence)?.answer
      }
      decisions.append(answer.map(decision.answered) ?? decision)
      guard let answer else { return isClash }
      return (answer == .theirs ? column.theirs : column.ours) != nil
    }
    var orderDecisions: [MergeDecision] = []
    let order = MergedOrder(
      sides, count: names.count, named: "the order of the columns", labels, &log, &orderDecisions
    ) { isKept[$0] }
    merged = order.elements.map { columns[$0] }
    removed = columns.indices.filter { !isKept[$0] }.map { columns[$0] }
    for column in merged where column.base == nil {
      decisions.append(column.decisionAboutAddition(labels))
    }
    self.decisions = decisions + orderDecisions
  }

  /// Whether a column without a name holds nothing that it held, and what another one held.
  private static func haveMoved(from base: TableText, to side: TableText) -> Bool {
    func cells(_ table: TableText) -> [Set<ArraySlice<UInt8>>] {
      (0..<table.columnCount).map { column in
        Set((0..<table.rowCount).map { table.value($0, column) })
      }
    }
    let (old, new) = (cells(base), cells(side))
    return new.indices.contains { column in
      old[column].isDisjoint(with: new[column])
        && old.contains { $0.intersection(new[column]).count > 1 }
    }
  }

  /// The places of the columns that a side renamed: they stand where they stood, and nearly all of
  /// their cells say what they said.
  private static func renamed(_ base: TableText, _ side: TableText) -> Set<Int> {
    guard base.columnCount == side.columnCount else { return [] }
    let (old, new) = (base.values(0), side.values(0))
    let kept = old.indices.compactMap { index in
      new.firstIndex(of: old[index]).map { (old: index, new: $0) }
    }
    guard !kept.isEmpty, kept.count < old.count else { return [] }
    /// How many rows say the same in some columns.
    func common(_ columns: [(old: Int, new: Int)]) -> Int {
      let (oldPlaces, newPlaces) = (columns.map(\.old), columns.map(\.new))
      var counts: [ArraySlice<UInt8>: Int] = [:]
      for row in 1..<max(1, base.rowCount) {
        counts[base.text(of: oldPlaces, in: row), default: 0] += 1
      }
      return (1..<max(1, side.rowCount)).count { row in
        let text = side.text(of: newPlaces, in: row)
        guard let count = counts[text], count > 0 else { return false }
        counts[text] = count - 1
        return true
      }
    }
    let rows = min(base.rowCount, side.rowCount) - 1
    let both = common(kept)
    return Set(
      old.indices.filter { column in
        guard !new.contains(old[column]), !old.contains(new[column]) else { return false }
        let own = common([(column, column)])
        // Another column may have the same cells in other rows.
        return own > 0 && 10 * own >= 8 * rows
          && 10 * common(kept + [(column, column)]) >= 8 * both
      })
  }
}

extension TableColumns.Column {
  var isInAll: Bool {
    base != nil && ours != nil && theirs != nil
  }

  private var place: MergePlace { MergePlace(path: "column \(name)") }

  fileprivate func decisionAboutRemoval(isClash: Bool, _ labels: MergeLabels) -> MergeDecision {
    let isOurs = ours == nil
    let (remover, other) =
      isOurs ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
    if isClash {
      return MergeDecision(
        kind: .clash, place: place, base: name, ours: isOurs ? nil : name,
        theirs: isOurs ? name : nil,
        explanation: "\(remover) removed the column, and \(other) changed cells of it.")
    }
    let kind: MergeDecision.Kind =
      ours == nil && theirs == nil ? .same : isOurs ? .ours : .theirs
    return MergeDecision(
      kind: kind, place: place, base: name, ours: isOurs ? nil : name,
      theirs: theirs == nil ? nil : name,
      explanation: kind == .same
        ? "Both removed the column." : "Only \(remover) removed the column.")
  }

  fileprivate func decisionAboutAddition(_ labels: MergeLabels) -> MergeDecision {
    let kind: MergeDecision.Kind =
      ours != nil && theirs != nil ? .same : ours != nil ? .ours : .theirs
    let adder = kind == .ours ? labels.ours : labels.theirs
    return MergeDecision(
      kind: kind, place: place, ours: ours == nil ? nil : name,
      theirs: theirs == nil ? nil : name,
      explanation: kind == .same ? "Both added the column." : "Only \(adder) added the column.")
  }
}
