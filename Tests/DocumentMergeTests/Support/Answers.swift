import DocumentMerge
import Testing

/// Checks that every clash can be answered separately, and that none is left when all are.
func checkAnswers(
  _ engine: some MergeEngine, _ sides: MergeSides<[UInt8]>, _ comment: Comment
) throws {
  let outcome = try engine.merge(sides, options: MergeOptions())
  let open = try engine.openMerge(of: sides, options: MergeOptions())
  #expect(try open.outcome() == outcome, comment)
  let questions = outcome.decisions.filter { $0.kind == .clash }
  #expect(open.clashes.map(\.decision) == questions, comment)
  for number in open.clashes.indices {
    for choice in open.clashes[number].choices.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let answer = MergeAnswer(choice) else { continue }
      let answered: MergeOutcome
      do {
        answered = try open.outcome(answers: [number: answer])
      } catch let error as MergeError {
        // Only both, or base beside merged parts, may give an impossible document.
        #expect(error.code == .invalidAnswer && [.both, .base].contains(choice), comment)
        continue
      }
      let left = answered.decisions.filter { $0.kind == .clash }.map(\.place.path)
      var expected = questions.map(\.place.path)
      expected.remove(at: number)
      #expect(left.map { $0 ?? "" }.sorted() == expected.map { $0 ?? "" }.sorted(), comment)
    }
  }
  for answer in [MergeAnswer.ours, .theirs] {
    let all = open.clashes.indices.map { number in
      (number, open.clashes[number].choices.contains(answer.choice) ? answer : .ours)
    }
    let answered = try open.outcome(answers: Dictionary(uniqueKeysWithValues: all))
    #expect(answered.isComplete, comment)
  }
}

extension MergeAnswer {
  /// The answer that a choice is, if it needs no text.
  init?(_ choice: Choice) {
    switch choice {
    case .ours: self = .ours
    case .theirs: self = .theirs
    case .both: self = .both
    case .base: self = .base
    case .text: return nil
    }
  }
}
