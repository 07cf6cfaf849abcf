/// A text merged by lines.
struct LinesMerge: AnswerableMerge {
  let texts: NormalisedTexts
  let regions: [TextRegion]
  let options: MergeOptions
  private let markerLength: Int

  init(texts: NormalisedTexts, regions: [TextRegion], options: MergeOptions) {
    self.texts = texts
    self.regions = regions
    self.options = options
    // Longer than anything in the contents that looks like a marker, and at least as long as git's.
    markerLength = max(7, 1 + (texts.lines.all.map(\.longestMarkerRun).max() ?? 0))
  }

  private var lines: MergeSides<TextLines> { texts.lines }

  var clashes: [MergeClash] {
    let decisions = merged([:]).decisions.filter { $0.kind == .clash }
    let places = regions.indices.filter { regions[$0].kind == .clash }
    let choices = Set(MergeAnswer.Choice.allCases).subtracting(lines.base == nil ? [.base] : [])
    return zip(decisions, places).map { decision, index in
      let region = regions[index]
      return MergeClash(
        decision,
        MergeSides(
          base: lines.base.map { Array($0[region.base]) },
          ours: Array(lines.ours[region.ours]), theirs: Array(lines.theirs[region.theirs])),
        before: index > 0 ? surroundings(regions[index - 1]) : [],
        after: index + 1 < regions.count ? surroundings(regions[index + 1]) : [],
        choices: choices)
    }
  }

  /// Returns the lines of a region next to a clash, if they don't clash.
  private func surroundings(_ region: TextRegion) -> [UInt8] {
    region.kind == .clash ? [] : Array(taken(from: region))
  }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let merged = merged(answers)
    return MergeOutcome(
      bytes: try texts.form.encoded(merged.lines, keepsLastNewline: merged.endsWithMarker),
      decisions: merged.decisions)
  }

  private func merged(
    _ answers: [Int: MergeAnswer]
  ) -> (lines: [UInt8], endsWithMarker: Bool, decisions: [MergeDecision]) {
    var result: [UInt8] = []
    result.reserveCapacity(lines.ours.bytes.count + lines.theirs.bytes.count / 8)
    var lineCount = 0
    var clashCount = 0
    var decisions: [MergeDecision] = []
    var endsWithMarker = false
    for region in regions {
      var answer: MergeAnswer?
      if region.kind == .clash {
        answer = answers[clashCount]
        clashCount += 1
      }
      endsWithMarker = region.kind == .clash && answer == nil
      let shown = endsWithMarker ? marked(region)[...] : taken(from: region, answer)
      guard region.kind != nil else {
        result += shown
        lineCount += region.ours.count
        continue
      }
      let end = lineCount + shown.count { $0 == .lineFeed }
      if let decision = decision(about: region, answer, result: lineCount..<end) {
        decisions.append(decision)
      }
      result += shown
      lineCount = end
    }
    return (result, endsWithMarker, decisions)
  }

  /// Returns the lines of the result for a region that doesn't clash.
  private func taken(from region: TextRegion) -> ArraySlice<UInt8> {
    if let combined = region.combined { return combined.bytes[...] }
    return region.kind == .theirs ? lines.theirs[region.theirs] : lines.ours[region.ours]
  }

  /// Returns the lines of the result for a region.
  private func taken(
    from region: TextRegion, _ answer: MergeAnswer?
  ) -> ArraySlice<UInt8> {
    switch answer {
    case nil: return taken(from: region)
    case .ours: return lines.ours[region.ours]
    case .theirs: return lines.theirs[region.theirs]
    case .both: return lines.ours[region.ours] + lines.theirs[region.theirs]
    case .base: return lines.base?[region.base] ?? []
    case .text(let text):
      return text.isEmpty || text.last == .lineFeed ? text[...] : text + [.lineFeed]
    }
  }

  /// Returns a clash between conflict markers, as git writes them.
  private func marked(_ region: TextRegion) -> [UInt8] {
    func marker(_ character: Character, _ label: String = "") -> [UInt8] {
      // A label must be one line, in characters that every encoding has if the document's is unknown.
      let isPlain = texts.form.encoding == .unknown
      let shown = label.unicodeScalars.map { scalar in
        scalar.value < 0x20 ? " " : isPlain && !scalar.isASCII ? "?" : String(scalar)
      }
      let line = String(repeating: character, count: markerLength)
      return Array((label.isEmpty ? line : line + " " + shown.joined()).utf8) + [.lineFeed]
    }
    var result = marker("<", options.labels.ours) + lines.ours[region.ours]
    if options.conflictStyle == .diff3 {
      result += marker("|", options.labels.base) + (lines.base?[region.base] ?? [])
    }
    result += marker("=") + lines.theirs[region.theirs]
    return result + marker(">", options.labels.theirs)
  }

  private func decision(
    about region: TextRegion, _ answer: MergeAnswer?, result: Range<Int>
  ) -> MergeDecision? {
    guard let kind = region.kind else { return nil }
    let place = MergePlace.Lines(
      base: lines.base.map { _ in region.base }, ours: region.ours, theirs: region.theirs,
      result: result)
    func text(_ lines: TextLines, _ range: Range<Int>) -> String? {
      range.isEmpty ? nil : excerpt(lines[range])
    }
    let decision = MergeDecision(
      kind: kind, place: MergePlace(lines: place),
      base: lines.base.flatMap { text($0, region.base) },
      ours: text(lines.ours, region.ours), theirs: text(lines.theirs, region.theirs),
      explanation: region.combined?.explanation ?? region.reason
        ?? options.labels.explanation(of: kind, what: "these lines"))
    return answer.map { decision.answered($0) } ?? decision
  }
}
