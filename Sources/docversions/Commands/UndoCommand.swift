internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Reverts the last operation on a document.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "undo",
    abstract: "Undo the last resolve, restore, delete, rename, move, remove or thin.",
    discussion: """
      Undoing a resolution makes the conflict unresolved again, on every device after the next exchange. Undoing a \
      removal brings the versions back, as long as their contents were not collected. A save is not undone (restore the \
      version before it), and neither is a join. A move to another container is undone on the device that made it. A \
      second undo does not redo the first.

      JSON: {"broughtBack", "conflicts", "document", "keptEdits", "undone", "version"}.
      """)

  @Argument(help: "The document, which need not be on disk.")
  var file: DocumentArgument

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let outcome = try undo(store)
      let report = UndoReport(outcome)
      try Console.answer(
        report, asJSON: options.isJSON,
        report.lines(
          for: file, isEdited: store.state(of: outcome.document) == .edited,
          isDryRun: options.isDryRun))
    }
  }

  private func undo(_ store: SynchronousStore) throws -> UndoOutcome {
    do {
      return try store.showingProgress(
        "Undoing the last change of", file.shown, isJSON: options.isJSON
      ) { store in
        guard let (present, former) = try store.lastMove(of: file.url) else {
          return try coordination.whileWriting(file.url, in: store) { try store.undo(file.url) }
        }
        return try coordination.coordinator.moving(present, to: former, in: store) { moved in
          let outcome = try store.undo(file.url)
          try moved(present, former)
          return outcome
        }
      }
    } catch let error as VersionError where error.code == .nothingToUndo {
      throw refusal(error, in: store)
    }
  }

  /// Returns the failure to undo; after an undo, with the command that redoes the reverted operation.
  private func refusal(_ error: VersionError, in store: SynchronousStore) -> CommandFailure {
    var failure = CommandFailure(error, in: file)
    let history: DocumentHistory
    do { history = try store.history(of: file.url) } catch { return failure }
    guard let current = history.current, current.kind == .undo,
      history.unresolvedConflicts.isEmpty, let undone = current.parents.first
    else { return failure }
    // The version before it is the one that was undone.
    let isRestored = history.versions.first { $0.id == undone }?.kind == .restore
    failure.hint =
      isRestored ? "Do it again:  docversions restore \(file.word) \(undone.short)" : nil
    return failure
  }
}
