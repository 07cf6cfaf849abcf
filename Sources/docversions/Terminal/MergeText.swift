internal import DocumentVersions

/// The decisions of a merge of files, as lines.
struct MergeText {
  let names: DecisionText.Names
  /// The document's name, which begins the lines; `nil` for none.
  let name: String?
  /// True if every decision is explained, not only clashes.
  let explains: Bool

  func lines(_ outcome: MergeOutcome) -> [String] {
    // git merges many files one after the other.
    let start = name.map { "\(Printable.text($0)): " } ?? ""
    var lines: [String] = []
    for decision in outcome.decisions where explains || decision.kind == .clash {
      let text = DecisionText(decision, explains ? names : nil).lines
      lines += text.prefix(1).map { start + $0 } + text.dropFirst()
    }
    guard explains else { return lines }
    let clashes = outcome.decisions.count { $0.kind == .clash }
    let end =
      clashes == 0
      ? "Nothing is left to decide." : "\(Wording.count(clashes, "place")) left to decide."
    return lines + [start + end]
  }
}
