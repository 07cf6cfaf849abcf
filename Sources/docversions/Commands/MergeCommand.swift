internal import ArgumentParser
internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Merges three files, without any store.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "merge",
    abstract: "Merge two files with a common base, like a git merge driver.",
    discussion: """
      The result replaces OURS. Exit code 0 means that nothing is left to decide, and 1 that clashes are left, between \
      markers; with any other, nothing was written. Files that are not text clash as wholes, and OURS stays as it is. \
      BASE may be an empty file, or /dev/null.

      Lines are merged first. Where they clash, the kind of the document counts. Markdown and plain text (.md, .txt) \
      are merged by words, list items and table rows; tables (.csv, .tsv) by columns, rows and cells; JSON, YAML, TOML \
      and property lists (.json, .yml, .toml, .plist, .strings, .pbxproj and others) by keys, and lists by what \
      distinguishes their members; XML and HTML (.xml, .svg, .storyboard, .xliff, .html and others) by elements and \
      attributes; notebooks (.ipynb) by cells; translations (.po) by entries; settings (.ini, .properties, .service and \
      others) by sections and keys; calendars and contacts (.ics, .vcf) by appointments, people and properties; \
      bibliographies (.bib) by entries and fields; .gitignore, go.sum and requirements.txt as sets of lines; databases of SQLite \
      by rows and columns. The result is a valid document, with OURS where values clash. --markers auto puts clashes \
      between markers also in those that people read by lines.

      As git’s merge driver for all text files:
        git config merge.docversions.driver "docversions merge %O %A %B --name %P --markers auto"
        echo "* merge=docversions" >> .gitattributes

      As git’s mergetool, which asks at the terminal about each clash:
        git config mergetool.docversions.cmd \
          'docversions merge "$BASE" "$LOCAL" "$REMOTE" -o "$MERGED" --ask'
      """)

  /// The style of clashes, in git's words.
  enum Style: String, ExpressibleByArgument, CaseIterable {
    case diff3, merge

    fileprivate var conflictStyle: MergeOptions.ConflictStyle { self == .diff3 ? .diff3 : .merge }
  }

  @Argument(help: "The common base of both sides.")
  var base: DocumentArgument

  @Argument(help: "One side, which the result replaces.")
  var ours: DocumentArgument

  @Argument(help: "The other side.")
  var theirs: DocumentArgument

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: "Write the result here instead; - stands for standard output.")
  var output: DocumentArgument?

  @Option(
    parsing: .unconditional,
    help: "The document’s name, which sets its type and begins output lines; OURS if not given.")
  var name: String?

  @Option(help: "The document’s type, regardless of its name.")
  private var type: TypeArgument?

  @Option(help: "The style of clashes: diff3 with base, merge without.")
  var style = Style.diff3

  @Option(
    help: """
      Where markers show clashes: never, always in text, or auto, in text that is read by lines; if not given, in \
      text that is merged by lines.
      """)
  var markers: ConflictMarkers?

  @Option(
    parsing: .unconditional,
    help: "Write the decisions as JSON to this file; - stands for standard output.")
  var decisions: DocumentArgument?

  @Flag(help: "Ask about each clash; answers come from standard input.")
  var ask = false

  @Flag(help: "Explain the decisions on standard error.")
  var explain = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The name of OURS in markers.", valueName: "name"))
  var oursName: String = "ours"

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The name of THEIRS in markers.", valueName: "name")
  )
  var theirsName: String = "theirs"

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The name of BASE in markers.", valueName: "name"))
  var baseName: String = "base"

  func validate() throws {
    guard !(output?.path == "-" && decisions?.path == "-") else {
      throw ValidationError("Only one of -o and --decisions can go to standard output.")
    }
    guard !ask || output?.path != "-" && decisions?.path != "-" else {
      throw ValidationError("Questions and the result can’t both go to standard output.")
    }
  }

  func run() throws {
    let sides = MergeSides(
      base: try base.path == Self.nothing ? [] : bytes(of: base), ours: try bytes(of: ours),
      theirs: try bytes(of: theirs))
    let labels = MergeLabels(base: baseName, ours: oursName, theirs: theirsName)
    let engines = try MergeSettings.engines()
    let engine =
      type.map { engines.engine(for: $0.kind) } ?? engines.engine(forFileName: name ?? ours.path)
    let options = MergeOptions(labels: labels, conflictStyle: style.conflictStyle)
    let marked = try Self.cancellable {
      if ask { return try askedOutcome(engine.openMerge(of: sides, options: options)) }
      guard let markers else {
        return MarkedOutcome(outcome: try engine.merge(sides, options: options), hasMarkers: true)
      }
      return try engine.openMerge(of: sides, options: options).outcome(
        marking: markers, of: sides, fileName: name ?? ours.path, options: options)
    }
    let outcome = marked.outcome
    if let decisions {
      let report = MergeReport(outcome)
      if decisions.path == "-" {
        try Console.print(json: report)
      } else {
        try PlainFile.replace(decisions.url, with: Array((try JSON.text(report) + "\n").utf8))
      }
    }
    try write(outcome.bytes, insteadOf: sides.ours)
    let text = MergeText(
      names: DecisionText.Names(base: baseName, ours: oursName, theirs: theirsName), name: name,
      explains: explain)
    for line in text.lines(outcome) { Console.complain(line) }
    if !outcome.isComplete, !marked.hasMarkers {
      let start = name.map { "\(Printable.text($0)): " } ?? ""
      Console.complain(
        start + "No markers show this: OURS stands where the sides clash. Decide before you commit."
      )
    }
    if !outcome.isComplete { throw ExitStatus.conflictsRemain }
  }

  /// Asks about each clash; skipped ones stay open.
  private func askedOutcome(_ merge: OpenMerge) throws -> MarkedOutcome {
    let dialogue = ClashDialogue(
      document: Printable.text(name ?? (output ?? ours).path), ours: Printable.text(oursName),
      theirs: Printable.text(theirsName))
    let answers = Mutex<[Int: MergeAnswer]>([:])
    try AsyncWork.wait {
      var standing = StandingAnswers()
      for (index, clash) in merge.clashes.enumerated() {
        if let known = standing.answer(to: clash) {
          answers.withLock { $0[index] = known }
          continue
        }
        let given = answers.withLock { $0 }
        let asked = try await dialogue.ask(
          clash, "question \(index + 1) of \(merge.clashes.count)",
          left: Array(merge.clashes[(index + 1)...])
        ) { answer in
          do {
            _ = try merge.outcome(answers: given.merging([index: answer]) { $1 })
            return nil
          } catch let error as MergeError where error.code == .invalidAnswer {
            return error.message
          }
        }
        guard let (answer, reach) = asked else { return }
        answers.withLock { $0[index] = answer }
        standing.keep(answer, for: reach)
      }
    }
    return MarkedOutcome(
      outcome: try merge.outcome(answers: answers.withLock { $0 }), hasMarkers: true)
  }

  /// Merges, and ends early after a signal.
  private static func cancellable(_ merge: () throws -> MarkedOutcome) throws -> MarkedOutcome {
    let progress = OperationProgress()
    try Signals.beginCancellable(progress)
    defer { Signals.endCancellable() }
    return try MergeCancellation.heeding({ progress.isCancelled }, merge)
  }

  /// The path that git passes for a missing file.
  private static let nothing = "/dev/null"

  /// The maximum size of a file: no merge reads larger ones, and three of them may not fit into memory.
  private static let mostBytes = 1 << 30

  private func bytes(of file: DocumentArgument) throws -> [UInt8] {
    do {
      return try PlainFile.read(file.url, limit: Self.mostBytes)
    } catch let error as FileError where error.code == .unsupportedKind && !file.isFolder {
      throw CommandFailure(
        .refused, code: error.code.rawValue,
        "“\(file.shown)” isn’t a file, and can’t be merged.", path: error.path)
    }
  }

  private func write(_ bytes: [UInt8], insteadOf ours: [UInt8]) throws {
    if output?.path == "-" {
      try Console.write(bytes[...])
    } else if let output {
      try PlainFile.replace(output.url, with: bytes)
    } else if bytes != ours {
      try PlainFile.replace(self.ours.url, with: bytes)
    }
  }
}

extension ConflictMarkers: ExpressibleByArgument {}
