internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Restores a version in place, or writes it elsewhere.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "restore", abstract: "Put a version in the document’s place, as a new version.",
    discussion: """
      Edits that were not saved become a version first. With --to, the version is written to a place of its \
      own, and the document is not touched. With a member, only that member of a package is put back, also one that \
      was deleted since; all others stay as they are on disk.

      A folder stands for the documents in it that are not on disk, and that have such a version: the missing ones have a \
      current one, and those that were deleted since have one of an earlier time.

        docversions restore trip.md @{yesterday}
        docversions restore photos.imagenotes ~2:pages/1.txt
        docversions restore Journal @{yesterday}

      JSON: {"document", "keptEdits", "member", "restored", "to", "version"}; for a folder {"documents": […]} of these.
      """)

  @Argument(help: "The document, which need not be on disk, or a folder.")
  var file: DocumentArgument

  @Argument(help: ArgumentHelp("The version.", valueName: "version[:member]"))
  var version: VersionArgument

  @Option(
    parsing: .unconditional, help: "Write the version, or its member, to this place instead.",
    completion: .file())
  var to: DocumentArgument?

  @Flag(name: .customLong("force"), help: "With --to: replace an existing item.")
  var isForced = false

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func validate() throws {
    guard to != nil || !isForced else { throw ValidationError("--force goes with --to PATH.") }
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      if to == nil, version.member == nil {
        let documents = try DocumentSearch(store: store).documentsWithoutFiles(below: file)
        if !documents.isEmpty { return try restore(documents, store) }
      }
      let found = try version.version(of: file, in: store)
      if let to { try export(found, to: to, store) } else { try restore(found, store) }
    }
  }

  /// Restores the documents that have the version.
  private func restore(_ documents: [DocumentArgument], _ store: SynchronousStore) throws {
    let found = try documents.compactMap { document -> (file: DocumentArgument, FileVersion)? in
      do {
        let found = try version.version(of: document, in: store)
        return found.isDeletion ? nil : (document, found)
      } catch let error as VersionError where error.code == .noSuchVersion {
        return nil
      }
    }
    guard !found.isEmpty else {
      throw CommandFailure(
        .notFound, code: VersionError.Code.noSuchVersion.rawValue,
        "No document in “\(file.shown)” that is not on disk has a version “\(version.selector)”.",
        hint: "List them:  docversions status \(file.word)", path: file.absolutePath)
    }
    var rest = found[...]
    let time = ReadableTime(now: store.clock())
    let results = EachDocument(isJSON: options.isJSON).run(found.map(\.file)) { file in
      let report = try restored(rest.removeFirst().1, of: file, store)
      if !options.isJSON {
        let lines = report.lines(for: file, time, isDryRun: options.isDryRun)
        Console.print(lines: Array(lines.prefix(1)))
      }
      return report
    }
    if options.isJSON { try results.printJSON("documents") }
    try results.finish()
  }

  private func restored(
    _ found: FileVersion, of file: DocumentArgument, _ store: SynchronousStore
  ) throws -> RestoreReport {
    let outcome = try store.showingProgress("Restoring", file.shown, isJSON: options.isJSON) {
      store in
      try coordination.whileWriting(file.url, in: store) {
        guard let member = version.member else { return try store.restore(found) }
        return try store.restore(found, member: member)
      }
    }
    return RestoreReport(found, member: version.member, outcome)
  }

  private func restore(_ found: FileVersion, _ store: SynchronousStore) throws {
    let report = try restored(found, of: file, store)
    try Console.answer(
      report, asJSON: options.isJSON,
      report.lines(for: file, ReadableTime(now: store.clock()), isDryRun: options.isDryRun))
  }

  private func export(
    _ found: FileVersion, to place: DocumentArgument, _ store: SynchronousStore
  ) throws {
    do {
      try store.showingProgress("Writing", place.shown, isJSON: options.isJSON) {
        try $0.export(found, to: place.url, member: version.member, replacing: isForced)
      }
    } catch let error as FileError where [.exists, .wrongKind].contains(error.code) {
      throw CommandFailure(
        .refused, code: error.code.rawValue, error.message,
        hint: hint(replacing: place, by: version.member ?? found.localizedName, after: error),
        path: error.path)
    }
    let report = RestoreReport(found, member: version.member, to: place.absolutePath)
    try Console.answer(
      report, asJSON: options.isJSON,
      [report.line(for: file, to: place, isDryRun: options.isDryRun)])
  }

  /// Returns the hint if an item exists there already; a folder is usually the place for the file.
  private func hint(
    replacing place: DocumentArgument, by name: String, after error: FileError
  ) -> String? {
    let name = URL(filePath: name).lastPathComponent
    guard place.isFolder, place.url.lastPathComponent != name else {
      return error.code == .exists ? "To replace it, add --force." : nil
    }
    return "Name a place in it:  --to \(ShellWord.quoted(place.path + "/" + name))"
  }
}
