internal import DocumentMerge
internal import DocumentStore

/// The answers from earlier resolutions of a document, on any device.
///
/// A question is the same if it is about the same place of the same base, and both sides have the same contents there
/// as before. All of the base counts, because lines and members of lists are often alike. A question is also the same
/// if one side has the earlier answer, and the other the rejected value, which happens when a device that doesn't have
/// the resolution edits its old contents again. But if a side derives from the resolution and has something else, that
/// was changed on purpose, and is asked about.
struct AnswerMemory {
  private let document: String
  private let answers: [String: [EarlierAnswer]]

  /// Reads the answers in the history of a conflict.
  ///
  /// - Parameter isUsed: whether earlier answers are reused; otherwise only the answers of this resolution are kept.
  init(_ reader: VersionReader, isUsed: Bool) throws {
    document = reader.documentIdentifier
    let earlier = isUsed ? try reader.earlierAnswers() : []
    answers = Dictionary(grouping: earlier, by: \.given.question)
  }

  /// Returns the questions of one step that are recognized, by the number of the clash; equal questions
  /// aren't recognized.
  ///
  /// - Parameter base: the base; `nil` if it isn't a single version.
  func questions(_ clashes: [ConflictClash], base: VersionContents?) -> [Int: AskedQuestion] {
    guard let base, !clashes.isEmpty else { return [:] }
    // Computed once, because the base may be long and the questions many.
    let identity = Array(GivenAnswer.digest(of: [base.identity], in: document).utf8)
    let questions = clashes.compactMap { clash in
      AskedQuestion(clash, base: identity, in: document).map { (clash.id.number, $0) }
    }
    let counts = Dictionary(grouping: questions, by: \.1.digest).mapValues(\.count)
    return Dictionary(uniqueKeysWithValues: questions.filter { counts[$0.1.digest] == 1 })
  }

  /// Returns the earlier answer to a question.
  ///
  /// - Parameter followers: the sides that derive from a resolution although their base doesn't.
  /// - Returns: the answer; `nil` if there is none, or if it was typed, because only its digest is kept.
  func answer(
    to question: AskedQuestion, followers: (FileVersion) throws -> (ours: Bool, theirs: Bool)
  ) rethrows -> RememberedAnswer? {
    guard let earlier = answers[question.digest]?.first(where: { question.isSame(as: $0.given) })
    else { return nil }
    let following = try followers(earlier.resolution)
    let answer = earlier.given.answer
    guard !following.ours || question.ours == answer,
      !following.theirs || question.theirs == answer
    else { return nil }
    return question.answer(with: answer)
      .map {
        RememberedAnswer(clash: question.clash, answer: $0, resolution: earlier.resolution)
      }
  }
}

/// A question with the digests that identify it.
struct AskedQuestion {
  let clash: ConflictClash
  fileprivate let digest: String
  fileprivate let ours: String
  fileprivate let theirs: String
  private let document: String

  /// Fails for a question that its sides don't distinguish from others: about whole versions, or with acceptance of a
  /// result as the only answer.
  fileprivate init?(_ question: ConflictClash, base: [UInt8], in document: String) {
    let clash = question.clash
    guard !question.isOfWholeVersions, clash.choices.contains(.theirs), clash.ours != clash.theirs
    else { return nil }
    self.clash = question
    self.document = document
    let place = clash.decision.place
    digest = GivenAnswer.digest(
      of: [
        base, place.member?.bytes, place.path.map { Array($0.utf8) },
        place.lines?.base.map { Array("\($0.lowerBound) \($0.upperBound)".utf8) }, clash.base,
      ], in: document)
    ours = GivenAnswer.digest(of: [clash.ours], in: document)
    theirs = GivenAnswer.digest(of: [clash.theirs], in: document)
  }

  /// Returns an answer in the form that a record keeps.
  func given(_ answer: MergeAnswer) -> GivenAnswer {
    GivenAnswer(question: digest, ours: ours, theirs: theirs, answer: value(of: answer))
  }

  fileprivate func isSame(as given: GivenAnswer) -> Bool {
    let known: Set = [given.ours, given.theirs, given.answer]
    return known.contains(ours) && known.contains(theirs)
  }

  /// Returns the digest of the contents at the place with an answer.
  private func value(of answer: MergeAnswer) -> String {
    let clash = clash.clash
    return switch answer {
    case .ours: ours
    case .theirs: theirs
    case .base: GivenAnswer.digest(of: [clash.base], in: document)
    case .both: GivenAnswer.digest(of: [(clash.ours ?? []) + (clash.theirs ?? [])], in: document)
    case .text(let text): GivenAnswer.digest(of: [written(text)], in: document)
    }
  }

  /// Returns a typed text as it appears at the place, with ended lines.
  private func written(_ text: [UInt8]) -> [UInt8] {
    let isEnded = text.isEmpty || text.last == UInt8(ascii: "\n")
    return clash.clash.decision.place.lines == nil || isEnded
      ? text : text + [UInt8(ascii: "\n")]
  }

  /// Returns the allowed answer that puts a value at the place; `nil` if there is none.
  fileprivate func answer(with value: String) -> MergeAnswer? {
    let answers: [MergeAnswer] = [.ours, .theirs, .base, .both]
    return answers.first {
      clash.clash.choices.contains($0.choice) && self.value(of: $0) == value
    }
  }
}

extension VersionContents {
  /// Bytes that are equal for equal contents.
  fileprivate var identity: [UInt8] {
    switch self {
    case .file(let bytes, _): bytes
    case .largeFile(let file): Array(file.digest.utf8)
    case .deleted: []
    case .package(let entries):
      entries.flatMap { entry -> [UInt8] in
        let path = Array(entry.path.joined(separator: [UInt8(ascii: "/")])) + [0]
        return switch entry.kind {
        case .file(let identity, _, _, _): path + Array(identity.utf8) + [0]
        case .symbolicLink(let target): path + target + [0]
        case .folder: path
        }
      }
    }
  }
}
