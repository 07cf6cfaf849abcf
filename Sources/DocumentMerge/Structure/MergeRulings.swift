/// The decisions that a format itself makes about some values, before the general rules apply.
///
/// A ruling belongs to a node of ours, or of theirs if ours has none.
struct MergeRulings: Sendable {
  /// A decision about a member.
  enum Ruling: Sendable {
    /// The member of a side is taken, even if the side has none.
    case taken(MergeSide, String)
    /// These bytes are written.
    case written([UInt8], MergeDecision.Kind, String)
    /// The member is removed.
    case dropped(String)
    /// It is a clash.
    case asked(String)
  }

  /// The reason why the documents can only be chosen as wholes, as a sentence.
  var refusal: String?
  /// The matchings of lists, by ours' node of the list, and the fields that name their members.
  var matchings: [Int: (MemberMatching, MemberIdentity?)] = [:]
  /// The rulings by ours' nodes.
  var ours: [Int: Ruling] = [:]
  /// The rulings by theirs' nodes.
  var theirs: [Int: Ruling] = [:]
  /// True if a merge by lines, which ignores the rulings, must not be used instead.
  var overrulesLines = false
}

extension MergeRulings {
  /// Returns the ruling about a member.
  func ruling(on sides: MemberSides) -> Ruling? {
    if let ours = sides.ours { return self.ours[ours] }
    return sides.theirs.flatMap { theirs[$0] }
  }

  /// Returns the rulings about members with further ones, which yield to these.
  func adding(_ others: MergeRulings) -> MergeRulings {
    var rulings = self
    rulings.ours.merge(others.ours) { known, _ in known }
    rulings.theirs.merge(others.theirs) { known, _ in known }
    rulings.overrulesLines = overrulesLines || others.overrulesLines
    return rulings
  }
}
