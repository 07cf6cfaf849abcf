/// The clashes of one run of a merge, and the answers to those of an earlier run.
struct ClashLog: Sendable {
  /// The key of a clash, which stays the same when others are answered.
  struct Key: Hashable, Sendable {
    let place: MergePlace
    let site: Site
    let number: Int
  }

  /// The aspects of one place that can clash.
  enum Site: Sendable {
    case value, presence, order, members, comment
  }

  private let answers: [Key: MergeAnswer]
  private var counts: [Key: Int] = [:]
  private(set) var keys: [Key] = []
  private(set) var clashes: [MergeClash] = []

  init(answers: [Key: MergeAnswer] = [:]) {
    self.answers = answers
  }

  /// Returns the answer to a clash, and its key; a clash without an answer is recorded.
  mutating func answer(to clash: MergeClash, at site: Site) -> (key: Key, answer: MergeAnswer)? {
    let first = Key(place: clash.decision.place, site: site, number: 0)
    let key = Key(place: first.place, site: site, number: counts[first, default: 0])
    counts[first, default: 0] += 1
    if let answer = answers[key] { return (key, answer) }
    keys.append(key)
    clashes.append(clash)
    return nil
  }

  /// The answer to a question; it is a decision with an answer and without.
  /// - Parameters:
  ///   - sides: What the sides have there; `nil` if the question itself says it.
  ///   - decisions: Takes the decision.
  mutating func answer(
    to question: MergeDecision, _ sides: MergeSides<[UInt8]?>? = nil,
    choices: Set<MergeAnswer.Choice>, at site: Site, _ decisions: inout [MergeDecision]
  ) -> MergeAnswer? {
    let sides =
      sides
      ?? MergeSides(base: question.base, ours: question.ours, theirs: question.theirs)
      .map { $0.map { Array($0.utf8) } }
    let answer = answer(to: MergeClash(question, sides, choices: choices), at: site)?.answer
    decisions.append(answer.map(question.answered) ?? question)
    return answer
  }
}

/// A merge that is run again with answers.
struct RepeatableMerge: AnswerableMerge {
  /// The outcome without answers.
  let first: MergeOutcome
  let clashes: [MergeClash]
  private let keys: [ClashLog.Key]
  private let run: @Sendable ([ClashLog.Key: MergeAnswer]) throws -> MergeOutcome

  /// Creates the merge from its first run.
  /// - Parameter run: Merges with answers.
  init(
    _ first: MergeOutcome, _ log: ClashLog,
    run: @escaping @Sendable ([ClashLog.Key: MergeAnswer]) throws -> MergeOutcome
  ) {
    self.first = first
    clashes = log.clashes
    keys = log.keys
    self.run = run
  }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    guard !answers.isEmpty else { return first }
    return try run(Dictionary(uniqueKeysWithValues: answers.map { (keys[$0.key], $0.value) }))
  }
}
