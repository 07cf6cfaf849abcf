internal import ArgumentParser
internal import DocumentVersions

/// Joins two documents into one.
struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "join", abstract: "Combine two documents into one, with the versions of both.",
    discussion: """
      For one that began on two devices. It stays where FILE is, on every device; the file OTHER goes. What follows \
      contents that both have is an edit; where both were edited, or nothing is in common, there is a conflict to resolve. \
      An exchange does this by itself for documents with one name and contents in common.

      JSON: {"document", "version"}: the path, and the current version.
      """)

  @Argument(help: "The document that stays.")
  var file: DocumentArgument

  @Argument(help: "The document that becomes part of it.")
  var other: DocumentArgument

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    let store = try options.store()
    if let failure = [file, other].compactMap(CommandFailure.init(notDownloaded:)).first {
      throw failure
    }
    try other.explaining {
      let current = try store.showingProgress("Joining", file.shown, isJSON: options.isJSON) {
        store in
        try coordination.whileJoining(file.url, with: other.url, in: store) {
          try store.join(file.url, with: other.url)
        }
      }
      try Console.answer(
        CurrentReport(current), asJSON: options.isJSON, lines(current, in: store))
    }
  }

  private func lines(_ current: FileVersion, in store: SynchronousStore) throws -> [String] {
    guard !options.isDryRun else {
      return ["Would make \(other.shown) part of \(file.shown)."]
    }
    let document = DocumentArgument(current.documentURL)
    let isDisputed = try !store.history(of: current.documentURL).unresolvedConflicts.isEmpty
    return ["Joined \(other.shown) with \(document.shown) · \(current.shown)"]
      + (isDisputed
        ? HintLine.text("Look at the conflict", "conflicts", [document]).map { [$0] } ?? [] : [])
  }
}
