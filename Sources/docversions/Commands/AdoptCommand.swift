internal import ArgumentParser
internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Finds and adopts the conflicted copies that sync tools leave behind.
struct AdoptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "adopt",
    abstract: "Find conflicted copies that sync tools leave behind, and merge them.",
    discussion: """
      Without an option, or with --list, nothing is changed: each copy is listed with its document, the person, the \
      device and the time in its name, how much both have in common, and the result of a merge.

      --merge adopts the copies whose changes combine with those of the document, and those with nothing new. The \
      base is found in the document’s versions, in .stversions and the like, or in git; a copy without a base stays, \
      as does every other copy. --ask adopts all copies, and asks; --merge --else ask asks only about the copies \
      that --merge leaves. With --latest, the copy that was modified last becomes the document, unless the document \
      is later. Every removed copy is a version of its document, and --undo restores the files of the last adoption.

      Names that may belong to other documents, such as “trip 2.md” and “trip-LAPTOP.md”, count only beside a \
      similar document, and become questions unless you name the file itself.

        docversions adopt ~/Sync
        docversions adopt --merge ~/Sync
        docversions adopt --undo ~/Sync

      JSON: {"copies": [{"alike", "author", "base", "copy", "date", "device", "document", "member", "outlook", \
      "questions", "reason", "removed", "taken", "tools", "version"}], "documents": [{"document", "failure", \
      "questions", "version"}], "synced": [{"folder", "ignored", "ignoreFile", "ignoreLine", "tool"}]}; with --undo \
      {"changed", "copies", "documents", "failures"}.
      """)

  /// The handling of copies that a merge leaves.
  enum Fallback: String, ExpressibleByArgument, CaseIterable {
    case ask
  }

  @Argument(
    help: ArgumentHelp(
      "Folders, by default the current one; or copies, which count regardless of their names.",
      valueName: "places"))
  var named: [DocumentArgument] = []

  private var places: [DocumentArgument] {
    named.isEmpty ? [DocumentArgument.here] : named
  }

  @Flag(help: "List the copies, and change nothing; the default.")
  var list = false

  @Flag(help: "Combine the changes of copies with those of their documents.")
  var merge = false

  @Flag(help: "Ask each question; answers come from standard input.")
  var ask = false

  @Flag(help: "Use the side that was modified last, for each document and its copies.")
  var latest = false

  @Flag(help: "Undo the last adoption, and restore the copies’ files.")
  var undo = false

  @Option(name: .customLong("else"), help: "With --merge, ask about the copies that it leaves.")
  var fallback: Fallback?

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func validate() throws {
    let choices = [
      ("--list", list), ("--merge", merge), ("--ask", ask), ("--latest", latest), ("--undo", undo),
    ].filter(\.1).map(\.0)
    guard choices.count <= 1 else { throw ValidationError("Only one of \(Wording.list(choices)).") }
    guard fallback == nil || merge else { throw ValidationError("--else goes with --merge.") }
    guard !options.isJSON || !(ask || fallback != nil) else {
      throw ValidationError("Questions are for people; they don’t go together with --json.")
    }
    guard !(options.isDryRun && (ask || fallback != nil)) else {
      throw ValidationError("Questions are asked only where something is done.")
    }
  }

  func run() throws {
    let store = try coordination.impatient(options.store())
    for place in places where !FileManager.default.fileExists(atPath: place.path) {
      throw CommandFailure(
        .notFound, code: FileError.Code.notFound.rawValue, "There is no folder “\(place.shown)”.",
        path: place.path)
    }
    if undo {
      try AsyncWork.wait { try await undoAdoptions(store) }
    } else if merge || ask || latest {
      try AsyncWork.wait { try await adopt(store) }
    } else {
      try listCopies(store)
    }
  }

  private var title: String { Wording.list(places.map(\.shown)) }

  // MARK: Listing

  private func listCopies(_ store: SynchronousStore) throws {
    let engines = try MergeSettings.engines()
    let copies = try store.showingProgress("Comparing", title, isJSON: options.isJSON) {
      try Adoption.copies(in: places.map(\.url), store: $0, engines: engines)
    }
    let report = AdoptionReport(copies.map { AdoptionReport.Copy($0) }, synced: try syncedFolders())
    let listing = AdoptionListing(places: places, time: ReadableTime(now: store.clock()))
    try Console.answer(report, asJSON: options.isJSON, listing.lines(report))
  }

  private func syncedFolders() throws -> [SyncedFolder] {
    var seen: Set<SyncedFolder> = []
    return try places.flatMap {
      try SyncedFolder.around($0.isFolder ? $0.url : $0.url.deletingLastPathComponent())
    }.filter { seen.insert($0).inserted }
  }

  // MARK: Adopting

  private func adopt(_ store: SynchronousStore) async throws {
    let adoption = Adoption(store: VersionStore(store), engines: try MergeSettings.engines())
    // A user who answers questions sees the progress.
    let isAsking = ask || fallback == .ask
    let documents =
      isAsking
      ? try await adopted(adoption, store)
      : try await store.showingProgress("Adopting copies in", title, isJSON: options.isJSON) {
        var adoption = adoption
        adoption.store = VersionStore($0)
        return try await adopted(adoption, store)
      }
    let report = AdoptionReport(documents, synced: try syncedFolders())
    let listing = AdoptionListing(places: places, time: ReadableTime(now: store.clock()))
    if options.isJSON {
      try Console.print(json: report)
    } else {
      Console.print(lines: listing.summary(documents, isDryRun: options.isDryRun, report))
    }
    let failures = documents.compactMap { document in
      document.failure.map { CommandFailure($0, in: DocumentArgument(document.document)) }
    }
    for failure in failures { failure.report(isJSON: options.isJSON) }
    if let first = failures.first { throw first.status }
    if documents.contains(where: \.isLeft) { throw ExitStatus.conflictsRemain }
  }

  private func adopted(
    _ adoption: Adoption, _ store: SynchronousStore
  ) async throws -> [AdoptedDocument] {
    let interview = AdoptionInterview(store: store)
    let rule: AdoptionRule =
      if latest {
        .latest
      } else if ask {
        .resolve(interview.strategy)
      } else {
        fallback == .ask ? .merge(else: interview.strategy) : .merge
      }
    let isAsking = ask || fallback == .ask
    let listing = AdoptionListing(places: places, time: ReadableTime(now: store.clock()))
    var documents: [AdoptedDocument] = []
    do {
      let stream = adoption.adopt(in: places.map(\.url), by: rule) { copy in
        isAsking ? try await interview.isWanted(copy) : true
      }
      for try await document in stream {
        documents.append(document)
        if !options.isJSON {
          Console.print(lines: listing.lines(document, isDryRun: options.isDryRun))
        }
      }
    } catch is CancellationError where !documents.isEmpty {
      Console.complain("Interrupted; what is listed above is done.")
      throw CommandFailure(CancellationError())
    }
    return documents
  }

  // MARK: Undoing

  private func undoAdoptions(_ store: SynchronousStore) async throws {
    let adoption = Adoption(store: VersionStore(store))
    var status: ExitStatus = .done
    for place in places {
      guard let undone = try await adoption.undo(in: place.url) else {
        throw CommandFailure(
          .usage, code: VersionError.Code.nothingToUndo.rawValue,
          "No adoption can be undone in “\(place.shown)”.", path: place.path)
      }
      let report = UndoneAdoptionReport(undone)
      try Console.answer(
        report, asJSON: options.isJSON, undone.lines(isDryRun: options.isDryRun))
      for failure in undone.failures {
        CommandFailure(failure.error, in: DocumentArgument(failure.copy)).report(
          isJSON: options.isJSON)
      }
      if !undone.failures.isEmpty || !undone.changed.isEmpty { status = .conflictsRemain }
    }
    if status != .done { throw status }
  }
}

extension AdoptedDocument {
  /// True if copies are left that need a decision.
  var isLeft: Bool {
    isInConflict
      || copies.contains { copy in
        if case .refused(.hasVersions) = copy.copy.outlook { return false }
        return !copy.isTaken
      }
  }
}
