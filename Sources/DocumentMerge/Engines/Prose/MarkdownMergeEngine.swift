/// Merges Markdown: front matter and code blocks with the engines for their formats, and the rest as text.
///
/// Front matter is merged separately if all sides begin with the same format, and code if all sides have the
/// same blocks.
struct MarkdownMergeEngine: OpenMergeEngine {
  private let text = TextMergeEngine(style: .markdown)
  /// The engines for front matter and code.
  let languages: FencedCode.Languages

  var name: String { text.name }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    guard let texts = NormalisedTexts(changed: sides, options) else {
      return try text.openMerge(of: sides, options: options)
    }
    let settings = FrontMatterSides(texts.lines).flatMap { parts in
      languages(parts.mark == .yaml ? "yaml" : "toml").map { (parts, $0.engine) }
    }
    let body = settings?.0.sides.map(\.body) ?? texts.lines
    let blocks = FencedCode(in: body.ours, languages).blocks
    let found = body.map { FencedCode(in: $0, languages).parts(of: $0) }
    let code = try MergedParts(found, of: body, options: options) { number, code in
      try blocks[number.ours].code.engine.merge(code, options: options)
    }
    guard settings != nil || code != nil else {
      return text.openMerge(of: texts, options: options)
    }
    let merge = text.openMerge(
      of: NormalisedTexts(lines: code?.texts ?? body, of: texts.form), options: options)
    let places = code?.places ?? body.map { _ in LinePlaces() }
    let said = (code?.merged ?? []).map { number in
      MergeDecision(
        kind: .combined,
        explanation:
          "The changes of both sides to code were combined, as \(blocks[number].code.name).")
    }
    let whole: any AnswerableMerge =
      if let (parts, engine) = settings {
        try FrontMatterMerge(
          settings: MarkedSettings(parts, engine, options), body: merge,
          places: places.behind(parts.sides.map(\.lineCount)), form: texts.form)
      } else {
        PartedText(body: merge, places: places, form: texts.form)
      }
    return OpenMerge(
      PrefacedMerge(preface: texts.decisions + said + (code?.doubts ?? []), merge: whole))
  }
}

/// Texts that all begin with front matter of one format.
private struct FrontMatterSides {
  let mark: FrontMatter.Mark
  let sides: MergeSides<FrontMatter>

  init?(_ texts: MergeSides<TextLines>) {
    guard texts.base != nil, let sides = texts.compactMap({ FrontMatter($0) }),
      Set(sides.all.map(\.mark)).count == 1
    else { return nil }
    mark = sides.ours.mark
    self.sides = sides
  }
}

/// Front matter with conflict markers around its clashes, like those in the text after it.
private struct MarkedSettings {
  let mark: FrontMatter.Mark
  let merge: OpenMerge
  private let sides: MergeSides<[UInt8]>
  private let options: MergeOptions

  init(_ parts: FrontMatterSides, _ engine: any MergeEngine, _ options: MergeOptions) throws {
    mark = parts.mark
    sides = parts.sides.map(\.settings.bytes)
    self.options = options
    merge = try engine.openMerge(of: sides, options: options)
  }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let outcome = try merge.outcome(answers: answers)
    let isMarked = outcome.decisions.contains { $0.kind == .clash && $0.place.lines != nil }
    guard !outcome.isComplete, !isMarked,
      let marked = try merge.markedLines(of: sides, options, answers: answers)
    else { return outcome }
    return MergeOutcome(bytes: marked, decisions: outcome.decisions)
  }
}

/// A text and its front matter, each merged by its own engine.
private struct FrontMatterMerge: AnswerableMerge {
  let settings: MarkedSettings
  let body: OpenMerge
  /// The lines of the body on each side.
  let places: MergeSides<LinePlaces>
  let form: TextForm
  /// The number of lines of the result before the body, without answers.
  private let lineCount: Int

  init(
    settings: MarkedSettings, body: OpenMerge, places: MergeSides<LinePlaces>, form: TextForm
  ) throws {
    (self.settings, self.body, self.places, self.form) = (settings, body, places, form)
    lineCount = FrontMatter.lineCount(with: try settings.outcome(answers: [:]).bytes)
  }

  /// The lines of the front matter, which follow its mark.
  private var settingsPlaces: PartPlaces {
    PartPlaces(places.map { _ in LinePlaces(offset: 1) }, result: LinePlaces(offset: 1))
  }

  var clashes: [MergeClash] {
    let places = PartPlaces(places, result: LinePlaces(offset: lineCount))
    return settings.merge.clashes.map { $0.inWhole(settingsPlaces) }
      + body.clashes.map { $0.inWhole(places) }
  }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let count = settings.merge.clashes.count
    let own = answers.filter { $0.key < count }
    let others = answers.filter { $0.key >= count }.map { ($0.key - count, $0.value) }
    let head = try settings.outcome(answers: own)
    let body = try body.outcome(answers: Dictionary(uniqueKeysWithValues: others))
    let text = FrontMatter.text(settings.mark, settings: head.bytes, body: body.bytes)
    // An answer may contain a line that ends the front matter.
    guard let again = FrontMatter(TextLines(text)), again.body.bytes == body.bytes else {
      throw MergeError(
        .invalidAnswer, "With these answers, the settings would not end where they do.")
    }
    let bodyPlaces = PartPlaces(
      places, result: LinePlaces(offset: FrontMatter.lineCount(with: head.bytes)))
    return MergeOutcome(
      bytes: try form.encoded(text, of: body),
      decisions: head.decisions.map { $0.inWhole(settingsPlaces) }
        + body.decisions.map { $0.inWhole(bodyPlaces) })
  }
}

extension MergeSides<LinePlaces> {
  /// Returns the same lines, shifted by a number of lines on each side.
  fileprivate func behind(_ counts: MergeSides<Int>) -> MergeSides<LinePlaces> {
    map(with: counts) { LinePlaces(offset: $0.offset + $1, replaced: $0.replaced) }
  }
}
