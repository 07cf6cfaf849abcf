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

      The date is when a version's contents were last modified. What each version changed is told where no more than \(LogListing.mostCompared) are listed.

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
    throw ValidationError("There can’t be fewer than no versions, as -n \(number) says.")
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      // One more, to tell what the last one listed has changed.
      let history =
        try number.map { try store.history(of: file.url, newest: max(0, min($0, 1 << 30)) + 1) }
        ?? store.history(of: file.url)
      let versions = Array(history.versions.prefix(max(0, number ?? .max)))
      if options.isJSON {
        try Console.print(
          json: LogJSON(
            document: history.document.path,
            versions: listsMembers
              ? compared(versions, of: history, in: store)
              : versions.map { LoggedVersionJSON($0) }))
      } else {
        let listing = LogListing(
          history: history, moment: Moment(now: store.clock()), store: store,
          listsMembers: listsMembers)
        Console.print(lines: try listing.lines(versions))
        try printHints(history, store)
      }
    }
  }

  private func compared(
    _ versions: [FileVersion], of history: DocumentHistory, in store: VersionStore
  ) throws -> [LoggedVersionJSON] {
    guard let first = versions.first else { return [] }
    return try store.comparing(first) { comparison in
      var changes = ChangeSummaries(history, comparison, listsMembers: true)
      return try versions.map { LoggedVersionJSON($0, try changes.summary(of: $0)) }
    }
  }

  private func printHints(_ history: DocumentHistory, _ store: VersionStore) throws {
    guard Console.isTerminal else { return }
    if !FileManager.default.fileExists(atPath: history.document.path),
      let last = try store.history(of: file.url).lastWithContents
    {
      Console.print(
        "\(file.shown) is not on disk. Bring it back:  ".asQuiet
          + "docversions restore \(file.word) \(last.id.short)")
    }
    if !history.unresolvedConflicts.isEmpty {
      Console.print("Look at the conflict:  ".asQuiet + "docversions conflicts \(file.word)")
    }
  }
}

/// `{"document", "versions"}`: the path, and the versions, newest first.
private struct LogJSON: Encodable {
  let document: String
  let versions: [LoggedVersionJSON]
}

/// A version, and with `--stat` what it changed.
private struct LoggedVersionJSON: Encodable {
  private enum Key: CodingKey {
    case changes
  }

  let version: VersionJSON
  let summary: ChangeSummary?

  init(_ version: FileVersion, _ summary: ChangeSummary? = nil) {
    self.version = VersionJSON(version)
    self.summary = summary
  }

  func encode(to encoder: any Encoder) throws {
    try version.encode(to: encoder)
    guard let summary else { return }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(summary.members?.map(StatJSON.init), forKey: .changes)
  }
}

extension DocumentHistory {
  /// The newest version, conflict versions aside, that can be restored.
  var lastWithContents: FileVersion? {
    versions.first {
      !$0.isDeletion && $0.hasLocalContents && (!$0.isConflict || $0.isResolved)
    }
  }
}
