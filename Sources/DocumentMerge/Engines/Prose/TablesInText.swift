/// The columns of a table in a text.
private struct TableHead {
  let names: [[UInt8]]
  /// The contents of each column in the rows below.
  var cells: [Set<[UInt8]>] = []

  init(_ row: ArraySlice<UInt8>) { names = Self.cells(of: row) }

  static func cells(of row: ArraySlice<UInt8>) -> [[UInt8]] {
    func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
    let cells = ProseUnit.cells(of: Array(row)).map { cell in
      Array(cell.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
    return cells.last == [] ? cells.dropLast() : cells
  }

  mutating func take(_ row: ArraySlice<UInt8>) {
    let row = Self.cells(of: row)
    if cells.isEmpty { cells = names.map { _ in [] } }
    for (column, cell) in zip(cells.indices, row) where !cell.isEmpty { cells[column].insert(cell) }
  }

  /// Returns the cells of a row below, by the names of their columns; `nil` if two columns have the same
  /// name.
  func cellsByName(in row: ArraySlice<UInt8>) -> [[UInt8]: [UInt8]]? {
    guard Set(names).count == names.count else { return nil }
    return Dictionary(uniqueKeysWithValues: zip(names, Self.cells(of: row)))
  }

  /// Returns whether a row that was written for these columns fits below another header.
  ///
  /// The columns must be the same, or be renamed ones with the same contents.
  func fits(_ other: TableHead) -> Bool {
    guard names.count == other.names.count else { return false }
    return names.indices.allSatisfy { column in
      if names[column] == other.names[column] { return true }
      let isMoved = names.contains(other.names[column]) || other.names.contains(names[column])
      let isEmpty = cells.isEmpty || other.cells.isEmpty
      return !isMoved && (isEmpty || !cells[column].isDisjoint(with: other.cells[column]))
    }
  }
}

/// The tables of a text.
private struct TextTables {
  /// The table of each line.
  private var tables: [Int?] = []
  private var heads: [TableHead] = []

  init(_ text: TextLines, _ kinds: [ProseLine]) {
    var start = 0
    for line in kinds.indices {
      let row = text[line]
      guard kinds[line] == .tableRow else {
        tables.append(nil)
        continue
      }
      if line == 0 || tables[line - 1] == nil {
        (start, heads) = (line, heads + [TableHead(row)])
      } else if line > start + 1 {
        heads[heads.count - 1].take(row)
      }
      tables.append(heads.count - 1)
    }
  }

  /// Returns the header of the table that a line belongs to.
  func head(at line: Int) -> TableHead? { tables[line].map { heads[$0] } }

  /// Returns the header of the table that continues after the lines.
  func head(atEndOf lines: Range<Int>) -> TableHead? { lines.last.flatMap(head) }

  /// Returns the header of the first table in the lines.
  func head(in lines: Range<Int>) -> TableHead? { lines.lazy.compactMap(head).first }
}

extension ProseRefinement {
  /// Returns the regions, joining those as one clash that would put a row of one side below the columns of
  /// the other.
  func withRowsInPlace(_ regions: [TextRegion]) -> [TextRegion] {
    guard kinds.ours.contains(.tableRow), kinds.theirs.contains(.tableRow) else { return regions }
    let ours = TextTables(texts.ours, kinds.ours)
    let theirs = TextTables(texts.theirs, kinds.theirs)
    let base = TextTables(texts.base, kinds.base)
    /// Returns whether a merged row has, in each column by name, the value that the sides give it.
    func isMergedByName(_ row: [UInt8], _ region: TextRegion, below head: TableHead) -> Bool {
      func cells(_ tables: TextTables, _ text: TextLines, _ lines: Range<Int>) -> [[UInt8]:
        [UInt8]]?
      {
        guard lines.count == 1 else { return nil }
        return tables.head(in: lines)?.cellsByName(in: text[lines])
      }
      guard let result = head.cellsByName(in: row[...]), result.count == head.names.count,
        let old = cells(base, texts.base, region.base),
        let ours = cells(ours, texts.ours, region.ours),
        let theirs = cells(theirs, texts.theirs, region.theirs)
      else { return false }
      return Set(old.keys).union(head.names).allSatisfy { name in
        let cell = MergeSides<[UInt8]?>(base: old[name], ours: ours[name], theirs: theirs[name])
        return cell.settled.map { result[name] == ($0 == .theirs ? cell.theirs : cell.ours) }
          ?? false
      }
    }
    /// Returns the lines of the result, with the headers that they were written for, and which of them are
    /// headers themselves.
    func lines(
      of region: TextRegion, below heads: [TableHead]
    ) -> [(own: [TableHead], head: TableHead?)] {
      if let combined = region.combined {
        if heads.count == 1, isMergedByName(combined.bytes, region, below: heads[0]) { return [] }
        let own = [ours.head(in: region.ours), theirs.head(in: region.theirs)].compactMap { $0 }
        let text = TextLines(combined.bytes)
        return zip(ProseLine.lines(of: text, style: .plain), text).map { kind, line in
          (own, kind == .tableRow ? TableHead(line) : nil)
        }
      }
      let (tables, range) =
        region.kind == .theirs ? (theirs, region.theirs) : (ours, region.ours)
      return range.map { line in
        let head = tables.head(at: line)
        let isOwn = region.kind != nil && region.kind != .same
        return (isOwn ? [head].compactMap { $0 } : [], head)
      }
    }
    var spans: [ClosedRange<Int>] = []
    var table: (region: Int, heads: [TableHead])?
    for (index, region) in regions.enumerated() {
      if region.kind == .clash {
        // Either choice has the columns of one side.
        let heads = [ours.head(atEndOf: region.ours), theirs.head(atEndOf: region.theirs)]
          .compactMap { $0 }
        let all = kinds.ours[region.ours] + kinds.theirs[region.theirs]
        if heads.isEmpty || all.contains(where: { $0 != .tableRow }) { table = nil }
        if !heads.isEmpty { table = table ?? (index, heads) }
        continue
      }
      for line in lines(of: region, below: table?.heads ?? []) {
        guard let head = line.head else {
          table = nil
          continue
        }
        guard let open = table else {
          table = (index, [head])
          continue
        }
        let isRight = line.own.allSatisfy { own in open.heads.allSatisfy { own.fits($0) } }
        if !isRight { spans.append(open.region...index) }
      }
    }
    return regions.clashing(in: spans)
  }
}
