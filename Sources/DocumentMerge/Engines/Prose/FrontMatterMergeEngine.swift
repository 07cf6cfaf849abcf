/// Merges Markdown: what is before the text by the engine for settings of its format, and the text as text.
///
/// Where not all sides begin with settings of one format, the whole is merged as text.
struct FrontMatterMergeEngine: MergeEngine {
  private let text = TextMergeEngine(style: .markdown)
  /// The engine for settings.
  let engine: @Sendable (FrontMatter.Mark) -> any MergeEngine

  var name: String { text.name }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    guard let (texts, parts) = parts(of: sides, options) else {
      return try text.openMerge(of: sides, options: options)
    }
    let mark = parts.ours.mark
    let settings = MarkedSettings(
      merge: try engine(mark).openMerge(of: parts.map(\.settings.bytes), options: options),
      sides: parts.map(\.settings.bytes), options: options)
    let body = try text.openMerge(of: parts.map(\.body.bytes), options: options)
    let merge = FrontMatterMerge(
      mark: mark, settings: settings, body: body, lineCounts: parts.map(\.lineCount),
      resultLineCount: FrontMatter.lineCount(with: try settings.outcome(answers: [:]).bytes),
      form: texts.form)
    return OpenMerge(PrefacedMerge(preface: texts.decisions, merge: merge))
  }

  /// The two parts of each side; `nil` if they do not have them, or only need one side to be taken.
  private func parts(
    of sides: MergeSides<[UInt8]>, _ options: MergeOptions
  ) -> (NormalisedTexts, MergeSides<FrontMatter>)? {
    guard sides.settled == nil, sides.all.allSatisfy({ $0.count <= options.sizeLimit }) else {
      return nil
    }
    let decoded = sides.map { DecodedText($0) }
    guard let ours = decoded.ours, let theirs = decoded.theirs, let base = decoded.base,
      let base,
      let texts = NormalisedTexts(
        MergeSides(base: base, ours: ours, theirs: theirs), labels: options.labels)
    else { return nil }
    let parts = texts.lines.map { FrontMatter($0) }
    guard let base = parts.base ?? nil, let ours = parts.ours, let theirs = parts.theirs,
      Set([base.mark, ours.mark, theirs.mark]).count == 1
    else { return nil }
    return (texts, MergeSides(base: base, ours: ours, theirs: theirs))
  }
}

/// Settings whose clashes stand between conflict markers, as those of the text behind them do.
private struct MarkedSettings: Sendable {
  let merge: OpenMerge
  let sides: MergeSides<[UInt8]>
  let options: MergeOptions

  var clashes: [MergeClash] { merge.clashes }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let outcome = try merge.outcome(answers: answers)
    let isMarked = outcome.decisions.contains { $0.kind == .clash && $0.place.lines != nil }
    guard !outcome.isComplete, !isMarked,
      let marked = try merge.markedLines(of: sides, options, answers: answers)
    else { return outcome }
    return MergeOutcome(bytes: marked, decisions: outcome.decisions)
  }
}

/// Settings and a text behind them, each merged by its own engine.
private struct FrontMatterMerge: AnswerableMerge {
  let mark: FrontMatter.Mark
  let settings: MarkedSettings
  let body: OpenMerge
  /// The lines of each side before its body.
  let lineCounts: MergeSides<Int>
  /// Those of the result without answers.
  let resultLineCount: Int
  let form: TextForm

  var clashes: [MergeClash] {
    let shift = shift(by: resultLineCount)
    return settings.clashes.map { $0.moved(by: .one) } + body.clashes.map { $0.moved(by: shift) }
  }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let count = settings.clashes.count
    let own = answers.filter { $0.key < count }
    let others = answers.filter { $0.key >= count }.map { ($0.key - count, $0.value) }
    let settings = try settings.outcome(answers: own)
    let body = try body.outcome(answers: Dictionary(uniqueKeysWithValues: others))
    let text = FrontMatter.text(mark, settings: settings.bytes, body: body.bytes)
    // What was answered may hold a line that ends the settings.
    guard let again = FrontMatter(TextLines(text)), again.body.bytes == body.bytes,
      let bytes = form.encode(text, keepsLastNewline: false)
    else {
      throw MergeError(
        .invalidAnswer, "With these answers, the settings would not end where they do.")
    }
    let shift = shift(by: FrontMatter.lineCount(with: settings.bytes))
    return MergeOutcome(
      bytes: bytes,
      decisions: settings.decisions.map { $0.moved(by: .one) }
        + body.decisions.map { $0.moved(by: shift) })
  }

  /// The lines before the body.
  private func shift(by resultLineCount: Int) -> MergePlace.Shift {
    MergePlace.Shift(
      base: lineCounts.base ?? 0, ours: lineCounts.ours, theirs: lineCounts.theirs,
      result: resultLineCount)
  }
}
