/// Merges documents of a format, and asks about clean merges that one of the format's checks doubts.
///
/// Such faults have no clashing lines or values: both sides add a key in different places, or one side removes what the
/// other newly uses.
struct FormatMergeEngine: OpenMergeEngine {
  let engine: any MergeEngine
  let format: DocumentFormat

  var name: String { engine.name }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    guard sides.settled == nil else { return try engine.openMerge(of: sides, options: options) }
    let merge = try revisedMerge(of: sides, options)
    guard case let outcome = try merge.outcome(), outcome.isComplete,
      let clean = CleanMerge(outcome.bytes, of: sides, labels: options.labels)
    else { return merge }
    if let mended = format.checks.lazy.compactMap({ $0.mended(clean) }).first {
      return doubted(
        OpenMerge(
          CompleteMerge(outcome: MergeOutcome(bytes: mended, decisions: outcome.decisions))),
        clean.with(mended))
    }
    return doubted(merge, clean)
  }

  private func doubted(_ merge: OpenMerge, _ clean: CleanMerge) -> OpenMerge {
    let doubts = (format.checks + [MisplacedComments()]).flatMap { $0.doubts(about: clean) }
    return doubts.isEmpty ? merge : OpenMerge(PrefacedMerge(preface: doubts, merge: merge))
  }

  /// Merges the sides, with equal lines in place of lines that a program writes at every save.
  private func revisedMerge(
    of sides: MergeSides<[UInt8]>, _ options: MergeOptions
  ) throws -> OpenMerge {
    let lines = format.revisions.map { RevisedLines($0) }
    guard let revised = lines?.settled(sides, options.revisedFields) else {
      return try engine.openMerge(of: sides, options: options)
    }
    let said = MergeDecision(
      kind: .combined,
      explanation: "Of dates, counters and places that a program wrote, the newer ones were taken.")
    return OpenMerge(
      PrefacedMerge(
        preface: [said], merge: try engine.openMerge(of: revised, options: options)))
  }
}
