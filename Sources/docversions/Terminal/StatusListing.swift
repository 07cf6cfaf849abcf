internal import DocumentVersions
internal import Foundation

/// The states of documents, as lines.
struct StatusListing {
  let documents: [(file: DocumentArgument, report: StatusReport)]
  /// Files that have no versions.
  let new: [DocumentArgument]
  /// Conflicted copies that sync tools left.
  let copies: [DocumentArgument]
  /// Files that can't be documents because of their names, by the reason.
  let unnameable: [String: [DocumentArgument]]
  /// Folders that can’t be read.
  let unreadable: [DocumentArgument]
  /// Documents that are not on this device.
  let notDownloaded: [DocumentArgument]
  /// Documents whose sync is paused.
  let paused: [DocumentArgument]
  /// The requested folders and documents.
  let places: [DocumentArgument]
  /// True if documents are exchanged here at all.
  private let isExchanging: Bool

  init(
    documents: [(file: DocumentArgument, report: StatusReport)], new: [DocumentArgument],
    copies: [DocumentArgument], unnameable: [String: [DocumentArgument]],
    unreadable: [DocumentArgument],
    notDownloaded: [DocumentArgument], paused: [DocumentArgument], places: [DocumentArgument]
  ) {
    self.notDownloaded = notDownloaded
    self.paused = paused
    self.documents = documents
    self.new = new
    self.copies = copies
    self.unnameable = unnameable
    self.unreadable = unreadable
    self.places = places
    isExchanging = documents.contains { $0.report.exchanged != nil }
  }

  var lines: [String] {
    var table = Table()
    let isLong = documents.count > Self.mostListed
    for (file, report) in documents
    where !isLong || !report.isUnchanged || isToExchange(report) {
      let conflicts = report.unresolvedConflicts
      table.rows.append([
        Table.Cell(file.shown, room: .yielding),
        Table.Cell(report.place.map { "moved to \($0.shown)?" } ?? report.state.rawValue) {
          report.state == .unchanged ? $0.asMuted : $0.asPlace
        },
        Table.Cell(Wording.count(report.versions, "version")) { $0.asMuted },
        Table.Cell(conflicts > 0 ? Wording.count(conflicts, "unresolved conflict") : "") {
          $0.asOpen
        },
        Table.Cell(isToExchange(report) ? "not exchanged yet" : "") { $0.asMuted },
      ])
    }
    let copied = "conflicted \(copies.count == 1 ? "copy" : "copies")"
    return table.lines() + Self.counted(new, "new") + Self.counted(copies, copied)
      + unnameable.sorted { $0.key < $1.key }
      .flatMap { Self.counted($1, "to rename, with a name that \($0)") }
      + Self.counted(unreadable, unreadable.count == 1 ? "unreadable folder" : "unreadable folders")
      + Self.counted(notDownloaded, "not downloaded") + Self.counted(paused, "kept out of syncs")
      + summary + hints
  }

  /// The maximum number of documents for which those without pending work are also listed.
  private static let mostListed = 20

  /// Returns "2 new: a.md, b.md"; nothing if there are no files.
  private static func counted(_ files: [DocumentArgument], _ words: String) -> [String] {
    files.isEmpty ? [] : ["\(files.count) \(words): \(files.names())"]
  }

  /// The numbers of documents with pending work, if several are listed.
  private var summary: [String] {
    guard documents.count > 1 else { return [] }
    func count(_ isMeant: (StatusReport) -> Bool) -> Int { documents.count { isMeant($0.report) } }
    let parts = [
      ("to save", count { [.edited, .unsaved].contains($0.state) || $0.movedTo != nil }),
      ("missing", count { $0.state == .missing && $0.movedTo == nil }),
      ("to resolve", count { $0.unresolvedConflicts > 0 }),
      ("to exchange", count(isToExchange)),
    ]
    let work = parts.filter { $1 > 0 }.map { "\($1) \($0)" }
    let all = Wording.count(documents.count, "document")
    return ["\(all): \(work.isEmpty ? "nothing to do" : work.joined(separator: ", "))."]
  }

  /// Returns whether other devices lack versions of the document, if documents are exchanged here at all.
  private func isToExchange(_ report: StatusReport) -> Bool {
    isExchanging && report.versions > 0 && report.exchanged != true
  }

  private var hints: [String] {
    let edited = documents.filter { [.edited, .unsaved].contains($0.report.state) }
    let inConflict = documents.filter { $0.report.unresolvedConflicts > 0 }.map(\.file)
    let folders = places.filter(\.isFolder)
    let operands =
      folders.count == 1 ? folders[0].asOperand : folders.map { " " + $0.word }.joined()
    return [
      HintLine.text(
        "Save what was edited", "save", edited.filter { !isFolderNow($0) }.map(\.file),
        inFolder: "save --all"),
      HintLine.text(
        "Save what is a folder now", "save --package", documents.filter(isFolderNow).map(\.file)),
      new.isEmpty ? nil : "Save what is new, too:  ".asMuted + "docversions save --all\(operands)",
      copies.isEmpty ? nil : "Look at the copies:  ".asMuted + "docversions adopt\(operands)",
      HintLine.text("Look at the conflicts", "conflicts", inConflict, inFolder: "conflicts"),
      HintLine.text("Sync again what was paused", "resume", paused),
      notDownloaded.isEmpty ? nil : "Get what is not here:  ".asMuted + "docversions download NAME",
    ].compactMap(\.self) + hintsOnMissing
  }

  /// The next steps for missing documents; for many, those for their folder, or only those for the first ones.
  private var hintsOnMissing: [String] {
    var missing = documents.filter {
      $0.report.place != nil || [.missing, .deleted].contains($0.report.state)
    }
    let gone = missing.filter { $0.report.place == nil && $0.report.state == .missing }.map(\.file)
    var hints: [String] = []
    if gone.count > HintLine.mostNames {
      missing.removeAll { $0.report.place == nil && $0.report.state == .missing }
      hints = [
        HintLine.text("Delete them on every device", "delete", gone, inFolder: "delete"),
        HintLine.text("Bring them back", "restore", gone, inFolder: "restore", " current"),
      ].compactMap(\.self)
    }
    for (file, report) in missing.prefix(HintLine.mostNames) {
      hints += Self.hints(file, report)
    }
    let more = missing.count - HintLine.mostNames
    return hints + (more > 0 ? ["… and so for \(more) more.".asMuted] : [])
  }

  /// The next steps for a missing document.
  private static func hints(_ file: DocumentArgument, _ report: StatusReport) -> [String] {
    if let place = report.place {
      return [HintLine.text("If it is this one, keep its versions with it", "save", [place])]
        .compactMap(\.self)
    }
    if let whole = report.joined {
      return [HintLine.text("Finish its join", "join", [DocumentArgument(whole), file])]
        .compactMap(\.self)
    }
    guard [.missing, .deleted].contains(report.state), let last = report.last else { return [] }
    let delete = HintLine.text("Delete it on every device", "delete", [file])
    let restore = HintLine.text("Bring it back", "restore", [file], " \(last.id.short)")
    return [report.state == .missing ? delete : nil, file.isFolder ? nil : restore]
      .compactMap(\.self)
  }

  /// Returns whether a folder has taken the place of a file; saving it needs a flag.
  private func isFolderNow(_ document: (file: DocumentArgument, report: StatusReport)) -> Bool {
    document.report.current?.version.isPackage == false && document.file.isFolder
  }
}

extension StatusReport {
  /// The path to which the document was probably moved.
  fileprivate var place: DocumentArgument? {
    movedTo.map { DocumentArgument(URL(filePath: $0)) }
  }
}
