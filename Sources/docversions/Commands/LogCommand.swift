internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists a document's versions.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "log", abstract: "List a document’s versions, newest first.",
    discussion: """
      On a terminal, a graph connects each version with its parents: ● a version, ◇ a version in an unresolved \
      conflict, ○ a version whose contents are on another device. It also works for a document that is not on disk \
      any more.

      Without FILE, or with a folder, the newest versions of all its documents are listed, \(FolderLog.usualCount) unless -n \
      says how many; deleted documents are included.

      The date is when a version's contents were last modified. The changes of each version are counted where no more than \
      \(LogReport.mostCounted) are listed.

      With --stat, below each version stand the members of a package that it changed, or the lines of a file: \
      + added, − removed, ~ changed, → renamed or moved.

      With --search or --regex, only versions that added or removed the text are listed, with their lines: those \
      that have it more or less often than their parents. In a folder, all its documents are searched.

      JSON: {"document", "versions": […]}; with --stat, each version has "changes", null where they are not known. Of a \
      folder: {"folder", "versions": […]}, and each version has the "document", its path. A search \
      adds "unsearched", and to each version "brought", "removed": [{"line", "member"}] and "mayBeEarlier"; that of a \
      folder is {"documents": […]}.
      """)

  @Argument(
    help: "The document, or a folder with documents; by default the current one.")
  var file: DocumentArgument?

  @OptionGroup var search: HistorySearchOptions

  @Option(name: .customShort("n", allowingJoined: true), help: "List at most this many versions.")
  var number: Int?

  @Flag(name: .customLong("stat"), help: "List the members or lines that each version changed.")
  var listsMembers = false

  @OptionGroup var options: OutputOptions

  func validate() throws {
    if let number, number < 0 {
      throw ValidationError("-n must be 0 or more, and is \(number).")
    }
    if try search.pattern() != nil, listsMembers {
      throw ValidationError("A search lists lines; it can’t be combined with --stat.")
    }
    if listsMembers, file == nil { throw ValidationError("Name the document for --stat.") }
  }

  func run() throws {
    let store = try options.store()
    let file = self.file ?? .here
    if let pattern = try search.pattern() {
      let searching = HistorySearching(
        pattern: pattern, store: store, isJSON: options.isJSON, number: number)
      return try searching.run(file)
    }
    if !listsMembers, try file.isFolder && !store.isPackage(file.url) {
      return try FolderLog(store: store, isJSON: options.isJSON, number: number).run(file)
    }
    try file.explaining {
      // One more version is read, to compare the last listed one with.
      let history =
        try number.map { try store.history(of: file.url, newest: max(0, min($0, 1 << 30)) + 1) }
        ?? store.history(of: file.url)
      let versions = Array(history.versions.prefix(max(0, number ?? .max)))
      let detail: LogDetail =
        listsMembers ? .members : options.isJSON ? .none : .counts
      let report = try LogReport(versions, of: history, in: store, detail)
      if !options.isJSON { Pager.begin() }
      try Console.answer(
        report, asJSON: options.isJSON,
        LogListing(history: history, time: ReadableTime(now: store.clock())).lines(report)
          + hints(file, history, store))
    }
  }

  private func hints(
    _ file: DocumentArgument, _ history: DocumentHistory, _ store: SynchronousStore
  ) throws -> [String] {
    guard Console.isTerminal else { return [] }
    var hints: [String] = []
    if !history.document.isThere,
      let last = try store.history(of: file.url).lastWithContents
    {
      hints.append(
        "\(file.shown) is not on disk. Bring it back:  ".asMuted
          + "docversions restore \(file.word) \(last.id.short)")
    }
    if !history.unresolvedConflicts.isEmpty {
      hints.append("Look at the conflict:  ".asMuted + "docversions conflicts \(file.word)")
    }
    return hints
  }
}
