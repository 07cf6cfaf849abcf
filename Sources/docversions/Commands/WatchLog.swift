internal import DocumentVersions
internal import Foundation

/// A log with a line for each event of a watcher.
struct WatchLog: Sendable {
  let isJSON: Bool
  let isDryRun: Bool
  /// The pause before a save, in seconds.
  let pause: Int
  /// True if new questions are shown on the desktop, too.
  let notifies: Bool
  /// True if the log goes to the journal of systemd, which already has the time of each line.
  private let isForJournal = Self.isJournal

  /// A line in JSON.
  private struct Line: Encodable {
    let time = Timestamp.textInSeconds(Date())
    let event: String
    @Nullable var document: String?
    @Nullable var version: String?
    @Nullable var remote: String?
    @Nullable var sent: Int?
    @Nullable var received: Int?
    @Nullable var error: String?
  }

  func write(_ event: WatchEvent, in folder: DocumentArgument) {
    switch event {
    case .looked(let files): write(files, folder)
    case .leftOut(let tooLarge, let unknown): write(tooLarge: tooLarge, unknown: unknown)
    case .saved(let documents): write(saved: documents)
    case .deleted(let versions):
      writeEach(
        versions,
        or: """
          Recorded that \(versions.count) documents \(place(of: versions.map(\.documentURL))) were deleted; back:  \
          docversions restore \(Self.folder(of: versions.map(\.documentURL)).word) \(Self.before(versions))
          """
      ) { version in
        let document = DocumentArgument(version.documentURL)
        return (
          "Recorded that \(document.shown) was deleted · \(version.persistentIdentifier.short); "
            + "back:  docversions undo \(document.word)",
          Line(
            event: "deleted", document: document.absolutePath,
            version: version.persistentIdentifier.description)
        )
      }
    case .vanished(let count):
      write(
        """
        \(count) documents have gone from \(folder.shown) at once: that is not recorded as their deletion. Which ones:  \
        docversions status \(folder.word)
        """, Line(event: "vanished", document: folder.absolutePath), isWarning: true)
    case .unmounted(let place):
      write(
        "\(DocumentArgument(place).shown) is not mounted any more; its documents wait until it is back.",
        Line(event: "missing", document: place.path))
    case .adopted(let document): write(document)
    case .merged(let versions): write(merged: versions)
    case .undecided(let document):
      let document = DocumentArgument(document)
      write(
        "\(document.shown) is in conflict: it takes a decision.  docversions resolve --ask \(document.word)",
        Line(event: "conflict", document: document.absolutePath), isWarning: true)
      notify("\(document.shown) is in conflict", "docversions conflicts")
    case .synced(let outcome, let remote): write(outcome, with: remote)
    case .failed(let failures):
      let shown = isJSON ? failures[...] : failures.prefix(Self.mostLines)
      for failure in shown { write(failure) }
      if failures.count > shown.count {
        write("\(failures.count - shown.count) more failed.", nil, isWarning: true)
      }
    case .notSynced(let error, let remote):
      let failure = CommandFailure(error)
      write(
        "\(remote): \(failure.sentences)",
        Line(event: "failed", remote: remote, error: failure.message), isWarning: true)
    case .missing:
      write(
        "\(folder.shown) is not there; waiting until it is back.",
        Line(event: "missing", document: folder.absolutePath))
    case .polling(let obstacle):
      let start =
        switch obstacle {
        case .place: "The system does not report all changes in \(folder.shown)"
        case .folderLimit: "The system observes no more folders for you"
        case .programLimit: "The system lets no more of your programs observe folders"
        }
      let end =
        switch obstacle {
        case .place: ""
        case .folderLimit: "  More of them:  sudo sysctl fs.inotify.max_user_watches=1048576"
        case .programLimit: "  More of them:  sudo sysctl fs.inotify.max_user_instances=1024"
        }
      write(
        "\(start): it is looked through from time to time instead.\(end)",
        Line(event: "polling", document: folder.absolutePath))
    }
  }

  func writeEnd() {
    write("Stopped.", Line(event: "stopped"))
  }

  // MARK: Texts

  /// The maximum number of documents with a line each; for more, one line gives their number.
  private static let mostLines = 20

  private func writeEach<Item>(
    _ items: [Item], or sum: @autoclosure () -> String, line: (Item) -> (String, Line)
  ) {
    guard items.count > Self.mostLines, !isJSON, !isDryRun else {
      for item in items {
        let (text, line) = line(item)
        write(text, line)
      }
      return
    }
    write(sum(), nil)
  }

  /// Returns the name of the versions that were current before others, as a shell word.
  private static func before(_ versions: [FileVersion]) -> String {
    let moment = versions.map(\.savingDate).min() ?? Date()
    return ShellWord.quoted("@{\(Timestamp.text(moment - 0.001))}")
  }

  /// Returns "in Journal" for the folder of documents.
  private func place(of documents: [URL]) -> String { "in \(Self.folder(of: documents).shown)" }

  /// Returns the folder of documents.
  private static func folder(of documents: [URL]) -> DocumentArgument {
    guard let first = documents.first else { return .here }
    let names = documents.dropFirst().reduce(first.deletingLastPathComponent().pathComponents) {
      common, document in
      let pairs = zip(common, document.deletingLastPathComponent().pathComponents)
      return pairs.prefix { $0 == $1 }.map(\.0)
    }
    let folder = URL(filePath: "/" + names.dropFirst().joined(separator: "/"))
    return DocumentArgument(folder)
  }

  private func write(saved documents: [WatchEvent.SavedDocument]) {
    let new = documents.count(where: \.isFirst)
    let note =
      new == documents.count ? " (new)" : new > 0 ? " (\(new) new)" : ""
    writeEach(
      documents, or: "Saved \(documents.count) documents \(place(of: documents.map(\.url)))\(note)"
    ) { document in
      let shown = DocumentArgument(document.url).shown
      let name = document.version.map { " · \($0.persistentIdentifier.short)" } ?? ""
      let former = document.formerPlace.map { " (renamed from \(DocumentArgument($0).shown))" }
      let note = document.isFirst ? " (new)" : former ?? ""
      return (
        "\(isDryRun ? "Would save" : "Saved") \(shown)\(name)\(note)",
        Line(
          event: "saved", document: document.url.path,
          version: document.version?.persistentIdentifier.description)
      )
    }
    for document in documents {
      guard let missed = document.missed else { continue }
      let file = DocumentArgument(document.url)
      write(
        """
        \(file.shown) shows nothing of \(missed.persistentIdentifier.short), which was written over it in the meantime; \
        both are in conflict.  docversions resolve --ask \(file.word)
        """,
        Line(
          event: "conflict", document: document.url.path,
          version: missed.persistentIdentifier.description), isWarning: true)
      notify("\(file.shown) is in conflict", "docversions conflicts")
    }
  }

  private func write(_ failed: WatchEvent.FailedDocument) {
    let failure = CommandFailure(failed.error)
    let place = failed.url.map { "\(DocumentArgument($0).shown): " } ?? ""
    write(
      "\(place)\(failure.sentences)",
      Line(event: "failed", document: failed.url?.path, error: failure.message),
      isWarning: true)
  }

  private func write(_ files: WatchedFiles, _ folder: DocumentArgument) {
    var parts = [Wording.count(files.documents, "document")]
    if files.toSave > 0 { parts.append("\(files.toSave) to save") }
    if files.missing > 0 { parts.append("\(files.missing) missing") }
    write(
      "\(isDryRun ? "Would keep" : "Keeping") \(folder.shown): \(parts.joined(separator: ", ")).",
      Line(event: "looked", document: folder.absolutePath))
    guard !isJSON else { return }
    if !isDryRun {
      write("A version is made when editing pauses for \(PauseArgument(seconds: pause)).", nil)
    }
    if files.ignored > 0 {
      write("\(files.ignored) ignored; list them:  docversions status --ignored", nil)
    }
    write(tooLarge: files.tooLarge, unknown: files.unknown)
  }

  private func write(tooLarge: WatchedFiles.Some, unknown: WatchedFiles.Some) {
    for (files, why) in [(tooLarge, "too large"), (unknown, "of no known type")]
    where files.count > 0 {
      let names = files.first.map { DocumentArgument($0).shown }.joined(separator: ", ")
      let rest = files.count - files.first.count
      let more = rest > 0 ? " and \(rest) more" : ""
      write("Left out, \(why) (save takes them):  \(names)\(more)", nil)
    }
  }

  private func write(_ document: AdoptedDocument) {
    let shown = DocumentArgument(document.document).shown
    for copy in document.copies {
      let name = Printable.text(copy.copy.url.lastPathComponent)
      let text =
        copy.isTaken
        ? "\(isDryRun ? "Would adopt" : "Adopted") \(name) into \(shown)"
        : "\(name) stays: it takes a decision.  docversions adopt --ask \(DocumentArgument(copy.copy.url).word)"
      write(
        text,
        Line(
          event: copy.isTaken ? "adopted" : "left", document: copy.copy.url.path,
          version: copy.version?.persistentIdentifier.description), isWarning: !copy.isTaken)
      if !copy.isTaken { notify("\(shown) has a conflicted copy", name) }
    }
    if let failure = document.failure {
      let message = CommandFailure(failure).message
      write(
        "\(shown): \(message)",
        Line(event: "failed", document: document.document.path, error: message))
    }
  }

  private func write(merged versions: [FileVersion]) {
    let verb = isDryRun ? "Would merge" : "Merged"
    writeEach(
      versions,
      or:
        "\(verb) \(versions.count) documents \(place(of: versions.map(\.documentURL))); no question was left."
    ) { version in
      let document = DocumentArgument(version.documentURL)
      let name = isDryRun ? "" : " · \(version.persistentIdentifier.short)"
      return (
        "\(verb) \(document.shown)\(name); no question was left.",
        Line(
          event: "merged", document: document.absolutePath,
          version: isDryRun ? nil : version.persistentIdentifier.description)
      )
    }
  }

  private func write(_ outcome: ExchangeOutcome, with remote: String) {
    for document in outcome.documents {
      // A document that was renamed in the meantime is synced under its new name.
      guard let failure = document.failure,
        (failure as? VersionError)?.code != .changedMeanwhile
      else { continue }
      let message = CommandFailure(failure).message
      write(
        "\(DocumentArgument(document.document).shown): \(message)",
        Line(event: "failed", document: document.document.path, error: message))
    }
    guard outcome.sent + outcome.received > 0 else { return }
    write(
      "Synced with \(remote): sent \(outcome.sent), received \(outcome.received): \(outcome.news)",
      Line(
        event: "synced", remote: remote, sent: outcome.sent, received: outcome.received))
  }

  private func notify(_ title: String, _ text: String) {
    if notifies { DesktopNotice.show(title, text) }
  }

  /// True if standard output goes to the journal of systemd.
  private static var isJournal: Bool {
    guard let stream = Settings.variable("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(STDOUT_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  private func write(_ text: String, _ line: Line?, isWarning: Bool = false) {
    guard isJSON else {
      let start = isForJournal ? (isWarning ? "<4>" : "") : "\(Timestamp.textInSeconds(Date()))  "
      return Console.print("\(start)\(Printable.text(text))")
    }
    guard let line else { return }
    do {
      try Console.print(json: line)
    } catch {
      Console.complain("An answer can’t be written: \(error)")
    }
  }
}
