internal import DocumentVersions
internal import Foundation

/// An exchange through a folder: `{"container", "documents", "folder"}`, both paths and the documents.
struct ExchangeReport: Encodable {
  /// A document that was exchanged.
  ///
  /// Its path, its former one where the exchange moved it or null, how many versions were received and sent, how many
  /// conflict versions are unresolved, and why it was left out or null.
  struct Document: Encodable {
    private enum CodingKeys: CodingKey {
      case document, received, sent, unresolvedConflicts, failure, former
    }

    let exchange: DocumentExchange
    /// The failure that left it out.
    let failure: CommandFailure?

    /// True if the exchange brought nothing new, and nothing is left to do.
    var hasNothingNew: Bool {
      exchange.received + exchange.sent + exchange.unresolvedConflicts == 0
        && exchange.failure == nil && exchange.formerDocument == nil
    }

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

  let container, folder: String
  let documents: [Document]

  init(_ container: URL, through folder: URL, _ documents: [Document]) {
    self.container = container.absoluteURL.standardizedFileURL.path
    self.folder = folder.absoluteURL.standardizedFileURL.path
    self.documents = documents
  }
}
