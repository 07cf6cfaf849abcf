/// The decisions that a format makes about some values itself, before the rules for all formats apply.
///
/// A ruling belongs to a node of ours, or of theirs where ours has none.
struct MergeRulings: Sendable {
  /// A decision about a member.
  enum Ruling: Sendable {
    /// The member is as a side has it, also if the side has none.
    case taken(MergeSide, String)
    /// These bytes are written.
    case written([UInt8], MergeDecision.Kind, String)
    /// Nothing is left of it.
    case dropped(String)
    /// It is a clash.
    case asked(String)
  }

  /// The reason why the documents cannot be merged inside, as a sentence.
  var refusal: String?
  /// The matchings of lists, by ours' node of the list, and the fields that name their members.
  var matchings: [Int: (MemberMatching, MemberIdentity?)] = [:]
  /// The rulings by ours' nodes.
  var ours: [Int: Ruling] = [:]
  /// The rulings by theirs' nodes.
  var theirs: [Int: Ruling] = [:]
  /// Whether a merge by lines, which knows nothing of the rulings, may not be taken instead.
  var overrulesLines = false
}

extension MergeRulings {
  /// The ruling about a member.
  func ruling(on sides: MemberSides) -> Ruling? {
    if let ours = sides.ours { return self.ours[ours] }
    return sides.theirs.flatMap { theirs[$0] }
  }
}
