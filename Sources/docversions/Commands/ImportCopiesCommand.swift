internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Imports the conflicted copies that sync tools leave behind.
struct ImportCopiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "import-copies",
    abstract:
      "Import conflicted copies that sync tools leave behind as conflict versions.",
    discussion: """
      The document and the copies’ files stay unchanged. With --base, the version that the copies are based on, \
      their changes can be merged; give it only if you are sure. Without it, every difference is a question. To find \
      the copies of all documents, and their bases, use “docversions adopt”.

        docversions import-copies trip.md "trip (conflicted copy of Tom).md"

      JSON: {"copies": [{"copy", "new", "version"}], "document"}; version is null for a copy with nothing new, and \
      in a dry run.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: "The conflicted copies.")
  var copies: [DocumentArgument]

  @Option(help: ArgumentHelp("The version that the copies are based on.", valueName: "version"))
  var base: VersionArgument?

  @Flag(help: "Accept copies whose names don't begin like the document’s.")
  var anyName = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard !copies.isEmpty else { throw ValidationError("Name the conflicted copies.") }
  }

  func run() throws {
    let store = try options.store()
    if !anyName { try checkNames() }
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

  /// Refuses copies that probably belong to other documents, as in the expansion of a star by the shell.
  private func checkNames() throws {
    let document = file.url.lastPathComponent
    let stem = file.url.deletingPathExtension().lastPathComponent
    for copy in copies {
      let name = copy.url.lastPathComponent
      let isOwn = ConflictedCopyName(name)?.documentName == document
      guard !isOwn, !name.hasPrefix(stem) else { continue }
      throw CommandFailure(
        .usage, code: VersionError.Code.invalidArgument.rawValue,
        "The name of “\(copy.shown)” does not begin as that of “\(file.shown)”: it may be another document’s copy.",
        hint:
          "Find the copies of all documents:  docversions adopt .   Or, if it is one:  --any-name",
        path: copy.path)
    }
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

  /// Returns whether the copies may derive from a version with a successor.
  private func hasFormerVersions(
    besides imported: [ImportReport.Copy], in store: SynchronousStore
  ) -> Bool {
    let known = imported.count { $0.version != nil }
    // This only affects a hint, which a document that was never saved doesn't get.
    do {
      return try store.history(of: file.url, newest: 0).count > known + 1
    } catch {
      return false
    }
  }

  /// Imports a copy, and reports its version; in a dry run, reports only whether it has something new.
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
