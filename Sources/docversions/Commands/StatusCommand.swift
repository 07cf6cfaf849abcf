internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists the states of documents.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "status",
    abstract: "List the documents to save, to resolve and to exchange.",
    discussion: """
      States: unchanged, edited (not saved yet), missing (not on disk), deleted (by docversions), unsaved (has no \
      versions). A missing document was probably moved where another file in the folder of documents is the same file \
      or has the same contents: save it there, and its versions go with it. “not exchanged yet” means that other \
      devices lack some of its versions.

      Files of a folder that have no versions are counted as new; save --all takes them. Conflicted copies that sync tools \
      left are counted too; adopt merges them. Files whose names are not valid UTF-8, or too long, are \
      named; they have to be renamed first. Of more than 20 documents, those with nothing to do are not listed. \
      --ignored lists what counts as neither new nor part of a document, each with the rule: files of editors, systems \
      and sync tools, and what lists named .docversionsignore name, in the syntax of .gitignore; “!.name” there makes \
      a rule an exception.

      Documents that are listed, and not on this device, are counted as not downloaded; download gets them.

      JSON: {"copies": […], "documents": [{"current", "document", "exchanged", "state", "unresolvedConflicts", \
      "versions"}], "new": […], "notDownloaded": [{"bytes", "device", "document", "modified", "package", \
      "unresolvedConflicts"}], "paused": […]}, with --ignored also "ignored": [{"file", "list", "rule"}]; \
      "exchanged" is null before the first exchange, and "movedTo" is the place to which a document was probably moved.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @Flag(name: .long, help: "Also list ignored files, and the rule for each.")
  var ignored = false

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    // For unchanged documents, programs also get the current version, which requires opening them.
    let unchanged = options.isJSON ? [] : try unchangedDocuments(in: store)
    let listed = try listedDocuments(in: store)
    let documents = try documents(in: store, knowing: unchanged)
      .filter { listed.isEmpty || $0.url.isThere || !$0.isNotDownloaded }
    let paused = try pausedDocuments(in: store)
    let each = EachDocument(isJSON: options.isJSON)
    let title =
      documents.count == 1 ? documents[0].shown : Wording.count(documents.count, "document")
    var found = try store.showingProgress("Reading", title, isJSON: options.isJSON) { store in
      each.runTogether(documents) { document in
        try store.progress?.checkCancellation()
        if let count = unchanged.lazy.compactMap({ $0.versions(of: document.url) }).first {
          var report = StatusReport(document.absolutePath, unchanged: count)
          let published = unchanged.lazy.compactMap { $0.isPublished(document.url) }.first
          // A document that rests here and isn't published was never exchanged.
          report.exchanged =
            try published.map { $0 ? true : nil } ?? store.isExchanged(document.url)
          return (file: document, report: report)
        }
        return (file: document, report: try report(on: document, in: store))
      }
    }
    record(found.values.map(\.report), in: unchanged)
    // A new file in the place of a moved document seems to be an edit of that.
    let away = found.values.filter { [.missing, .edited].contains($0.report.state) }.map(\.file.url)
    let moved =
      try away.isEmpty
      ? [:]
      : store.movedDocuments(among: away)
        .merging(store.exchangedDocuments(among: away)) { first, _ in first }
    found = found.map { file, report in
      guard let place = moved[file.url] else { return (file, report) }
      var report = report
      (report.state, report.movedTo) = (.missing, place.absoluteURL.path)
      return (file, report)
    }
    let taken = Set(moved.values.map(\.absoluteURL.path))
    let search = try newFiles(in: store, beside: unchanged)
    let new = search.flatMap(\.found).map { DocumentArgument($0) }
      .filter { !taken.contains($0.absolutePath) }
    let left = try ignored ? ignoredItems(of: documents, in: store, search) : nil
    if options.isJSON {
      try Console.print(
        json: Answer(
          documents: found.values.map(\.report), new: new.map(\.absolutePath),
          copies: search.flatMap(\.copies).map(\.absoluteURL.path),
          notDownloaded: listed.map(ListedReport.init), paused: paused.map(\.path), ignored: left))
    } else {
      let listing = StatusListing(
        documents: found.values, new: new,
        copies: search.flatMap(\.copies).map { DocumentArgument($0) },
        unnameable: Dictionary(grouping: search.flatMap(\.unnameable), by: \.flaw)
          .mapValues { $0.map { DocumentArgument($0.item) } },
        unreadable: search.flatMap(\.unreadable).map { DocumentArgument($0) },
        notDownloaded: listed.map { DocumentArgument($0.document) },
        paused: paused.map { DocumentArgument($0) },
        places: places)
      Console.print(lines: listing.lines)
      Console.print(
        lines: documents.isEmpty && new.isEmpty && listed.isEmpty
          ? FoldersApart.linesWithoutDocuments(at: paths, for: "status")
          : FoldersApart(search.flatMap(\.containers)).lines { "status \($0.word)" })
      if let left { Console.print(lines: IgnoredListing(reports: left).lines) }
      Console.print(lines: try syncLines(store))
    }
    try found.finish()
  }

  /// The documents and folders to list.
  private var places: [DocumentArgument] { paths.isEmpty ? [.here] : paths }

  /// The folders among them.
  private var folders: [URL] {
    paths.isEmpty ? [URL(filePath: ".")] : paths.filter(\.isFolder).map(\.url)
  }

  private struct Answer: Encodable {
    let documents: [StatusReport]
    let new, copies: [String]
    let notDownloaded: [ListedReport]
    let paused: [String]
    /// The ignored items; omitted unless requested.
    let ignored: [IgnoredReport]?
  }

  /// Returns the documents that were named, or are below named folders, and aren't on this device.
  private func listedDocuments(in store: SynchronousStore) throws -> [ListedDocument] {
    try places.map(\.url).filter { $0.isFolderNow || !$0.isThere }
      .flatMap(store.documentsNotDownloaded)
  }

  /// Returns the documents that were named, or are below named folders, and whose sync is paused.
  private func pausedDocuments(in store: SynchronousStore) throws -> [URL] {
    try places.map(\.url).flatMap(store.pausedDocuments)
  }

  /// Returns the files without versions below each named folder that is in a container.
  private func newFiles(
    in store: SynchronousStore, beside documents: [UnchangedDocuments]
  ) throws -> [NewFiles] {
    let folders = folders
    return try folders.filter {
      try store.container(around: $0) != nil && !store.isSavedPackage($0)
    }
    .map {
      let documents = folders.count == 1 ? documents.first : nil
      return try NewFiles(below: $0, in: store, beside: documents, listingIgnored: ignored)
    }
  }

  /// Returns the items that are neither members of documents nor new files.
  private func ignoredItems(
    of documents: [DocumentArgument], in store: SynchronousStore, _ new: [NewFiles]
  ) throws -> [IgnoredReport] {
    let members = try documents.filter(\.isFolder).flatMap {
      try IgnoredMembers.of($0.url, in: store)
    }
    return (members + new.flatMap(\.ignored)).map { IgnoredReport($0) }
      .sorted { $0.file < $1.file }
  }

  /// Returns the documents below each named folder, without opening those that are certainly unchanged.
  private func unchangedDocuments(in store: SynchronousStore) throws -> [UnchangedDocuments] {
    try folders.compactMap(store.unchangedDocuments)
  }

  private func documents(
    in store: SynchronousStore, knowing unchanged: [UnchangedDocuments]
  ) throws -> [DocumentArgument] {
    let search = DocumentSearch(store: store)
    guard paths.isEmpty, let all = unchanged.first else { return try search.documents(at: paths) }
    return try search.documents(at: all.documents) { all.versions(of: $0) == nil }
  }

  /// Returns the lines about the last sync with each remote.
  private func syncLines(_ store: SynchronousStore) throws -> [String] {
    guard let folder = folders.first, try store.container(around: folder) != nil else { return [] }
    let time = ReadableTime(now: store.clock())
    return try store.remotes(of: folder).map { remote in
      let text = remote.lastSync.map { "Synced with \(remote.name) \(time.text($0))." }
      return (text ?? "Never synced with \(remote.name).").asMuted
    }
  }

  /// Records the documents found to be unchanged, for the next time.
  private func record(_ reports: [StatusReport], in searches: [UnchangedDocuments]) {
    let opened = reports.filter { $0.isUnchanged && $0.current != nil }
    let versions = Dictionary(
      opened.map { (URL(filePath: $0.document), $0.versions) },
      uniquingKeysWith: { first, _ in first })
    for search in searches { search.record(versions) }
  }

  private func report(on file: DocumentArgument, in store: SynchronousStore) throws -> StatusReport
  {
    let found = try store.stateAndHistory(of: file.url, newest: 1)
    if found == nil, MisplacedDocument.package(around: file) != nil {
      // Saving it is refused, so this throws that error.
      _ = try store.history(of: file.url, newest: 0)
    }
    let state = found?.state ?? .unsaved
    let isOnDisk = [.unchanged, .edited, .unsaved].contains(state)
    let last = isOnDisk ? nil : try store.history(of: file.url).lastWithContents
    var report = StatusReport(file.absolutePath, state, found?.history, last: last)
    report.exchanged = try found.flatMap { try store.isExchanged($0.history.document) }
    if state == .missing { report.joined = try store.joinedDocument(of: file.url) }
    return report
  }
}
