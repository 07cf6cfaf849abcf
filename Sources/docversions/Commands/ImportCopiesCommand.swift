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
      were made from, their changes can be merged; name it only where you are sure.

        docversions import-copies trip.md "trip (conflicted copy of Tom).md"

      JSON: {"copies": [{"copy", "version"}], "document"}; version is null for a copy with nothing new.
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
    if options.isJSON {
      try Console.print(
        json: ImportJSON(document: file.absolutePath, copies: imported.values))
    } else if imported.values.contains(where: { $0.version != nil }), !options.isDryRun {
      Console.print("Look at the conflict:  ".asQuiet + "docversions conflicts \(file.word)")
    }
    try imported.finish()
  }

  private func importCopy(
    _ copy: DocumentArgument, base: FileVersion?, _ store: VersionStore
  ) throws -> ImportJSON.Copy {
    let version = try store.showingProgress("Importing", copy.shown, isJSON: options.isJSON) {
      try $0.importCopy(copy.url, into: file.url, base: base)
    }
    if !options.isJSON {
      let verb = options.isDryRun ? "Would import" : "Imported"
      let result = options.isDryRun ? "" : version.map { " · \($0.shown) · \($0.who)" } ?? ""
      Console.print(
        version == nil
          ? "\(copy.shown) has nothing new." : "\(verb) \(copy.shown) into \(file.shown)\(result)")
    }
    return ImportJSON.Copy(copy, version)
  }
}

/// `{"copies", "document"}`: the document's path, and for every copy its path and its version, null where it
/// had nothing new.
private struct ImportJSON: Encodable {
  struct Copy: Encodable {
    let copy: String
    @Nullable var version: VersionJSON?

    init(_ copy: DocumentArgument, _ version: FileVersion?) {
      self.copy = copy.absolutePath
      self.version = version.map(VersionJSON.init)
    }
  }

  let document: String
  let copies: [Copy]
}
