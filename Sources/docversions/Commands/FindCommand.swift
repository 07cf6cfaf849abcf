internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Finds documents by their properties.
struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "find", abstract: "Find documents in folders, and follow changes to the results.",
    discussion: """
      All conditions must hold; without any, all documents are listed: files and packages, with or without versions. \
      Hidden files, backups and the like, and containers inside a container are left out. In a pipe, each line is a \
      path.

        docversions find --name '*.md' --text packing
        docversions find --conflict --watch

      With --watch, the command keeps running: each line begins with + for a document that newly matches, ~ for one \
      that changed, and − for one that no longer matches. Ctrl-C or SIGTERM ends it.

      JSON: {"documents": [{"conflict", "date", "document", "downloaded", "name", "package", "size", "state", "type"}]}; \
      "state" is null unless --edited is given. With --watch, a line for each batch: {"added": […], "changed": […], \
      "initial", "removed": […]}.
      """)

  @Argument(help: "Folders; by default the current one.")
  var paths: [DocumentArgument] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Documents with a matching name: * stands for any characters, ? for one.",
      valueName: "pattern"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Documents of a type or a subtype, by identifier or extension.", valueName: "type"))
  var type: String?

  @Flag(help: "Documents in conflict.")
  var conflict = false

  @Flag(help: "Documents whose contents are not on this device.")
  var notDownloaded = false

  @Flag(help: "Documents that differ from their last version, or have none.")
  var edited = false

  @Option(
    help: ArgumentHelp(
      "Documents whose contents changed then or later: 2026-11-20, “2026-11-20 14:30”, yesterday, “2 days ago”.",
      valueName: "time"))
  var changedSince: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Documents with this text in a line, ignoring case.", valueName: "words"))
  var text: String?

  @Flag(help: "Keep running, and write a line for each change.")
  var watch = false

  @OptionGroup var options: OutputOptions

  func validate() throws {
    if let changedSince, Timestamp.date(changedSince) == nil {
      throw ValidationError(
        "“\(Printable.text(changedSince))” isn’t a time; try 2026-11-20, “2026-11-20 14:30” or yesterday."
      )
    }
    if let text {
      do { _ = try LinePattern.text(text) } catch let error as VersionError {
        throw ValidationError(error.message)
      }
    }
  }

  func run() throws {
    let store = try options.store()
    let folders = paths.isEmpty ? [DocumentArgument(URL(filePath: "."))] : paths
    let query = DocumentQuery(try predicate(in: store), in: folders.map(\.url))
    let listing = FindListing(time: ReadableTime(now: store.clock()))
    if watch {
      return try FindLog(listing: listing, isJSON: options.isJSON).run(query, in: store)
    }
    let found = try store.showingProgress(
      "Searching", folders.count == 1 ? folders[0].shown : Wording.count(folders.count, "folder"),
      isJSON: options.isJSON
    ) { try query.results(in: $0) }
    try Console.answer(
      FindReport(documents: found.map(FoundDocument.init)), asJSON: options.isJSON,
      listing.lines(found))
  }

  private func predicate(in store: SynchronousStore) throws -> DocumentPredicate {
    var predicate = DocumentPredicate.all
    if let name { predicate = predicate && .like(\.name, name) }
    if let type { predicate = predicate && .conforms(to: try identifier(type, in: store)) }
    if conflict { predicate = predicate && \.hasUnresolvedConflicts == true }
    if notDownloaded { predicate = predicate && \.downloadingStatus == .notDownloaded }
    if edited { predicate = predicate && .isIn(\.editState, [.edited, .unsaved]) }
    if let date = changedSince.flatMap({ Timestamp.date($0, now: store.clock()) }) {
      predicate = predicate && \.contentChangeDate >= date
    }
    if let text { predicate = predicate && .contains(try .text(text)) }
    return predicate
  }

  /// Returns the identifier of a type that was named by its identifier or by an extension.
  private func identifier(_ typed: String, in store: SynchronousStore) throws -> String {
    let folder = paths.first?.url ?? URL(filePath: ".")
    let types = try store.types(for: folder.appending(path: "a"))
    let name = typed.hasPrefix(".") ? String(typed.dropFirst()) : typed
    if let type = types.type(typed) ?? types.type(withExtension: name) { return type.identifier }
    // A type to which others conform needn't be declared itself.
    if types.all.contains(where: { types.conforms($0.identifier, to: typed) }) { return typed }
    throw CommandFailure(
      .usage, code: VersionError.Code.invalidArgument.rawValue,
      "There is no type “\(Printable.text(typed))”.",
      hint: "List them:  docversions types --all")
  }
}
