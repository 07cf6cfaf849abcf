internal import DocumentVersions

/// Tells a person what resolving came to.
struct ResolutionReport {
  let file: DocumentArgument
  /// The conflict as it was before; nil where there was none.
  let conflict: Conflict?
  let moment: Moment
  let isDryRun: Bool

  func print(_ outcome: ResolutionOutcome) async throws {
    switch outcome {
    case .noConflict: Console.print("\(file.shown) is in no conflict.")
    case .resolved(let resolution): print(resolution)
    case .unresolved(let questions, let edits): try await print(questions, keptEdits: edits)
    }
  }

  private func print(_ resolution: Resolution) {
    print(keptEdits: resolution.keptEdits)
    let verb = isDryRun ? "Would resolve" : "Resolved"
    let result = isDryRun ? "" : " · \(resolution.version.shown)"
    Console.print("\(verb) \(file.shown)\(result): \(how(resolution)).")
    if resolution.chosen == nil {
      // That all of it was written by hand has been said.
      for decision in resolution.decisions
      where decision.kind != .combined || decision.place != .document {
        Console.print("  \(decision.place.shown): \(Printable.text(decision.explanation))".asQuiet)
      }
    }
    guard !isDryRun else { return }
    let settled = resolution.settled
    let all = settled.count == 2 ? "Both" : "All \(settled.count)"
    let names = Wording.list(settled.map(\.shown))
    Console.print("\(all) versions stay in its history: \(names).")
    let place = DocumentArgument(resolution.version.documentURL)
    let isElsewhere = place.absolutePath != file.absolutePath
    if isElsewhere { Console.print("It is \(place.shown) now.") }
    if resolution.version.isDeletion { Console.print("The document is deleted.") }
    Console.print((isElsewhere ? place : file).undoLine)
  }

  /// What was chosen and why.
  private func how(_ resolution: Resolution) -> String {
    let what =
      resolution.chosen.map {
        "the \($0.isDeletion ? "deletion" : "version") of \($0.whoAndWhen(moment))"
      } ?? "merged"
    return "\(what), because \(Printable.text(resolution.reason))"
  }

  private func print(keptEdits: FileVersion?) {
    guard let keptEdits else { return }
    Console.print("\(file.shown) had unsaved changes: kept as \(keptEdits.shown).")
  }

  private func print(_ questions: [MergeDecision], keptEdits: FileVersion?) async throws {
    print(keptEdits: keptEdits)
    let decisions = try await conflict?.proposal().decisions ?? []
    let combined = decisions.count - questions.count
    let count = Wording.count(questions.count, "question")
    let merged =
      combined > 0 ? "\(combined) of \(decisions.count) changes combined, " : ""
    let what = keptEdits == nil ? "nothing" : "nothing else"
    Console.print("\(file.shown): \(merged)\(count) left; \(what) was changed.")
    let names = conflict?.sideNames(moment)
    for question in questions {
      for line in DecisionText(question, names).lines { Console.print("  " + line) }
    }
    Console.print("Answer:  ".asQuiet + "docversions resolve --ask \(file.word)")
  }
}

extension Conflict {
  /// What the sides of a merge are called; nil where there are more than two.
  func sideNames(_ moment: Moment) -> DecisionText.Names? {
    guard versions.count == 2 else { return nil }
    // Of two, the first is ours and the second theirs.
    return DecisionText.Names(
      base: base.map { _ in "base" }, ours: versions[0].whoAndWhen(moment),
      theirs: versions[1].whoAndWhen(moment))
  }
}
