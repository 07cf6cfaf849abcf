/// The order of things that two sides added, removed and moved.
struct MergedOrder {
  /// The things, by their numbers.
  let elements: [Int]
  /// Whose order it is, if a side moved something; `nil` if none did.
  let kind: MergeDecision.Kind?
  /// The decision about the order, if there is one and it has a name.
  private(set) var decision: MergeDecision?

  /// Merges three orders of numbers below `count`, in which none stands twice, into one of those that are kept.
  ///
  /// What one side added stands after what it stood after there; if both sides added something at one place, ours
  /// stands first. If both moved things differently, it is the order of one side.
  init(
    _ sides: MergeSides<[Int]>, count: Int, takesTheirs: Bool = false, isKept: (Int) -> Bool
  ) {
    var presence = [UInt8](repeating: 0, count: count)
    for element in sides.base ?? [] { presence[element] |= 1 }
    for element in sides.ours { presence[element] |= 2 }
    for element in sides.theirs { presence[element] |= 4 }
    let common = sides.map { $0.filter { presence[$0] == 7 } }
    kind =
      common.base == common.ours && common.base == common.theirs ? nil : common.settled ?? .clash

    let isOurs = kind != .theirs && !(kind == .clash && takesTheirs)
    let (main, other) = isOurs ? (sides.ours, sides.theirs) : (sides.theirs, sides.ours)
    let mainBit: UInt8 = isOurs ? 2 : 4
    // What has to be put in, by what it comes after; -1 is the start.
    var followers: [Int: [Int]] = [:]
    var last = -1
    for element in other where isKept(element) {
      if presence[element] & mainBit != 0 {
        last = element
      } else {
        followers[last, default: []].append(element)
      }
    }
    var elements: [Int] = []
    elements.reserveCapacity(count)
    var pending = followers[-1] ?? []
    for element in main where isKept(element) {
      // Ours' own additions stand before theirs, whichever list is gone through.
      if !isOurs || presence[element] != mainBit {
        elements += pending
        pending = []
      }
      elements.append(element)
      if let own = followers[element] { pending += own }
    }
    self.elements = elements + pending
  }

  /// Merges three orders, and asks if both sides moved things differently.
  init(
    _ sides: MergeSides<[Int]>, count: Int, named name: String, _ labels: MergeLabels,
    _ log: ClashLog, isKept: (Int) -> Bool
  ) {
    self.init(sides, count: count, isKept: isKept)
    guard let kind else { return }
    let decision = MergeDecision(
      kind: kind, place: MergePlace(path: name),
      explanation: kind == .clash
        ? "Both sides changed \(name), differently; that of \(labels.ours) was kept."
        : labels.explanation(of: kind, what: name))
    var answer: MergeAnswer?
    if kind == .clash {
      let clash = MergeClash(decision, decision.bytes, choices: [.ours, .theirs])
      answer = log.answer(to: clash, at: .order)?.answer
      if answer == .theirs {
        self.init(sides, count: count, takesTheirs: true, isKept: isKept)
      }
    }
    self.decision = answer.map(decision.answered) ?? decision
  }
}
