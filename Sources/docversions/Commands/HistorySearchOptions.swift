internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// The options of `log` that search.
struct HistorySearchOptions: ParsableArguments {
  @Option(
    name: .customLong("search"), parsing: .unconditional,
    help: ArgumentHelp(
      "List only versions that added or removed this text, ignoring case.",
      valueName: "words"))
  var words: String?

  @Option(
    name: .customLong("regex"), parsing: .unconditional,
    help: ArgumentHelp(
      "The same for a regular expression, which is matched with single lines.",
      valueName: "expression"))
  var expression: String?

  /// Returns the pattern to search for; `nil` if there is none.
  func pattern() throws -> LinePattern? {
    guard words == nil || expression == nil else {
      throw ValidationError("--search and --regex exclude one another.")
    }
    do {
      if let words { return try .text(words) }
      return try expression.map { try .expression($0) }
    } catch let error as VersionError {
      throw ValidationError(error.message)
    }
  }
}

/// Searches the histories of a document, or of all documents of a folder.
struct HistorySearching {
  let pattern: LinePattern
  let store: SynchronousStore
  let isJSON: Bool
  /// The number of versions to list of each document.
  let number: Int?

  func run(_ path: DocumentArgument) throws {
    let isSearched = try path.isFolder && !store.isPackage(path.url)
    guard isSearched else {
      let report = try path.explaining { try search(path) }
      return try Console.answer(
        report, asJSON: isJSON,
        listing.lines(report)
          + (report.versions.isEmpty ? ["No version brought or removed it."] : []))
    }
    let documents = try DocumentSearch(store: store).documents(at: [path])
    let each = EachDocument(isJSON: isJSON)
    let results = try store.showingProgress("Searching", path.shown, isJSON: isJSON) { store in
      each.runTogether(documents) { document in
        (document: document, report: try search(document, in: store))
      }
    }
    if isJSON {
      try results.map(\.report).printJSON("documents")
    } else {
      let lines = listing.lines(results.values)
      Console.print(lines: lines.isEmpty ? ["No version brought or removed it."] : lines)
    }
    try results.finish()
  }

  private var listing: SearchListing { SearchListing(time: ReadableTime(now: store.clock())) }

  private func search(_ document: DocumentArgument) throws -> SearchReport {
    try store.showingProgress("Searching", document.shown, isJSON: isJSON) {
      try search(document, in: $0)
    }
  }

  private func search(
    _ document: DocumentArgument, in store: SynchronousStore
  ) throws -> SearchReport {
    SearchReport(try pattern.search(document.url, in: store).newest(number))
  }
}
