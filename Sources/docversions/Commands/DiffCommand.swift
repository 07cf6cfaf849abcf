internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Shows how versions differ.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "diff",
    abstract: "Show how two versions differ, or a version and the document on disk.",
    discussion: """
      Without a version: from the current version to the document on disk. With one: from that version to the \
      document on disk. With two: from the first to the second. On a terminal, differing words are marked; in a \
      pipe, the output is a unified diff. Without FILE, or with a folder: all documents below it that have unsaved edits.

      For a package, the output lists members that were added (+), removed (−), changed (~), renamed or moved (→), \
      and shows changed texts. You can also compare one member, or two:

        docversions diff photos.imagenotes ~1:pages/1.txt
        docversions diff photos.imagenotes ~1:pages/1.txt current:pages/2.txt

      JSON: {"changes": [{"change", "former", "hunks", "member", "remark"}], "different", "document", "from", "to"}; \
      with --stat a change has sizes and counts of lines instead of hunks. Of a folder: {"documents": […]} of these.
      """)

  @Argument(help: "The document, or a folder; by default the current one.")
  var file: DocumentArgument?

  @Argument(help: ArgumentHelp("From this version.", valueName: "version[:member]"))
  var old: VersionArgument?

  @Argument(help: ArgumentHelp("To this version.", valueName: "version[:member]"))
  var new: VersionArgument?

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 if there are differences.")
  var hasExitCode = false

  @Flag(
    name: .customLong("stat"),
    help:
      "Count the lines that differ instead of showing them: a line for each member, and a total.")
  var isSummed = false

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    let file = self.file ?? .here
    let isDifferent: Bool
    if old == nil, try file.isFolder && !store.isPackage(file.url) {
      isDifferent = try compareEdited(below: file, in: store)
    } else {
      if !options.isJSON { Pager.begin() }
      let report = try compare(file, in: store)
      if options.isJSON { try Console.print(json: report) }
      isDifferent = report.different
    }
    if isDifferent && hasExitCode { throw ExitStatus.conflictsRemain }
  }

  /// Compares every document with unsaved edits below a folder with its current version.
  private func compareEdited(
    below folder: DocumentArgument, in store: SynchronousStore
  ) throws -> Bool {
    let edited = try folder.explaining {
      try store.showingProgress("Reading", folder.shown, isJSON: options.isJSON) {
        try $0.editedDocuments(among: $0.unchangedDocuments(below: folder.url))
          .map { DocumentArgument($0) }
      }
    }
    if !options.isJSON { Pager.begin() }
    let results = EachDocument(isJSON: options.isJSON).run(edited) { try compare($0, in: store) }
    if options.isJSON { try results.printJSON("documents") }
    if !options.isJSON, edited.isEmpty, try store.documents(below: folder.url)?.isEmpty ?? true {
      Console.print(lines: FoldersApart.linesWithoutDocuments(at: [folder], for: "diff"))
    }
    try results.finish()
    return results.values.contains(where: \.different)
  }

  /// Compares two versions of a document, or one with the document on disk, and prints the differences unless
  /// JSON is requested.
  private func compare(
    _ file: DocumentArgument, in store: SynchronousStore
  ) throws -> DiffReport {
    try file.explaining {
      let from = try (old ?? .current).version(of: file, in: store)
      let to = try new?.version(of: file, in: store)
      return try store.showingProgress("Comparing", file.shown, isJSON: options.isJSON) {
        try $0.comparing(from) { comparison in
          let differences = try differences(from: from, to: to, comparison)
          let changes = try changes(differences, of: file, from: from, to: to)
          return DiffReport(changes, of: from.documentURL, from: from, to: to)
        }
      }
    }
  }

  private func differences(
    from: FileVersion, to: FileVersion?, _ comparison: ContentComparison
  ) throws -> [MemberDifference] {
    let target = to.map { ContentComparison.Content.version($0) } ?? .disk
    guard let member = old?.member ?? new?.member else {
      return try comparison.differences(from: .version(from), to: target)
    }
    return try comparison.differences(
      from: .version(from), member: member, to: target, member: new?.member ?? member)
  }

  /// Returns the changes for JSON; otherwise prints them.
  private func changes(
    _ differences: [MemberDifference], of file: DocumentArgument, from: FileVersion,
    to: FileVersion?
  ) throws -> DiffReport.Changes {
    if isSummed {
      let stats = try differences.map { try MemberStat($0, limit: MemberDiff.limit) }
      if !options.isJSON {
        Console.print(lines: StatListing(stats: stats, document: file.shown).lines())
      }
      return .counted(stats.map(StatReport.init))
    }
    guard !options.isJSON else { return .shown(try differences.map(ChangeReport.init)) }
    try DiffPrinter(
      document: file, old: "version \(from.id.short)",
      new: to.map { "version \($0.id.short)" } ?? "on disk"
    ).print(differences)
    return .printed(differences.count)
  }
}
