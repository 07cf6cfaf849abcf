/// A part of a text that has its own engine.
struct TextPart {
  /// The identity of the part, which stays the same if it is moved.
  let key: String
  let lines: Range<Int>

  /// Creates a part that is identified by its name alone.
  init(named name: String, _ lines: Range<Int>) {
    (key, self.lines) = (name, lines)
  }

  /// Creates a part that is identified by its kind and by the last line before it that isn't blank.
  /// - Parameter opening: The line that opens it.
  init(_ kind: String, _ lines: Range<Int>, opening: Int, in text: TextLines) {
    var before = opening - 1
    while before >= 0, text[before].allSatisfy(\.isSpace) { before -= 1 }
    let context = before < 0 ? [] : text[before]
    key = kind + "\n" + String(decoding: context, as: UTF8.self)
    self.lines = lines
  }
}

/// Parts of a text that both sides changed, merged by their own engines.
///
/// Each merged part replaces the parts of all sides, so that its lines are decided when the text around it is
/// merged. A part that can't be merged without a question stays unchanged.
struct MergedParts {
  /// The texts with the merged parts in place of the parts of each side.
  let texts: MergeSides<TextLines>
  /// The original lines of each side.
  let places: MergeSides<LinePlaces>
  /// The numbers of the merged parts in ours.
  let merged: [Int]
  /// The questions of engines about parts whose lines don't clash, because they would be wrong with both
  /// changes.
  let doubts: [MergeDecision]

  /// Merges the parts that occur once on each side, by their numbers there; `nil` if there is nothing to
  /// merge or to ask.
  init?(
    _ found: MergeSides<[TextPart]>, of sides: MergeSides<TextLines>, options: MergeOptions,
    merge: (MergeSides<Int>, MergeSides<[UInt8]>) throws -> MergeOutcome?
  ) throws {
    guard sides.base != nil, found.base != nil else { return nil }
    let numbers = found.map(Self.numbers)
    var results: [(numbers: MergeSides<Int>, lines: TextLines)] = []
    var doubts: [MergeDecision] = []
    for (key, own) in numbers.ours.sorted(by: { $0.value < $1.value }) {
      guard let old = numbers.base?[key], let other = numbers.theirs[key] else { continue }
      let number = MergeSides(base: old, ours: own, theirs: other)
      let lines = found.map(with: number) { $0[$1].lines }
      let part = sides.map(with: lines) { Array($0[$1]) }
      guard part.settled == nil, let outcome = try merge(number, part) else { continue }
      if outcome.isComplete {
        guard outcome.bytes.isEmpty || outcome.bytes.last == .lineFeed else { continue }
        results.append((number, TextLines(outcome.bytes)))
      } else if try TextMergeEngine().merge(part, options: options).isComplete {
        doubts += outcome.decisions.filter { $0.kind == .clash }.prefix(1).map { $0.at(.document) }
      }
    }
    guard !results.isEmpty || !doubts.isEmpty else { return nil }
    let mergedNumbers = MergeSides(
      base: results.compactMap(\.numbers.base), ours: results.map(\.numbers.ours),
      theirs: results.map(\.numbers.theirs))
    let replacements = found.map(with: mergedNumbers) { parts, numbers in
      zip(numbers, results).map { (old: parts[$0].lines, new: $1.lines) }
        .sorted { $0.old.lowerBound < $1.old.lowerBound }
    }
    let replaced = sides.map(with: replacements) { text, replacements in
      var (bytes, places): ([UInt8], LinePlaces) = ([], LinePlaces())
      var (line, count) = (0, 0)
      for (old, new) in replacements {
        bytes += text[line..<old.lowerBound] + new.bytes
        count += old.lowerBound - line
        places.replaced.append((count..<count + new.count, old))
        (line, count) = (old.upperBound, count + new.count)
      }
      return (text: TextLines(bytes + text[line..<text.count]), places: places)
    }
    texts = replaced.map(\.text)
    places = replaced.map(\.places)
    merged = results.map(\.numbers.ours)
    self.doubts = doubts
  }

  /// Returns the numbers of the parts with a unique key.
  private static func numbers(_ parts: [TextPart]) -> [String: Int] {
    Dictionary(grouping: parts.indices, by: { parts[$0].key })
      .compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}

/// A text with parts that were merged before, each by its own engine.
struct PartedText: AnswerableMerge {
  /// The text around the parts.
  let body: OpenMerge
  /// The lines of each side, and of the result.
  let places: PartPlaces
  let form: TextForm

  init(body: OpenMerge, places: MergeSides<LinePlaces>, form: TextForm) {
    self.body = body
    self.places = PartPlaces(places, result: LinePlaces())
    self.form = form
  }

  var clashes: [MergeClash] { body.clashes.map { $0.inWhole(places) } }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let outcome = try body.outcome(answers: answers)
    return MergeOutcome(
      bytes: try form.encoded(outcome.bytes, of: outcome),
      decisions: outcome.decisions.map { $0.inWhole(places) })
  }
}

extension TextForm {
  /// Returns a merged text in this form; a conflict marker at its end keeps its line break.
  /// - Parameter merge: The merge that its last lines come from.
  func encoded(_ text: [UInt8], of merge: MergeOutcome) throws -> [UInt8] {
    let lastLine = text.dropLast().reversed().prefix { $0 != .lineFeed }.reversed()
    let endsWithMarker = !merge.isComplete && lastLine.starts(with: ">>>>>>>".utf8)
    return try encoded(text, keepsLastNewline: endsWithMarker)
  }
}

extension NormalisedTexts {
  /// Reads the texts of sides that both changed base.
  /// - Returns: `nil` if a side isn't text or is too long, or if no merge is needed.
  init?(changed sides: MergeSides<[UInt8]>, _ options: MergeOptions) {
    guard sides.settled == nil, sides.all.allSatisfy({ $0.count <= options.sizeLimit }) else {
      return nil
    }
    guard sides.base != nil, let texts = sides.compactMap({ DecodedText($0) }) else { return nil }
    self.init(texts, labels: options.labels)
  }
}
