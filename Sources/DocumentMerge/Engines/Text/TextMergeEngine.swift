/// Merges texts line by line, as `git merge -X patience` does, in any encoding and with any line endings.
///
/// If lines clash, text for people is merged inside them, as its ``TextStyle`` allows: edits of different
/// words in one paragraph combine, and so do items that both sides added to one list, and notes of different
/// releases in a change log. Text that one side moved and the other side removed clashes if it would come
/// back.
///
/// Properties that aren't in the lines (encoding, byte-order mark, line endings, the last line break) are
/// merged separately, so that a change of only these doesn't clash with edits. If base doesn't have them,
/// those of ours are taken; this is the only result that depends on which side is ours. Documents that aren't
/// text clash as wholes. Other text that both sides added at one place clashes, because its order matters.
struct TextMergeEngine: OpenMergeEngine {
  var style = TextStyle.lines
  /// True if lines that one side removed and the other side moved are a question, as they always are in text
  /// for people.
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
    let lines = LinesMerge(
      texts: texts, regions: regions(of: texts.lines, options.labels), options: options)
    return OpenMerge(PrefacedMerge(preface: texts.decisions, merge: lines))
  }

  private func regions(of lines: MergeSides<TextLines>, _ labels: MergeLabels) -> [TextRegion] {
    let regions = refinedRegions(of: lines)
    // Changes of only one side can clash only in a change log.
    let areBothChanged = Set(regions.compactMap(\.kind)).count > 1
    guard areBothChanged, let changes = UpcomingChanges(lines) else { return regions }
    return changes.checked(regions, labels)
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
