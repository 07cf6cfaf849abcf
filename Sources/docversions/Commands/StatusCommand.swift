internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists the states of documents.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "status",
    abstract: "Show which documents there are to save, to resolve and to exchange.",
    discussion: """
      States: unchanged, edited (not saved yet), missing (not on disk), deleted (by docversions), unsaved (has no \
      versions). A missing document was probably moved where another file in the folder of documents is the same file \
      or has the same contents: save it there, and its versions go with it. “not exchanged yet” means that other \
      devices lack some of its versions.

      JSON: {"documents": [{"current", "document", "exchanged", "state", "unresolvedConflicts", "versions"}]}; \
      "exchanged" is null before the first exchange, and "movedTo" is the place to which a document was probably moved.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    let documents = try DocumentSearch(store: store).documents(at: paths)
    let each = EachDocument(isJSON: options.isJSON)
    let title =
      documents.count == 1 ? documents[0].shown : Wording.count(documents.count, "document")
    var found = try store.showingProgress("Reading", title, isJSON: options.isJSON) { store in
      each.runTogether(documents) { document in
        if store.progress?.isCancelled == true { throw CancellationError() }
        return (file: document, report: try report(on: document, in: store))
      }
    }
    let missing = found.values.filter { $0.report.state == .missing }.map(\.file.url)
    let moved = try missing.isEmpty ? [:] : store.movedDocuments(among: missing)
    found = found.map { file, report in
      var report = report
      report.movedTo = moved[file.url]?.absoluteURL.path
      return (file, report)
    }
    if options.isJSON {
      try found.map { $0.report }.printJSON("documents")
    } else {
      Console.print(lines: StatusListing(documents: found.values).lines)
      if documents.isEmpty { Console.print("No document here has versions.") }
    }
    try found.finish()
  }

  private func report(on file: DocumentArgument, in store: SynchronousStore) throws -> StatusReport
  {
    let found = try store.stateAndHistory(of: file.url, newest: 1)
    if found == nil, MisplacedDocument.package(around: file) != nil {
      // Saving it is refused, so this throws the error that says so.
      _ = try store.history(of: file.url, newest: 0)
    }
    let state = found?.state ?? .unsaved
    let isOnDisk = [.unchanged, .edited, .unsaved].contains(state)
    let last = isOnDisk ? nil : try store.history(of: file.url).lastWithContents
    var report = StatusReport(file.absolutePath, state, found?.history, last: last)
    report.exchanged = try found.flatMap { try store.isExchanged($0.history) }
    return report
  }
}
