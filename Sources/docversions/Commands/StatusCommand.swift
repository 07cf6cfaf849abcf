internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Tells how documents relate to their versions.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "status",
    abstract: "Tell which documents were edited, are missing, or are in a conflict.",
    discussion: """
      States: unchanged, edited (not saved yet), missing (not on disk), deleted (by docversions), unsaved \
      (has no versions).

      JSON: {"documents": [{"current", "document", "state", "unresolvedConflicts", "versions"}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    let documents = try DocumentSearch(store: store).documents(at: paths)
    let found = EachDocument(isJSON: options.isJSON).run(documents) { document in
      try store.showingProgress("Reading", document.shown, isJSON: options.isJSON) {
        try StatusJSON(document, in: $0)
      }
    }
    if options.isJSON { try found.printJSON("documents") } else { print(found.values) }
    if documents.isEmpty, !options.isJSON { Console.print("No document here has versions.") }
    try found.finish()
  }

  private func print(_ documents: [StatusJSON]) {
    var table = Table()
    for document in documents {
      let conflicts = document.unresolvedConflicts
      table.rows.append([
        Table.Cell(document.argument.shown, room: .yielding),
        Table.Cell(document.state.rawValue) {
          document.state == .unchanged ? $0.asQuiet : $0.asPlace
        },
        Table.Cell(Wording.count(document.versions, "version")) { $0.asQuiet },
        Table.Cell(conflicts > 0 ? Wording.count(conflicts, "unresolved conflict") : "") {
          $0.asOpen
        },
      ])
    }
    for line in table.lines() { Console.print(line) }
    let edited = documents.filter { [.edited, .unsaved].contains($0.state) }
    hint("Save what was edited:", "save", edited.filter { !$0.isFolderNow })
    hint("Save what is a folder now:", "save --package", edited.filter(\.isFolderNow))
    hint("Look at the conflicts:", "conflicts", documents.filter { $0.unresolvedConflicts > 0 })
    for document in documents where [.missing, .deleted].contains(document.state) {
      guard let last = document.last else { continue }
      hint("Bring it back:", "restore", [document], " \(last.id.short)")
    }
  }

  private func hint(_ words: String, _ verb: String, _ documents: [StatusJSON], _ end: String = "")
  {
    guard !documents.isEmpty else { return }
    let names = documents.map(\.argument.word).joined(separator: " ")
    Console.print("\(words)  ".asQuiet + "docversions \(verb) \(names)\(end)")
  }
}

/// `{"current", "document", "state", "unresolvedConflicts", "versions"}`: the current version or null, the
/// path, the state's name, and how many versions and unresolved conflict versions there are.
private struct StatusJSON: Encodable {
  let argument: DocumentArgument
  let last: FileVersion?
  let document: String
  let state: DocumentState
  let versions: Int
  let unresolvedConflicts: Int
  @Nullable var current: VersionJSON?

  enum CodingKeys: String, CodingKey {
    case document, state, versions, unresolvedConflicts, current
  }

  /// Whether a folder has taken the place of a file, which is saved only if it is meant so.
  var isFolderNow: Bool { current?.package == false && argument.isFolder }

  init(_ argument: DocumentArgument, in store: VersionStore) throws {
    self.argument = argument
    let found = try store.stateAndHistory(of: argument.url, newest: 1)
    state = found?.state ?? .unsaved
    if found == nil, MisplacedDocument.package(around: argument) != nil {
      // To save it would be refused.
      _ = try store.history(of: argument.url, newest: 0)
    }
    let history = found?.history
    document = history?.document.path ?? argument.absolutePath
    versions = history?.count ?? 0
    unresolvedConflicts = history?.unresolvedConflicts.count ?? 0
    current = history?.current.map(VersionJSON.init)
    let isThere = [.unchanged, .edited, .unsaved].contains(state)
    last = isThere ? nil : try store.history(of: argument.url).lastWithContents
  }
}
