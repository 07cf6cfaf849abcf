internal import ArgumentParser
internal import DocumentVersions
internal import Synchronization

/// Resolves conflicts of documents.
struct ResolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "resolve", abstract: "Resolve the conflicts of documents.",
    discussion: """
      One of --latest, --merge, --ask and --keep says how. All versions stay in the document’s history. Where changes \
      contradict each other, --merge changes nothing, and the exit code is 1; with --else ask it asks then, and with \
      --else latest it takes, where they contradict each other, what was modified last. Your answer to a question, given here or on \
      another device, is reused when the same changes meet again, and the output says so; --ask-again asks it anew.

      JSON: {"chosen", "decisions", "document", "keptEdits", "outcome", "questions", "reason", "remembered", \
      "settled", "strategy", "version"} for one document, {"resolved": […]} for several.
      """)

  /// The strategy after a merge that left questions.
  enum Fallback: String, ExpressibleByArgument, CaseIterable {
    case latest, ask
  }

  @Argument(help: "Documents in conflict, or folders with some.")
  var files: [DocumentArgument]

  @Flag(help: "Use the version that was modified last; a deletion only if all are.")
  var latest = false

  @Flag(help: "Combine the changes of all versions.")
  var merge = false

  @Flag(help: "Ask each question; answers come from standard input.")
  var ask = false

  @Flag(help: "Don't reuse earlier answers.")
  var askAgain = false

  @Option(help: ArgumentHelp("Take this version.", valueName: "version"))
  var keep: VersionArgument?

  @Option(
    name: .customLong("else"),
    help: "With --merge, decide the remaining questions: ask, or use the latest version.")
  var fallback: Fallback?

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func validate() throws {
    let choices = [
      ("--latest", latest), ("--merge", merge), ("--ask", ask), ("--keep", keep != nil),
    ].filter(\.1).map(\.0)
    guard !choices.isEmpty else {
      throw ValidationError("Say how, with one of --latest, --merge, --ask and --keep VERSION.")
    }
    guard choices.count == 1 else { throw ValidationError("Only one of \(Wording.list(choices)).") }
    guard fallback == nil || merge else { throw ValidationError("--else goes with --merge.") }
    guard !askAgain || ask || merge else {
      throw ValidationError("--ask-again goes with --ask or --merge.")
    }
    guard keep == nil || files.count == 1 else {
      throw ValidationError("--keep names a version of one document.")
    }
    guard keep?.member == nil else { throw ValidationError("--keep takes a version as a whole.") }
    guard !options.isJSON || !(ask || fallback == .ask) else {
      throw ValidationError("Questions are for people; they don’t go together with --json.")
    }
  }

  func run() throws {
    try AsyncWork.wait { try await resolveAll() }
  }

  private func resolveAll() async throws {
    let store = try options.store()
    let files = try DocumentSearch(store: store, isForConflicts: true).documents(at: self.files)
      .withoutRepetition
    guard !files.isEmpty else {
      if options.isJSON { return try Results<ResolveReport>().printJSON("resolved") }
      return Console.print("No conflicts.")
    }
    var resolved = await EachDocument(isJSON: options.isJSON).run(files) { file in
      try await resolve(file, store)
    }
    if options.isJSON {
      try resolved.printJSON(
        "resolved",
        of: self.files.count == 1 && self.files[0].isFolder
          && files.first?.path != self.files[0].path ? nil : files)
    }
    if resolved.values.contains(where: { $0.outcome == .unresolved }) {
      resolved.add(.conflictsRemain)
    }
    try resolved.finish()
  }

  private func resolve(_ file: DocumentArgument, _ store: SynchronousStore) async throws
    -> ResolveReport
  {
    let time = ReadableTime(now: store.clock())
    let engines = try MergeSettings.engines()
    // The report is about the decided conflict, which the strategy receives from the open store.
    let decided = Mutex<Conflict?>(nil)
    let strategy = try strategy(for: file, time, store)
      .observed { conflict in decided.withLock { $0 = conflict } }
    // A user who answers questions sees the progress, and a signal ends the program at once.
    let isAsking = ask || fallback == .ask
    func outcome(_ store: SynchronousStore) async throws -> ResolutionOutcome {
      var resolver = ConflictResolver(strategy, store: VersionStore(store), engines: engines)
      resolver.remembersAnswers = !askAgain
      guard !isAsking else {
        // No program waits for a person's answers; changes in the meantime aren't reverted.
        try coordination.askToSave(file.url, in: store)
        return try await resolver.resolve(file.url)
      }
      return try await coordination.whileWriting(file.url, in: store) {
        try await resolver.resolve(file.url)
      }
    }
    let outcome =
      isAsking
      ? try await outcome(store)
      : try await store.showingProgress(
        "Resolving", file.shown, isJSON: options.isJSON, outcome)
    if !options.isJSON {
      let text = ResolveText(file: file, time: time, isDryRun: store.isDryRun)
      let conflict = decided.withLock { $0 }
      var proposal: MergeProposal?
      if case .unresolved = outcome { proposal = try await conflict?.proposal() }
      Console.print(lines: text.lines(outcome, of: conflict, proposal))
    }
    return ResolveReport(file.absolutePath, outcome)
  }

  private func strategy(
    for file: DocumentArgument, _ time: ReadableTime, _ store: SynchronousStore
  ) throws -> ResolutionStrategy {
    let interview = Interview(file: file, time: time, store: store)
    let asking = ResolutionStrategy(name: "ask") { try await interview.decide($0) }
    if let keep {
      return .keep(try keep.version(of: file, in: store).id)
    }
    if ask { return asking }
    if latest { return .latest }
    switch fallback {
    case .latest: return .merge(else: .latest)
    case .ask: return .merge(else: asking)
    case nil: return .merge
    }
  }
}
