/// A merge whose clashes can be answered one by one.
public struct OpenMerge: Sendable {
  /// The clashes, in the order of the document.
  ///
  /// Answers refer to them by number, counted from 0.
  public var clashes: [MergeClash] { result.clashes }
  private let result: any AnswerableMerge

  init(_ result: some AnswerableMerge) { self.result = result }

  /// Returns the document with the answered clashes resolved.
  ///
  /// The engine shows other clashes: between conflict markers in a text, or with the value of ours in a structured
  /// document.
  /// - Parameter answers: The answers, by the number of the clash.
  /// - Returns: The document and the decisions.
  /// - Throws: ``MergeError`` with ``MergeError/Code/invalidAnswer`` if an answer refers to no clash, isn't among its
  ///   ``MergeClash/choices``, or would make a document that isn't valid for its type or encoding.
  public func outcome(answers: [Int: MergeAnswer] = [:]) throws -> MergeOutcome {
    if !answers.isEmpty { try clashes.check(answers) }
    return try result.outcome(answers: answers)
  }
}

extension [MergeClash] {
  /// Refuses answers that refer to no clash, or that a clash doesn't allow.
  func check(_ answers: [Int: MergeAnswer]) throws(MergeError) {
    for (number, answer) in answers {
      guard indices.contains(number) else {
        throw MergeError(.invalidAnswer, "There is no clash number \(number): there are \(count).")
      }
      guard self[number].choices.contains(answer.choice) else {
        throw MergeError(
          .invalidAnswer,
          "“\(answer.choice.rawValue)” isn’t a possible answer for \(self[number].decision.place).")
      }
    }
  }
}

extension OpenMerge: AnswerableMerge {}

/// The result of an engine's merge, which accepts answers.
protocol AnswerableMerge: Sendable {
  var clashes: [MergeClash] { get }
  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome
}

extension OpenMerge {
  /// Takes one side as a whole; `nil` if both sides changed the document differently.
  init?(settled sides: MergeSides<[UInt8]>, _ labels: MergeLabels) {
    guard let kind = sides.settled else { return nil }
    let bytes = kind == .theirs ? sides.theirs : sides.ours
    let decision = MergeDecision(
      kind, sides.map(WholeClash.words), labels.explanation(of: kind, what: "the document"))
    self.init(
      CompleteMerge(
        outcome: MergeOutcome(bytes: bytes, decisions: sides.base == bytes ? [] : [decision])))
  }

  /// Asks which side to take as a whole.
  init(asking reason: String, about sides: MergeSides<[UInt8]>) {
    self.init(WholeClash(sides: sides, reason: reason))
  }
}

extension MergeSides<[UInt8]> {
  /// Refuses sides that are too large for some purpose.
  func checkSize(_ options: MergeOptions, _ purpose: String = "to merge") throws(MergeError) {
    guard all.allSatisfy({ $0.count <= options.sizeLimit }) else {
      throw MergeError(
        .tooLarge, "A side has more than \(options.sizeLimit) bytes, too many \(purpose).")
    }
  }
}

/// A merge without questions.
struct CompleteMerge: AnswerableMerge {
  let outcome: MergeOutcome
  var clashes: [MergeClash] { [] }

  func outcome(answers: [Int: MergeAnswer]) -> MergeOutcome { outcome }
}

/// A merge by an engine that can't answer individual clashes, with one clash of the whole document.
struct UndividedMerge: AnswerableMerge {
  let sides: MergeSides<[UInt8]>
  let unanswered: MergeOutcome

  private var whole: WholeClash {
    let reasons = unanswered.decisions.filter { $0.kind == .clash }.map(\.explanation)
    return WholeClash(sides: sides, reason: reasons.joined(separator: " "))
  }

  var clashes: [MergeClash] { whole.clashes }

  func outcome(answers: [Int: MergeAnswer]) -> MergeOutcome {
    answers.isEmpty ? unanswered : whole.outcome(answers: answers)
  }
}

/// A merge with decisions that were made before it.
///
/// Clashes among these can only be accepted, with the value of ours.
struct PrefacedMerge: AnswerableMerge {
  let preface: [MergeDecision]
  let merge: any AnswerableMerge

  private var prefaceClashes: [MergeClash] { preface.clashesToAccept }

  var clashes: [MergeClash] { prefaceClashes + merge.clashes }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    let count = prefaceClashes.count
    let inner = answers.filter { $0.key >= count }.map { ($0.key - count, $0.value) }
    let outcome = try merge.outcome(answers: Dictionary(uniqueKeysWithValues: inner))
    return MergeOutcome(
      bytes: outcome.bytes, decisions: preface.accepted(answers) + outcome.decisions)
  }
}

extension [MergeDecision] {
  /// The clashes among decisions that no answer can change.
  var clashesToAccept: [MergeClash] {
    filter { $0.kind == .clash }.map { decision in
      MergeClash(decision, decision.bytes, choices: [.ours])
    }
  }

  /// Returns the decisions, with the clashes that were accepted.
  func accepted(_ answers: [Int: MergeAnswer]) -> [MergeDecision] {
    var number = -1
    return map { decision in
      guard decision.kind == .clash else { return decision }
      number += 1
      return answers[number].map { decision.answered($0) } ?? decision
    }
  }
}
