internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Makes stores small.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "collect", abstract: "Store versions compactly, and let go of what was removed.",
    discussion: """
      Saving keeps a store in order by itself; this makes it as small as it can be. All that is kept is checked \
      first: a damaged store is left alone. What was removed can be brought back with undelete until it is older \
      than the grace time.

      JSON: {"after", "before", "document", "forgotten", "objects"}, under "collected" unless one document is named.
      """)

  @Argument(help: ArgumentHelp("Documents, or folders with documents.", valueName: "path"))
  var paths: [DocumentArgument] = []

  @Option(help: ArgumentHelp("Keep what was removed for so many days.", valueName: "days"))
  var grace = 14.0

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard (0...36_500).contains(grace) else {
      throw ValidationError("The grace time is a number of days, from 0 on.")
    }
  }

  func run() throws {
    let store = try options.store()
    let documents = try DocumentSearch(store: store).documents(at: paths)
    let collected = EachDocument(isJSON: options.isJSON).run(documents) { document in
      let outcome = try store.showingProgress(
        "Collecting", document.shown, isJSON: options.isJSON
      ) { try $0.collect(document.url, grace: grace * 86_400) }
      if !options.isJSON { Console.print(line(for: document, outcome)) }
      return CollectedJSON(document, outcome)
    }
    if documents.isEmpty, !options.isJSON { Console.print("No document here has versions.") }
    // A folder is answered with a list, however many documents it has.
    let areNamed = documents.map(\.path) == paths.map(\.path)
    if options.isJSON { try collected.printJSON("collected", of: areNamed ? paths : nil) }
    try collected.finish()
  }

  private func line(
    for document: DocumentArgument, _ outcome: VersionStore.CollectOutcome
  ) -> String {
    let forgotten =
      outcome.forgottenRemovals == 0
      ? ""
      : " · \(Wording.count(outcome.forgottenRemovals, "removal")) can’t be undone any more"
    let (before, after) = (Wording.size(outcome.bytesBefore), Wording.size(outcome.bytesAfter))
    guard !options.isDryRun else {
      return "Would collect \(document.shown) · \(before)\(forgotten)"
    }
    return "Collected \(document.shown) · \(before), now \(after)\(forgotten)"
  }
}

/// `{"after", "before", "document", "forgotten", "objects"}`: bytes of the store, the path, how many removals
/// cannot be undone any more, and how many objects are stored.
private struct CollectedJSON: Encodable {
  let after, before: Int
  let document: String
  let forgotten, objects: Int

  init(_ document: DocumentArgument, _ outcome: VersionStore.CollectOutcome) {
    after = outcome.bytesAfter
    before = outcome.bytesBefore
    self.document = document.absolutePath
    forgotten = outcome.forgottenRemovals
    objects = outcome.objects
  }
}
