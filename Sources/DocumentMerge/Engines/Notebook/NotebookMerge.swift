/// Decides about the parts of a notebook that JSON's rules don't know: cells, sources and outputs.
struct NotebookMerge {
  let sides: MergeSides<Notebook>
  let options: MergeOptions
  let format: JSONFormat
  var result = MergeRulings()

  init(
    _ sides: MergeSides<Notebook>, format: JSONFormat,
    options: MergeOptions
  ) {
    (self.sides, self.format, self.options) = (sides, format, options)
  }

  /// True if every cell of the result must have an id.
  private var needsIds: Bool {
    Notebook.needsIds(revision: max(sides.ours.revision, sides.theirs.revision))
  }

  /// Returns the rulings on the notebook.
  func rulings() throws -> MergeRulings {
    var merge = self
    merge.ruleAboutProgram()
    let matching = CellAlignment(sides.map(\.cells)).matching(hasBase: sides.base != nil)
    let haveIds = sides.all.allSatisfy { notebook in
      notebook.cells.allSatisfy { $0.fields["id"] != nil && $0.id != nil }
    }
    merge.result.matchings[sides.ours.list] = (matching, haveIds ? MemberIdentity("id") : nil)
    let numbers = matching.numbers
    // A merge by lines may result in a third order.
    if MemberOrder(numbers).isContradictory { merge.result.overrulesLines = true }
    var cells = [Cells](repeating: Cells(), count: matching.count)
    for (cell, number) in zip(sides.base?.cells ?? [], numbers.base ?? []) {
      cells[number].base = cell
    }
    for (cell, number) in zip(sides.ours.cells, numbers.ours) { cells[number].ours = cell }
    for (cell, number) in zip(sides.theirs.cells, numbers.theirs) { cells[number].theirs = cell }
    for cell in cells { try merge.rule(about: cell) }
    if needsIds { merge.giveIds(numbers) }
    return merge.result
  }

  /// A cell on each side.
  private struct Cells { var base, ours, theirs: NotebookCell? }

  /// Returns the values of members; `nil` for a side that lacks one.
  func values(_ base: Int?, _ ours: Int?, _ theirs: Int?) -> MergeSides<Int?> {
    MergeSides(
      base: sides.base.map { old in base.map { old.tree[$0].valueHash } },
      ours: ours.map { sides.ours.tree[$0].valueHash },
      theirs: theirs.map { sides.theirs.tree[$0].valueHash })
  }

  // MARK: Cells

  private mutating func rule(about cells: Cells) throws {
    guard let ours = cells.ours, let theirs = cells.theirs else {
      return ruleAboutRemoved(cells)
    }
    guard cells.base != nil || sides.base == nil else {
      if ours.content == theirs.content {
        let isTheirs = needsIds && ours.fields["id"] == nil
        result.ours[ours.node] = .taken(isTheirs ? .theirs : .ours, "Both sides added this cell.")
      }
      return
    }
    var runner = try ruleAboutSource(cells.base, ours, theirs)
    if ours.type != theirs.type {
      let types = MergeSides(base: cells.base?.type, ours: ours.type, theirs: theirs.type)
      runner = .side(types.settled == .theirs ? .theirs : .ours)
    }
    ruleAboutIds(cells.base, ours, theirs)
    ruleAboutRun(cells.base, ours, theirs, runner)
  }

  /// Drops a cell that one side removed and the other side only ran.
  private mutating func ruleAboutRemoved(_ cells: Cells) {
    guard let base = cells.base, let rest = cells.ours ?? cells.theirs, rest.content == base.content
    else { return }
    if cells.ours == nil {
      result.theirs[rest.node] = .taken(
        .ours, "Removed by \(options.labels.ours), and only run by \(options.labels.theirs).")
    } else {
      result.ours[rest.node] = .taken(
        .theirs, "Removed by \(options.labels.theirs), and only run by \(options.labels.ours).")
    }
  }

  private mutating func ruleAboutIds(
    _ base: NotebookCell?, _ ours: NotebookCell, _ theirs: NotebookCell
  ) {
    let (one, other) = (ours.fields["id"], theirs.fields["id"])
    guard values(base?.fields["id"], one, other).settled == nil || one == nil || other == nil else {
      return
    }
    if let one, other == nil, needsIds {
      result.ours[one] = .taken(.ours, "Every cell needs its id.")
    } else if let other, one == nil, needsIds {
      result.theirs[other] = .taken(.theirs, "Every cell needs its id.")
    } else if let one, other != nil {
      result.ours[one] = .taken(
        .ours, "Both sides gave the cell an id; that of \(options.labels.ours) was kept.")
    }
  }

  // MARK: Sources

  /// The side whose outputs belong to a cell.
  private enum Runner {
    /// The side that changed the source or the type.
    case side(MergeSide)
    /// The side that had already merged the sources and changed nothing else.
    case only(MergeSide)
    /// Any side, because the sources are the same.
    case any
    /// No side, because neither has the source.
    case none
  }

  private mutating func ruleAboutSource(
    _ base: NotebookCell?, _ ours: NotebookCell, _ theirs: NotebookCell
  ) throws -> Runner {
    guard let node = ours.fields["source"], let other = theirs.fields["source"],
      let text = ours.source, let otherText = theirs.source
    else { return .any }
    let sources = MergeSides(base: base?.source, ours: text, theirs: otherText)
    if let kind = sources.settled {
      let bytes = values(base?.fields["source"], node, other)
      if bytes.settled == nil {
        // The same text, written differently.
        result.ours[node] = .taken(
          kind == .theirs ? .theirs : .ours, "The text is written as \(options.labels.ours) has it."
        )
      }
      return kind == .same ? .any : .side(kind == .theirs ? .theirs : .ours)
    }
    guard base?.source != nil,
      let merged = try mergedSource(
        sources, isMarkdown: !ours.isCode && !theirs.isCode)
    else {
      result.ours[node] = .asked(options.labels.explanation(of: .clash, what: "the cell"))
      return .side(.ours)
    }
    let written = NotebookSource(sides.ours, node, sides.theirs, other).written(merged)
    result.ours[node] = .written(
      written, .combined, options.labels.explanation(of: .combined, what: "the cell"))
    // One side may already have merged the other side's changes.
    return merged == text ? .only(.ours) : merged == otherText ? .only(.theirs) : .none
  }

  /// Returns the sources merged by lines, and within lines if they are text for people.
  private func mergedSource(
    _ sources: MergeSides<[UInt8]>, isMarkdown: Bool
  ) throws -> [UInt8]? {
    let engine = TextMergeEngine(style: isMarkdown ? .markdown : .lines)
    let outcome = try engine.merge(sources, options: options)
    return outcome.isComplete ? outcome.bytes : nil
  }

  // MARK: Outputs

  /// Takes outputs and counter from the side of the source, or none if the source combines both sides.
  private mutating func ruleAboutRun(
    _ base: NotebookCell?, _ ours: NotebookCell, _ theirs: NotebookCell, _ runner: Runner
  ) {
    let runs = MergeSides(base: base?.run, ours: ours.run, theirs: theirs.run)
    let isOneType = ours.type == theirs.type
    let haveBothRun = runs.settled == nil
    let hasRun = ours.run != base?.run || theirs.run != base?.run
    let labels = options.labels
    var side: MergeSide?
    switch runner {
    case .none where hasRun: side = nil
    case .none: return ruleAboutTraces(base, ours, theirs, .ours)
    case .side(let winner) where !isOneType: side = winner
    case .only(let winner) where hasRun: side = winner
    case _ where !haveBothRun:
      return ruleAboutTraces(base, ours, theirs, runs.settled == .theirs ? .theirs : .ours)
    case .side(let winner): side = winner
    case .only, .any: side = .ours
    }
    result.overrulesLines = true
    for name in NotebookCell.runFields {
      guard let one = ours.fields[name] ?? theirs.fields[name] else { continue }
      let ruling: MergeRulings.Ruling
      if let side {
        let label = side == .theirs ? labels.theirs : labels.ours
        ruling = .taken(side, "What running the cell left is taken from \(label) as a whole.")
      } else if ours.isCode {
        let value = Array((name == "outputs" ? "[]" : "null").utf8)
        ruling = .written(
          value, .combined,
          "The source is from neither side, so the outputs of the cell were cleared.")
      } else {
        continue
      }
      if ours.fields[name] == nil { result.theirs[one] = ruling } else { result.ours[one] = ruling }
    }
    ruleAboutTraces(base, ours, theirs, side)
  }

  /// Decides about the metadata that running a cell changes.
  private mutating func ruleAboutTraces(
    _ base: NotebookCell?, _ ours: NotebookCell, _ theirs: NotebookCell, _ side: MergeSide?
  ) {
    for name in NotebookCell.runMetadata {
      let (one, other) = (ours.metadata[name], theirs.metadata[name])
      guard let node = one ?? other, values(base?.metadata[name], one, other).settled == nil
      else { continue }
      let ruling: MergeRulings.Ruling =
        if let side {
          .taken(side, "What running the cell left is taken as a whole.")
        } else {
          .dropped("What running the cell left is not of this source.")
        }
      if one == nil { result.theirs[node] = ruling } else { result.ours[node] = ruling }
    }
  }

  // MARK: Ids

  /// Adds ids to cells that only a side with an earlier revision has.
  private mutating func giveIds(_ numbers: MergeSides<[Int]>) {
    var known = Set(sides.all.flatMap { $0.cells.compactMap(\.id) })
    func give(
      _ notebook: Notebook, _ own: [Int], _ others: [Int],
      _ rulings: inout [Int: MergeRulings.Ruling]
    ) {
      let others = Set(others)
      for (cell, number) in zip(notebook.cells, own) where cell.fields["id"] == nil {
        guard !others.contains(number), rulings[cell.node] == nil,
          let written = notebook.withId(cell, &known)
        else { continue }
        rulings[cell.node] = .written(written, .combined, "The cell was given an id.")
      }
    }
    give(sides.ours, numbers.ours, numbers.theirs, &result.ours)
    give(sides.theirs, numbers.theirs, numbers.ours, &result.theirs)
  }
}
