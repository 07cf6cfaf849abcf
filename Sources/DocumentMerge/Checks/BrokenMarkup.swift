/// Asks about markup without an engine if the result has faults that no side has.
struct BrokenMarkup: MergeCheck {
  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let reason = MarkupFaults(in: merge.bytes).reason(notIn: merge.documents.all)
    return reason.map { [.doubt($0)] } ?? []
  }
}
