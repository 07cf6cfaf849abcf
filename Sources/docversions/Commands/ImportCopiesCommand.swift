internal import ArgumentParser
internal import DocumentVersions

/// Takes in the conflicted copies that tools leave which sync folders.
struct ImportCopiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "import-copies",
    abstract:
      "Take conflicted copies, as tools that sync folders leave them, in as conflict versions.",
    discussion: """
      The document stays as it is, and so do the copies’ files. With --base, the version that the copies \
      were made from, their changes can be merged; name it only where you are sure. Without it, whatever differs \
      is a question.

        docversions import-copies trip.md "trip (conflicted copy of Tom).md"

      JSON: {"copies": [{"copy", "new", "version"}], "document"}; version is null for a copy with nothing new, and \
      in a dry run.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: "The conflicted copies.")
  var copies: [DocumentArgument]

  @Option(help: ArgumentHelp("The version that the copies were made from.", valueName: "version"))
  var base: VersionArgument?

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard !copies.isEmpty else { throw ValidationError("Name the conflicted copies.") }
  }

  func run() throws {
    let store = try options.store()
    let base = try file.explaining {
      try self.base?.version(of: file, in: store)
    }
    let imported = EachDocument(isJSON: options.isJSON).run(copies) { copy in
      try importCopy(copy, base: base, store)
    }
    let report = ImportReport(document: file.absolutePath, copies: imported.values)
    try Console.answer(
      report, asJSON: options.isJSON, lines(report, isBaseNamed: base != nil, in: store))
    try imported.finish()
  }

  /// The lines after those of the copies.
  private func lines(
    _ report: ImportReport, isBaseNamed: Bool, in store: SynchronousStore
  ) -> [String] {
    let isInConflict = report.copies.contains { $0.version != nil }
    let conflict =
      isInConflict
      ? ["Look at the conflict:  ".asMuted + "docversions conflicts \(file.word)"] : []
    guard !isBaseNamed, hasFormerVersions(besides: report.copies, in: store) else {
      return conflict
    }
    return conflict + report.baseHint(for: file, from: copies, isDryRun: options.isDryRun)
  }

  private func importCopy(
    _ copy: DocumentArgument, base: FileVersion?, _ store: SynchronousStore
  ) throws -> ImportReport.Copy {
    let result = try store.showingProgress("Importing", copy.shown, isJSON: options.isJSON) {
      store in try file.explaining { try outcome(of: copy, base: base, store) }
    }
    let report = ImportReport.Copy(copy.absolutePath, isNew: result.isNew, result.version)
    if !options.isJSON {
      Console.print(report.line(for: file, from: copy, isDryRun: options.isDryRun))
    }
    return report
  }

  /// True if the copies can have been made from a version that something has followed.
  private func hasFormerVersions(
    besides imported: [ImportReport.Copy], in store: SynchronousStore
  ) -> Bool {
    let known = imported.count { $0.version != nil }
    // This is for a hint only: a document that was never saved gets none.
    do {
      return try store.history(of: file.url, newest: 0).count > known + 1
    } catch {
      return false
    }
  }

  /// Imports a copy, and reports the version that it became; in a dry run only that it has something new.
  private func outcome(
    of copy: DocumentArgument, base: FileVersion?, _ store: SynchronousStore
  ) throws -> (isNew: Bool, version: FileVersion?) {
    do {
      let version = try store.importCopy(copy.url, into: file.url, base: base)
      return (version != nil, options.isDryRun ? nil : version)
    } catch let error as VersionError where error.code == .noVersions && options.isDryRun {
      // The document would be saved first.
      return (true, nil)
    }
  }
}
