internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Writes a version's contents to standard output.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "show", abstract: "Write the contents of a version to standard output.",
    discussion: """
      A file is written byte by byte. A package, or a folder in it, is listed; a link is written as the path that it \
      leads to. Names that are not UTF-8 are typed as listings show them.

        docversions show trip.md 7f3a2c1
        docversions show photos.imagenotes current:pages
        docversions show photos.imagenotes current:pages/1.txt
        docversions show contacts.db --table
        docversions show trip.md --blame
        docversions show trip.json --blame --values

      With --blame, each line of a text stands behind the version that brought it; ^ says that contents of earlier \
      versions are not on this device, which may have had the line, too. With --values as well, it is each value of JSON, \
      YAML, TOML, settings or a table, with the path to it.

      JSON, with --blame: {"document", "lines": [{"line", "mayBeEarlier", "version"}], "version", "versions"}; with \
      --values: {"document", "values": [{"mayBeEarlier", "path", "value", "version"}], "version", "versions"}.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(
    help: ArgumentHelp("The version; by default the current one.", valueName: "version[:member]"))
  var version: VersionArgument = .current

  @Flag(help: "Write a database as text: its definitions, then a line for each row.")
  var table = false

  @Flag(name: .customLong("blame"), help: "Show for each line the version that added it.")
  var isBlaming = false

  @Flag(
    name: .customLong("values"),
    help: "With --blame, show it for each value of JSON, YAML or a table.")
  var areValues = false

  @OptionGroup var options: OutputOptions

  func validate() throws {
    if options.isJSON, !isBlaming {
      throw ValidationError("show answers in JSON with --blame only.")
    }
    if areValues, !isBlaming {
      throw ValidationError("--values goes with --blame.")
    }
    if table, isBlaming {
      throw ValidationError("--blame says of lines where they come from, and --table shows rows.")
    }
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let found = try version.version(of: file, in: store)
      if isBlaming { return try blame(found, in: store) }
      let isFolder = try version.member.map { try store.member($0, of: found).kind == "folder" }
      if isFolder ?? found.isPackage {
        var table = Table()
        for member in try store.members(of: found, in: version.member) {
          let size = member.kind == "folder" ? "" : Wording.size(member.bytes)
          table.rows.append([Table.Cell(member.kind), Table.Cell(size), Table.Cell(member.path)])
        }
        Pager.begin()
        Console.print(lines: table.lines(width: .max))
      } else {
        Pager.begin()
        try store.showingProgress("Reading", file.shown) { store in
          if table {
            try writeRows(of: found, in: store)
          } else {
            try store.read(found, member: version.member) { try Console.write($0) }
          }
        }
      }
    }
  }

  private func blame(_ found: FileVersion, in store: SynchronousStore) throws {
    let listing = BlameListing(time: ReadableTime(now: store.clock()))
    func read<Origins>(_ body: () throws -> Origins) throws -> Origins {
      try store.showingProgress("Reading", file.shown, isJSON: options.isJSON) { _ in try body() }
    }
    if areValues {
      let origins = try read { try found.valueOrigins(ofMember: version.member) }
      try Console.answer(
        ValueBlameReport(origins, of: found), asJSON: options.isJSON, listing.lines(origins))
    } else {
      let origins = try read { try found.lineOrigins(ofMember: version.member) }
      try Console.answer(
        BlameReport(origins, of: found), asJSON: options.isJSON, listing.lines(origins))
    }
  }
}

extension ShowCommand {
  private static let mostBytes = 128 << 20

  private func writeRows(of found: FileVersion, in store: SynchronousStore) throws {
    var bytes: [UInt8] = []
    try store.read(found, member: version.member) { part in
      guard bytes.count + part.count <= Self.mostBytes else {
        throw CommandFailure(
          .refused, code: "too-large",
          "“\(file.shown)” has more than \(Wording.size(Self.mostBytes)), too many to show as a table.",
          path: file.shown)
      }
      bytes += part
    }
    guard let text = try DatabaseText.text(of: bytes) else {
      throw CommandFailure(
        .refused, code: "no-database", "“\(file.shown)” isn’t a readable database.",
        path: file.shown)
    }
    try Console.write(text[...])
  }
}

extension VersionArgument {
  /// The default in help.
  var defaultValueDescription: String { selector }
}
