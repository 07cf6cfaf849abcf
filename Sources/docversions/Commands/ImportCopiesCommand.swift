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
    if options.isJSON {
      try Console.print(
        json: ImportJSON(document: file.absolutePath, copies: imported.values))
    } else if imported.values.contains(where: { $0.version != nil }) {
      Console.print("Look at the conflict:  ".asQuiet + "docversions conflicts \(file.word)")
    }
    if base == nil, !options.isJSON, hasFormerVersions(besides: imported.values, in: store) {
      hintAtBase(copies, imported.values)
    }
    try imported.finish()
  }

  private func importCopy(
    _ copy: DocumentArgument, base: FileVersion?, _ store: VersionStore
  ) throws -> ImportJSON.Copy {
    let result = try store.showingProgress("Importing", copy.shown, isJSON: options.isJSON) {
      store in try file.explaining { try outcome(of: copy, base: base, store) }
    }
    if !options.isJSON {
      let verb = options.isDryRun ? "Would import" : "Imported"
      let details = result.version.map { " · \($0.shown) · \($0.who)" } ?? ""
      Console.print(
        result.isNew
          ? "\(verb) \(copy.shown) into \(file.shown)\(details)" : "\(copy.shown) has nothing new.")
    }
    return ImportJSON.Copy(copy, isNew: result.isNew, result.version)
  }

  /// Whether the copies can have been made from a version that something has followed.
  private func hasFormerVersions(
    besides imported: [ImportJSON.Copy], in store: VersionStore
  ) -> Bool {
    let known = imported.count { $0.version != nil }
    // This is for a hint only: a document that was never saved gets none.
    do {
      return try store.history(of: file.url, newest: 0).count > known + 1
    } catch {
      return false
    }
  }

  /// Says how the changes of copies can be merged whose base was not named.
  private func hintAtBase(_ copies: [DocumentArgument], _ imported: [ImportJSON.Copy]) {
    guard imported.contains(where: \.new) else { return }
    guard !options.isDryRun else {
      return Console.print(
        "Name the version that the copies were made from, if you know it:  ".asQuiet
          + "--base VERSION")
    }
    let versions = imported.compactMap(\.version).map { String($0.id.prefix(7)) }
    let names = versions.joined(separator: " ")
    let words = copies.map(\.word).joined(separator: " ")
    Console.print(
      """
      Their changes can only be merged from the version that they were made from.
      If you know its identifier, take them in again:
        docversions mark-resolved \(file.word) \(names)
        docversions remove \(file.word) \(names)
        docversions import-copies --base VERSION \(file.word) \(words)
      """)
  }

  /// Whether a copy has something new, and what it became; nothing yet in a dry run.
  private func outcome(
    of copy: DocumentArgument, base: FileVersion?, _ store: VersionStore
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

/// `{"copies", "document"}`: the document's path, and for every copy its path, whether it has something new, and the
/// version that it became: null where it had nothing new, and in a dry run.
private struct ImportJSON: Encodable {
  struct Copy: Encodable {
    let copy: String
    let new: Bool
    @Nullable var version: VersionJSON?

    init(_ copy: DocumentArgument, isNew: Bool, _ version: FileVersion?) {
      self.copy = copy.absolutePath
      new = isNew
      self.version = version.map(VersionJSON.init)
    }
  }

  let document: String
  let copies: [Copy]
}
