internal import DocumentMerge
internal import DocumentStore

/// The answers that were given in earlier resolutions of a document, on whatever device.
///
/// A question is the same where the place is, and what the base and both sides have there. So it is, too, where one side
/// has what was answered, and the other one what was decided against: as when a device that knows nothing of the
/// resolution edits once more what it had. But where a side was made from the resolution and has something else, that was
/// changed on purpose since, and is asked about.
struct AnswerMemory {
  private let document: String
  private let answers: [String: [EarlierAnswer]]

  /// Reads the answers in the history of a conflict.
  ///
  /// - Parameter isUsed: false to know none, and only keep those that are given now.
  init(_ reader: VersionReader, isUsed: Bool) throws {
    document = reader.documentIdentifier
    let earlier = isUsed ? try reader.earlierAnswers() : []
    answers = Dictionary(grouping: earlier, by: \.given.question)
  }

  /// The answer that a question got before.
  ///
  /// - Parameter followers: the sides that were made from a resolution, though their base was not.
  /// - Returns: nil also where it was typed: only its digest is kept.
  func answer(
    to clash: ConflictClash, followers: (FileVersion) throws -> (ours: Bool, theirs: Bool)
  ) rethrows -> RememberedAnswer? {
    guard let question = AskedQuestion(clash, in: document),
      let earlier = answers[question.digest]?.first(where: { question.isSame(as: $0.given) })
    else { return nil }
    let following = try followers(earlier.resolution)
    let answer = earlier.given.answer
    guard !following.ours || question.ours == answer,
      !following.theirs || question.theirs == answer
    else { return nil }
    return question.answer(with: earlier.given.answer)
      .map { RememberedAnswer(clash: clash, answer: $0, resolution: earlier.resolution) }
  }

  /// An answer in the form that a record keeps; nil for a question that is not remembered.
  func given(_ answer: MergeAnswer, to clash: ConflictClash) -> GivenAnswer? {
    AskedQuestion(clash, in: document).map { question in
      GivenAnswer(
        question: question.digest, ours: question.ours, theirs: question.theirs,
        answer: question.value(of: answer))
    }
  }
}

/// A question with the digests by which it is known again.
private struct AskedQuestion {
  let digest: String
  let ours: String
  let theirs: String
  private let clash: MergeClash
  private let document: String

  /// Nil for a question that the sides at its place do not tell from others: about the versions as wholes, or one that
  /// only lets a result be accepted.
  init?(_ question: ConflictClash, in document: String) {
    let clash = question.clash
    guard !question.isOfWholeVersions, clash.choices.contains(.theirs), clash.ours != clash.theirs
    else { return nil }
    self.clash = clash
    self.document = document
    let place = clash.decision.place
    // Lines are known by those around them: their numbers change with every edit above.
    digest = GivenAnswer.digest(
      of: [
        place.member?.bytes, place.path.map { Array($0.utf8) },
        place.lines.map { _ in clash.before.lastLines },
        place.lines.map { _ in clash.after.firstLines }, clash.base,
      ], in: document)
    ours = GivenAnswer.digest(of: [clash.ours], in: document)
    theirs = GivenAnswer.digest(of: [clash.theirs], in: document)
  }

  func isSame(as given: GivenAnswer) -> Bool {
    let known: Set = [given.ours, given.theirs, given.answer]
    return known.contains(ours) && known.contains(theirs)
  }

  /// The digest of what stands at the place with an answer.
  func value(of answer: MergeAnswer) -> String {
    switch answer {
    case .ours: ours
    case .theirs: theirs
    case .base: GivenAnswer.digest(of: [clash.base], in: document)
    case .both: GivenAnswer.digest(of: [(clash.ours ?? []) + (clash.theirs ?? [])], in: document)
    case .text(let text): GivenAnswer.digest(of: [written(text)], in: document)
    }
  }

  /// A typed text as it stands at the place: lines are ended.
  private func written(_ text: [UInt8]) -> [UInt8] {
    let isEnded = text.isEmpty || text.last == UInt8(ascii: "\n")
    return clash.decision.place.lines == nil || isEnded ? text : text + [UInt8(ascii: "\n")]
  }

  /// The answer that puts a value at the place; nil for none that is allowed.
  func answer(with value: String) -> MergeAnswer? {
    let answers: [MergeAnswer] = [.ours, .theirs, .base, .both]
    return answers.first { clash.choices.contains($0.choice) && self.value(of: $0) == value }
  }
}

extension [UInt8] {
  /// The number of lines on either side by which a place in a text is known again.
  private static var lineCount: Int { 3 }

  fileprivate var firstLines: [UInt8] {
    var count = 0
    return Array(
      prefix { byte in
        defer { if byte == UInt8(ascii: "\n") { count += 1 } }
        return count < Self.lineCount
      })
  }

  fileprivate var lastLines: [UInt8] {
    // The last line ends with a line feed of its own.
    var count = -1
    return Array(
      reversed().prefix { byte in
        if byte == UInt8(ascii: "\n") { count += 1 }
        return count < Self.lineCount
      }.reversed())
  }
}
