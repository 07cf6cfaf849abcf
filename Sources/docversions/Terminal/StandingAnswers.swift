internal import DocumentVersions

/// Answers that hold for further questions about a document.
struct StandingAnswers {
  /// The questions that an answer is for.
  enum Reach {
    case thisQuestion
    /// All questions about a field of this name.
    case field(String)
    case allLeft
  }

  private var fields: [String: MergeAnswer] = [:]
  private var answerToAll: MergeAnswer?
  /// How many questions were answered without being asked.
  private(set) var count = 0

  /// Keeps an answer for as many questions as it is for.
  mutating func keep(_ answer: MergeAnswer, for reach: Reach) {
    switch reach {
    case .thisQuestion: break
    case .field(let name): fields[name] = answer
    case .allLeft: answerToAll = answer
    }
  }

  /// The answer to a question, if one was given for it that it allows.
  mutating func answer(to clash: MergeClash) -> MergeAnswer? {
    let known = clash.field.flatMap { fields[$0] } ?? answerToAll
    guard let known, clash.choices.contains(known.choice) else { return nil }
    count += 1
    return known
  }
}

extension MergeClash {
  /// The name of the field that it is about; `nil` for lines, and for members of lists without a name.
  var field: String? {
    guard let last = decision.place.path?.split(separator: "/").last, Int(last) == nil,
      !last.utf8.contains(UInt8(ascii: "="))
    else { return nil }
    return String(last).replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
