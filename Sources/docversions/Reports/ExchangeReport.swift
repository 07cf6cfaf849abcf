internal import DocumentVersions
internal import Foundation

/// An exchange through a folder: `{"arriving", "container", "documents", "folder", "received", "sent"}`.
struct ExchangeReport: Encodable {
  /// An affected document.
  ///
  /// Its path, its former path if the exchange moved it or null, the numbers of received and sent versions
  /// and of unresolved conflict versions, and the reason why it was left out or null.
  struct Document: Encodable {
    private enum CodingKeys: CodingKey {
      case document, received, sent, unresolvedConflicts, failure, former
    }

    let exchange: DocumentExchange
    /// The failure that left it out.
    let failure: CommandFailure?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(exchange.document.path, forKey: .document)
      try container.encode(exchange.received, forKey: .received)
      try container.encode(exchange.sent, forKey: .sent)
      try container.encode(exchange.unresolvedConflicts, forKey: .unresolvedConflicts)
      try container.encode(failure?.message, forKey: .failure)
      try container.encode(exchange.formerDocument?.path, forKey: .former)
    }
  }

  /// The amount that was sent or received: documents, versions, and bytes on disk.
  struct Amount: Encodable {
    let documents, versions, bytes: Int
  }

  let container, folder: String
  let documents: [Document]
  let sent, received: Amount
  /// The names of the devices from which not everything has arrived yet.
  let arriving: [String]

  init(
    _ container: URL, through folder: URL, _ outcome: ExchangeOutcome, _ documents: [Document]
  ) {
    self.container = container.absoluteURL.standardizedFileURL.path
    self.folder = folder.absoluteURL.standardizedFileURL.path
    self.documents = documents
    sent = Amount(
      documents: outcome.documents.count { $0.sent > 0 }, versions: outcome.sent,
      bytes: outcome.sentBytes)
    received = Amount(
      documents: outcome.documents.count { $0.received > 0 }, versions: outcome.received,
      bytes: outcome.receivedBytes)
    arriving = outcome.arriving
  }
}

extension DocumentExchange {
  /// True if the document was left out only because not all of it has arrived yet.
  var isArriving: Bool { (failure as? VersionError)?.code == .notArrived }
}
