internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists the documents whose versions nobody has brought together yet.
struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "conflicts",
    abstract: "List documents in conflict, and what merging them would leave to decide.",
    discussion: """
      JSON: {"documents": [{"base", "conflicts", "current", "document", "mergesCleanly", "questions"}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when there are conflicts.")
  var hasExitCode = false

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    let documents = try DocumentSearch(store: store, isForConflicts: true).documents(at: paths)
    var found = try look(at: documents, in: store)
    found.values.removeAll { !$0.isOpen }
    if hasExitCode && !found.values.isEmpty { found.add(.conflictsRemain) }
    if options.isJSON {
      try found.printJSON("documents")
    } else {
      print(found.values, Moment(now: store.clock()))
      // Of what could not be looked at, nothing is known.
      if found.values.isEmpty, found.status == .done { Console.print("No conflicts.") }
    }
    try found.finish()
  }

  private func look(
    at documents: [DocumentArgument], in store: VersionStore
  ) throws -> Results<OpenConflict> {
    // For each document its own failure, where the settings are wrong.
    let engines = Result { try MergePrograms.engines() }
    let each = EachDocument(isJSON: options.isJSON)
    guard let first = documents.first else { return Results() }
    let title = documents.count == 1 ? first.shown : Wording.count(documents.count, "document")
    return try store.showingProgress("Merging", title, isJSON: options.isJSON) { store in
      each.runTogether(documents) { document in
        if store.progress?.isCancelled == true { throw CancellationError() }
        return try OpenConflict(document, in: store, engines: engines.get())
      }
    }
  }

  private func print(_ documents: [OpenConflict], _ moment: Moment) {
    var table = Table()
    for document in documents {
      guard let conflict = document.conflict else { continue }
      let people = conflict.versions.map { $0.whoAndWhen(moment) }.joined(separator: " · ")
      table.rows.append([
        Table.Cell(document.argument.shown, room: .yielding) { $0.asHeading },
        Table.Cell(Wording.count(conflict.versions.count, "version")) { $0.asQuiet },
        Table.Cell(document.verdict) { document.mergesCleanly ? $0.asGood : $0.asOpen },
        Table.Cell(people, room: .rest),
      ])
    }
    for line in table.lines() { Console.print(line) }
    hint("Resolve what merges cleanly:", "--merge", documents.filter(\.mergesCleanly))
    hint("Answer what is left:", "--ask", documents.filter { !$0.mergesCleanly })
  }

  private func hint(_ words: String, _ flag: String, _ documents: [OpenConflict]) {
    guard !documents.isEmpty else { return }
    let names = documents.map(\.argument.word).joined(separator: " ")
    Console.print("\(words)  ".asQuiet + "docversions resolve \(flag) \(names)")
  }
}

/// `{"base", "conflicts", "current", "document", "mergesCleanly", "questions"}`: the version that all were
/// made from, or null; the unresolved conflict versions; the current version; the path; whether merging
/// leaves nothing to decide; and what it leaves, as `MergeDecision` has it.
private struct OpenConflict: Encodable, Sendable {
  let argument: DocumentArgument
  let conflict: Conflict?
  let document: String
  @Nullable var current: VersionJSON?
  let conflicts: [VersionJSON]
  @Nullable var base: VersionJSON?
  let mergesCleanly: Bool
  let questions: [MergeDecision]

  enum CodingKeys: String, CodingKey {
    case document, current, conflicts, base, mergesCleanly, questions
  }

  var isOpen: Bool { conflict != nil }

  /// What merging comes to, as "merges cleanly" or "1 question: line 3".
  var verdict: String {
    guard let first = questions.first else { return "merges cleanly" }
    let count = Wording.count(questions.count, "question")
    return questions.count == 1 ? "\(count): \(Printable.text(first.place.description))" : count
  }

  init(_ argument: DocumentArgument, in store: VersionStore, engines: MergeEngines) throws {
    self.argument = argument
    let found = try Conflict.proposed(of: argument.url, store: store, engines: engines)
    conflict = found?.conflict
    document = conflict?.document.path ?? argument.url.path
    current = (conflict?.current).map(VersionJSON.init)
    conflicts = conflict?.versions.dropFirst().map(VersionJSON.init) ?? []
    base = (conflict?.base).map(VersionJSON.init)
    questions = found?.proposal.questions ?? []
    mergesCleanly = questions.isEmpty
  }
}
