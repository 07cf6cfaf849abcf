/// Texts in the same normal form, with the merged form of the document and the decisions about it.
struct NormalisedTexts: Sendable {
  /// The lines as UTF-8 if the encoding is known, with line feeds if the ending is uniform, including one at
  /// the end.
  let lines: MergeSides<TextLines>
  /// The form of the result.
  let form: TextForm
  /// The decisions about the form.
  let decisions: [MergeDecision]

  /// Creates other texts in the normal form, to be merged as a part of a document.
  init(lines: MergeSides<TextLines>, of document: TextForm) {
    self.lines = lines
    // If the encoding is known, the lines are UTF-8.
    form = TextForm(
      encoding: document.encoding == .unknown ? .unknown : .utf8, lineEnding: .lineFeed,
      endsWithNewline: true)
    decisions = []
  }

  /// Merges the forms of three texts, and extracts their lines.
  /// - Parameter quotes: The quotes of the texts, in which line endings are content.
  /// - Returns: `nil` if one text can't contain the lines, because the encoding of some isn't clear.
  init?(
    _ texts: MergeSides<DecodedText>, labels: MergeLabels, outside quotes: CellQuotes = .none
  ) {
    let hasUnknown = texts.all.contains { $0.encoding == .unknown }
    guard !hasUnknown || texts.all.allSatisfy({ $0.encoding == .unknown || $0.isPlain }) else {
      return nil
    }
    let encoding = FormProperty("encoding", texts.map(\.encoding)) { $0.rawValue }

    let endings = texts.map { LineEnding(of: $0.text, outside: quotes) }
    let ending = FormProperty("line endings", endings) { $0.rawValue }
    var lineEnding = ending.merged.value ?? .lineFeed
    if lineEnding == .carriageReturn, endings.all.contains(.mixed) { lineEnding = .mixed }

    let contents = texts.map { text in
      guard lineEnding != .mixed, let own = LineEnding(of: text.text, outside: quotes) else {
        return text.text
      }
      return own.normalised(text.text, outside: quotes)
    }
    let lastNewline = FormProperty(
      "end of the last line", contents.map { $0.last.map { $0 == .lineFeed } }
    ) { $0 ? "a line break" : "no line break" }

    lines = contents.map { content in
      TextLines(content.last.map { $0 == .lineFeed } ?? true ? content : content + [.lineFeed])
    }
    form = TextForm(
      encoding: hasUnknown ? .unknown : encoding.merged.value ?? .utf8,
      lineEnding: lineEnding,
      endsWithNewline: lastNewline.merged.value ?? true, quotes: quotes)
    decisions = [
      hasUnknown ? nil : encoding.decision(labels), ending.decision(labels),
      lastNewline.decision(labels),
    ].compactMap { $0 }
  }
}

/// A property of a text's form, with the words that explain its merge.
private struct FormProperty<Value: Equatable> {
  let merged: MergedProperty<Value>
  private let name: String
  private let words: MergeSides<String?>

  init(_ name: String, _ values: MergeSides<Value?>, words: (Value) -> String) {
    self.name = name
    self.words = values.map { $0.map(words) }
    merged = MergedProperty(
      base: values.base.flatMap { $0 }, ours: values.ours, theirs: values.theirs)
  }

  func decision(_ labels: MergeLabels) -> MergeDecision? {
    merged.kind.map { MergeDecision($0, words, merged.explanation(of: name, labels)) }
  }
}
