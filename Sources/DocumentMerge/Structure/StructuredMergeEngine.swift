/// Merges documents of a format by lines where that is safe, and by their structure where it is not.
///
/// Lines come first, because on real documents nearly every clean line merge is what people want. It
/// is taken if it is a valid document and the structure agrees: nothing twice that no side has twice,
/// and no value that both sides changed. Otherwise the structure decides, and asks about nothing
/// but the value it cannot decide. Inputs that are not of the format are merged as text.
struct StructuredMergeEngine<Format: StructuredFormat>: MergeEngine {
  let format: Format
  let lineTools: any LineTools
  /// The rules for long texts in leaves, if they are to be merged inside.
  var mergeText: TextRule?

  var name: String { format.name }

  private var text: TextMergeEngine { TextMergeEngine(lineTools: lineTools) }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    let decoded = sides.map { DecodedText($0) }
    guard
      sides.settled == nil, sides.all.allSatisfy({ $0.count <= options.sizeLimit }),
      let ours = decoded.ours, let theirs = decoded.theirs,
      let base = decoded.base ?? DecodedText([]),
      let texts = NormalisedTexts(
        MergeSides(base: sides.base.map { _ in base }, ours: ours, theirs: theirs),
        labels: options.labels)
    else { return try text.merge(sides, options: options) }
    do {
      // Lines first, so that the trees are not in memory meanwhile.
      let lines = try text.merge(texts.lines.map(\.bytes), options: options)
      let trees = try trees(of: texts.lines, options.labels)
      let merged = try merge(trees, lines, options)
      guard let bytes = texts.form.encode(merged.bytes, keepsLastNewline: false) else {
        return wholeClash(sides, options)
      }
      return MergeOutcome(bytes: bytes, decisions: texts.decisions + merged.decisions)
    } catch let error as MergeError {
      guard error.code == .invalidDocument else { throw error }
      let outcome = try text.merge(sides, options: options)
      let said = MergeDecision(
        kind: .combined, explanation: "\(error.message) So the document was merged by lines.")
      return MergeOutcome(bytes: outcome.bytes, decisions: [said] + outcome.decisions)
    }
  }

  private func trees(
    of texts: MergeSides<TextLines>, _ labels: MergeLabels
  ) throws -> MergeSides<StructureTree> {
    func tree(_ text: TextLines, _ label: String) throws -> StructureTree {
      guard text.bytes.count <= StructureTreeBuilder.sizeLimit else {
        throw MergeError(.tooLarge, "\(label): There are too many bytes to merge by structure.")
      }
      do {
        return try format.parse(text.bytes)
      } catch let error as MergeError {
        throw MergeError(error.code, "\(label): \(error.message)")
      }
    }
    return MergeSides(
      base: try texts.base.map { try tree($0, labels.base) },
      ours: try tree(texts.ours, labels.ours), theirs: try tree(texts.theirs, labels.theirs))
  }

  /// Merges documents by their structure, and chooses between that and the merge by lines.
  private func merge(
    _ trees: MergeSides<StructureTree>, _ lines: MergeOutcome, _ options: MergeOptions
  ) throws -> MergeOutcome {
    var merge = StructureMerge(
      trees, format: format, lineTools: lineTools, mergeText: mergeText, options: options)
    try merge.run()
    let structured = MergeOutcome(bytes: merge.output, decisions: merge.decisions)
    let isAgreed = structured.isComplete && structured.bytes == lines.bytes
    let result = try parsed(
      structured.bytes, trees, lists: false, newLeaves: merge.mergedLeaves)
    if lines.isComplete, !merge.hasContradiction, !isAgreed,
      let other = try parsed(lines.bytes, trees, lists: !structured.isComplete)
    {
      // Where the structure only asks about places, lines may know better.
      let (root, result) = (StructureTree.root, result)
      if !structured.isComplete || result?[root].valueHash == other[root].valueHash { return lines }
    }
    guard result != nil else { return wholeClash(trees.map(\.bytes), options) }
    return isAgreed && lines.isComplete ? lines : structured
  }

  /// Reads a result; `nil` if it is not valid, or has something twice that no side has twice.
  private func parsed(
    _ result: [UInt8], _ sides: MergeSides<StructureTree>, lists: Bool, newLeaves: Int? = nil
  ) throws -> StructureTree? {
    guard let tree = try valid(result), format.isSound(tree, of: sides, newLeaves: newLeaves) else {
      return nil
    }
    let doubled = DoubledMembers(in: tree, format, lists: lists)
    guard !doubled.isEmpty else { return tree }
    let others = sides.all.map { DoubledMembers(in: $0, format, lists: lists) }
    return doubled.isCovered(by: others) ? tree : nil
  }

  /// Reads a document; `nil` if it is not valid.
  private func valid(_ document: [UInt8]) throws -> StructureTree? {
    do {
      return try format.parse(document)
    } catch let error as MergeError {
      guard error.code == .invalidDocument else { throw error }
      return nil
    }
  }

  private func wholeClash(_ sides: MergeSides<[UInt8]>, _ options: MergeOptions) -> MergeOutcome {
    let words = sides.map(WholeClash.words)
    return MergeOutcome(
      bytes: sides.ours,
      decisions: [
        MergeDecision(
          kind: .clash, base: words.base, ours: words.ours, theirs: words.theirs,
          explanation: "Both sides changed the document, and their changes do not go together.")
      ])
  }
}
