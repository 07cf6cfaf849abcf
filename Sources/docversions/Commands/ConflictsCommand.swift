internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists the documents in conflict.
struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "conflicts",
    abstract: "List documents in conflict, and the questions that merging them would leave.",
    discussion: """
      JSON: {"documents": [{"base", "conflicts", "current", "document", "mergesCleanly", "questions"}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 if there are conflicts.")
  var hasExitCode = false

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    let documents = try DocumentSearch(store: store, isForConflicts: true).documents(at: paths)
    let conflicts = try conflicts(of: documents, in: store)
    var found = conflicts.compactMap(\.self)
    if hasExitCode && !found.values.isEmpty { found.add(.conflictsRemain) }
    if options.isJSON {
      try found.map { $0.report }.printJSON("documents")
    } else {
      let listing = ConflictListing(
        documents: found.values, time: ReadableTime(now: store.clock()))
      Console.print(lines: listing.lines)
      // A document that can't be read may be in conflict.
      if found.values.isEmpty, found.status == .done { Console.print("No conflicts.") }
    }
    try found.finish()
  }

  private typealias Found = (file: DocumentArgument, report: ConflictReport)

  private func conflicts(
    of documents: [DocumentArgument], in store: SynchronousStore
  ) throws -> Results<Found?> {
    // If the settings are wrong, each document gets its own failure.
    let engines = Result { try MergeSettings.engines() }
    let each = EachDocument(isJSON: options.isJSON)
    guard let first = documents.first else { return Results() }
    let title = documents.count == 1 ? first.shown : Wording.count(documents.count, "document")
    return try store.showingProgress("Merging", title, isJSON: options.isJSON) { store in
      each.runTogether(documents) { document -> Found? in
        try store.progress?.checkCancellation()
        let found = try Conflict.proposed(
          of: document.url, store: store, engines: engines.get())
        return found.map { (document, ConflictReport($0.conflict, $0.proposal)) }
      }
    }
  }
}
