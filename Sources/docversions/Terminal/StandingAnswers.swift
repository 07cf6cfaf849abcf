internal import DocumentVersions

/// Answers that apply to further questions about a document.
struct StandingAnswers {
  /// The questions to which an answer applies.
  enum Reach {
    case thisQuestion
    /// All questions about a field of this name.
    case field(String)
    case allLeft
  }

  private var fields: [String: MergeAnswer] = [:]
  private var answerToAll: MergeAnswer?
  /// The number of questions answered without being asked.
  private(set) var count = 0

  /// Keeps an answer for the questions to which it applies.
  mutating func keep(_ answer: MergeAnswer, for reach: Reach) {
    switch reach {
    case .thisQuestion: break
    case .field(let name): fields[name] = answer
    case .allLeft: answerToAll = answer
    }
  }

  /// Returns the kept answer to a question, if the question allows it.
  mutating func answer(to clash: MergeClash) -> MergeAnswer? {
    let known = clash.field.flatMap { fields[$0] } ?? answerToAll
    guard let known, clash.choices.contains(known.choice) else { return nil }
    count += 1
    return known
  }
}

extension MergeClash {
  /// The name of the clash's field; `nil` for lines, and for members of lists without a name.
  var field: String? {
    guard let last = decision.place.path?.split(separator: "/").last, Int(last) == nil,
      !last.utf8.contains(UInt8(ascii: "="))
    else { return nil }
    return String(last).replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
