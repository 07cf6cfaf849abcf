internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Saves documents as they are on disk.
struct SaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "save", abstract: "Save documents as new versions.",
    discussion: """
      A document that has not changed since its last version gets no new one. Of several documents, all that can \
      be saved are saved; the exit code is that of the first that can't.

      A folder is saved as one document if its name ends in an extension that is neither a number nor that of a type \
      of files: trip.imagenotes, and also “Meyer & Co. Vertraege”, but not v1.2 or old.txt. --package takes any folder.

      The first save makes the folder .docversions for all documents around: in the current folder, if the document is \
      named as being below it; in a synced folder, repository or vault in between; else beside the document.

      A program may write back what it read before an exchange, a merge or a restore changed the document. If the \
      contents show nothing of that change, they are saved as made from the version before it: that is a conflict, and \
      takes nothing back. --base names the version that the contents were made from; --base @, the version on disk, \
      takes the change back.

      A file that lost all its bytes and kept its time, as after a crash, is reported and not saved; --base @ saves it.

      --all saves what was edited in folders, by default in the current one, and files that have no versions yet.

      Programs that have a document open through docversions are asked to write it first. If one doesn't answer in time, the \
      document is saved as it is on disk.

      --changed is for editors: they name the changed members of a package, and no other member is read.

      JSON: {"document", "id", "new", "version"} for one document, {"saved": […]} for several; with "missed", the version \
      that was written over the document, where nothing of it is shown.
      """)

  @Argument(help: "Files, or folders that are packages; with --all, folders of documents.")
  var files: [DocumentArgument] = []

  @Flag(help: "Save the edited and new documents in folders.")
  var all = false

  @Option(
    name: [.customShort("m", allowingJoined: true), .long], parsing: .unconditional,
    help: "A note about the version.")
  var message: String?

  @Flag(name: .customLong("package"), help: "Treat any folder as one document.")
  var isPackage = false

  @Option(
    name: .customLong("changed"),
    help: ArgumentHelp(
      "Read only this member of a package, because nothing else has changed. Can be repeated.",
      valueName: "member"))
  var changed: [String] = []

  @Option(
    help: ArgumentHelp("The version that the contents are based on.", valueName: "version"))
  var base: VersionArgument?

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard all || !files.isEmpty else {
      throw ValidationError("Name the documents to save, or save all of a folder with --all.")
    }
    guard !all || base == nil && changed.isEmpty && !isPackage else {
      throw ValidationError("--all goes with folders alone.")
    }
    guard base == nil || files.count == 1 && changed.isEmpty else {
      throw ValidationError("--base goes with one document, and not with --changed.")
    }
    guard base?.member == nil else { throw ValidationError("--base takes a version as a whole.") }
    guard changed.isEmpty || files.count == 1 else {
      throw ValidationError("--changed goes with one package.")
    }
  }

  func run() throws {
    if all { FreedMemory.share() }
    let store = try options.store()
    let newContainer = options.isDryRun ? nil : try makeContainer(in: store)
    if !options.isDryRun { try askToSave() }
    let found = try all ? allFiles(in: store) : (places: files.map(Place.named), refused: [])
    let places = files.count > 1 ? Place.withoutRepetition(found.places) : found.places
    let files = places.lazy.map(\.document)
    let isSummed = !options.isJSON && files.count > Self.mostNamed
    let title =
      files.count == 1 ? places[0].document.shown : Wording.count(files.count, "document")
    // With very many documents, only the results that are reported are kept.
    var (new, unchanged) = (0, 0)
    var outcomes: [(file: DocumentArgument, outcome: Result<SaveOutcome?, any Error>)] = []
    try store.showingProgress("Saving", title, isJSON: options.isJSON) { store in
      var rest = files[...]
      save(files, in: store) { result in
        guard let file = rest.popFirst() else { return }
        let outcome = Result { try self.outcome(result) }
        if isSummed, case .success(let outcome) = outcome, outcome?.missedVersion == nil {
          if outcome?.isNew != false { new += 1 } else { unchanged += 1 }
        } else {
          outcomes.append((file, outcome))
        }
      }
    }
    var rest = outcomes[...]
    var saved = EachDocument(isJSON: options.isJSON).run(outcomes.map(\.file)) { file in
      let report = try SaveReport(file.absolutePath, rest.removeFirst().outcome.get())
      if !options.isJSON {
        report.lines(for: file, hasNote: message != nil, isDryRun: options.isDryRun)
          .forEach { Console.print($0) }
      }
      return report
    }
    if options.isJSON { try saved.printJSON("saved", of: all ? nil : Array(files)) }
    if isSummed {
      new += saved.values.count { $0.isNew }
      unchanged += saved.values.count { !$0.isNew }
      Console.print(
        "\(options.isDryRun ? "Would save" : "Saved") \(Wording.count(new, "document"))"
          + (unchanged > 0 ? "; \(unchanged) unchanged." : "."))
    }
    if !options.isJSON, all, files.isEmpty, found.refused.isEmpty {
      Console.print("Nothing to save.")
    }
    for failure in found.refused {
      failure.report(isJSON: options.isJSON)
      saved.add(failure.status)
    }
    if let newContainer, !options.isJSON {
      Console.print(lines: try SyncedFolderText.lines(onStoreMadeIn: newContainer, store))
    }
    try saved.finish()
  }

  /// Creates the container that a first save needs, and returns it; `nil` if the versions already have one.
  ///
  /// That is the current folder if the document was named by a path below it: a person who types “save
  /// journal/monday.md” considers the folder above the journal the place of all documents. Otherwise, the
  /// save creates a container beside the document.
  private func makeContainer(in store: SynchronousStore) throws -> URL? {
    for file in files.isEmpty ? [DocumentArgument.here] : files {
      let folder = all && file.isFolder ? file.url : file.url.deletingLastPathComponent()
      guard folder.isThere, try store.container(around: folder) == nil
      else { continue }
      let isDocument = !file.isFolder || isPackage || !file.url.pathExtension.isEmpty
      guard !all, isDocument, let place = try CurrentFolder.place(of: file) else { return folder }
      try store.makeContainer(place)
      return place
    }
    return nil
  }

  /// Asks programs to write what they have open; what a program can't write is reported, and is in no version
  /// yet.
  private func askToSave() throws {
    let coordinator = FileCoordinator(forStoreWaiting: 10)
    do {
      guard all else { return try coordinator.askToSave(files.map(\.url)) }
      for folder in files.isEmpty ? [DocumentArgument.here] : files
      where try !PresenterListing.programs(at: folder.url).isEmpty {
        try coordinator.askToSave(in: folder.url)
      }
    } catch let error as CancellationError {
      throw error
    } catch let error as CoordinationError {
      Console.complain("\(error.message) What it has not written is in no version.")
    } catch {
      // If the documents can't be found or read, saving them reports why.
    }
  }

  /// The maximum number of documents with a line each; for more, one line stands for all.
  private static let mostNamed = 10

  private func save(
    _ files: some Collection<DocumentArgument>, in store: SynchronousStore,
    _ take: (Result<SaveOutcome, any Error>) -> Void
  ) {
    guard base != nil || !changed.isEmpty, let file = files.first else {
      return store.saveEach(
        files.lazy.map(\.url), note: message, asPackage: isPackage, take)
    }
    take(
      Result {
        guard let base else {
          return try store.save(file.url, changed: changed, note: message, asPackage: isPackage)
        }
        return try store.save(
          file.url, note: message, base: base.version(of: file, in: store), asPackage: isPackage)
      })
  }

  /// A document to save, of which there may be very many.
  private enum Place {
    case named(DocumentArgument)
    /// A found document, by its path.
    case found(String)

    var document: DocumentArgument {
      switch self {
      case .named(let document): document
      case .found(let path): DocumentArgument(URL(filePath: path))
      }
    }

    static func withoutRepetition(_ places: [Place]) -> [Place] {
      places.map(\.document).withoutRepetition.map(Place.named)
    }
  }

  /// Returns the edited and the new documents in folders; each folder becomes a container unless it is in
  /// one.
  private func allFiles(
    in store: SynchronousStore
  ) throws -> (places: [Place], refused: [CommandFailure]) {
    let folders = files.isEmpty ? [DocumentArgument(URL(filePath: "."))] : files
    var found: (places: [Place], refused: [CommandFailure]) = ([], [])
    for folder in folders {
      guard folder.isFolder else {
        found.places.append(.named(folder))
        continue
      }
      if !options.isDryRun { try store.makeContainer(folder.url) }
      let documents = try store.unchangedDocuments(below: folder.url)
      let new = try NewFiles(below: folder.url, in: store, beside: documents)
      // A new file in the place of a moved document seems to be an edit of that.
      let isNew = Set(new.paths)
      let edited = try store.documentsToSave(among: documents).map(\.path)
      found.places += (edited.filter { !isNew.contains($0) } + new.paths).map(Place.found)
      found.refused += new.unnameable.map { .invalidName(DocumentArgument($0).shown, $1) }
      found.refused += new.unreadable.map { .unreadable(DocumentArgument($0).shown) }
    }
    return found
  }

  /// Returns the outcome; nil in a dry run for a document that would get its first version.
  private func outcome(
    _ result: Result<SaveOutcome, any Error>
  ) throws -> SaveOutcome? {
    do {
      return try result.get()
    } catch let error as VersionError where error.code == .noVersions && options.isDryRun {
      return nil
    }
  }
}
