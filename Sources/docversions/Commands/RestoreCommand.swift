internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Puts a version in the document's place, or elsewhere.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "restore", abstract: "Put a version in the document’s place, as a new version.",
    discussion: """
      Edits that were not saved become a version first. With --to, the version is written to a place of its \
      own, and the document is not touched. With a member, only that member of a package is put back, also one that \
      was deleted since; all others stay as they are on disk.

        docversions restore trip.md @{yesterday}
        docversions restore photos.imagenotes ~2:pages/1.txt

      JSON: {"document", "keptEdits", "member", "restored", "to", "version"}.
      """)

  @Argument(help: "The document; it need not be on disk.")
  var file: DocumentArgument

  @Argument(help: ArgumentHelp("The version.", valueName: "version[:member]"))
  var version: VersionArgument

  @Option(help: "Write the version, or its member, to this place instead.", completion: .file())
  var to: DocumentArgument?

  @Flag(name: .customLong("force"), help: "With --to: replace what is there.")
  var isForced = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard to != nil || !isForced else { throw ValidationError("--force goes with --to PATH.") }
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let found = try version.version(of: file, in: store)
      if let to { try export(found, to: to, store) } else { try restore(found, store) }
    }
  }

  private func restore(_ found: FileVersion, _ store: VersionStore) throws {
    let outcome = try store.showingProgress("Restoring", file.shown, isJSON: options.isJSON) {
      guard let member = version.member else { return try $0.restore(found) }
      return try $0.restore(found, member: member)
    }
    guard !options.isJSON else {
      try Console.print(json: RestoredJSON(found, member: version.member, outcome: outcome))
      return
    }
    if let kept = outcome.keptEdits {
      Console.print("\(file.shown) had unsaved changes: kept as \(kept.shown).")
    }
    let time = "\(Moment(now: store.clock()).text(found.modificationDate)) (\(found.shown))"
    let name = memberOf + file.shown
    if options.isDryRun {
      Console.print("Would restore \(name) as of \(time)")
    } else if outcome.isNew || version.member == nil {
      Console.print("\(name) is now as of \(time) · \(outcome.version.shown)")
    } else {
      Console.print("\(name) is the same as of \(time) already.")
    }
    if !options.isDryRun && outcome.isNew { Console.print(file.undoLine) }
  }

  private func export(
    _ found: FileVersion, to place: DocumentArgument, _ store: VersionStore
  ) throws {
    do {
      try store.showingProgress("Writing", place.shown, isJSON: options.isJSON) {
        try $0.export(found, to: place.url, member: version.member, replacing: isForced)
      }
    } catch let error as FileError where [.exists, .wrongKind].contains(error.code) {
      throw Failure(
        .refused, code: error.code.rawValue, error.message,
        hint: hint(replacing: place, by: version.member ?? found.localizedName, after: error),
        path: error.path)
    }
    guard !options.isJSON else {
      try Console.print(json: RestoredJSON(found, member: version.member, to: place))
      return
    }
    let verb = options.isDryRun ? "Would write" : "Wrote"
    Console.print("\(verb) \(memberOf)\(file.shown) (\(found.shown)) to \(place.shown)")
  }

  /// What to do where something is there already; a folder is mostly where somebody wants to have it.
  private func hint(
    replacing place: DocumentArgument, by name: String, after error: FileError
  ) -> String? {
    let name = URL(filePath: name).lastPathComponent
    guard place.isFolder, place.url.lastPathComponent != name else {
      return error.code == .exists ? "To replace it, add --force." : nil
    }
    return "Name a place in it:  --to \(ShellWord.quoted(place.path + "/" + name))"
  }

  /// "pages/1.txt of "; empty for the whole document.
  private var memberOf: String { version.member.map { "\(Printable.text($0)) of " } ?? "" }
}

/// `{"document", "keptEdits", "member", "restored", "to", "version"}`: the path; the version that unsaved edits
/// became, or null; the only member that was restored, or null; the version whose contents were taken; the other place that they were written to, or null; the
/// new current version, or null when they went elsewhere.
private struct RestoredJSON: Encodable {
  let document: String
  let restored: VersionJSON
  @Nullable var keptEdits: VersionJSON?
  @Nullable var version: VersionJSON?
  @Nullable var to: String?
  @Nullable var member: String?

  init(
    _ restored: FileVersion, member: String?, outcome: VersionStore.RestoreOutcome? = nil,
    to: DocumentArgument? = nil
  ) {
    document = restored.documentURL.path
    self.member = member
    self.restored = VersionJSON(restored)
    keptEdits = (outcome?.keptEdits).map(VersionJSON.init)
    version = (outcome?.version).map(VersionJSON.init)
    self.to = to?.absolutePath
  }
}
