internal import DocumentVersions
internal import Foundation

/// The answer to an exchange through a git repository.
struct SyncAnswer {
  let place: URL
  let remote: Remote
  let outcome: ExchangeOutcome
  /// The documents that were edited and not saved.
  var edited: [DocumentArgument] = []
  /// The documents whose conflicts were merged.
  var merged: [DocumentArgument] = []
  /// True if commands for conflicts are suggested; false if the conflicts are merged next.
  var hasHints = true
  /// Files that have no versions.
  var new: [DocumentArgument] = []
  /// The subfolders that keep their own versions.
  var apart = FoldersApart([])
  /// Documents that are listed and not on this device.
  var notDownloaded: [ListedDocument] = []

  /// Prints the answer, and fails if a document failed.
  func give(isJSON: Bool) throws {
    let exchange = ExchangeReport(
      place, through: place, outcome,
      outcome.documents.map {
        ExchangeReport.Document(exchange: $0, failure: $0.failure.map { CommandFailure($0) })
      })
    try Console.answer(
      SyncReport(
        exchange, with: remote, edited: edited.map(\.absolutePath),
        merged: merged.map(\.absolutePath), removedContentsStay: outcome.removedContentsStay,
        notDownloaded: notDownloaded.map { $0.document.path }),
      asJSON: isJSON,
      ExchangeListing(report: exchange, hasHints: hasHints).lines + warnings + hints)
    try outcome.reportFailures(isJSON: isJSON)
  }

  private var warnings: [String] {
    let address = Printable.text(remote.address)
    var warnings: [String] = []
    if outcome.hasFetchedEverything {
      warnings.append(
        "\(address) sends no contents one by one, so all of them are on this device, in .docversions. The people "
          + "who run it can allow that (uploadpack.allowReachableSHA1InWant).")
    }
    guard outcome.removedContentsStay else { return warnings }
    return warnings + [
      "Contents that were removed or thinned here stay readable at \(address): it rejects "
        + "force-pushes. The people who run it can allow them (receive.denyNonFastForwards, protected branches)."
    ]
  }

  private var hints: [String] {
    var hints: [String] = []
    if !edited.isEmpty {
      hints.append(
        "Edited and not saved: \(edited.names()). Save and send that, too:  docversions sync --save"
      )
    }
    if !new.isEmpty {
      hints.append("Without versions: \(new.names()). Save them:  docversions save --all")
    }
    if !notDownloaded.isEmpty {
      let names = notDownloaded.map { DocumentArgument($0.document) }.names()
      hints.append(
        "Not downloaded: \(names). Get what you need:  docversions download NAME")
    }
    return hints.map(\.asMuted) + apart.lines { "sync --in \($0.word)" }
  }
}

extension ExchangeOutcome {
  /// The documents with news, and the open conflicts: "a.md, b.md; 1 unresolved conflict".
  var news: String {
    let names = documents.filter { $0.sent + $0.received > 0 }
      .map { DocumentArgument($0.document) }.names(atMost: 3)
    let conflicts = documents.reduce(0) { $0 + $1.unresolvedConflicts }
    return names + (conflicts > 0 ? "; \(Wording.count(conflicts, "unresolved conflict"))" : "")
  }

  /// Reports the documents that were left out, and fails with the first of them.
  func reportFailures(isJSON: Bool) throws {
    let failures = documents.filter { !$0.isArriving }.compactMap { document in
      document.failure.map { CommandFailure($0, in: DocumentArgument(document.document)) }
    }
    for failure in failures { failure.report(isJSON: isJSON) }
    if let first = failures.first { throw first.status }
  }
}
