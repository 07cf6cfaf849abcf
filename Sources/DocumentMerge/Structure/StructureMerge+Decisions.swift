internal import Foundation

/// What is said about the merge, and asked.
extension StructureMerge {
  /// The bytes of a part of each side's node.
  func bytes(_ sides: MemberSides, _ part: StructureTree.Part) -> SideBytes {
    func bytes(_ side: Side) -> ArraySlice<UInt8>? {
      sides[side].map { tree(side).bytes[tree(side)[$0][part]] }
    }
    return MergeSides(base: bytes(.base), ours: bytes(.ours), theirs: bytes(.theirs))
  }

  /// Notes a decision about the value at the current path.
  mutating func note(
    _ kind: MergeDecision.Kind, _ sides: MemberSides, explanation: String? = nil
  ) {
    note(kind, bytes(sides, .value), explanation: explanation)
  }

  /// Notes a decision about some bytes of each side.
  mutating func note(
    _ kind: MergeDecision.Kind, _ bytes: SideBytes, explanation: String? = nil
  ) {
    decisions.append(decision(kind, bytes, explanation))
  }

  /// Notes a clash, and says what is to stand there: what somebody answered, else what the options say.
  /// - Parameters:
  ///   - site: What it is about.
  ///   - bytes: What each side has.
  ///   - choices: What can be answered; base only where it has something, or nothing is a choice.
  ///   - isPositional: Whether it is a clash of places only, not of what has a name.
  ///   - explanation: A sentence for a person, if not the usual one.
  mutating func ask(
    _ site: ClashLog.Site, _ bytes: SideBytes, choices: Set<MergeAnswer.Choice>,
    isPositional: Bool = false, explanation: String? = nil
  ) -> MergeAnswer {
    let decision = decision(.clash, bytes, explanation)
    let hasBase = bytes.base.flatMap { $0 } != nil
    let clash = MergeClash(
      decision,
      MergeSides(
        base: bytes.base.flatMap { $0 }.map(Array.init), ours: bytes.ours.map(Array.init),
        theirs: bytes.theirs.map(Array.init)),
      choices: hasBase ? choices : choices.subtracting([.base]))
    guard let (key, answer) = log.answer(to: clash, at: site) else {
      decisions.append(decision)
      if !isPositional { hasContradiction = true }
      return options.clashValue == .base && choices.contains(.base) ? .base : .ours
    }
    decisions.append(decision.answered(answer))
    guard case .text(let text) = answer else { return answer }
    let line = text.last == .lineFeed ? text.dropLast() : text
    guard literals.contains(key), let model = bytes.ours, format.text(ofLeaf: model) != nil else {
      return .text(line)
    }
    return .text(format.leaf(holding: line, like: model) ?? line)
  }

  private func decision(
    _ kind: MergeDecision.Kind, _ bytes: SideBytes, _ explanation: String?
  ) -> MergeDecision {
    let steps = path.map { name(of: $0) }.filter { format.isPlace($0) }
      .map { String(decoding: $0, as: UTF8.self) }
    let what = steps.last.map { "“\($0)”" } ?? "the document"
    return MergeDecision(
      kind: kind, place: MergePlace(path: steps.map { "/" + pathPart($0) }.joined()),
      base: bytes.base.flatMap { $0 }.map { excerpt($0) }, ours: bytes.ours.map { excerpt($0) },
      theirs: bytes.theirs.map { excerpt($0) },
      explanation: explanation ?? options.labels.explanation(of: kind, what: what))
  }

  /// How a step of the path is called.
  func name(of step: PathStep) -> [UInt8] {
    switch step {
    case .key(let side, let node):
      return tree(side).name(of: node, format)
    case .identity(let side, let node, let fields):
      return tree(side).name(of: node, by: fields, format)
    case .positions(let places):
      let (first, last) = (places.lowerBound, places.upperBound - 1)
      return Array((last > first ? "\(first)-\(last)" : "\(first)").utf8)
    }
  }

  /// A name as a part of a path.
  private func pathPart(_ name: String) -> String {
    // Sign by sign: with an accent behind it, a slash is another character.
    name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}
