internal import DocumentVersions
internal import Foundation

/// A remote: `{"address", "lastSync", "name", "shared"}`, and `"private"` where it was just added: the documents that on
/// this device only their owner can read.
struct RemoteReport: Encodable {
  let name, address: String
  let shared: Bool
  @Nullable var lastSync: String?
  let `private`: [String]?

  init(_ remote: Remote, privateDocuments: [String]? = nil) {
    name = remote.name
    address = remote.address
    shared = remote.isShared
    _lastSync = Nullable(wrappedValue: remote.lastSync.map { Timestamp.textInSeconds($0) })
    `private` = privateDocuments
  }
}

/// The remotes of a folder of documents: `{"container", "remotes"}`.
struct RemotesReport: Encodable {
  let container: String
  let remotes: [RemoteReport]

  init(container: URL, _ remotes: [Remote]) {
    self.container = container.absoluteURL.standardizedFileURL.path
    self.remotes = remotes.map { RemoteReport($0) }
  }
}

/// An exchange through a git repository: `{"arriving", "container", "documents", "edited", "received", "remote", "sent"}`.
struct SyncReport: Encodable {
  let container: String
  let remote: RemoteReport
  let documents: [ExchangeReport.Document]
  let sent, received: ExchangeReport.Amount
  /// The devices of which not everything has arrived yet, by their names.
  let arriving: [String]
  /// The documents that were edited and not saved.
  let edited: [String]

  init(_ exchange: ExchangeReport, with remote: Remote, edited: [String]) {
    container = exchange.container
    self.remote = RemoteReport(remote)
    documents = exchange.documents
    sent = exchange.sent
    received = exchange.received
    arriving = exchange.arriving
    self.edited = edited
  }
}

/// The answer to an exchange through a git repository.
struct SyncAnswer {
  let place: URL
  let remote: Remote
  let outcome: ExchangeOutcome
  /// The documents that were edited and not saved.
  var edited: [DocumentArgument] = []

  /// Prints it, and fails where a document failed.
  func give(isJSON: Bool) throws {
    let exchange = ExchangeReport(
      place, through: place, outcome,
      outcome.documents.map {
        ExchangeReport.Document(exchange: $0, failure: $0.failure.map { CommandFailure($0) })
      })
    try Console.answer(
      SyncReport(exchange, with: remote, edited: edited.map(\.absolutePath)), asJSON: isJSON,
      ExchangeListing(report: exchange).lines + hints)
    try outcome.reportFailures(isJSON: isJSON)
  }

  private var hints: [String] {
    guard !edited.isEmpty else { return [] }
    let names = edited.prefix(5).map(\.shown).joined(separator: ", ")
    let more = edited.count > 5 ? " and \(edited.count - 5) more" : ""
    return [
      "Edited and not saved: \(names)\(more). Save and send that, too:  docversions sync --save"
        .asMuted
    ]
  }
}

extension ExchangeOutcome {
  /// Reports the documents that were left out, and fails with the first of them.
  func reportFailures(isJSON: Bool) throws {
    let failures = documents.filter { !$0.isArriving }.compactMap { document in
      document.failure.map { CommandFailure($0, in: DocumentArgument(document.document)) }
    }
    for failure in failures { failure.report(isJSON: isJSON) }
    if let first = failures.first { throw first.status }
  }
}
