/// The decisions and clashes of one run of a merge, and the answers to the clashes of an earlier run.
final class ClashLog {
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
  /// The decisions, in the order in which they were made.
  private(set) var decisions: [MergeDecision] = []

  init(answers: [Key: MergeAnswer] = [:]) {
    self.answers = answers
  }

  func record(_ decision: MergeDecision) {
    decisions.append(decision)
  }

  /// Returns the answer to a clash, and its key; a clash without an answer is recorded.
  func answer(to clash: MergeClash, at site: Site) -> (key: Key, answer: MergeAnswer)? {
    let first = Key(place: clash.decision.place, site: site, number: 0)
    let key = Key(place: first.place, site: site, number: counts[first, default: 0])
    counts[first, default: 0] += 1
    if let answer = answers[key] { return (key, answer) }
    keys.append(key)
    clashes.append(clash)
    return nil
  }

  /// Returns the answer to a question, and records the question as a decision, answered or open.
  /// - Parameter sides: The contents of the sides; `nil` if the question itself has them.
  func answer(
    to question: MergeDecision, _ sides: MergeSides<[UInt8]?>? = nil,
    choices: Set<MergeAnswer.Choice>, at site: Site
  ) -> MergeAnswer? {
    let clash = MergeClash(question, sides ?? question.bytes, choices: choices)
    let answer = answer(to: clash, at: site)?.answer
    record(answer.map(question.answered) ?? question)
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

  /// Creates the merge from its first run, which can be repeated with answers.
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
