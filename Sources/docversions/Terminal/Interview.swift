internal import DocumentVersions
internal import Foundation

/// Asks the user how to resolve a conflict.
///
/// Clash by clash; where the versions contradict each other as wholes, version by version. The end of the input skips the
/// document.
struct Interview: Sendable {
  let file: DocumentArgument
  let time: ReadableTime
  let store: SynchronousStore

  func decide(_ conflict: Conflict) async throws -> ResolutionStrategy.Verdict {
    let proposal = try await conflict.proposal()
    if proposal.isComplete, !proposal.remembered.isEmpty {
      return try await confirming(proposal, of: conflict)
    }
    guard !proposal.clashes.isEmpty, !proposal.clashes.contains(where: \.isOfWholeVersions) else {
      return try choice(among: conflict.versions, proposal)
    }
    return try await answering(proposal, of: conflict)
  }

  /// Asks whether all shall be answered as before.
  private func confirming(
    _ proposal: MergeProposal, of conflict: Conflict
  ) async throws -> ResolutionStrategy.Verdict {
    Console.print("\(file.shown): its questions were answered before".asHeading)
    Console.print(lines: proposal.remembered.lines(time))
    Console.print("  y  answer as before   a  ask again   s  skip".asMuted)
    while let answer = Self.read() {
      switch answer {
      case "y": return .merged(proposal, because: proposal.reason)
      case "a": return try await decide(conflict.askingAgain)
      case "s": return .undecided(proposal.remembered.map(\.clash.clash.decision))
      default: Console.print("  Type y, a or s; Ctrl-D skips the rest.")
      }
    }
    return .undecided(proposal.remembered.map(\.clash.clash.decision))
  }

  // MARK: Clash by clash

  private func answering(
    _ first: MergeProposal, of conflict: Conflict
  ) async throws -> ResolutionStrategy.Verdict {
    var proposal = first
    var answers: [ConflictClash.ID: MergeAnswer] = [:]
    var standing = StandingAnswers()
    Console.print(lines: first.remembered.lines(time))
    // With more than two versions, answers may lead to further questions.
    while !proposal.clashes.isEmpty {
      for (index, clash) in proposal.clashes.enumerated() {
        if let known = standing.answer(to: clash.clash) {
          answers[clash.id] = known
          continue
        }
        let heading = "question \(index + 1) of \(proposal.clashes.count)"
        let left = proposal.clashes[(index + 1)...].map(\.clash)
        guard
          let (answer, reach) = try await ask(clash, heading, left, answers, of: conflict)
        else { return .undecided(first.questions) }
        answers[clash.id] = answer
        standing.keep(answer, for: reach)
      }
      proposal = try await conflict.proposal(answers: answers)
    }
    if standing.count > 0 {
      Console.print("\(Wording.count(standing.count, "question")) answered alike.".asMuted)
    }
    return .merged(proposal, because: "its questions were answered")
  }

  /// Asks until there is an answer that fits; nil to leave the conflict as it is.
  /// - Parameter left: The questions behind this one, which it may be answered for, too.
  private func ask(
    _ question: ConflictClash, _ heading: String, _ left: [MergeClash],
    _ answers: [ConflictClash.ID: MergeAnswer], of conflict: Conflict
  ) async throws -> (answer: MergeAnswer, reach: StandingAnswers.Reach)? {
    let clash = question.clash
    Console.print("\(file.shown): \(heading)".asHeading)
    Console.print("  \(clash.decision.place.shown): \(Printable.text(clash.decision.explanation))")
    if clash.choices.contains(.base) { show("It was", clash.base) }
    show("1  \(Wording.list(question.ours.map { $0.whoAndWhen(time) }))", clash.ours)
    show("2  \(question.theirs.whoAndWhen(time))", clash.theirs)
    let keys = Self.keys(for: clash)
    Console.print("  \(keys.map { "\($0.key)  \($0.meaning)" }.joined(separator: "   "))".asMuted)
    let reaches = Self.reaches(of: clash, left)
    if !reaches.isEmpty {
      let words = reaches.map { "1\($0.key), 2\($0.key)  \($0.meaning)" }
      Console.print("  \(words.joined(separator: "   "))".asMuted)
    }
    while let key = Self.read() {
      if let reach = reaches.first(where: { ["1" + $0.key, "2" + $0.key].contains(key) })?.reach {
        let answer = key.first == "1" ? MergeAnswer.ours : .theirs
        if clash.choices.contains(answer.choice) { return (answer, reach) }
      }
      guard keys.contains(where: { $0.key == key }) else {
        Console.print(
          "  Type \(Wording.list(keys.map(\.key), "or")); Ctrl-D skips the rest.")
        continue
      }
      let answer: MergeAnswer
      switch key {
      case "1": return (.ours, .thisQuestion)
      case "2": return (.theirs, .thisQuestion)
      case "b": return (.both, .thisQuestion)
      case "o": return (.base, .thisQuestion)
      case "?":
        show("Before it", clash.before, last: 5)
        show("After it", clash.after, first: 5)
        continue
      case "e":
        guard let text = Self.typedText() else { return nil }
        answer = .text(text)
      default: return nil
      }
      if try await fits(answer, to: question, answers, of: conflict) {
        return (answer, .thisQuestion)
      }
    }
    return nil
  }

  /// True if the document can have the typed answer.
  private func fits(
    _ answer: MergeAnswer, to question: ConflictClash, _ answers: [ConflictClash.ID: MergeAnswer],
    of conflict: Conflict
  ) async throws -> Bool {
    do {
      _ = try await conflict.proposal(answers: answers.merging([question.id: answer]) { $1 })
      return true
    } catch let error as MergeError {
      guard error.code == .invalidAnswer else { throw error }
      Console.print("  \(Printable.text(error.message))")
      return false
    }
  }

  /// The keys that answer a question, and their meanings.
  private static func keys(for clash: MergeClash) -> [(key: String, meaning: String)] {
    var keys = [("1", "the first")]
    if clash.choices.contains(.theirs) { keys.append(("2", "the second")) }
    if clash.choices.contains(.both) { keys.append(("b", "both")) }
    if clash.choices.contains(.base) { keys.append(("o", "as it was")) }
    if clash.choices.contains(.text), clash.isOfText { keys.append(("e", "type another text")) }
    keys.append(("s", "skip"))
    if !(clash.before.isEmpty && clash.after.isEmpty) {
      keys.append(("?", "show the lines around it"))
    }
    return keys
  }

  /// The further questions that the first or the second may answer, too, each with the letter behind the number.
  private static func reaches(
    of clash: MergeClash, _ left: [MergeClash]
  ) -> [(key: String, meaning: String, reach: StandingAnswers.Reach)] {
    guard !left.isEmpty else { return [] }
    var reaches: [(key: String, meaning: String, reach: StandingAnswers.Reach)] = [
      ("a", "for all that is left, \(left.count) more", .allLeft)
    ]
    if let field = clash.field, case let count = left.count(where: { $0.field == field }), count > 0
    {
      reaches.append(
        ("f", "for “\(Printable.text(field))” everywhere, \(count) more", .field(field)))
    }
    return reaches
  }

  private func show(_ heading: String, _ text: [UInt8]?, first: Int = .max, last: Int = .max) {
    Console.print("  " + heading)
    guard let text, !text.isEmpty else { return Console.print("       " + "nothing".asMuted) }
    guard TextContent(text) != nil else {
      return Console.print("       " + "\(Wording.size(text.count)), no text".asMuted)
    }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let shown = text.last == UInt8(ascii: "\n") ? lines.dropLast() : lines
    for line in shown.suffix(last).prefix(first) {
      Console.print("       " + TextContent.shown(line).asPlace)
    }
  }

  // MARK: Version by version

  private func choice(
    among versions: [FileVersion], _ proposal: MergeProposal
  ) throws -> ResolutionStrategy.Verdict {
    Console.print("\(file.shown): choose a version".asHeading)
    for left in proposal.questions {
      Console.print("  \(left.place.shown): \(Printable.text(left.explanation))".asMuted)
    }
    for (index, version) in versions.enumerated() {
      let note = version.note.map { "  \(Printable.text($0))" } ?? ""
      let size = version.isDeletion ? "deleted" : Wording.size(version.size)
      Console.print(
        "  \(index + 1)  \(version.whoAndWhen(time))  \(version.shown)  \(size)\(note)")
    }
    let isComplete = proposal.isComplete
    let merged = isComplete ? "m  all changes combined   " : ""
    Console.print("  \(merged)d  show the differences   s  skip".asMuted)
    while let answer = Self.read() {
      switch answer {
      case "m" where isComplete: return .merged(proposal, because: "the proposal was accepted")
      case "d": try showDifferences(versions)
      case "s": return .undecided(proposal.questions)
      default:
        if let number = Int(answer), (1..<versions.count + 1).contains(number) {
          return .keep(versions[number - 1], because: "it was chosen")
        }
        Console.print("  Type a number\(isComplete ? ", m" : ""), d or s; Ctrl-D skips the rest.")
      }
    }
    return .undecided(proposal.questions)
  }

  private func showDifferences(_ versions: [FileVersion]) throws {
    try store.comparing(versions[0]) { comparison in
      for version in versions.dropFirst() {
        try DiffPrinter(
          document: file, old: "version \(versions[0].id.short)",
          new: "version \(version.id.short)"
        ).print(comparison.differences(from: .version(versions[0]), to: .version(version)))
      }
    }
  }

  // MARK: Reading

  /// The next answer; nil at the end of the input.
  private static func read() -> String? {
    Console.prompt("> ")
    let line = readLine()
    // What was piped in does not end the line that the prompt began.
    if line == nil || !Console.isTerminal { Console.print() }
    return line?.trimmingBlanks().lowercased()
  }

  /// Lines up to one that is only a full stop; nil when the input ends before it.
  private static func typedText() -> [UInt8]? {
    Console.print("  Type the text; end it with a line that has only a full stop.".asMuted)
    var text: [UInt8] = []
    while let line = readLine(strippingNewline: true) {
      if line == "." { return text }
      text += Array(line.utf8) + [UInt8(ascii: "\n")]
    }
    return nil
  }
}

extension MergeClash {
  /// True if the sides have text, so that the user can type another one.
  fileprivate var isOfText: Bool {
    [base, ours, theirs].allSatisfy { TextContent($0 ?? []) != nil }
  }
}
