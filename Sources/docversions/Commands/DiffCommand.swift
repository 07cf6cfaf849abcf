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
      pipe, the output is a unified diff.

      For a package, the output lists members that were added (+), removed (−), changed (~), renamed or moved (→), \
      and shows changed texts. You can also compare one member, or two:

        docversions diff photos.imagenotes ~1:pages/1.txt
        docversions diff photos.imagenotes ~1:pages/1.txt current:pages/2.txt

      JSON: {"changes": [{"change", "former", "hunks", "member", "remark"}], "different", "document", "from", "to"}; \
      with --stat a change has sizes and counts of lines instead of hunks.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

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
    let isDifferent = try file.explaining {
      let from = try (old ?? .current).version(of: file, in: store)
      let to = try new?.version(of: file, in: store)
      return try store.showingProgress("Comparing", file.shown, isJSON: options.isJSON) {
        try $0.comparing(from) { comparison in
          let differences = try differences(from: from, to: to, comparison)
          try print(differences, of: from.documentURL, from: from, to: to)
          return !differences.isEmpty
        }
      }
    }
    if isDifferent && hasExitCode { throw ExitStatus.conflictsRemain }
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

  private func print(
    _ differences: [MemberDifference], of document: URL, from: FileVersion, to: FileVersion?
  ) throws {
    if !options.isJSON { Pager.begin() }
    if isSummed {
      let stats = try differences.map { try MemberStat($0, limit: MemberDiff.limit) }
      guard !options.isJSON else {
        let changes = stats.map(StatReport.init)
        return try Console.print(json: DiffReport(changes, of: document, from: from, to: to))
      }
      Console.print(lines: StatListing(stats: stats, document: file.shown).lines())
    } else if options.isJSON {
      let changes = try differences.map(ChangeReport.init)
      try Console.print(json: DiffReport(changes, of: document, from: from, to: to))
    } else {
      try DiffPrinter(
        document: file, old: "version \(from.id.short)",
        new: to.map { "version \($0.id.short)" } ?? "on disk"
      ).print(differences)
    }
  }
}
