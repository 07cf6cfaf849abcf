internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists a document's versions.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "log", abstract: "List a document’s versions, newest first.",
    discussion: """
      On a terminal lines show which version was made from which: ● a version, ◇ one in an unresolved \
      conflict, ○ one whose contents are on another device. It also works for a document that is not on \
      disk any more.

      The date is when a version's contents were last modified. The changes of each version are counted where no more than \
      \(LogReport.mostCounted) are listed.

      With --stat, below each version stand the members of a package that it changed, or the lines of a file: \
      + added, − removed, ~ changed, → renamed or moved.

      JSON: {"document", "versions": […]}; with --stat, each version has "changes", null where they are not known.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Option(name: .customShort("n", allowingJoined: true), help: "List no more than this many.")
  var number: Int?

  @Flag(name: .customLong("stat"), help: "List what each version changed, member by member.")
  var listsMembers = false

  @OptionGroup var options: OutputOptions

  func validate() throws {
    guard let number, number < 0 else { return }
    throw ValidationError("-n must be 0 or more, and is \(number).")
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      // One more, to compare the last one listed with.
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
          + hints(history, store))
    }
  }

  private func hints(_ history: DocumentHistory, _ store: SynchronousStore) throws -> [String] {
    guard Console.isTerminal else { return [] }
    var hints: [String] = []
    if !FileManager.default.fileExists(atPath: history.document.path),
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
