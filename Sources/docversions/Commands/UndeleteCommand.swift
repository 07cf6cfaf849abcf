internal import ArgumentParser
internal import DocumentVersions

/// Lists removed versions, and restores them.
struct UndeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "undelete",
    abstract: "Bring back versions that were removed or thinned; list them if none is named.",
    discussion: """
      Removed versions can be brought back until the space that they take is collected.

      JSON: {"document", "versions": […]}: what was brought back, or what can be.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(
    help: ArgumentHelp(
      "Removed versions, by the first digits of their identifiers.", valueName: "version"))
  var versions: [String] = []

  @Flag(help: "Bring back all of them.")
  var all = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard !all || versions.isEmpty else {
      throw ValidationError("Name the versions, or bring all of them back with --all.")
    }
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let removed = try store.removedVersions(of: file.url)
      guard all || !versions.isEmpty else {
        return try list(removed, ReadableTime(now: store.clock()))
      }
      let wanted = all ? removed : try versions.map { try version($0, in: removed) }
      let back = try store.showingProgress(
        "Bringing back versions of", file.shown, isJSON: options.isJSON
      ) { try $0.undelete(wanted, of: file.url) }
      let verb = options.isDryRun ? "Would bring back" : "Brought back"
      try Console.answer(
        report(on: back), asJSON: options.isJSON,
        ["\(verb) \(back.shown(orCountIf: back.isEmpty)) of \(file.shown)."])
    }
  }

  private func list(_ removed: [FileVersion], _ time: ReadableTime) throws {
    try Console.answer(
      report(on: removed), asJSON: options.isJSON,
      RemovedListing(file: file, time: time).lines(removed))
  }

  private func report(on versions: [FileVersion]) -> VersionsReport {
    VersionsReport(document: file.absolutePath, versions)
  }

  private func version(_ digits: String, in removed: [FileVersion]) throws -> FileVersion {
    let start = digits.lowercased()
    let found = removed.filter { start.count >= 4 && $0.id.description.hasPrefix(start) }
    if let version = found.first, found.count == 1 { return version }
    let hint = "List what can be brought back:  docversions undelete \(file.word)"
    guard found.isEmpty else {
      throw CommandFailure(
        .notFound, code: VersionError.Code.ambiguousVersion.rawValue,
        "“\(digits)” fits \(found.count) removed versions of \(file.shown).", hint: hint,
        path: file.path)
    }
    throw CommandFailure(
      .notFound, code: VersionError.Code.noSuchVersion.rawValue,
      "No removed version of \(file.shown) is named “\(Printable.text(digits))”.", hint: hint,
      path: file.path)
  }
}
