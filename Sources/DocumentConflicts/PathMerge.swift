internal import DocumentMerge
internal import DocumentStore

/// The names of two versions, merged.
struct PathMerge {
  let result: String
  private let theirs: String
  private let decision: MergeDecision?

  init(_ sides: MergeSides<String>, _ labels: MergeLabels) {
    theirs = sides.theirs
    func decision(_ kind: MergeDecision.Kind, _ explanation: String) -> MergeDecision {
      MergeDecision(
        kind: kind, base: sides.base, ours: sides.ours, theirs: sides.theirs,
        explanation: explanation)
    }
    // Compared as bytes, because strings consider different compositions of a character equal.
    let bytes = sides.map { Array($0.utf8) }
    if bytes.ours == bytes.theirs || bytes.base == bytes.theirs {
      (result, self.decision) = (sides.ours, nil)
    } else if bytes.base == bytes.ours {
      result = sides.theirs
      self.decision = decision(
        .theirs, "\(labels.theirs) renamed the document to “\(sides.theirs)”.")
    } else if let merged = PathChange.merged(
      (sides.ours, PathChange(from: sides.base, to: sides.ours)),
      (sides.theirs, PathChange(from: sides.base, to: sides.theirs)))
    {
      result = merged
      self.decision = decision(
        .combined, "One side moved the document, and the other renamed it: “\(merged)”.")
    } else {
      result = sides.ours
      self.decision = decision(
        .clash, "The document was renamed to “\(sides.ours)” and to “\(sides.theirs)”.")
    }
  }

  var clash: MergeClash? {
    guard let decision, decision.kind == .clash else { return nil }
    let names = MergeSides<[UInt8]?>(
      base: decision.base.map { Array($0.utf8) }, ours: Array(result.utf8),
      theirs: Array(theirs.utf8))
    return MergeClash(decision, names, choices: [.ours, .theirs])
  }

  func result(answer: MergeAnswer?) -> (path: String, decisions: [MergeDecision]) {
    guard let decision else { return (result, []) }
    guard let answer else { return (result, [decision]) }
    return (answer == .theirs ? theirs : result, [decision.answered(answer)])
  }
}
