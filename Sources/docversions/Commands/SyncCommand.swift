internal import ArgumentParser
internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Exchanges versions with other devices through a git repository.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "sync",
    abstract: "Exchange versions with other devices, through a git repository.",
    discussion: """
      The same as exchange, through a remote. Edits that were not saved stay as they are, and are named, unless \
      something arrives for that document: then they become a version first. It may be interrupted and run again.

      ssh is OpenSSH, with its keys and settings. For https, git’s credential helpers are asked, and then you; \
      what you type is not kept here. With --merge, documents that two devices edited are merged where no question is left, \
      and the results are sent; the other conflicts stay. DOCVERSIONS_SSH names another program for ssh, DOCVERSIONS_CA a file with certificates of \
      authorities.

      --lazy only lists documents that are new here from now on: nothing of them is on the disk until “docversions \
      download” gets them. --no-lazy gets all of them. status shows what is not downloaded.

      --watch writes a line for each sync in which something happened, and for each failure; it tries again later, \
      and ends at Ctrl-C or SIGTERM. With --json each line is an object.

      JSON: {"arriving", "container", "documents": [{"document", "failure", "former", "received", "sent", \
      "unresolvedConflicts"}], "edited": […], "merged": […], "notDownloaded": […], "received": {"bytes", "documents", \
      "versions"}, "remote": {…}, "removedContentsStay", "sent": {…}}.
      """)

  @Argument(help: "The remote; by default the one that was added first.")
  var remote: String?

  @OptionGroup var container: FolderOption

  @Flag(help: "Save edited documents first; with --watch, before each sync.")
  var save = false

  @Flag(help: "Merge conflicts that leave no question, and send the results.")
  var merge = false

  @Flag(help: "Sync continuously: after each save on this device, and about every minute.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "With --watch: the seconds between two syncs while versions arrive.",
      valueName: "seconds"))
  var interval = 60.0

  @Flag(
    inversion: .prefixedNo,
    help: "From now on, only list documents that are new here, until they are downloaded.")
  var lazy: Bool?

  @Flag(help: "Accept git and similar repositories inside packages.")
  var withRepositories = false

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  @OptionGroup var coordination: CoordinationOptions

  func validate() throws {
    guard (1...86_400).contains(interval) else {
      throw ValidationError("--interval is from 1 to 86400 seconds.")
    }
  }

  func run() throws {
    let place = container.url
    var store = try coordination.impatient(identity.store())
    store.takesRepositories = withRepositories
    let remotes = try store.remotes(of: place)
    guard let chosen = remote == nil ? remotes.first : remotes.first(where: { $0.name == remote })
    else {
      throw CommandFailure(
        .usage, code: VersionError.Code.invalidArgument.rawValue,
        remote.map { "There is no remote “\(Printable.text($0))” here." }
          ?? "No remote was added here yet.",
        hint: remotes.isEmpty
          ? "Add one:  docversions remote add origin ADDRESS"
          : "List them:  docversions remote list")
    }
    var access = RemoteSettings.access(isJSON: options.isJSON)
    if let lazy { try store.setListsNewDocuments(lazy, in: place) }
    if watch {
      // A service has no terminal to ask at.
      access.asksOnTerminal = access.asksOnTerminal && Console.isErrorTerminal
      return try SyncLog(
        place: place, remote: chosen, saves: save,
        merging: merge ? try merges(in: store) : nil,
        isJSON: options.isJSON
      )
      .run(store, access, every: interval)
    }
    var saved = Results<SaveOutcome>()
    if save { saved = try saveAll(store.documentsToSave(below: place), in: store) }
    func sync() throws -> ExchangeOutcome {
      try store.showingProgress(
        "Syncing with", Printable.text(chosen.name), isJSON: options.isJSON, asking: true
      ) { try $0.sync(place, with: chosen.name, access: access) }
    }
    var merged: [DocumentArgument] = []
    func give(_ outcome: ExchangeOutcome, isLast: Bool) throws {
      let documents = try isLast ? store.unchangedDocuments(below: place) : nil
      let beside =
        try options.isJSON || !isLast ? nil : NewFiles(below: place, in: store, beside: documents)
      // Documents that the sync itself saved, because versions arrived for them, are no longer edited.
      let edited =
        try isLast && !save ? store.editedDocuments(among: documents, withBegun: true) : []
      try SyncAnswer(
        place: place, remote: chosen, outcome: outcome,
        edited: edited.map { DocumentArgument($0) }, merged: merged, hasHints: isLast,
        new: (beside?.found ?? []).map { DocumentArgument($0) },
        apart: FoldersApart(beside?.containers ?? []),
        notDownloaded: isLast ? store.documentsNotDownloaded(below: place) : []
      ).give(isJSON: options.isJSON)
    }
    let folder = try chosen.folder.flatMap { $0.isThere ? nil : DocumentArgument($0) }
    var outcome = try sync()
    // If a disk is usually mounted there, this would create a different repository than intended.
    if let folder, folder.isFolder, !options.isJSON {
      Console.print("Made a new repository: \(folder.shown)")
    }
    if merge { merged = try mergeConflicts(in: store) }
    if !merged.isEmpty {
      if !options.isJSON {
        try give(outcome, isLast: false)
        Console.print(
          "Merged \(merged.names()); no question was left.")
      }
      let next = try sync()
      outcome = options.isJSON ? outcome.followed(by: next) : next
    }
    try give(outcome, isLast: true)
    try saved.finish()
  }

  /// Saves edited documents, and reports that.
  private func saveAll(
    _ documents: [URL], in store: SynchronousStore
  ) throws -> Results<SaveOutcome> {
    // A new file in the place of a moved document seems to be an edit of that.
    let moved = try documents.isEmpty ? [:] : store.movedDocuments(among: documents)
    let edited = Set(documents + moved.values).sorted { $0.path < $1.path }
      .map { DocumentArgument($0) }
    let title = edited.count == 1 ? edited[0].shown : Wording.count(edited.count, "document")
    let saved = try store.showingProgress("Saving", title, isJSON: options.isJSON) { store in
      let outcomes = store.saveEach(edited.map(\.url))
      return EachDocument(isJSON: options.isJSON).results(of: edited) { try outcomes[$0].get() }
    }
    let new = saved.values.filter(\.isNew).map { DocumentArgument($0.version.documentURL) }
    if !new.isEmpty, !options.isJSON { Console.print("Saved \(new.names()).") }
    return saved
  }

  /// Merges the conflicts of the folder that leave no question.
  private func mergeConflicts(in store: SynchronousStore) throws -> [DocumentArgument] {
    let documents = try store.documentsInConflict(below: container.url) ?? []
    guard !documents.isEmpty else { return [] }
    let merged = Mutex<[URL]>([])
    let isJSON = options.isJSON
    try AsyncWork.wait {
      try await store.showingProgress(
        "Merging", Wording.count(documents.count, "document"), isJSON: isJSON
      ) { store in
        let merges = try merges(in: store)
        for document in documents {
          do {
            guard case .resolved = try await merges.merge(document) else { continue }
            merged.withLock { $0.append(document) }
          } catch let error as CancellationError {
            throw error
          } catch {
            CommandFailure(error, in: DocumentArgument(document)).report(isJSON: isJSON)
          }
        }
      }
    }
    return merged.withLock { $0 }.map { DocumentArgument($0) }
  }

  private func merges(in store: SynchronousStore) throws -> CleanMerges {
    CleanMerges(
      in: VersionStore(store), engines: try MergeSettings.engines(),
      coordinator: coordination.coordinator)
  }
}
