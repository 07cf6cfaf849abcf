internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists a document's versions.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List a document’s versions, newest first.",
    discussion: """
      On a terminal lines show which version was made from which: ● a version, ◇ one in an unresolved \
      conflict, ○ one whose contents are on another device. It also works for a document that is not on \
      disk any more.

      JSON: {"document", "versions": […]}.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Option(name: .customShort("n", allowingJoined: true), help: "List no more than this many.")
  var number: Int?

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let history = try store.history(of: file.url)
      let versions = Array(history.versions.prefix(max(0, number ?? .max)))
      if options.isJSON {
        try Console.print(
          json: LogJSON(document: history.document.path, versions: versions.map(VersionJSON.init)))
      } else {
        let listing = LogListing(history: history, moment: Moment(now: store.clock()), store: store)
        for line in try listing.lines(versions) { Console.print(line) }
        printHints(history)
      }
    }
  }

  private func printHints(_ history: DocumentHistory) {
    guard Console.isTerminal else { return }
    if !FileManager.default.fileExists(atPath: history.document.path),
      let last = history.lastWithContents
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
  let versions: [VersionJSON]
}

extension DocumentHistory {
  /// The newest version, conflict versions aside, that can be restored.
  var lastWithContents: FileVersion? {
    versions.first {
      !$0.isDeletion && $0.hasLocalContents && (!$0.isConflict || $0.isResolved)
    }
  }
}
