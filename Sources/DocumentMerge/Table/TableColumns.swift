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
      guard tables.all.allSatisfy({ $0.columnCount == base.columnCount }) else { return nil }
      merged = (0..<base.columnCount).map {
        Column(name: String($0 + 1), base: $0, ours: $0, theirs: $0)
      }
      (removed, decisions) = ([], [])
      return
    }
    let baseNames = base.values(0)
    var ids = Dictionary(uniqueKeysWithValues: zip(baseNames, baseNames.indices))
    var names = baseNames
    func identified(_ table: TableText) -> [Int] {
      let own = table.values(0)
      let renamed = Self.renamed(base, table)
      return own.enumerated().map { index, name in
        if renamed == index { return index }
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

  /// The place of the one column that a side renamed, if that is certain: all others have their
  /// names and places, and most of its cells say what they said.
  private static func renamed(_ base: TableText, _ side: TableText) -> Int? {
    guard base.columnCount == side.columnCount else { return nil }
    let (old, new) = (base.values(0), side.values(0))
    let changed = old.indices.filter { old[$0] != new[$0] }
    guard changed.count == 1, let column = changed.first, !old.contains(new[column]) else {
      return nil
    }
    var values: [ArraySlice<UInt8>: Int] = [:]
    for row in 1..<max(1, base.rowCount) { values[base.value(row, column), default: 0] += 1 }
    var common = 0
    for row in 1..<max(1, side.rowCount) {
      guard let count = values[side.value(row, column)], count > 0 else { continue }
      values[side.value(row, column)] = count - 1
      common += 1
    }
    return common > 0 && 10 * common >= 8 * (min(base.rowCount, side.rowCount) - 1) ? column : nil
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
