/// Asks about terms that both sides added to an HTML document with different meanings.
struct ContradictingTerms: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    guard merge.ours.has("<dt>"), merge.theirs.has("<dt>") else { return [] }
    let (base, theirs) = (terms(of: merge.base), terms(of: merge.theirs))
    return terms(of: merge.ours).compactMap { term, text in
      base[term] == nil && theirs[term].map { $0 != text } ?? false ? term : nil
    }
    .sorted().map { .doubt("Both sides added \($0), each with another meaning.") }
  }

  private func terms(of text: TextLines) -> [String: String] {
    let lines = (0..<text.count).map { text.line($0).trimmingSuffix(while: \.isWhitespace) }
    return Outline(lines, .html).terms
  }
}
