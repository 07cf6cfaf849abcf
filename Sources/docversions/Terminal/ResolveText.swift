internal import DocumentVersions

/// The outcome of resolving a document, as lines.
struct ResolveText {
  let file: DocumentArgument
  let time: ReadableTime
  let isDryRun: Bool

  /// - Parameters:
  ///   - conflict: the conflict as it was before; `nil` if there was none.
  ///   - proposal: the merge proposal, if questions are left.
  func lines(
    _ outcome: ResolutionOutcome, of conflict: Conflict?, _ proposal: MergeProposal?
  ) -> [String] {
    switch outcome {
    case .noConflict: ["\(file.shown) is in no conflict."]
    case .resolved(let resolution): lines(resolution)
    case .unresolved(let questions, let edits):
      lines(questions, of: conflict, proposal, keptEdits: edits)
    }
  }

  private func lines(_ resolution: Resolution) -> [String] {
    var lines = resolution.keptEdits.map { [file.keptLine($0)] } ?? []
    let verb = isDryRun ? "Would resolve" : "Resolved"
    let result = isDryRun ? "" : " · \(resolution.version.shown)"
    lines.append("\(verb) \(file.shown)\(result): \(how(resolution)).")
    if resolution.chosen == nil {
      // The line above reports that the whole text was typed.
      for decision in resolution.decisions
      where decision.kind != .combined || decision.place != .document {
        lines.append(
          "  \(decision.place.shown): \(Printable.text(decision.explanation))".asMuted)
      }
    }
    lines += resolution.remembered.lines(time)
    guard !isDryRun else { return lines }
    let settled = resolution.settled
    let all = settled.count == 2 ? "Both" : "All \(settled.count)"
    let names = Wording.list(settled.map(\.shown))
    lines.append("\(all) versions stay in its history: \(names).")
    let place = DocumentArgument(resolution.version.documentURL)
    let isElsewhere = place.absolutePath != file.absolutePath
    if isElsewhere { lines.append("It is \(place.shown) now.") }
    if resolution.version.isDeletion { lines.append("The document is deleted.") }
    return lines + [(isElsewhere ? place : file).undoLine]
  }

  /// The choice, and the reason for it.
  private func how(_ resolution: Resolution) -> String {
    let what =
      resolution.chosen.map {
        "the \($0.isDeletion ? "deletion" : "version") of \($0.whoAndWhen(time))"
      } ?? "merged"
    return "\(what), because \(Printable.text(resolution.reason))"
  }

  private func lines(
    _ questions: [MergeDecision], of conflict: Conflict?, _ proposal: MergeProposal?,
    keptEdits: FileVersion?
  ) -> [String] {
    var lines = keptEdits.map { [file.keptLine($0)] } ?? []
    let decisions = proposal?.decisions ?? []
    let combined = decisions.count - questions.count
    let count = Wording.count(questions.count, "question")
    let merged =
      combined > 0 ? "\(combined) of \(decisions.count) changes combined, " : ""
    let what = keptEdits == nil ? "nothing" : "nothing else"
    lines.append("\(file.shown): \(merged)\(count) left; \(what) was changed.")
    lines += proposal?.remembered.lines(time) ?? []
    let names = conflict?.sideNames(time)
    for question in questions {
      let clash = proposal?.clashes.first { $0.clash.decision == question }
      lines += DecisionText(question, names ?? clash?.sideNames(time)).lines.map { "  " + $0 }
    }
    return lines + ["Answer:  ".asMuted + "docversions resolve --ask \(file.word)"]
  }
}

extension [RememberedAnswer] {
  /// Returns the lines about reused answers, and how to be asked again.
  func lines(_ time: ReadableTime) -> [String] {
    guard !isEmpty else { return [] }
    let count = Wording.count(count, "question")
    return ["\(count) answered as before; --ask-again asks again:".asMuted]
      + map { "  \($0.line(time))".asMuted }
  }
}

extension RememberedAnswer {
  /// Returns the place, the answer, and the resolution in which it was given.
  fileprivate func line(_ time: ReadableTime) -> String {
    let clash = clash.clash
    let chosen: String? =
      switch answer {
      case .ours: clash.decision.ours
      case .theirs: clash.decision.theirs
      case .base: clash.decision.base
      case .both, .text: nil
      }
    let value = answer == .both ? "both" : DecisionText.shown(chosen) ?? "nothing"
    let origin = "\(resolution.shown) of \(resolution.whoAndWhen(time))"
    return "\(clash.decision.place.shown): \(value), as in \(origin)"
  }
}

extension ConflictClash {
  /// Returns the names of the sides whose values clash.
  fileprivate func sideNames(_ time: ReadableTime) -> DecisionText.Names {
    DecisionText.Names(
      base: clash.base.map { _ in "base" }, ours: Wording.list(ours.map { $0.whoAndWhen(time) }),
      theirs: theirs.whoAndWhen(time))
  }
}

extension Conflict {
  /// Returns the names of the sides of a merge; `nil` if there are more than two.
  fileprivate func sideNames(_ time: ReadableTime) -> DecisionText.Names? {
    guard versions.count == 2 else { return nil }
    // Of two, the first is ours and the second theirs.
    return DecisionText.Names(
      base: base.map { _ in "base" }, ours: versions[0].whoAndWhen(time),
      theirs: versions[1].whoAndWhen(time))
  }
}
