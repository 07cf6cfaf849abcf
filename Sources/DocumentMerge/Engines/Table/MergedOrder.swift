/// The order of elements that two sides added, removed and moved.
struct MergedOrder {
  /// The elements, by number.
  let elements: [Int]
  /// The side whose order was taken, if a side moved an element; `nil` if none did.
  let kind: MergeDecision.Kind?
  /// The decision about the order; `nil` if there is none, or it has no name.
  private(set) var decision: MergeDecision?

  /// Merges three orders of unique numbers below `count` into one order of the kept numbers.
  ///
  /// An element that one side added follows the element that it follows there. If both sides added elements
  /// at one place, those of ours come first. If both sides moved elements differently, one side's order is
  /// used.
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
    // The elements to insert, by the element that they follow; -1 is the start.
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
      // The additions of ours come before those of theirs, whichever list is walked.
      if !isOurs || presence[element] != mainBit {
        elements += pending
        pending = []
      }
      elements.append(element)
      if let own = followers[element] { pending += own }
    }
    self.elements = elements + pending
  }

  /// Merges three orders, and asks if both sides moved elements differently.
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
