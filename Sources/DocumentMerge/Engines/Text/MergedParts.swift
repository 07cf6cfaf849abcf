/// A part of a text that an engine of its own can merge.
struct TextPart {
  /// What it is: the parts of all sides have the same, in one order.
  let key: String
  let lines: Range<Int>
}

/// Parts of a text that both sides changed, merged by engines of their own.
///
/// Each stands in the texts of all sides, so that the lines of it are settled when the text around it is merged. What
/// cannot be merged without a question stays as it is.
struct MergedParts {
  /// The texts with the merged parts in the place of what each side has.
  let texts: MergeSides<TextLines>
  /// The lines of what each side has.
  let places: MergeSides<LinePlaces>
  /// The parts that were merged, by their number.
  let merged: [Int]

  /// Merges what can be; `nil` if there is nothing, or the sides do not have the same parts.
  /// - Parameters:
  ///   - found: The parts of each side.
  ///   - sides: The texts.
  ///   - merge: Merges a part by its number; `nil` if that leaves a question.
  init?(
    _ found: MergeSides<[TextPart]>, of sides: MergeSides<TextLines>,
    merge: (Int, MergeSides<[UInt8]>) throws -> [UInt8]?
  ) rethrows {
    guard let old = found.base, let base = sides.base, !old.isEmpty,
      found.all.allSatisfy({ $0.map(\.key) == old.map(\.key) })
    else { return nil }
    var results: [(number: Int, lines: TextLines)] = []
    for number in old.indices {
      let part = MergeSides(
        base: Array(base[old[number].lines]), ours: Array(sides.ours[found.ours[number].lines]),
        theirs: Array(sides.theirs[found.theirs[number].lines]))
      guard part.settled == nil, let result = try merge(number, part),
        result.isEmpty || result.last == .lineFeed
      else { continue }
      results.append((number, TextLines(result)))
    }
    guard !results.isEmpty else { return nil }
    func replaced(_ text: TextLines, _ parts: [TextPart]) -> (text: TextLines, places: LinePlaces) {
      var (bytes, places): ([UInt8], LinePlaces) = ([], LinePlaces())
      var (line, count) = (0, 0)
      for (number, result) in results {
        let old = parts[number].lines
        bytes += text[line..<old.lowerBound] + result.bytes
        count += old.lowerBound - line
        places.replaced.append((count..<count + result.count, old))
        (line, count) = (old.upperBound, count + result.count)
      }
      return (TextLines(bytes + text[line..<text.count]), places)
    }
    let new = (
      base: replaced(base, old), ours: replaced(sides.ours, found.ours),
      theirs: replaced(sides.theirs, found.theirs)
    )
    texts = MergeSides(base: new.base.text, ours: new.ours.text, theirs: new.theirs.text)
    places = MergeSides(base: new.base.places, ours: new.ours.places, theirs: new.theirs.places)
    merged = results.map(\.number)
  }
}

/// A text of which parts were merged before, each by an engine of its own.
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
  /// A merged text in this form; a conflict marker at its end keeps its line break.
  /// - Parameter merge: The merge that its last lines are from.
  func encoded(_ text: [UInt8], of merge: MergeOutcome) throws -> [UInt8] {
    let lastLine = text.dropLast().reversed().prefix { $0 != .lineFeed }.reversed()
    let endsWithMarker = !merge.isComplete && lastLine.starts(with: ">>>>>>>".utf8)
    guard let bytes = encode(text, keepsLastNewline: endsWithMarker) else {
      throw MergeError(
        .invalidAnswer, "An answer is not text that \(encoding.rawValue) can hold.")
    }
    return bytes
  }
}

extension NormalisedTexts {
  /// The texts of sides that both changed what a base has.
  /// - Returns: `nil` for what is no text, or too long, or needs no merging.
  init?(changed sides: MergeSides<[UInt8]>, _ options: MergeOptions) {
    guard sides.settled == nil, sides.all.allSatisfy({ $0.count <= options.sizeLimit }) else {
      return nil
    }
    let decoded = sides.map { DecodedText($0) }
    guard let ours = decoded.ours, let theirs = decoded.theirs, let base = decoded.base,
      let base
    else { return nil }
    self.init(MergeSides(base: base, ours: ours, theirs: theirs), labels: options.labels)
  }
}
