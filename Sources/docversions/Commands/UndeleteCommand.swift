internal import ArgumentParser
internal import DocumentVersions

/// Lists removed versions, and brings them back.
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
      guard all || !versions.isEmpty else { return try list(removed, Moment(now: store.clock())) }
      let wanted = all ? removed : try versions.map { try version($0, in: removed) }
      let back = try store.showingProgress(
        "Bringing back versions of", file.shown, isJSON: options.isJSON
      ) { try $0.undelete(wanted, of: file.url) }
      guard !options.isJSON else { return try answer(with: back) }
      let verb = options.isDryRun ? "Would bring back" : "Brought back"
      let names =
        back.count > 5 || back.isEmpty
        ? Wording.count(back.count, "version") : Wording.list(back.map(\.shown))
      Console.print("\(verb) \(names) of \(file.shown).")
    }
  }

  private func list(_ removed: [FileVersion], _ moment: Moment) throws {
    guard !options.isJSON else { return try answer(with: removed) }
    guard !removed.isEmpty else {
      Console.print("No removed version of \(file.shown) can be brought back.")
      return
    }
    var table = Table()
    table.rows = removed.map { version in
      [
        Table.Cell(version.id.short) { $0.asIdentifier },
        Table.Cell(moment.text(version.modificationDate)),
        Table.Cell(version.who, room: .yielding),
        Table.Cell(Wording.size(version.size)) { $0.asQuiet },
        Table.Cell(version.note.map { Printable.text($0) } ?? "", room: .rest),
      ]
    }
    for line in table.lines() { Console.print(line) }
    Console.print("Bring one back:  ".asQuiet + "docversions undelete \(file.word) VERSION")
  }

  private func answer(with versions: [FileVersion]) throws {
    try Console.print(
      json: VersionsJSON(
        document: file.absolutePath, versions: versions.map(VersionJSON.init)))
  }

  private func version(_ digits: String, in removed: [FileVersion]) throws -> FileVersion {
    let start = digits.lowercased()
    let found = removed.filter { start.count >= 4 && $0.id.description.hasPrefix(start) }
    if let version = found.first, found.count == 1 { return version }
    let hint = "List what can be brought back:  docversions undelete \(file.word)"
    guard found.isEmpty else {
      throw Failure(
        .notFound, code: VersionError.Code.ambiguousVersion.rawValue,
        "“\(digits)” fits \(found.count) removed versions of \(file.shown).", hint: hint,
        path: file.path)
    }
    throw Failure(
      .notFound, code: VersionError.Code.noSuchVersion.rawValue,
      "No removed version of \(file.shown) is named “\(Printable.text(digits))”.", hint: hint,
      path: file.path)
  }
}
