internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Takes back the last operation on a document.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "undo",
    abstract: "Take back the last resolve, restore, delete, rename, remove or thin.",
    discussion: """
      An undone resolution leaves the conflict unresolved again, on every device after the next exchange; \
      removed versions come back until their space is collected. A save is not undone: restore the \
      version before it. Undoing a second time does not do it again.

      JSON: {"broughtBack", "conflicts", "document", "keptEdits", "undone", "version"}.
      """)

  @Argument(help: "The document; it need not be on disk.")
  var file: DocumentArgument

  @OptionGroup var options: ChangeOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let outcome = try undo(store)
      guard !options.isJSON else {
        try Console.print(json: UndoneJSON(outcome))
        return
      }
      report(outcome, isEdited: try store.state(of: outcome.document) == .edited)
    }
  }

  private func undo(_ store: VersionStore) throws -> UndoOutcome {
    do {
      return try store.showingProgress(
        "Undoing the last change of", file.shown, isJSON: options.isJSON
      ) { try $0.undo(file.url) }
    } catch let error as VersionError where error.code == .nothingToUndo {
      throw refusal(error, in: store)
    }
  }

  /// Why nothing was undone; after an undo, with how to do again what it took back.
  private func refusal(_ error: VersionError, in store: VersionStore) -> Failure {
    var failure = Failure(error, in: file)
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

  private func report(_ outcome: UndoOutcome, isEdited: Bool) {
    if let kept = outcome.keptEdits {
      Console.print("\(file.shown) had unsaved changes: kept as \(kept.shown).")
    }
    let verb = options.isDryRun ? "Would undo" : "Undid"
    let current = options.isDryRun ? "" : "; current is \(outcome.version.shown)"
    Console.print("\(verb) \(operation(outcome)) of \(file.shown)\(current).")
    if !outcome.broughtBack.isEmpty {
      let count = Wording.count(outcome.broughtBack.count, "version")
      Console.print("\(options.isDryRun ? "Would bring back" : "Brought back") \(count).")
    }
    guard !options.isDryRun else { return }
    let place = DocumentArgument(outcome.document)
    let name = outcome.document.lastPathComponent
    if !name.hasBytes(of: file.url.lastPathComponent) {
      Console.print("It is named \(place.shown) again.")
    }
    if isEdited { Console.print("\(place.shown) has unsaved changes, which stay.") }
    if !outcome.conflicts.isEmpty {
      let count = Wording.count(outcome.conflicts.count, "unresolved conflict version")
      Console.print("It has \(count) again.")
      Console.print("Look at the conflict:  ".asQuiet + "docversions conflicts \(place.word)")
    }
  }

  /// "the merging f5ee595", "the removal of versions".
  private func operation(_ outcome: UndoOutcome) -> String {
    guard let undone = outcome.undone else { return "the removal of versions" }
    let name =
      switch undone.kind {
      case .restore: "the restoring"
      case .delete: "the deletion"
      case .rename: "the renaming"
      case .merge: "the merging"
      default: "the resolution"
      }
    return "\(name) \(undone.shown)"
  }
}

/// `{"broughtBack", "conflicts", "document", "keptEdits", "undone", "version"}`: the identifiers of the
/// versions whose contents are back; the unresolved conflict versions; the path; the version that unsaved
/// edits became, or null; the version that the undone operation had made, or null; the current version.
private struct UndoneJSON: Encodable {
  let document: String
  let broughtBack: [String]
  let conflicts: [VersionJSON]
  @Nullable var undone: VersionJSON?
  @Nullable var keptEdits: VersionJSON?
  let version: VersionJSON

  init(_ outcome: UndoOutcome) {
    document = outcome.document.path
    broughtBack = outcome.broughtBack.map(\.id.description)
    conflicts = outcome.conflicts.map(VersionJSON.init)
    undone = outcome.undone.map(VersionJSON.init)
    keptEdits = outcome.keptEdits.map(VersionJSON.init)
    version = VersionJSON(outcome.version)
  }
}
