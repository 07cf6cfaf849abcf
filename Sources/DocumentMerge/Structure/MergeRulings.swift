/// One of the three sides of a merge.
enum MergeSide: CaseIterable, Sendable { case base, ours, theirs }

/// What a format decides about some values itself, before the rules for all formats are asked.
///
/// A ruling belongs to a node of ours, or of theirs where ours has none.
struct MergeRulings: Sendable {
  /// What becomes of a member.
  enum Ruling: Sendable {
    /// What a side has is taken, also if that is nothing.
    case taken(MergeSide, String)
    /// These bytes are written.
    case written([UInt8], MergeDecision.Kind, String)
    /// Nothing is left of it.
    case dropped(String)
    /// Somebody has to decide.
    case asked(String)
  }

  /// Why the documents cannot be merged inside, as a sentence.
  var refusal: String?
  /// Which members of lists are the same, by ours' node of the list, and the fields that name them.
  var matchings: [Int: (MemberMatching, MemberIdentity?)] = [:]
  /// The rulings by ours' nodes.
  var ours: [Int: Ruling] = [:]
  /// The rulings by theirs' nodes.
  var theirs: [Int: Ruling] = [:]
  /// Whether lines, which know nothing of the rulings, may not be taken instead.
  var overrulesLines = false
}

extension StructureMerge {
  /// The ruling about a member.
  func ruling(on sides: MemberSides) -> MergeRulings.Ruling? {
    if let ours = sides.ours { return rulings.ours[ours] }
    return sides.theirs.flatMap { rulings.theirs[$0] }
  }

  /// Writes a value as the ruling about it says.
  /// - Returns: Whether there is one.
  mutating func writeRuling(on sides: MemberSides, in frame: Frame) -> Bool {
    switch ruling(on: sides) {
    case .taken(let side, let explanation):
      guard let node = sides[side] else { return false }
      copy(.value, of: node, side, in: frame)
      note(side == .theirs ? .theirs : .ours, sides, explanation: explanation)
    case .written(let bytes, let kind, let explanation):
      output += format.indented(bytes[...], frame.shift(sides.ours == nil ? .theirs : .ours))
      note(kind, sides, explanation: explanation)
    case .asked(let explanation):
      guard let ours = sides.ours, let theirs = sides.theirs else { return false }
      askAboutValue(
        MergeSides(base: sides.base, ours: ours, theirs: theirs), explanation: explanation,
        in: frame)
    case .dropped, nil: return false
    }
    return true
  }

  /// What becomes of a member that a side lacks, as the ruling about it says.
  /// - Returns: Nothing without a ruling; a plan of nothing if the member is gone.
  mutating func plan(ruledFor sides: MemberSides) -> Plan?? {
    switch ruling(on: sides) {
    case .taken(let side, let explanation) where sides.ours == nil || sides.theirs == nil:
      note(side == .theirs ? .theirs : .ours, sides, explanation: explanation)
      guard let node = sides[side] else { return .some(nil) }
      switch side {
      case .base: return Plan(base: node)
      case .ours: return Plan(ours: node)
      case .theirs: return Plan(theirs: node)
      }
    case .dropped(let explanation):
      note(.combined, sides, explanation: explanation)
      return .some(nil)
    case .asked(let explanation) where sides.ours == nil || sides.theirs == nil:
      let answer = ask(
        .presence, bytes(sides, .value), choices: [.ours, .theirs, .base], explanation: explanation)
      let plan: Plan? =
        switch answer {
        case .base: sides.base.map { Plan(base: $0) }
        case .theirs: sides.theirs.map { Plan(theirs: $0) }
        case .ours, .both, .text: sides.ours.map { Plan(ours: $0) }
        }
      return .some(plan)
    default: return nil
    }
  }
}
