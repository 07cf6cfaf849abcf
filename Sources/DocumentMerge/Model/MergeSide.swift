/// One of the three sides of a merge.
enum MergeSide: CaseIterable, Sendable { case base, ours, theirs }

extension MergeSide {
  /// The other one of ours and theirs.
  var other: MergeSide { self == .ours ? .theirs : .ours }
}
