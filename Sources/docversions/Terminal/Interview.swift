internal import DocumentVersions
internal import Foundation

/// Asks the user how to resolve a conflict.
///
/// It asks about each clash or, if whole versions contradict each other, about each version. The end of the
/// input skips the document.
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

  /// Asks whether to reuse all earlier answers.
  private func confirming(
    _ proposal: MergeProposal, of conflict: Conflict
  ) async throws -> ResolutionStrategy.Verdict {
    Console.print("\(file.shown): its questions were answered before".asHeading)
    Console.print(lines: proposal.remembered.lines(time))
    Console.print("  y  answer as before   a  ask again   s  skip".asMuted)
    while let answer = ClashDialogue.read() {
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
        let dialogue = ClashDialogue(
          document: file.shown, ours: Wording.list(clash.ours.map { $0.whoAndWhen(time) }),
          theirs: clash.theirs.whoAndWhen(time))
        let given = answers
        guard
          let (answer, reach) = try await dialogue.ask(
            clash.clash, heading, left: left,
            misfit: { try await misfit($0, to: clash, given, of: conflict) })
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

  /// Returns the reason why the document can't have an answer; `nil` if it can.
  private func misfit(
    _ answer: MergeAnswer, to question: ConflictClash, _ answers: [ConflictClash.ID: MergeAnswer],
    of conflict: Conflict
  ) async throws -> String? {
    do {
      _ = try await conflict.proposal(answers: answers.merging([question.id: answer]) { $1 })
      return nil
    } catch let error as MergeError where error.code == .invalidAnswer {
      return error.message
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
    while let answer = ClashDialogue.read() {
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
}
