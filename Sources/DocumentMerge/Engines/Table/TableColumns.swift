/// The columns of three tables, distinguished by their names.
struct TableColumns {
  /// The positions of a column in the three tables; `nil` if a table lacks it.
  struct Column {
    let name: String
    let base: Int?
    let ours: Int?
    let theirs: Int?
  }

  /// The remaining columns, in their merged order.
  let merged: [Column]
  /// The columns that one side removed.
  let removed: [Column]

  /// True if all tables have the same columns in the same order.
  var areUnchanged: Bool {
    removed.isEmpty
      && merged.enumerated().allSatisfy { index, column in
        column.base == index && column.ours == index && column.theirs == index
      }
  }

  /// Returns the positions of the columns in one of the tables.
  func places(_ place: KeyPath<Column, Int?>) -> [Int] {
    (merged + removed).compactMap { $0[keyPath: place] }
  }

  /// Merges the columns.
  /// - Parameter isEdited: Returns whether a column that one side removed has new contents on the other side.
  /// - Returns: `nil` if it isn't certain which columns correspond.
  init?(
    _ tables: MergeSides<TableText>, hasHeader: Bool, labels: MergeLabels,
    log: ClashLog, isEdited: (Column) -> Bool
  ) {
    guard let base = tables.base else { return nil }
    guard hasHeader else {
      // Without names, only equal columns are certain.
      guard
        tables.all.allSatisfy({
          $0.columnCount == base.columnCount && !Self.haveMoved(from: base, to: $0)
        })
      else { return nil }
      merged = (0..<base.columnCount).map {
        Column(name: String($0 + 1), base: $0, ours: $0, theirs: $0)
      }
      removed = []
      return
    }
    let baseNames = base.values(0)
    guard tables.all.allSatisfy({ Set($0.values(0)).count == $0.columnCount }) else { return nil }
    var ids = Dictionary(uniqueKeysWithValues: zip(baseNames, baseNames.indices))
    var names = baseNames
    let renamed = MergeSides(
      base: nil, ours: RenamedColumns(base, tables.ours),
      theirs: RenamedColumns(base, tables.theirs))
    func identified(_ table: TableText, _ renamed: RenamedColumns) -> [Int] {
      let origins = renamed.certain
      return table.values(0).enumerated().map { index, name in
        if let origin = origins[index] { return origin }
        if let id = ids[name] { return id }
        ids[name] = names.count
        names.append(name)
        return names.count - 1
      }
    }
    let sides = MergeSides(
      base: Array(baseNames.indices), ours: identified(tables.ours, renamed.ours),
      theirs: identified(tables.theirs, renamed.theirs))
    let columns = names.indices.map { id in
      Column(
        name: String(decoding: names[id], as: UTF8.self),
        base: id < baseNames.count ? id : nil, ours: sides.ours.firstIndex(of: id),
        theirs: sides.theirs.firstIndex(of: id))
    }
    // Tables without common columns aren't two sides of one table.
    guard columns.contains(where: \.isInAll) else { return nil }
    // The columns that both sides removed, and those that may be the same under a new name.
    let gone = columns.filter { $0.base != nil && $0.ours == nil && $0.theirs == nil }
    func origin(of column: Column) -> Column? {
      guard column.base == nil else { return nil }
      return gone.first { old in
        guard let own = old.base else { return false }
        return column.ours.map { renamed.ours.isPerhaps(own, at: $0) } ?? false
          || column.theirs.map { renamed.theirs.isPerhaps(own, at: $0) } ?? false
      }
    }
    let origins = columns.map { gone.isEmpty || $0.isInBoth ? nil : origin(of: $0) }
    let replaced = Set(origins.compactMap { $0?.base })
    let isKept = columns.enumerated().map { index, column in
      let origin = origins[index]
      if column.isInAll || column.base == nil && origin == nil { return true }
      // The question is about the column that it may have become.
      if let old = column.base, replaced.contains(old) { return false }
      let isClash = origin != nil || isEdited(column)
      let decision =
        origin.map { column.decisionAboutRename(of: $0, labels) }
        ?? column.decisionAboutRemoval(isClash: isClash, labels)
      guard isClash else {
        log.record(decision)
        return false
      }
      let name: [UInt8]? = Array(column.name.utf8)
      let shown = MergeSides(
        base: column.base.flatMap { _ in name }, ours: column.ours.flatMap { _ in name },
        theirs: column.theirs.flatMap { _ in name })
      let answer = log.answer(to: decision, shown, choices: [.ours, .theirs], at: .presence)
      return answer.map { ($0 == .theirs ? column.theirs : column.ours) != nil } ?? true
    }
    let order = MergedOrder(
      sides, count: names.count, named: "the order of the columns", labels, log
    ) { isKept[$0] }
    merged = order.elements.map { columns[$0] }
    removed = columns.indices.filter { !isKept[$0] }.map { columns[$0] }
    for (column, origin) in order.elements.map({ (columns[$0], origins[$0]) })
    where column.base == nil && origin == nil {
      log.record(column.decisionAboutAddition(labels))
    }
    order.decision.map(log.record)
  }

  /// Returns whether a column without a name has none of its old contents, but those of another column.
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
}

extension TableColumns.Column {
  var isInAll: Bool {
    base != nil && ours != nil && theirs != nil
  }

  fileprivate var isInBoth: Bool { ours != nil && theirs != nil }

  private var place: MergePlace { MergePlace(path: "column \(name)") }

  fileprivate func decisionAboutRemoval(isClash: Bool, _ labels: MergeLabels) -> MergeDecision {
    let isOurs = ours == nil
    let (remover, other) =
      isOurs ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
    if isClash {
      return MergeDecision(
        kind: .clash, place: place, base: name, ours: isOurs ? nil : name,
        theirs: isOurs ? name : nil,
        explanation:
          "\(remover) removed the column, and \(other) renamed it or changed cells of it.")
    }
    let kind: MergeDecision.Kind =
      ours == nil && theirs == nil ? .same : isOurs ? .ours : .theirs
    return MergeDecision(
      kind: kind, place: place, base: name, ours: isOurs ? nil : name,
      theirs: theirs == nil ? nil : name,
      explanation: kind == .same
        ? "Both removed the column." : "Only \(remover) removed the column.")
  }

  fileprivate func decisionAboutRename(
    of old: TableColumns.Column, _ labels: MergeLabels
  ) -> MergeDecision {
    let (remover, other) =
      ours == nil ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
    return MergeDecision(
      kind: .clash, place: place, base: old.name, ours: ours == nil ? nil : name,
      theirs: theirs == nil ? nil : name,
      explanation: """
        \(remover) removed or renamed the column \(old.name), and \(other) perhaps renamed it to \(name).
        """)
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
