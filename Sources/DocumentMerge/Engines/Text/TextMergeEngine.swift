/// Merges texts line by line, as git does, whatever their encoding and line endings.
///
/// If lines clash, text for people is merged inside them, as its ``TextStyle`` allows: edits of
/// different words of one paragraph combine, and so do items that both sides added to one list, and notes of
/// different releases in a change log. What one side moved and the other one removed clashes where it would come back.
///
/// What is not in the lines (encoding, byte-order mark, line endings, the last line break) is merged
/// apart from them, so that a side that only changed those does not clash with edits; if base does
/// not have them, those of ours are taken, which is the one thing that depends on whose side it is.
/// Documents that are not text clash as a whole. Other text added by both sides at one
/// place clashes: its order matters.
struct TextMergeEngine: OpenMergeEngine {
  var style = TextStyle.lines
  /// Whether lines are a question that one side removed and the other one moved; in text for people they always are.
  var asksAboutMoves = false

  var name: String { "text" }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if let settled = OpenMerge(settled: sides, options.labels) { return settled }
    guard let texts = sides.compactMap({ DecodedText($0) }) else {
      return OpenMerge(
        asking: "Both sides changed the document, differently, and it is not text.",
        about: sides)
    }
    try sides.checkSize(options, "to merge as text")
    guard let normalised = NormalisedTexts(texts, labels: options.labels) else {
      return OpenMerge(
        asking: "Both sides changed the text, and its encodings do not go together.",
        about: sides)
    }
    return openMerge(of: normalised, options: options)
  }

  /// Merges the lines of texts.
  func openMerge(of texts: NormalisedTexts, options: MergeOptions) -> OpenMerge {
    let lines = LinesMerge(texts: texts, regions: regions(of: texts.lines), options: options)
    return OpenMerge(PrefacedMerge(preface: texts.decisions, merge: lines))
  }

  private func regions(of lines: MergeSides<TextLines>) -> [TextRegion] {
    let regions = refinedRegions(of: lines)
    // What one side alone changed clashes only in a change log.
    let areBothChanged = Set(regions.compactMap(\.kind)).count > 1
    guard areBothChanged, let changes = UpcomingChanges(lines) else { return regions }
    return changes.checked(regions)
  }

  private func refinedRegions(of lines: MergeSides<TextLines>) -> [TextRegion] {
    let regions = NumberedSides(linesOf: lines).regions()
    guard style != .lines, let base = lines.base else {
      return asksAboutMoves ? RevivedLines(lines)?.checked(regions) ?? regions : regions
    }
    let isClashing = regions.contains { $0.kind == .clash }
    let mayRevive = regions.contains { $0.kind == .same && !$0.base.isEmpty }
    guard isClashing || mayRevive else { return regions }
    let refinement = ProseRefinement(base: base, sides: lines, style: style)
    return refinement.withoutRevivedUnits(isClashing ? refinement.refined(regions) : regions)
  }
}
