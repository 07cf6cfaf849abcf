internal import DocumentVersions
internal import Foundation

/// Conflicted copies and their adoption, as lines.
struct AdoptionListing {
  let places: [DocumentArgument]
  let time: ReadableTime

  private var words: String { places.map(\.word).joined(separator: " ") }

  // MARK: The list

  func lines(_ report: AdoptionReport) -> [String] {
    guard !report.copies.isEmpty else {
      return ["There are no conflicted copies in \(Wording.list(places.map(\.shown)))."]
        + SyncedFolderText.lines(report.synced)
    }
    var table = Table()
    var document: URL?
    for copy in report.copies.map(\.copy) {
      let isNext = document != copy.document
      document = copy.document
      let name = DocumentArgument(copy.document).shown
      table.rows.append([
        Table.Cell(isNext ? name : "", room: .yielding) { $0.asHeading },
        Table.Cell(copy.url.lastPathComponent.printable, room: .yielding),
        Table.Cell(copy.name.tools.first?.rawValue ?? "") { $0.asMuted },
        Table.Cell("\(copy.author.printable) · \(copy.device.printable)"),
        Table.Cell(date(of: copy)),
        Table.Cell(copy.similarity.map { "\($0) % alike" } ?? ""),
        Table.Cell(copy.verdict, room: .rest) { copy.isMergeable ? $0.asGood : $0.asOpen },
      ])
    }
    let mergeable = report.copies.count { $0.copy.isMergeable }
    let open = report.copies.count { $0.copy.isQuestion }
    var lines = table.lines()
    if mergeable > 0 {
      lines.append("Merge what merges cleanly:  ".asMuted + "docversions adopt --merge \(words)")
    }
    if open > 0 {
      lines.append("Answer the remaining questions:  ".asMuted + "docversions adopt --ask \(words)")
    }
    return lines + SyncedFolderText.lines(report.synced)
  }

  /// Returns the time in a copy's name, or else its modification time.
  private func date(of copy: ConflictedCopy) -> String {
    // A name has the local time of some device.
    if let date = copy.name.date { return Timestamp.textInSeconds(date).withoutZone }
    return copy.modificationDate.map(time.text) ?? ""
  }

  // MARK: Adopted documents

  func lines(_ adopted: AdoptedDocument, isDryRun: Bool) -> [String] {
    let document = DocumentArgument(adopted.document)
    let taken = adopted.copies.filter(\.isTaken)
    var lines: [String] = []
    for copy in taken {
      let name = copy.copy.url.lastPathComponent.printable
      let version = copy.version.map { " · \($0.shown)" } ?? ""
      switch copy.copy.outlook {
      case .nothingNew:
        lines.append("\(document.shown): \(name) \(isDryRun ? "has" : "had") nothing new\(version)")
      default:
        let verb = isDryRun ? "would take in" : "took in"
        lines.append(
          "\(document.shown): \(verb) \(name)\(version) · \(copy.copy.author.printable) · \(copy.copy.device.printable)\(copy.copy.origin)"
        )
      }
    }
    if let resolution = adopted.resolution {
      let how = resolution.chosen == nil ? "merged" : "one version taken whole"
      lines.append(
        "\(document.shown): \(how) · \(resolution.version.shown), because \(resolution.reason.printable)"
      )
    } else if isDryRun, taken.contains(where: { $0.copy.isChange }) {
      lines.append("\(document.shown): would be resolved")
    }
    if adopted.isInConflict {
      lines.append("\(document.shown): in conflict; its copies stay until that is resolved".asOpen)
    }
    for copy in adopted.copies where !copy.isTaken {
      lines.append(
        "\(document.shown): left \(copy.copy.url.lastPathComponent.printable): \(copy.copy.verdict)"
          .asOpen)
    }
    return lines
  }

  /// Returns the lines after those of the documents.
  func summary(
    _ documents: [AdoptedDocument], isDryRun: Bool, _ report: AdoptionReport
  ) -> [String] {
    guard !documents.isEmpty else {
      return ["There are no conflicted copies in \(Wording.list(places.map(\.shown)))."]
        + SyncedFolderText.lines(report.synced)
    }
    let copies = documents.flatMap(\.copies)
    let (taken, left) = (copies.count(where: \.isTaken), copies.count { !$0.isTaken })
    let verb = isDryRun ? "Would adopt" : "Adopted"
    var lines = [
      "\(verb) \(count(taken)) of \(Wording.count(documents.count, "document"))\(left > 0 ? "; \(left) left" : "")."
    ]
    if !isDryRun, taken > 0 {
      lines.append("Undo:  ".asMuted + "docversions adopt --undo \(words)")
    }
    if copies.contains(where: { !$0.isTaken && $0.copy.isQuestion }) {
      lines.append("Answer the remaining questions:  ".asMuted + "docversions adopt --ask \(words)")
    }
    return lines + SyncedFolderText.lines(report.synced)
  }

  private func count(_ number: Int) -> String { number == 1 ? "1 copy" : "\(number) copies" }
}

extension ConflictedCopy {
  /// True if `--merge` adopts the copy.
  var isMergeable: Bool {
    switch outlook {
    case .nothingNew, .merges: true
    default: false
    }
  }

  /// True if the copy has something that the document lacks.
  var isChange: Bool {
    if case .nothingNew = outlook { false } else { true }
  }

  /// True if a person has to decide about it.
  var isQuestion: Bool {
    if case .asks = outlook { true } else { false }
  }

  /// The source of the base, such as “, made from 7f3a2c1”.
  var origin: String {
    guard let base else { return "" }
    switch base.source {
    case .version(let version): return ", made from \(version.id.short)"
    case .file(let url): return ", made from \(url.lastPathComponent.printable)"
    case .commit(let commit): return ", made from commit \(commit.prefix(7))"
    }
  }

  /// The expected result of adopting the copy.
  var verdict: String {
    let document = self.document.lastPathComponent.printable
    switch outlook {
    case .nothingNew: return "nothing new"
    case .merges: return "merges cleanly\(origin)"
    case .asks(let question, let questions):
      switch question {
      case .contradiction: return Wording.count(questions.count, "question") + origin
      case .unknownBase: return "to be asked: nothing shows what both were made from"
      case .containsDocument(let more):
        return "to be asked: it has all of \(document), and \(Wording.count(more, pieces)) more"
      case .isContained(let more):
        return "to be asked: \(document) has all of it, and \(Wording.count(more, pieces)) more"
      case .ambiguousName: return "to be asked: perhaps a document of its own"
      case .documentInConflict: return "to be asked: \(document) is in a conflict already"
      case .tooLarge: return "to be asked: too large to be merged"
      }
    case .refused(let refusal): return refusal.words(for: document)
    }
  }
}

extension AdoptionRefusal {
  func words(for document: String) -> String {
    switch self {
    case .documentMissing: "stays: there is no \(document)"
    case .hasVersions: "stays: it has versions of its own"
    case .isFolder: "stays: a folder that isn’t a document"
    case .isSpecial: "stays: neither a file nor a folder"
    case .unreadable(let error): "stays: \(CommandFailure(error).message)"
    }
  }
}

extension UndoneAdoption {
  func lines(isDryRun: Bool) -> [String] {
    let verb = isDryRun ? "Would bring back" : "Brought back"
    var lines = copies.map { "\(verb) \(DocumentArgument($0).shown)" }
    let state = isDryRun ? "would be as before" : "is as before"
    lines += documents.map {
      "\(DocumentArgument($0).shown) \(state); the copies’ versions stay, in conflict again."
    }
    lines += changed.map { "\(DocumentArgument($0).shown) was changed since, and stays as it is." }
    return lines.isEmpty ? ["Nothing was to be undone."] : lines
  }
}

extension String {
  /// The text, with characters escaped that could control a terminal.
  var printable: String { Printable.text(self) }

  /// “2026-11-21T02:54:48Z” without the marks of UTC.
  fileprivate var withoutZone: String {
    String(map { $0 == "T" ? " " : $0 }.filter { $0 != "Z" })
  }
}
